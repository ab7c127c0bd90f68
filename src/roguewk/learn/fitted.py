"""What a log says of one arm."""

from dataclasses import dataclass

from roguewk.learn.profile import Interval
from roguewk.learn.verdict import Verdict


@dataclass(frozen=True)
class FittedArm:
    """What the log says of an arm.

    `rested` is the mean reward of the average subject when the arm is rested, `wear` what a use takes off the level,
    `half_life` the time in which half of that comes back and `start` how far from rested the level is at first.

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
