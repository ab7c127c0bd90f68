"""A check of each of the paper's assumptions, with numbers and a sentence."""

import math
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.calendar import calendar_of, shift_table
from roguewk.problem.constants import GRID, ArmConstants, arm_constants
from roguewk.problem.errors import InputError, listed, shown
from roguewk.problem.ledger import limit_of
from roguewk.problem.problem import Problem
from roguewk.relax.worth import beyond_tables
from roguewk.world.world import World

WORDS = {True: "yes", False: "no", None: "unknown"}


@dataclass(frozen=True)
class Check:
    """One assumption: whether it holds (None: cannot be decided), its numbers, and a sentence about it.

    >>> import roguewk as rw
    >>> rw.check_assumptions(rw.catalog.paper()).checks[5].numbers
    {'resource 1': 0.3, 'resource 2': 0.3, 'resource 3': 0.3}
    """

    label: str
    name: str
    holds: bool | None
    numbers: dict[str, float]
    sentence: str


@dataclass(frozen=True)
class Report:
    """What `check_assumptions` found; print it, or take `to_data()`.

    >>> import roguewk as rw
    >>> print(str(rw.check_assumptions(rw.catalog.paper()))[:57])
    The paper's assumptions: 3 arms, 3 resources, 1000 rounds
    """

    title: str
    checks: tuple[Check, ...]
    constants: Mapping[str, ArmConstants]

    def __str__(self) -> str:
        lines = [self.title, *textwrap.wrap(self.verdict, 80), ""]
        for check in self.checks:
            lines.append(f"{check.label:<3}{WORDS[check.holds]:<9}{check.name}")
            lines += textwrap.wrap(check.sentence, 80, initial_indent=" " * 12, subsequent_indent=" " * 12)
        return "\n".join([*lines, "", *constants_table(self.constants)])

    @property
    def verdict(self) -> str:
        """A sentence on which checks hold."""
        words = ((True, "holds", "hold"), (False, "does not hold", "do not hold"), (None, "is unknown", "are unknown"))
        parts = []
        for holds, one, many in words:
            labels = [check.label for check in self.checks if check.holds is holds]
            if labels:
                parts.append(f"{', '.join(labels)} {one if len(labels) == 1 else many}")
        return "; ".join(parts) + "."

    def to_data(self) -> dict[str, Any]:
        """Return the report as plain data for JSON; an infinite number becomes None."""
        checks = [asdict(check) for check in self.checks]
        arms = {name: asdict(constants) for name, constants in self.constants.items()}
        for table in [*arms.values(), *(check["numbers"] for check in checks)]:
            table.update({key: None for key, value in table.items() if not math.isfinite(value)})
        return {"title": self.title, "verdict": self.verdict, "checks": checks, "constants": arms}


def constants_table(constants: Mapping[str, ArmConstants]) -> list[str]:
    """Lines of text, an arm each, that fit 80 columns."""
    columns = ("L_h", "L_g", "L_f", "L_p", "sigma", "diameter")
    lines = [f"{'constants over X':<19}" + "".join(f"{column:>10}" for column in columns)]
    for name, each in constants.items():
        lines.append(f"{_short(name, 18):<19}" + "".join(f"{getattr(each, key):>10.4g}" for key in columns))
    return lines


def sizes(problem: Problem) -> str:
    """How many arms, resources and rounds there are."""
    count = [(len(problem.arms), "arm"), (len(problem.resources), "resource"), (problem.horizon, "round")]
    return ", ".join(f"{size} {thing}{'' if size == 1 else 's'}" for size, thing in count)


def _short(name: str, width: int) -> str:
    name = " ".join(name.split())
    return name if len(name) <= width else name[: width - 3] + "..."


def _listed(names: Iterable[str]) -> str:
    return listed(map(repr, names))


