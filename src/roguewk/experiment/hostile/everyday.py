"""Worlds as people have them: budgets that renew, caps, gaps, contexts and a baseline, each alone and all together.

They are counted in days, of one, two or four rounds; what renews does so every one, two or four weeks. Everything
follows from the family and the seed.
"""

import math
from dataclasses import replace

import numpy as np

from roguewk.problem.arm import Arm
from roguewk.problem.baseline import Baseline
from roguewk.problem.context import Context
from roguewk.problem.errors import known, text, whole
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Gap, Resource, at_most
from roguewk.world.cost import Cost
from roguewk.world.world import World

FAMILIES = {
    "renewing": "budgets for some weeks, some of which carry over",
    "caps": "so many pulls of some arms, or of all, in some weeks",
    "gaps": "some rounds between pulls of some arms",
    "contexts": "a time of the day or the week, and a place",
    "baseline": "doing nothing brings something, which may drift",
    "all together": "all of these at once",
}
ARMS, RESOURCES, ROUNDS = (2, 7), (1, 3), (500, 2000)
ROUNDS_PER_DAY, WEEKS = (1, 2, 4), (1, 2, 4)
RESTED, WEAR, HALF_LIFE = (0.2, 0.85), (0.2, 1.2), (0.7, 14.0)  # the last in rounds, evenly by its logarithm
COSTS, TIGHTNESS = (0.05, 0.95), (0.15, 0.7)  # means; budgets over what the arms in turn would cost
FEWEST_PULLS = (3.0, 12.0)  # that a budget pays for before it renews, if they cost as much as that can be
CONCENTRATION = 4.0  # of beta costs
FORBIDDEN, SHIFTED, SHIFT = 0.12, 0.6, 0.7  # chances that a context forbids an arm, or does anything; log-odds


def everyday_world(family: str, seed: int) -> World:
    """A world of this family.

    >>> world = everyday_world("renewing", 0)
    >>> world.problem.resources[0].every, world.problem.rounds_per_day
    ('28 days', 2.0)
    """
    known(text(family, "family of everyday worlds"), FAMILIES, "family of everyday worlds")
    seed = whole(seed, "seed of an everyday world", 0)
    rng = np.random.default_rng([*family.encode(), seed])
    features = set(FAMILIES) if family == "all together" else {family}
    per_day, weeks = int(rng.choice(ROUNDS_PER_DAY)), int(rng.choice(WEEKS))
    arms, resources, horizon = (int(rng.integers(low, high + 1)) for low, high in (ARMS, RESOURCES, ROUNDS))
    each = [_arm(rng, f"arm {a}") for a in range(arms)]
    means = rng.uniform(*COSTS, (arms, resources))
    costs = [[_cost(str(rng.choice(("fixed", "uniform", "beta"))), float(mean)) for mean in row] for row in means]
    rates = means.mean(axis=0) * rng.uniform(*TIGHTNESS, resources)
    stock = [
        _resource(rng, j, float(rate), horizon, 7 * weeks * per_day, weeks, "renewing" in features)
        for j, rate in enumerate(rates)
    ]
    contexts = _contexts(rng, per_day) if "contexts" in features else []
    each = [replace(arm, when=_when(rng, contexts)) for arm in each]
    problem = Problem(
        each,
        [*stock, *(_caps(rng, each, per_day, weeks) if "caps" in features else [])],
        horizon,
        idle=True,
        rounds_per_day=per_day,
        gaps=[Gap(int(rng.integers(2, 6)), _some(rng, each, 0.6))] if "gaps" in features else [],
        contexts=contexts,
        baseline=_baseline(rng) if "baseline" in features else None,
    )
    return World(problem, [float(arm.box[0, 0]) * rng.uniform(0, 0.6) for arm in each], costs)


def _arm(rng: np.random.Generator, name: str) -> Arm:
    half_life = math.exp(rng.uniform(*np.log(HALF_LIFE)))
    return everyday_arm(name, rested=rng.uniform(*RESTED), wear=rng.uniform(*WEAR), half_life=half_life)


def _cost(kind: str, mean: float) -> Cost:
    if kind == "uniform":
        half = min(mean, 1 - mean)
        return Cost.uniform(mean - half, mean + half)
    return Cost.beta(CONCENTRATION * mean, CONCENTRATION * (1 - mean)) if kind == "beta" else Cost.fixed(mean)


def _resource(
    rng: np.random.Generator, j: int, rate: float, horizon: int, period: int, weeks: int, renews: bool
) -> Resource:
    """The first one renews, the others as often as not."""
    if not renews or (j > 0 and rng.random() < 0.5):
        return Resource(f"resource {j}", rate * horizon, 1.0)
    budget = max(rate * period, rng.uniform(*FEWEST_PULLS))
    return Resource(f"resource {j}", budget, 1.0, every=f"{7 * weeks} days", carry_over=bool(rng.random() < 0.3))


def _some(rng: np.random.Generator, arms: list[Arm], chance: float) -> list[str]:
    """The names of some arms, of one at least."""
    return [arm.name for arm in arms if rng.random() < chance] or [arms[0].name]


def _caps(rng: np.random.Generator, arms: list[Arm], per_day: int, weeks: int) -> list[Resource]:
    most = max(2, 7 * weeks * per_day // 4) + 1
    caps = [at_most(int(rng.integers(1, most)), f"{7 * weeks} days", _some(rng, arms, 0.4), name="some")]
    if rng.random() < 0.4:
        caps.append(at_most(max(2, int(7 * per_day * rng.uniform(0.2, 0.6))), "7 days", name="all"))
    return caps


def _contexts(rng: np.random.Generator, per_day: int) -> list[Context]:
    """A cycle, a place that is drawn, or both."""
    which = rng.integers(3)
    if per_day > 1 and rng.random() < 0.5:
        cycle = Context("time", cycle=[f"time {i}" for i in range(per_day)])
    else:
        cycle = Context("weekday", cycle=["workday"] * 5 + ["weekend"] * 2, each="1 day")
    out = rng.uniform(0.15, 0.6)
    place = Context("place", ["home", "out"], chances=[1 - out, out])
    return [[cycle], [place], [cycle, place]][which]


def _when(rng: np.random.Generator, contexts: list[Context]) -> dict[str, float | bool] | None:
    """What the contexts do to an arm; none forbids it for good."""
    when: dict[str, float | bool] = {}
    for context in contexts:
        for value in context.values:
            luck = rng.random()
            if luck < FORBIDDEN:
                when[value] = False
            elif luck < SHIFTED:
                when[value] = float(rng.normal(0, SHIFT))
        if all(when.get(value) is False for value in context.values):
            del when[context.values[0]]
    return when or None


def _baseline(rng: np.random.Generator) -> Baseline:
    """Some drift, and some of these are not known."""
    reward = rng.uniform(0.05, 0.35)
    drifts = rng.random() < 0.5
    return Baseline(reward, at_end=rng.uniform(0.05, 0.35) if drifts else None, known=bool(rng.random() < 0.5))
