"""The paper's analysis on a world: every quantity with its number, and whether it can be trusted there."""

import itertools
import math
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from roguewk.bounds.assumptions import (
    WORDS,
    Report,
    check_assumptions,
    check_without_limits,
    constants_table,
    sizes,
)
from roguewk.bounds.idling import check_idle_brings_nothing, may_be_idle
from roguewk.bounds.nlp import FractionalPlan
from roguewk.bounds.propositions import proposition_rows
from roguewk.bounds.quantities import CONSTANTS, Row, constant_rows, find_numbers
from roguewk.bounds.reachable import IDLE, Schedule, best_schedule, priced_bound
from roguewk.bounds.upper import Bound
from roguewk.problem.errors import InputError, shown
from roguewk.world.world import World, check_world

LONGEST = 10_000  # rounds in which schedules are looked for; beyond that it takes long
RUNS = 6  # of the schedule that are shown
CLAIMS = ("Proposition", "Theorem")


@dataclass(frozen=True, eq=False)
class Analysis:
    """What `theorem` found; print it, or take `to_data()`.

    `rows` have a name, a formula, a value, whether it holds, and why; `analysis["Proposition 1"]` finds one. `schedule`
    is the best schedule of whole pulls found, fixed in advance, whose mean costs fit the budgets: it is worth
    `schedule.reward` at mean costs, and playing it expects at least `schedule.assured`, since unlucky costs may end the
    game earlier. `vacuous` says that the regret bound is larger than everything that can be earned. `assumptions` is
    the report of `check_assumptions`.

    >>> import roguewk as rw
    >>> arm = rw.Arm("free", A=0.2, K=0.8, alpha=0.2, beta=0.8, state=(-2, 1))
    >>> analysis = rw.theorem(rw.World(rw.Problem([arm], [], 1000), [-2.0], [[]]))
    >>> claim = analysis["Proposition 1"]
    >>> claim.holds, round(claim.value), round(analysis.schedule.reward)
    (False, 199, 730)
    """

    title: str
    rows: tuple[Row, ...]
    schedule: Schedule | None
    vacuous: bool
    assumptions: Report
    arms: tuple[str, ...]

    def __getitem__(self, name: str) -> Row:
        """The row whose name is, or begins with, `name`."""
        found = [row for row in self.rows if isinstance(name, str) and row.name.startswith(name)]
        if not found:
            raise InputError(f"there is no row {shown(name)}: the rows are {', '.join(row.name for row in self.rows)}")
        return min(found, key=lambda row: len(row.name))

    def __str__(self) -> str:
        lines = [self.title, *textwrap.wrap(self.verdict, 80), ""]
        for row in self.rows:
            number = f"{row.value:,.0f}" if 1e5 <= abs(row.value) < 1e10 else f"{row.value:,.4g}"
            name, texts = row.name, [row.formula, row.why]
            if row.holds and row.name in CONSTANTS:  # nothing to explain
                name, texts = f"{row.name:<10}{row.formula}", []
            lines.append(f"{WORDS[row.holds]:<9}{name:<59}{number if math.isfinite(row.value) else 'none':>12}")
            for text in texts:
                lines += textwrap.wrap(text, 80, initial_indent=" " * 9, subsequent_indent=" " * 9)
        lines += ["", *self._schedule_lines(), "", *constants_table(self.assumptions.constants)]
        return "\n".join(lines)

    def _schedule_lines(self) -> list[str]:
        if self.schedule is None:
            return [f"No schedule was looked for: the horizon is above {LONGEST:,} rounds."]
        found = self.schedule
        pulls = int((found.arms != IDLE).sum())
        text = (
            f"The best schedule found: {found.name}. It is {self._shown(found)}; {pulls:,} pulls in "
            f"{found.arms.size:,} rounds, worth {found.reward:,.2f} if every pull costs its mean."
        )
        if math.isfinite(found.assured) and found.assured < found.reward:
            text += f" Playing it expects at least {found.assured:,.2f}, since unlucky costs may end the game earlier."
        return textwrap.wrap(text, 80)

    def _shown(self, schedule: Schedule) -> str:
        """The first runs of equal choices."""
        runs = [(a, len(list(group))) for a, group in itertools.groupby(schedule.arms.tolist())]
        parts = [f"{'idle' if a == IDLE else repr(self.arms[a])} x {count}" for a, count in runs[:RUNS]]
        return ", ".join(parts) + (", ..." if len(runs) > RUNS else "") if parts else "nothing is played"

    @property
    def verdict(self) -> str:
        """A sentence or two on what holds."""
        parts = []
        for holds, verb in ((True, "holds"), (False, "does not hold"), (None, "is undecided")):
            names = [row.name.split(":")[0] for row in self.rows if row.name.startswith(CLAIMS) and row.holds is holds]
            if names:
                parts.append(f"{', '.join(names)}: {verb}")
        empty = "The regret bound is empty: it exceeds all that can be earned." if self.vacuous else ""
        return f"{'; '.join(parts)}. {empty}".strip()

    def to_data(self) -> dict[str, Any]:
        """Return the analysis as plain data for JSON; where there is no number, None."""
        rows = [{**asdict(row), "value": _finite(row.value)} for row in self.rows]
        data: dict[str, Any] = {"title": self.title, "verdict": self.verdict, "vacuous": self.vacuous, "rows": rows}
        data["schedule"] = None
        if self.schedule is not None:
            arms = [None if a == IDLE else self.arms[a] for a in self.schedule.arms.tolist()]
            found = self.schedule
            data["schedule"] = {
                "name": found.name,
                "reward": found.reward,
                "assured": _finite(found.assured),
                "arms": arms,
            }
        return {**data, "assumptions": self.assumptions.to_data()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def theorem(world: World, idle: bool | None = None, *, plan: FractionalPlan | None = None) -> Analysis:
    """Evaluate the paper's analysis on a world: its constants, propositions 1 to 3 and the regret bound.

    Each number comes with its formula and with whether it holds here; where a schedule that can be played beats
    proposition 1, it is shown. `idle` overrides whether a round may be left unplayed; `plan`, a solution of
    `rw.nlp(world)`, adds a row.

    >>> import roguewk as rw
    >>> analysis = rw.theorem(rw.catalog.paper())
    >>> round(analysis["Theorem 2"].value), analysis.vacuous  # more than the 1000 rounds can pay
    (2753, True)
    """
    problem = check_world(world).problem
    if plan is not None and not isinstance(plan, FractionalPlan):
        raise InputError(f"the plan is a {type(plan).__name__}: give what rw.nlp(world) returns")
    check_without_limits(world, "the analysis")
    check_idle_brings_nothing(world, "the paper's analysis")
    may_idle = may_be_idle(world, idle)
    world = world.with_problem(idle=may_idle)
    report = check_assumptions(world)
    bound = schedule = None
    if problem.horizon <= LONGEST:
        bound = priced_bound(world, may_idle)
        schedule = best_schedule(world, may_idle, bound)
    numbers = find_numbers(world, may_idle, report)
    claims = proposition_rows(numbers, report, schedule, bound)
    rows = (*claims, *_earned(schedule, bound, plan), *constant_rows(world, numbers, report))
    rounds = "idle rounds allowed" if may_idle else "every round plays"
    ceiling = numbers.rounds * numbers.largest if bound is None else bound.value
    title = f"The paper's analysis: {sizes(problem)}, {rounds}"
    names = tuple(arm.name for arm in problem.arms)
    return Analysis(title, rows, schedule, claims[3].value >= ceiling, report, names)


def _earned(schedule: Schedule | None, bound: Bound | None, plan: FractionalPlan | None) -> Iterator[Row]:
    """What can be said about OPT(T) without the paper's propositions."""
    if schedule is not None:
        why = f"At mean costs it is worth {schedule.reward:,.2f}; unlucky costs may end the game earlier."
        if math.isinf(schedule.assured):
            why = "Some mean rewards are negative, so that what an early end would do is not known."
        formula = "what playing the schedule below expects at least"
        yield Row("OPT(T), at least", formula, schedule.assured, math.isfinite(schedule.assured) or None, why)
    if bound is not None:
        why = f"rw.upper_bound: no policy can expect more; {bound.status}."
        yield Row("OPT(T), at most", "Lagrangian bound", bound.value, True, why)
    if plan is not None:
        why = f"{plan.status.capitalize()}, in fractions of pulls: no bound, and a better solution may exist."
        yield Row("NLP(x0, T, C), at least", "rw.nlp", plan.value, None, why)
