"""Which trial would narrow the half-life of an arm most, given the log so far."""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from roguewk.estimate.dynamics.prior import weak_table
from roguewk.kernel.arrays import Vector
from roguewk.learn.expected import Believed, Outcomes, Reach, expected_drops, reaches
from roguewk.learn.fitted import FittedArm
from roguewk.learn.model import SPREAD
from roguewk.learn.posterior import Draws
from roguewk.learn.profile import Interval
from roguewk.learn.rounds import length_of_round
from roguewk.learn.schedules import Schedule, given_schedules, usual_schedules
from roguewk.learn.summary import cell, shown_number
from roguewk.problem.errors import InputError, known, whole
from roguewk.problem.family.registry import family_named
from roguewk.problem.unknown import level_unit

if TYPE_CHECKING:
    import pandas as pd

SHORTEST, LONGEST = 1 / 3, 3.0  # half-lives that a trial is taken to tell of: of a round, and of all rounds
POINTS = 161  # half-lives where the log tells of none
MOST_ROUNDS = 2000  # memory grows with them
KNOWN = 1e-12  # variance of a start that is not estimated
SHOWN = 10  # schedules at a terminal
WIDE = 80


class Logged(Protocol):
    """What a design needs of a fit, which makes designs and so is not imported here: `rw.Fit` explains its fields."""

    @property
    def arms(self) -> tuple[FittedArm, ...]: ...
    @property
    def family(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def regular(self) -> bool: ...
    @property
    def start(self) -> str: ...
    @property
    def subject_sd(self) -> Interval: ...
    @property
    def sigma(self) -> float | None: ...
    @property
    def dispersion(self) -> float: ...
    def check_plain_states(self, what: str) -> None: ...


class ExpectedSchedule(NamedTuple):
    """A schedule and what it is expected to tell.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> best = rw.fit(invented_log()).design("call").schedules[0]
    >>> best.told, len(best.schedule.variants[0]) == round(best.schedule.pulls)
    (1.0, True)
    """

    schedule: Schedule
    half_life: Interval  # that is to be expected
    narrowing: float  # share of the interval that is gone, in log half-life
    told: float  # share of the draws in which neither end of the interval is open


@dataclass(frozen=True, eq=False)
class TrialDesign:
    """What schedules of a trial would tell of an arm's half-life, the most telling first; made by `fit.design`.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> design = rw.fit(invented_log()).design("call", subjects=100, rounds=40)
    >>> print(design.advice)
    Give 'call' ...: with 100 more subjects the half-life would be known to ... instead of 3.8 to 6.
    """

    arm: str
    subjects: int
    rounds: int
    unit: str
    now: Interval  # the half-life by the log
    verdict: str  # of the log
    schedules: tuple[ExpectedSchedule, ...]
    round_length: float | None  # in `unit`; none where the log counts rounds
    none_seen: bool  # whether the log speaks of wear, and sees none

    def frame(self) -> "pd.DataFrame":
        """A row per schedule: pulls per subject, the interval of the half-life to be expected, how much narrower it is.

        `narrowing` is in per cent of the log's own interval, both in the logarithm of the half-life; `told` is how
        often the half-life would be bounded from both sides. Where no wear is seen, half-lives are left open.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> list(rw.fit(invented_log()).design("call").frame().columns)
        ['schedule', 'pulls', 'half_life', 'half_life_low', 'half_life_high', 'narrowing', 'told']
        """
        import pandas as pd

        rows = [
            (each.schedule.words, each.schedule.pulls, *each.half_life, 100 * each.narrowing, each.told)
            for each in self.schedules
        ]
        names = ["schedule", "pulls", "half_life", "half_life_low", "half_life_high", "narrowing", "told"]
        return pd.DataFrame(rows, columns=names)

    def plan(self, subject: int = 0, schedule: str | None = None) -> list[int]:
        """The rounds in which a further subject gets the arm, from 1 on, by the best schedule or one that is named.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> rw.fit(invented_log()).design("call", rounds=12).plan(schedule="in bursts of 3 with 4 rounds of rest")
        [1, 2, 3, 8, 9, 10]
        """
        chosen = self.schedules[0]
        if schedule is not None:
            by_name = {each.schedule.words: each for each in self.schedules}
            known(schedule, by_name, "schedule")
            chosen = by_name[schedule]
        variants = chosen.schedule.variants
        return list(variants[whole(subject, "subject", 0) % len(variants)])

    @property
    def advice(self) -> str:
        """What to do, in a sentence; where no wear is seen, that nothing has to be done."""
        best = self.schedules[0]
        if self.none_seen:
            return (
                f"No wear of {self.arm!r} is seen in the log, and there may be none: that is no reason to send more. If"
                f" there is some, {_subjects(self.subjects)} who get it {best.schedule.words} would tell its half-life"
                f" in {_percent(best.told)} of what the log leaves open."
            )
        what = f"Give {self.arm!r} {best.schedule.words}: with {_subjects(self.subjects)} the half-life would"
        if best.told < 0.5:
            return (
                f"{what} still not be told in {_percent(1 - best.told)} of what the log leaves open: ask for more"
                " subjects."
            )
        to = f"{shown_number(best.half_life.low)} to {shown_number(best.half_life.high)} {self.unit}"
        if math.isnan(self.now.value):
            return f"{what}, if it is {shown_number(best.half_life.value)}, be known to {to}; the log does not tell it."
        return f"{what} be known to {to} instead of {shown_number(self.now.low)} to {shown_number(self.now.high)}."

    def __str__(self) -> str:
        """A readable table, within 80 columns, and the advice."""
        log = "which the log does not tell" if math.isnan(self.now.value) else f"now {cell(self.now)} {self.unit}"
        log = "of which the log sees no wear" if self.none_seen else f"{log}; in brackets 95 %"
        head = f"{_subjects(self.subjects)} of {self.rounds} rounds{self._length()} would tell of the half-life of"
        lines = [*textwrap.wrap(f"What {head} {self.arm!r}, {log}", WIDE), "", *self._table()]
        if len(self.schedules) > SHOWN:
            lines.append(f"and {len(self.schedules) - SHOWN} more, in design.frame() and in --json")
        return "\n".join([*lines, "", *textwrap.wrap(self.advice, WIDE)])

    def _length(self) -> str:
        """How long a round is, if the log does not count rounds."""
        if self.round_length is None:
            return ""
        unit = self.unit.removesuffix("s") if self.round_length == 1 else self.unit
        return f" of {shown_number(self.round_length)} {unit} each"

    def _table(self) -> list[str]:
        rows = [["schedule", "pulls", *(["half-life told"] if self.none_seen else ["half-life", "narrower"])]]
        for each in self.schedules[:SHOWN]:
            told = [_percent(each.told)] if self.none_seen else [cell(each.half_life), _percent(each.narrowing)]
            rows.append([each.schedule.words, f"{each.schedule.pulls:.1f}", *told])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        widths[0] = min(widths[0], WIDE - sum(widths[1:]) - 2 * len(widths[1:]))
        left = {0} if self.none_seen else {0, 2}  # numbers are set to the right, but not those with an interval
        return ["  ".join(_set(row, widths, left)).rstrip() for row in rows]


def _set(cells: Sequence[str], widths: Sequence[int], left: set[int]) -> list[str]:
    """The cells as wide as their columns, of which these are set to the left; the first is cut to its width."""
    cells = [textwrap.shorten(cells[0], widths[0], placeholder=" …"), *cells[1:]]
    pairs = enumerate(zip(cells, widths, strict=True))
    return [each.ljust(width) if i in left else each.rjust(width) for i, (each, width) in pairs]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _subjects(count: int) -> str:
    return f"{count:,} more subject{'' if count == 1 else 's'}"


def _of_log(arm: FittedArm, draws: int, seed: int) -> tuple[Believed, Draws]:
    """What a log tells of the arm, and draws from that."""
    posterior = arm.posterior
    assert posterior is not None
    free = [j for j in range(3) if posterior.covariances[:, j, j].max() > KNOWN]
    block = posterior.covariances[:, free][:, :, free]
    drops = -np.log(np.maximum(posterior.weights / posterior.weights.max(), 1e-300))
    believed = Believed(
        np.log(posterior.half_lives), drops, posterior.means, np.asarray(np.linalg.pinv(block), np.float64), free
    )
    return believed, posterior.draw(draws, seed)


def _of_nothing(
    fit: Logged, arm: FittedArm, span: tuple[float, float], draws: int, seed: int
) -> tuple[Believed, Draws]:
    """Where the log does not tell of wear: all half-lives alike, and draws from the weak prior of policies.

    `span` is how long a round and the whole trial last.
    """
    luck, family = np.random.default_rng(seed), family_named(fit.family)
    length, whole_length = span
    ends = math.log(SHORTEST * length), math.log(LONGEST * whole_length)
    free = [0, 1, 2] if fit.start == "unknown" else [0, 2]
    middle = np.zeros(3)
    low, high = family.means
    # A rested effect of which nothing is known is drawn like that of any arm.
    unknown = not math.isfinite(arm.rested.value) or (arm.rested.low, arm.rested.high) == (low, high)
    middle[0] = 0.0 if unknown else family.level_of_mean(family.kept(arm.rested.value))
    precision = np.eye(len(free)) / (SPREAD * level_unit(fit.sigma)) ** 2
    believed = Believed(
        log_half_lives=np.linspace(*ends, POINTS),
        drops=np.zeros(POINTS),
        means=np.tile(middle, (POINTS, 1)),
        precisions=np.tile(precision, (POINTS, 1, 1)),
        free=free,
    )
    table = weak_table(fit.sigma)
    at = luck.choice(table.half_lives.size, draws, p=table.chances)
    deviations = np.sqrt(table.covariances[at][:, [0, 3, 5]])
    numbers = table.means[at] + deviations * luck.standard_normal((draws, 3))
    levels = numbers[:, 0] if unknown else np.full(draws, middle[0])
    starts = numbers[:, 1] if 1 in free else np.zeros(draws)
    half_lives = np.exp(np.clip(np.log(table.half_lives[at] * length), *ends))
    return believed, Draws(half_lives, levels, starts, numbers[:, 2])


def _interval(middle: float, reach: Reach) -> Interval:
    """The interval to be expected; an end that is open in most draws is open."""
    low = 0.0 if reach.open_below.mean() > 0.5 else middle * math.exp(-float(reach.below.mean()))
    high = math.inf if reach.open_above.mean() > 0.5 else middle * math.exp(float(reach.above.mean()))
    return Interval(middle, low, high)


def _middle(arm: FittedArm, believed: Believed, truth: Draws) -> float:
    """The half-life around which intervals are shown."""
    if math.isfinite(arm.half_life.value):
        return arm.half_life.value
    if arm.posterior is None:
        return float(np.median(truth.half_lives))
    shares = np.cumsum(np.exp(-believed.drops))
    return float(np.exp(believed.log_half_lives[np.searchsorted(shares, 0.5 * shares[-1])]))


def _arm_named(fit: Logged, arm: Any) -> FittedArm:
    names = [each.name for each in fit.arms]
    if arm is None:
        if len(names) > 1:
            raise InputError(f"the log has the arms {', '.join(map(repr, names))}: say of which the trial is to tell")
        return fit.arms[0]
    known(arm, names, "arm")
    return fit.arms[names.index(arm)]


def design_trial(
    fit: Logged,
    arm: str | None,
    subjects: int,
    rounds: int,
    pulls: int | None,
    schedules: Any,
    round_length: float | None,
    draws: int,
    seed: int,
) -> TrialDesign:
    """What `Fit.design` says."""
    fit.check_plain_states("a design")
    chosen, count = _arm_named(fit, arm), whole(subjects, "subjects", 1, 10**9)
    lasting, length = whole(rounds, "rounds", 2, MOST_ROUNDS), length_of_round(fit, round_length)
    most = None if pulls is None else whole(pulls, "pulls", 2)
    luck = whole(seed, "seed", 0)
    tried = usual_schedules(lasting, most, luck) if schedules is None else given_schedules(schedules, lasting)
    number, none_seen = whole(draws, "draws", 1, 10_000), chosen.verdict.told and not chosen.verdict.seen
    if chosen.posterior is None:
        believed, truth = _of_nothing(fit, chosen, (length, lasting * length), number, luck)
    else:
        believed, truth = _of_log(chosen, number, luck)
    outcomes = Outcomes(
        family=family_named(fit.family),
        dispersion=fit.dispersion,
        subject_sd=fit.subject_sd.value if math.isfinite(fit.subject_sd.value) else 0.0,
        lag=1.0 if fit.regular else 0.0,
    )
    now = reaches(believed.log_half_lives, believed.drops[np.newaxis])
    width, middle = float((now.below + now.above)[0]), _middle(chosen, believed, truth)
    found = []
    for schedule in tried:
        times: list[Vector] = [length * (np.array(variant, dtype=np.float64) - 1.0) for variant in schedule.variants]
        reach = reaches(believed.log_half_lives, expected_drops(times, count, believed, truth, outcomes))
        told = float((~reach.open_below & ~reach.open_above).mean())
        narrowing = 1.0 - float((reach.below + reach.above).mean()) / width
        half_life = chosen.half_life if none_seen else _interval(middle, reach)
        found.append(ExpectedSchedule(schedule, half_life, narrowing, told))
    found.sort(key=lambda each: (-each.told if none_seen else 0.0, -each.narrowing))
    return TrialDesign(
        arm=chosen.name,
        subjects=count,
        rounds=lasting,
        unit=fit.unit,
        now=chosen.half_life,
        verdict=chosen.verdict.sentence,
        schedules=tuple(found),
        round_length=None if fit.regular else length,
        none_seen=none_seen,
    )