def _about_rewards(problem: Problem, constants: dict[str, ArmConstants], drawn: bool) -> list[Check]:
    """Check assumptions 1 to 4."""
    families = {arm.family: arm.reward_family for arm in problem.arms}
    named = {family: _listed([arm.name for arm in problem.arms if arm.family == family]) for family in families}
    steep = [family.on_slopes.format(names=named[name]) for name, family in families.items() if family.on_slopes]
    heavy = any(family.sub_gaussian is None and not family.wants_sigma for family in families.values())
    tails = [family.on_tails.format(names=named[name]) for name, family in families.items()]
    certain = [
        arm.name for arm in problem.arms if math.isinf(constants[arm.name].L_f) and not arm.reward_family.on_slopes
    ]
    independent = "Simulated rewards are drawn so." if drawn else "An assumption about live data; no model can tell."
    lipschitz = " ".join(steep) or "L_f and L_g are finite on X; see the table below."
    if certain:
        lipschitz = f"The mean reward of {_listed(certain)} reaches 0 or 1, where the log-likelihood is infinite."
    return [
        Check("1", "Rewards are independent given the states", True if drawn else None, {}, independent),
        Check("2", "Rewards are log-concave", True, {}, "Every family of rewards is."),
        Check(
            "3",
            "Log-likelihood ratio and mean reward are Lipschitz in the state",
            not (steep or certain),
            {name: c.L_f for name, c in constants.items()},
            lipschitz,
        ),
        Check(
            "4",
            "Rewards are sub-Gaussian, with finite support or a finite L_p",
            not heavy,
            {name: c.sigma for name, c in constants.items()},
            " ".join(tails),
        ),
    ]


def _about_dynamics(constants: dict[str, ArmConstants]) -> list[Check]:
    """Check assumption 5, and that X is a state set at all."""
    loose = [name for name, c in constants.items() if c.L_h >= 1]
    merged = [name for name, c in constants.items() if not c.injective]
    leaky = [name for name, c in constants.items() if not c.invariant]
    sentence = "Read 'bijective' as one-to-one: a contraction never maps a compact X onto all of X."
    if loose:
        sentence += f" One step of {_listed(loose)} can push states apart (L_h of at least 1)."
    if merged:
        sentence += f" The dynamics of {_listed(merged)} send several states to the same next one."
    if any(c.numerical for c in constants.values()):
        sentence += f" Functions h and g of your own were judged on {GRID} points of X."
    inside = f"From inside X, {_listed(leaky)} can leave it: widen `state`." if leaky else "No pull leads out of X."
    slopes = {name: c.L_h for name, c in constants.items()}
    widths = {name: c.diameter for name, c in constants.items()}
    return [
        Check("5", "The dynamics are one-to-one and contract, L_h < 1", not (loose or merged), slopes, sentence),
        Check("X", "The state set holds every next state", not leaky, widths, inside),
    ]


def _about_budgets(problem: Problem, mean_costs: Vector | None) -> list[Check]:
    """Check assumption 6, and whether playing every round can fit the budgets."""
    names = [resource.name for resource in problem.resources]
    rates = dict(zip(names, (problem.budgets / problem.periods).tolist(), strict=True))
    most = dict(zip(names, problem.scales.tolist(), strict=True))
    told = "; ".join(
        f"{rate:.4g} of {name!r} a round, of which a pull takes {most[name]:.4g} at the most"
        for name, rate in rates.items()
    )
    growth = f"b = B / T is {told}." if rates else "No resource: only T limits."
    if problem.contexts:
        growth = (
            "Contexts are not in the paper's game, in which rounds are alike; its theorem says nothing of this one."
        )
    elif problem.limited:
        growth = "Budgets that renew, caps and gaps are not in the paper's game; its theorem says nothing of this one."
    holds, sentence = None, "The mean costs are not known to a policy; give a world to find out."
    if problem.idle or not rates:
        holds, sentence = (
            True,
            "Idle rounds are allowed: it always is." if rates else "There is no resource to run out of.",
        )
    elif mean_costs is not None:
        holds, sentence = _playable(problem, mean_costs)
    return [
        Check(
            "6", "Budgets grow linearly, B = b T with b > 0", not (problem.limited or problem.contexts), rates, growth
        ),
        Check("B", "The single-step LP is feasible at the true costs", holds, {}, sentence),
    ]


def _about_beliefs(world: World | Problem) -> list[Check]:
    """The paper takes the dynamics as known; only a world can tell that they are not."""
    if not isinstance(world, World) or not world.misjudged:
        return []
    sentence = (
        f"Policies believe otherwise of {_listed(world.misjudged)} than is true. All numbers here are those of "
        "the truth; no guarantee holds for a policy that is told something else."
    )
    return [Check("K", "The dynamics are known", False, {}, sentence)]


