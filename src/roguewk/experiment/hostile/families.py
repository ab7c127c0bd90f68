"""Families of worlds that are hard on policies, each in its own way; everything follows from the seed.

The random worlds of `random_worlds.py` are mild: a few arms, half-lives of a few rounds, hundreds of pulls. People's
worlds are not. A family here is a row of ranges; the defaults are mild, so what it says is what is hostile about it.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roguewk.problem.arm import Arm, link
from roguewk.problem.errors import known, text, whole
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world.cost import Cost
from roguewk.world.world import World

LARGEST_SEED = 2**63 - 1
CONCENTRATION = 4.0  # of beta costs
RARE = (0.02, 0.1)  # the chance that a rare coin costs something
DEEPEST = 4.0  # that an arm begins below its rested level
Range = tuple[float, float]


@dataclass(frozen=True)
class Family:
    """Ranges, from and to, that a world is drawn from."""

    words: str
    arms: tuple[int, int] = (3, 6)
    horizon: tuple[int, int] = (300, 1000)
    resources: tuple[int, int] = (1, 2)
    pulls: Range = (0.15, 0.6)  # that the budgets pay for, of all rounds; above 1, their number
    half_life: Range = (1.0, 8.0)  # rounds, evenly by their logarithm
    rested: Range = (0.2, 0.9)  # mean reward, in units of the family's
    drop: Range = (0.5, 4.0)  # of the natural parameter from rested to worn for ever; below 0 arms get better with use
    wear: Range | None = None  # by one pull, of the natural parameter, instead of `drop`
    costs: Range = (0.1, 0.9)  # mean, evenly by their logarithm
    kinds: tuple[str, ...] = ("fixed", "uniform", "beta")
    unit: float = 1.0  # of costs and budgets
    largest_cost: float | None = None
    idle: bool | None = None  # None: some are, some are not
    rewards: tuple[str, ...] = ("bernoulli",)
    available: float | None = None  # how often an arm is there
    told: bool = True  # whether that is said


SLOW: dict[str, Any] = {"arms": (6, 6), "horizon": (900, 1000), "pulls": (150, 150), "idle": True, "wear": (0.1, 0.8)}
FAMILIES = {
    "cents": Family("costs in a unit a thousand times too large", unit=1e-3, largest_cost=1.0),
    "thousands": Family("costs in a unit ten thousand times too small", unit=1e4),
    "sticky": Family(
        "states that hardly ever move, no resources", arms=(5, 5), resources=(0, 0), half_life=(3000, 4000)
    ),
    "sticky, paid": Family("the same with budgets", arms=(5, 5), half_life=(3000, 4000)),
    "30 arms, 25 pulls": Family("more arms than pulls", arms=(30, 30), pulls=(25, 25), idle=True),
    "60 arms, 50 rounds": Family("more arms than rounds", arms=(60, 60), horizon=(50, 50), resources=(0, 0)),
    "10 arms, 15 pulls": Family("hardly more pulls than arms", arms=(10, 10), pulls=(15, 15), idle=True),
    "few pulls": Family("six to thirty pulls", pulls=(6, 30)),
    "short": Family("a few dozen rounds", horizon=(15, 60)),
    "half-life 0.3 to 3": Family("states that move at once", half_life=(0.3, 3), **SLOW),
    "half-life 10 to 50": Family("slow recovery", half_life=(10, 50), **SLOW),
    "half-life 50 to 200": Family("slower", half_life=(50, 200), **SLOW),
    "half-life 200 to 500": Family("slower still", half_life=(200, 500), **SLOW),
    "half-life 0.3 to 500": Family("fast and slow ones", half_life=(0.3, 500), **SLOW),
    "little by little": Family("slow recovery of little wear", **{**SLOW, "wear": None}, half_life=(10, 500)),
    "retention 0.995 to 0.9995": Family("wear that stays", half_life=(138, 1386)),
    "improving": Family("arms that get better with use", drop=(-3.0, -0.5), half_life=(1, 50)),
    "some improve": Family("arms that get better and arms that get worse", drop=(-3.0, 3.0), half_life=(1, 50)),
    "rare coins": Family("costs that are mostly nothing", costs=RARE, kinds=("bernoulli",)),
    "rare coins, 10 arms": Family("the same with many arms", arms=(10, 10), costs=RARE, kinds=("bernoulli",)),
    "coins": Family("costs that are all or nothing", kinds=("bernoulli",)),
    "unlike costs": Family("cheap arms and dear ones", costs=(0.005, 0.95)),
    "many resources": Family("five to eight resources", resources=(5, 8)),
    "little wear": Family("almost no wear", drop=(0.02, 0.2)),
    "deep wear": Family("wear to nothing", drop=(6.0, 12.0)),
    "plenty": Family("budgets that do not bind", pulls=(1.0, 1.0), costs=(0.05, 0.5)),
    "one arm": Family("nothing to choose but when", arms=(1, 1), idle=True),
    "counts": Family("Poisson rewards", rewards=("poisson",), rested=(0.5, 5.0), drop=(0.3, 2.0)),
    "a quarter of the time": Family("arms that come and go, as is said", available=0.25, idle=True),
    "now and then": Family("arms that come and go, unsaid", available=0.25, idle=True, told=False),
    "measurements": Family("Gaussian rewards", rewards=("gaussian",), rested=(0.5, 2.0), drop=(0.3, 3.0)),
}


def hostile_world(family: str, seed: int) -> World:
    """A world of this family.

    >>> world = hostile_world("30 arms, 25 pulls", 0)
    >>> len(world.problem.arms), world.problem.idle
    (30, True)
    """
    known(text(family, "family of hostile worlds"), FAMILIES, "family of hostile worlds")
    seed = whole(seed, "seed of a hostile world", 0, LARGEST_SEED)
    # The name, not its place, so that worlds stay the same when families are added.
    return _drawn(np.random.default_rng([*family.encode(), seed]), FAMILIES[family])


def _drawn(rng: np.random.Generator, family: Family) -> World:
    arms, horizon, resources = (
        int(rng.integers(low, high + 1)) for low, high in (family.arms, family.horizon, family.resources)
    )
    idle = bool(rng.integers(2)) if family.idle is None else family.idle
    each, starts = [], []
    for a in range(arms):
        arm, start = _arm(rng, f"arm {a}", family)
        each.append(arm)
        starts.append(start)
    cheap, dear = map(math.log, family.costs)
    means = np.exp(rng.uniform(cheap, dear, (arms, resources)))
    pulls = rng.uniform(*family.pulls)
    pulls = pulls if family.pulls[1] > 1 else max(pulls * horizon, 3.0)
    budgets = pulls * means.mean(axis=0) * rng.uniform(0.8, 1.25, resources) * family.unit
    costs = [[_cost(str(rng.choice(family.kinds)), float(mean), family.unit) for mean in row] for row in means]
    largest = family.largest_cost
    stock = [Resource(f"resource {j}", budget, largest) for j, budget in enumerate(budgets.tolist())]
    told = each if family.told else [replace(arm, available=None) for arm in each]
    return World(Problem(told, stock, horizon, idle), starts, costs, each)


def _arm(rng: np.random.Generator, name: str, family: Family) -> tuple[Arm, float]:
    """An arm whose state is how far its natural parameter lies from that of the rested arm, and where it begins."""
    rewards = str(rng.choice(family.rewards))
    half_life = math.exp(rng.uniform(*np.log(family.half_life)))
    retention = 0.5 ** (1.0 / half_life)
    rested, drop = rng.uniform(*family.rested), rng.uniform(*family.drop)
    if family.wear is not None:
        drop = rng.uniform(*family.wear) / (1 - retention)
    sigma: dict[str, Any] = {"sigma": 0.5} if rewards == "gaussian" else {}
    arm = Arm(
        name,
        A=retention,
        B=-drop * (1 - retention),
        alpha=link(rested, rewards, "rested"),
        family=rewards,
        available=family.available,
        **sigma,
    )
    worn = min(drop, DEEPEST) * rng.uniform()
    return arm, float(np.clip(-worn, *arm.box[0]))


def _cost(kind: str, mean: float, unit: float) -> Cost:
    if kind == "uniform":
        half = min(mean, 1 - mean)
        return Cost.uniform(unit * (mean - half), unit * (mean + half))
    if kind == "beta":
        return Cost.beta(CONCENTRATION * mean, CONCENTRATION * (1 - mean), unit)
    return Cost.bernoulli(mean, unit) if kind == "bernoulli" else Cost.fixed(unit * mean)
