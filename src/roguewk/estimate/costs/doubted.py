"""Mean costs and how far they may be off, each arm's by what was seen of it and of the others.

An arm's mean cost is taken to be one of many around a common mean, and a cost to lie around the mean of its arm. Both
variances are estimated from all arms, together with some that are imagined (empirical Bayes, by moments). So costs that
are always the same are known after a pull or two, while coins need many, and arms that were never pulled are taken to
cost what the others do, with all the doubt that these leave. The unit is what is seen of costs, see `unit.py`.
"""

import math
from typing import NamedTuple

from roguewk.estimate.costs.tally import CostTally, build_cost_tally
from roguewk.estimate.costs.unit import CostUnit, build_cost_unit, measured, unit_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_doubts, dearest
from roguewk.problem.problem import Problem

IMAGINED_COST = 0.5  # of the first arm, which is imagined, in units
NOISE, APART = 0.25, 1.0  # imagined variances, in squares of a mean: of a cost, and of the arms' means
IMAGINED = 2.0  # costs, and arms, that had them
TINY = 1e-300
USUAL, FAR = 2.0, 4.0  # standard deviations above the mean, where some costs are, and hardly any
LARGEST = 1.0 - 1e-6  # of the largest cost: as good as that


@measured
class DoubtedCosts(NamedTuple):
    """The cost estimate of the planner."""

    tally: CostTally
    unit: CostUnit


def build_doubted_costs(problem: Problem) -> DoubtedCosts:
    """A fresh estimate for this problem."""
    return DoubtedCosts(build_cost_tally(problem), build_cost_unit(problem))


class Common(NamedTuple):
    """What the arms have in common in one resource."""

    mean: float
    noise: float  # variance of a cost around the mean of its arm
    between: float  # variance of the arms' means


class Pooled(NamedTuple):
    """All costs of one resource, and one that is imagined."""

    guess: float  # the imagined one
    mean: float
    noise: float  # variance of a cost around the mean of its arm


@compiled
def _pooled(part: DoubtedCosts, j: int) -> Pooled:
    tally, guess = part.tally, IMAGINED_COST * unit_of(part.unit, j)
    total, square, pulls = guess, (1.0 + NOISE) * guess * guess, 1.0
    scatter = free = 0.0
    for a in range(tally.counts.size):
        n = tally.counts[a]
        if n > 0.0:
            total += tally.sums[a, j]
            square += tally.squares[a, j]
            pulls += n
            scatter += max(tally.squares[a, j] - tally.sums[a, j] ** 2 / n, 0.0)
            free += n - 1.0
    mean = total / pulls
    # Until arms were pulled twice, chance may as well be what sets their costs apart.
    anyhow = max(square / pulls - mean * mean, 0.0)
    return Pooled(guess, mean, (scatter + IMAGINED * anyhow) / (free + IMAGINED))


@compiled
def _common(part: DoubtedCosts, j: int) -> Common:
    """What was seen of all arms, and what was imagined; an arm counts as far as what is known of it is not noise."""
    tally, pooled = part.tally, _pooled(part, j)
    drawn = pooled.noise / max(APART * pooled.mean * pooled.mean, TINY)
    total, tried = pooled.guess / (1.0 + drawn), 1.0 / (1.0 + drawn)
    for a in range(tally.counts.size):
        n = tally.counts[a]
        if n > 0.0:
            total += tally.sums[a, j] / (n + drawn)
            tried += n / (n + drawn)
    mean = total / tried
    apart, arms = IMAGINED * APART * mean * mean, IMAGINED
    for a in range(tally.counts.size):
        n = tally.counts[a]
        if n > 0.0:
            counts = n / (n + drawn)
            apart += counts * max((tally.sums[a, j] / n - mean) ** 2 - pooled.noise / n, 0.0)
            arms += counts
    return Common(mean, pooled.noise, apart / arms)


@compiled
def _noise(part: DoubtedCosts, common: Common, a: int, j: int) -> float:
    """The variance of an arm's costs, drawn towards that of all; low ones tell little, as rare coins are low mostly."""
    n, total = part.tally.counts[a], part.tally.sums[a, j]
    scatter = max(part.tally.squares[a, j] - total**2 / max(n, 1.0), 0.0)
    tells = max(n - 1.0, 0.0) * min(total / max(n * common.mean, TINY), 1.0)
    return (scatter + IMAGINED * common.noise) / (tells + IMAGINED)


@compiled
def _mean(part: DoubtedCosts, common: Common, noise: float, a: int, j: int) -> float:
    """An arm's mean cost, drawn towards the common one as far as costs are noisy."""
    drawn = noise / max(common.between, TINY)
    return (part.tally.sums[a, j] + drawn * common.mean) / max(part.tally.counts[a] + drawn, TINY)


@cost_bounds.body(DoubtedCosts)
def _cost_bounds(part: DoubtedCosts, now: Now, out: Vector) -> None:
    for j in range(out.shape[1]):
        common = _common(part, j)
        for a in range(out.shape[0]):
            out[a, j] = _mean(part, common, _noise(part, common, a, j), a, j)


@compiled
def _doubt(part: DoubtedCosts, common: Common, noise: float, a: int) -> float:
    """The variance of what an arm's mean cost may be."""
    return common.between * noise / max(noise + part.tally.counts[a] * common.between, TINY)


@cost_doubts.body(DoubtedCosts)
def _cost_doubts(part: DoubtedCosts, out: Vector, noises: Vector) -> None:
    for j in range(out.shape[1]):
        common = _common(part, j)
        for a in range(out.shape[0]):
            noises[a, j] = _noise(part, common, a, j)
            out[a, j] = math.sqrt(_doubt(part, common, noises[a, j], a))


@compiled
def _up_to(part: DoubtedCosts, a: int, j: int, deviations: float) -> float:
    """What costs of this arm are below, but for what is so many standard deviations above their mean."""
    n, total, square = part.tally.counts[a], part.tally.sums[a, j], part.tally.squares[a, j]
    mean = total / n
    noise = (max(square - total * mean, 0.0) + NOISE * mean * mean) / n
    return min(mean + deviations * math.sqrt(noise * (1.0 + 1.0 / n)), 1.0)


@compiled
def _is_usual(part: DoubtedCosts, j: int) -> bool:
    """Whether the largest cost seen is nothing out of the way for some arm; else it may be any arm's next."""
    usual = False
    for a in range(part.tally.counts.size):
        if part.tally.counts[a] > 0.0:
            usual = usual or _up_to(part, a, j, USUAL) >= part.unit.largest[j]
    return usual


@dearest.body(DoubtedCosts)
def _dearest(part: DoubtedCosts, out: Vector) -> None:
    """By what was seen of the arm itself: beside arms that are dear, a cheap one is not."""
    tally = part.tally
    for j in range(out.shape[1]):
        usual = _is_usual(part, j)
        for a in range(out.shape[0]):
            all_or_nothing = tally.squares[a, j] >= LARGEST * tally.sums[a, j] * part.unit.largest[j]
            if tally.counts[a] < 2.0 or all_or_nothing or not usual:
                out[a, j] = unit_of(part.unit, j)
            else:
                out[a, j] = _up_to(part, a, j, FAR)
            out[a, j] = min(out[a, j], tally.most[a, j])


DOUBTED = Part(
    role=COSTS,
    name="doubted",
    summary="means drawn together as far as they are noisy, and how far they may be off",
    build=build_doubted_costs,
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (DOUBTED,)
