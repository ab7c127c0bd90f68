"""How regret grows with the horizon when budgets grow alike: `B = b T`, with a fitted exponent.

Regret is counted from the certified bound, which the best policy may not reach: it is never too small. Every horizon
has luck of its own, so that horizons are independent and the fit's error can be resampled one horizon at a time. That
error is the luck's only: a curve that is no power of T has a slope that depends on where it is taken.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.bounds.upper import upper_bound
from roguewk.engine.simulate import simulate
from roguewk.engine.specs import Spec
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import LARGEST_SEED
from roguewk.problem.errors import InputError, whole
from roguewk.show.names import NAIVE, OURS, PLANNER, THEIRS
from roguewk.study.stats.resample import COVERAGE, RESAMPLES, RESAMPLING_SEED
from roguewk.world.world import World, check_world

if TYPE_CHECKING:
    import pandas as pd

POLICIES = (OURS, PLANNER, THEIRS, NAIVE)
HORIZONS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
LONGEST_HORIZON = 10_000_000
REPLICATES, FEWEST, MOST_REPLICATES = 200, 10, 100_000
FULL = 5_000  # rounds; longer games are played less often, so that each horizon takes about as long
PRECISION = 1e-6  # of the bound: over long horizons, small errors per round would count as regret
Progress = Callable[[int, int], None]


class Exponent(NamedTuple):
    """The slope of log regret over log horizon, with standard error and interval by bootstrap; nan where unknown.

    `late` is the slope over horizons within ten times the longest.
    """

    policy: str
    value: float
    error: float
    low: float
    high: float
    late: float


@dataclass(frozen=True)
class Growth:
    """A row per horizon and policy in `table`, and a fitted exponent per policy."""

    world: World
    seed: int
    replicates: int
    table: "pd.DataFrame"
    exponents: tuple[Exponent, ...]

    @property
    def horizons(self) -> list[int]:
        """The horizons, shortest first."""
        return [int(horizon) for horizon in self.table["horizon"].unique()]

    @property
    def theorem(self) -> Exponent:
        """The exponent that the same fit gives to sqrt(T) log T."""
        shape = theorem_shape(self.horizons)
        value = _slope(self.horizons, shape)
        return Exponent("sqrt(T) log T", value, 0.0, value, value, _late_slope(self.horizons, shape))


def theorem_shape(horizons: Sequence[int]) -> Vector:
    """The growth that the paper's theorem allows, `sqrt(T) log T`, up to a constant.

    >>> theorem_shape([100, 10_000]).round(1).tolist()
    [46.1, 921.0]
    """
    rounds = np.array(horizons, dtype=np.float64)
    return np.asarray(np.sqrt(rounds) * np.log(rounds))


def run_growth(
    world: World,
    policies: Sequence[Spec] | Mapping[str, Spec] = POLICIES,
    horizons: Sequence[int] = HORIZONS,
    replicates: int = REPLICATES,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Growth:
    """Play `policies` in this world at every horizon, at its own budgets per round.

    `replicates` are for horizons of up to 5,000 rounds; longer ones have fewer. `progress` is called with the rounds
    done and to do.
    """
    import pandas

    horizons = _checked(horizons)
    replicates = whole(replicates, "replicates", 1, MOST_REPLICATES)
    seed = whole(seed, "seed", 0, LARGEST_SEED - len(horizons))
    counts = [_replicates(replicates, horizon) for horizon in horizons]
    worlds = [stretched(world, horizon) for horizon in horizons]
    bounds = [upper_bound(each, precision=PRECISION) for each in worlds]  # first: not every world can be bounded
    total, before = sum(n * horizon for n, horizon in zip(counts, horizons, strict=True)), 0
    rows, expected = [], []
    for i, (each, horizon, n) in enumerate(zip(worlds, horizons, counts, strict=True)):

        def within(done: int, of: int, before: int = before, work: int = n * horizon) -> None:
            if progress is not None:
                progress(before + work * done // of, total)

        runs = simulate(each, policies, n, seed + i, threads=threads, progress=within)
        before += n * horizon
        earned = {label: runs.totals[label]["expected"].copy() for label in runs.policies}
        rows += [_row(horizon, label, earned[label], seed + i, bounds[i]) for label in runs.policies]
        expected.append(earned)
    values = np.array([bound.value for bound in bounds])
    exponents = [_exponent(label, horizons, values, [each[label] for each in expected]) for label in expected[0]]
    return Growth(world, seed, replicates, pandas.DataFrame(rows), tuple(exponents))


def stretched(world: World, horizon: int) -> World:
    """The same world over another horizon, with the same budgets per round."""
    problem = check_world(world).problem
    told = len(problem.told)
    grown = np.where(problem.periods < problem.horizon, 1.0, horizon / problem.horizon)
    budgets = (problem.budgets * grown)[:told]
    return world.with_problem(resources=problem.with_budget(budgets.tolist()).resources, horizon=horizon)


def _checked(horizons: Sequence[int]) -> list[int]:
    found = sorted({whole(horizon, "a horizon", 2, LONGEST_HORIZON) for horizon in horizons})
    if len(found) < 2:
        raise InputError(f"horizons are {list(horizons)!r}: give at least two different ones, to see growth")
    return found


def _replicates(wanted: int, horizon: int) -> int:
    return min(wanted, max(FEWEST, wanted * FULL // horizon))


def _row(horizon: int, label: str, earned: Vector, seed: int, bound: Any) -> dict[str, Any]:
    n, mean = len(earned), float(earned.mean())
    return {
        "horizon": horizon,
        "policy": label,
        "replicates": n,
        "seed": seed,
        "bound": bound.value,
        "bound_gap": bound.gap,
        "expected_reward": mean,
        "standard_error": float(earned.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan,
        "regret_upper": bound.value - mean,
        "fraction": mean / bound.value,
    }


def _exponent(label: str, horizons: Sequence[int], bounds: Vector, expected: Sequence[Vector]) -> Exponent:
    """`expected` holds the expected rewards of the replicates, (replicate,) for each horizon."""
    regrets = bounds - np.array([earned.mean() for earned in expected])
    value, late = _slope(horizons, regrets), _late_slope(horizons, regrets)
    if min(map(len, expected)) < 2:
        return Exponent(label, value, np.nan, np.nan, np.nan, late)
    rng = np.random.default_rng(RESAMPLING_SEED)
    slopes = _slopes(horizons, bounds - np.stack([_resampled_means(rng, earned) for earned in expected], axis=1))
    low, high = np.quantile(slopes, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
    return Exponent(label, value, float(slopes.std()), float(low), float(high), late)


def _resampled_means(rng: np.random.Generator, earned: Vector) -> Vector:
    """(resample,) Multinomial counts weigh the replicates as drawing with replacement would, without the draws."""
    counts = rng.multinomial(len(earned), np.full(len(earned), 1 / len(earned)), RESAMPLES)
    return np.asarray(counts @ earned / len(earned))


def _slopes(horizons: Sequence[int], regrets: Vector) -> Vector:
    """(resample,) least-squares slopes of log regret, (resample, horizon), over log horizon; nan without regret."""
    x = np.log(np.array(horizons, dtype=np.float64))
    x = x - x.mean()
    return np.asarray(np.log(np.where(regrets > 0, regrets, np.nan)) @ x / (x @ x))


def _slope(horizons: Sequence[int], regrets: Vector) -> float:
    return float(_slopes(horizons, regrets[None, :])[0])


def _late_slope(horizons: Sequence[int], regrets: Vector) -> float:
    late = [i for i, horizon in enumerate(horizons) if 10 * horizon >= horizons[-1]]
    return _slope([horizons[i] for i in late], regrets[late]) if len(late) > 1 else np.nan
