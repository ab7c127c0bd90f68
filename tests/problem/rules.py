"""What limits allow, as a referee with a sheet of paper would tell: all pulls are gone through anew at every question.

It shares no code with `problem/limits.py`: durations are read, arms are looked up and amounts are added here, as exact
fractions, and there are no running totals that could go wrong.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction

import roguewk as rw

A_BILLIONTH = Fraction(1, 10**9)  # of a budget, by which rounding may break it


@dataclass
class Pull:
    """A line on the sheet; `costs` are those that were told, by resource, None as long as they were not."""

    arm: str
    costs: dict[str, Fraction] | None = None


def rounds(problem: rw.Problem, duration: int | str) -> int:
    """How many rounds "3 days" or a number of rounds are."""
    if isinstance(duration, int):
        return duration
    count, unit = duration.split()
    per_unit = {"round": Fraction(1), "day": Fraction(problem.rounds_per_day or 0)}[unit.removesuffix("s")]
    found = Fraction(count) * per_unit
    assert found.denominator == 1
    return int(found)


class Rules:
    """The pulls of a game, by round, and what may be pulled next."""

    def __init__(self, problem: rw.Problem, largest: dict[str, dict[str, float]] | None = None) -> None:
        """`largest` is what a pull of an arm takes of a resource at the most, if it is less than the largest cost."""
        self.problem = problem
        self.largest = largest or {}
        self.pulls: dict[int, Pull] = {}

    def most(self, arm: str, resource: rw.Resource) -> Fraction:
        """What a pull may take."""
        if resource.counts is not None:
            return Fraction(1 if arm in resource.counts or not resource.counts else 0)
        return Fraction(self.largest.get(arm, {}).get(resource.name, resource.unit))

    def taken(self, pull: Pull, resource: rw.Resource) -> Fraction:
        """What a pull has taken, or may have."""
        if pull.costs is None or resource.counts is not None:
            return self.most(pull.arm, resource)
        return pull.costs[resource.name]

    def left(self, resource: rw.Resource, round_: int) -> Fraction:
        """What may be taken in this round of a budget that renews, or of a cap."""
        if resource.every is None:
            first, granted = 0, Fraction(resource.budget)
        else:
            period = rounds(self.problem, resource.every)
            number = round_ // period
            first = 0 if resource.carry_over else number * period
            granted = Fraction(resource.budget) * (number + 1 if resource.carry_over else 1)
        counted = [self.taken(pull, resource) for t, pull in self.pulls.items() if first <= t <= round_]
        return granted - sum(counted)

    def allow(self, arm: str, round_: int) -> bool:
        """Whether this arm may be pulled in this round."""
        for resource in self.problem.resources:
            renews_or_caps = resource.every is not None or resource.counts is not None
            slack = A_BILLIONTH * Fraction(resource.budget)
            most = self.most(arm, resource)
            if renews_or_caps and most > 0 and most > self.left(resource, round_) + slack:
                return False
        for gap in self.problem.gaps:
            kept_apart = gap.arms or tuple(each.name for each in self.problem.arms)
            since = range(max(round_ - rounds(self.problem, gap.least) + 1, 0), round_)
            if arm in kept_apart and any(t in self.pulls and self.pulls[t].arm in kept_apart for t in since):
                return False
        return True

    def free(self, round_: int) -> list[str]:
        """The arms that may be pulled in this round."""
        return [arm.name for arm in self.problem.arms if self.allow(arm.name, round_)]

    def hurried(self) -> bool:
        """Whether some arm was pulled sooner than a gap allows."""
        for gap in self.problem.gaps:
            kept_apart = gap.arms or tuple(each.name for each in self.problem.arms)
            pulled = sorted(t for t, pull in self.pulls.items() if pull.arm in kept_apart)
            if any(b - a < rounds(self.problem, gap.least) for a, b in itertools.pairwise(pulled)):
                return True
        return False

    def first_free(self, arm: str, round_: int, within: int) -> int | None:
        """The first round from this one on in which an arm may be pulled, if nothing is until then."""
        return next((t for t in range(round_, round_ + within) if self.allow(arm, t)), None)

    def tell(self, round_: int, costs: list[float]) -> None:
        """Note what the pull of a round has cost, in the order of the resources whose costs are told."""
        told = [resource for resource in self.problem.resources if resource.counts is None]
        self.pulls[round_].costs = {resource.name: Fraction(cost) for resource, cost in zip(told, costs, strict=True)}