def _about_tables(problem: Problem) -> list[Check]:
    """What planners tabulate of an arm may not reach far enough, or be too coarse."""
    beyond = {arm.name: beyond_tables(arm, problem.horizon) for arm in problem.arms}
    sentences = [f"{name!r} {why}" for name, why in beyond.items() if why]
    if not sentences:
        return []
    others = [name for name, why in beyond.items() if why][1:]
    what = f"Arm {sentences[0]}" + (f", likewise {_listed(others)}" if others else "")
    sentence = f"{what}: roguewk-plan may be some hundredths below what it could earn; compare it with recharging."
    return [Check("P", "The tables of planners reach far and fine enough", False, {}, sentence)]


def _about_limits(problem: Problem) -> list[Check]:
    """An arm that may take more than a period brings is never pulled."""
    too_much = np.asarray(problem.scaled_most * problem.scales > limit_of(problem.budgets))  # (arm, resource)
    for j, resource in enumerate(problem.resources):
        names = [arm.name for a, arm in enumerate(problem.arms) if too_much[a, j]]
        if resource.every is not None and not resource.carry_over and names:
            what = f"A pull of {_listed(names)} may take more of {resource.name!r} than a period brings"
            sentence = f"{what}, so that it is never made: raise the budget, or carry it over."
            return [Check("L", "Limits leave every arm a chance", False, {}, sentence)]
    return []


def _about_contexts(problem: Problem) -> list[Check]:
    """An arm that is forbidden in all contexts that there may be is never pulled."""
    if not problem.contexts:
        return []
    calendar = calendar_of(problem.contexts, problem.rounds_per_day)
    there = calendar.odds.any(axis=0)
    barred = shift_table(problem.arms, calendar)[1][there]
    names = [arm.name for a, arm in enumerate(problem.arms) if barred[:, a].all()]
    if not names:
        return []
    sentence = f"{_listed(names)} {'is' if len(names) == 1 else 'are'} forbidden in all that there may be: mend `when`."
    return [Check("C", "Contexts leave every arm a chance", False, {}, sentence)]


def _playable(problem: Problem, mean_costs: Vector) -> tuple[bool | None, str]:
    rates = problem.budgets / problem.periods
    afford = np.asarray(mean_costs <= limit_of(rates))  # (arm, resource)
    alone = [arm.name for a, arm in enumerate(problem.arms) if afford[a].all()]
    scarce = [
        f"{resource.name!r} ({mean_costs[:, j].min():.4g} a pull on average, {rates[j]:.4g} a round)"
        for j, resource in enumerate(problem.resources)
        if not afford[:, j].any()
    ]
    if alone:
        return True, f"Playing {_listed(alone)} in every round fits all budgets."
    if scarce:
        return False, (
            f"Not even the cheapest arm fits b on {', '.join(scarce)}: no mixture can play every round, so the LP is "
            "solved with sum(pi) <= 1 and normalised."
        )
    return None, "No arm alone fits every budget; a mixture may."


def check_without_limits(world: World, what: str) -> None:
    """Refuse a world with contexts or budgets that renew, caps or gaps for what is worked out of the paper's game."""
    if world.contexts:
        where = f"{what} is of the paper's game, in which rounds are alike, and those of this world differ by contexts"
        raise InputError(f"{where}: take rw.upper_bound, or a world without contexts")
    if world.problem.limited:
        where = f"{what} is of the paper's game, where no budget renews and no pulls are capped or kept apart"
        raise InputError(f"{where}: take rw.upper_bound, or a world without limits")


def check_assumptions(world: World | Problem) -> Report:
    """Check the paper's assumptions 1 to 6 for a world or a problem, with the constants they ask for.

    >>> import roguewk as rw
    >>> report = rw.check_assumptions(rw.catalog.paper(budget=100.0))
    >>> [check.label for check in report.checks if check.holds is False]
    ['B']
    """
    problem = getattr(world, "problem", world)
    if not isinstance(problem, Problem):
        raise InputError(f"checked is {shown(world)}: give an rw.World or an rw.Problem")
    constants = {arm.name: arm_constants(arm) for arm in world.arms}
    drawn = problem is not world
    five, inside = _about_dynamics(constants)
    six, playable = _about_budgets(problem, getattr(world, "mean_costs", None))
    checks = (
        *_about_rewards(problem, constants, drawn),
        five,
        six,
        inside,
        playable,
        *_about_beliefs(world),
        *_about_tables(problem),
        *_about_limits(problem),
        *_about_contexts(problem),
    )
    return Report(f"The paper's assumptions: {sizes(problem)}", checks, constants)
