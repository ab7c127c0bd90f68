"""What a log says of one arm, and of what arms share."""

from dataclasses import dataclass, field

from roguewk.learn.posterior import ArmPosterior
from roguewk.learn.profile import Interval
from roguewk.learn.verdict import Verdict


@dataclass(frozen=True)
class FittedArm:
    """What the log says of an arm.

    `rested` is the mean reward of the average subject when the arm is rested, `wear` what a use takes off the level,
    `half_life` the time in which half of that comes back and `start` how far from rested the level is at first.
    `posterior` is what all of them may be together.

    Where no wear is seen there is no half-life, and beside one that nothing tells of, the likeliest wear may be any
    number. The estimate of `wear` is then 0 and that of `rested` the likeliest without wear; their intervals are those
    over all half-lives, also over such as would hide wear between one use and the next.

    >>> from roguewk.learn.profile import Interval
    >>> from roguewk.learn.fitted import FittedArm
    >>> from roguewk.learn.verdict import Verdict
    >>> none = Interval(0.0, 0.0, 0.0)
    >>> FittedArm("call", 100, Interval(0.6, 0.5, 0.7), none, none, none, Verdict.NONE_SEEN).rested.high
    0.7
    """

    name: str
    pulls: int
    rested: Interval
    wear: Interval
    half_life: Interval
    start: Interval
    verdict: Verdict
    posterior: ArmPosterior | None = field(default=None, repr=False)  # none where the log tells nothing of wear


@dataclass(frozen=True)
class FittedEffect:
    """What the log says of something that arms share: a covariate, a trend, or a state beside the arms' own.

    >>> from roguewk.learn.fitted import FittedEffect
    >>> from roguewk.learn.profile import Interval
    >>> FittedEffect("hour", Interval(0.1, 0.05, 0.15), "log-odds per unit", "raises the level").interval.low
    0.05
    """

    name: str
    interval: Interval
    unit: str
    verdict: str  # in words; empty where another line says it
    of_state: bool = False
