"""Bounds on mean costs, and the other bounds they have in common, against their formulas and against the truth."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import roguewk as rw
from roguewk.estimate.rewards.mean import MEAN_REWARDS
from roguewk.estimate.rewards.rad import RAD_REWARDS
from roguewk.estimate.rewards.wilson import OMEGA_STAR_REWARDS, WILSON_REWARDS
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.desk import MEMO
from roguewk.part.part import Part
from roguewk.part.verbs import (
    advance,
    cost_bounds,
    cost_ceilings,
    cost_doubts,
    learn_costs,
    learn_reward,
    reward_bounds,
    reward_floors,
    set_horizon,
)
from roguewk.policy.registry import all_parts, recipe

COSTS = all_parts("costs")
LOWER = ["hoeffding", "bernstein", "betting", "rad", "wilson", "omega-star"]
HORIZON = 1000
LAWS: dict[str, Callable[[np.random.Generator, Any], Vector]] = {
    "uniform": lambda rng, size: rng.uniform(0.1, 0.5, size),
    "coin": lambda rng, size: (rng.random(size) < 0.3).astype(float),
    "rare coin": lambda rng, size: (rng.random(size) < 0.05).astype(float),
    "fixed": lambda rng, size: np.full(size, 0.3),
}
TRUTH = {"uniform": 0.3, "coin": 0.3, "rare coin": 0.05, "fixed": 0.3}


def problem(arms: int, resources: int) -> rw.Problem:
    stock = [rw.Resource(f"resource {j}", 100.0) for j in range(resources)]
    return rw.Problem([rw.Arm(f"arm {a}", A=0.5) for a in range(arms)], stock, HORIZON)


def build(part: Part, arms: int, resources: int, **given: Any) -> Any:
    values = {key: given.get(key, each.default) for key, each in part.parameters.items()}
    built = part.build(problem(arms, resources), **values)
    set_horizon(built, float(HORIZON))
    return built


@compiled
def follow(part: Any, costs: Vector, out: Vector) -> None:
    """Bounds after so many pulls of the only arm, whose costs are (pull, resource)."""
    for t in range(costs.shape[0]):
        learn_costs(part, t, 0, costs[t])
    cost_bounds(part, Now(costs.shape[0], np.uint64(0), 0, costs.shape[0]), out)


def bounds_after(name: str, costs: Vector, **given: Any) -> Vector:
    """(resource,) bounds after these costs of one arm, (pull, resource)."""
    out = np.zeros((1, costs.shape[1]))
    follow(build(COSTS[name], 1, costs.shape[1], **given), costs, out)
    return out[0]


def wilson_ends(mean: float, n: int, z2: float) -> tuple[float, float]:
    """The q with `(mean - q)^2 = z^2 q (1 - q) / n`."""
    roots = np.roots([1 + z2 / n, -(2 * mean + z2 / n), mean * mean])
    return float(roots.real.min()), float(roots.real.max())


def star(costs: Vector) -> float:
    """What omega* multiplies z^2 by."""
    n, mean = len(costs), costs.mean()
    if n < 30 or mean in (0, 1):
        return 1.0
    return float(min(1.0, np.var(costs, ddof=1) / (mean * (1 - mean) * n / (n - 1))))


def hoeffding(costs: Vector, resources: int) -> float:
    return float(costs.mean() - math.sqrt(math.log(12 * resources * HORIZON**2) / (2 * len(costs))))


def bernstein(costs: Vector, resources: int) -> float:
    """Maurer and Pontil: with probability 1 - delta, where 2 / delta is 12 m d T^2."""
    n, level = len(costs), math.log(12 * resources * HORIZON**2)
    return float(costs.mean() - math.sqrt(2 * np.var(costs, ddof=1) * level / n) - 7 * level / (3 * (n - 1)))


def rad(costs: Vector, resources: int) -> float:
    n, mean = len(costs), costs.mean()
    return float(mean - math.sqrt(mean / n) - 1 / n)


def wilson(costs: Vector, resources: int) -> float:
    return wilson_ends(costs.mean(), len(costs), 0.5 * math.log(len(costs) + 1))[0]


def omega_star(costs: Vector, resources: int) -> float:
    return wilson_ends(costs.mean(), len(costs), 0.5 * math.log(len(costs) + 1) * star(costs))[0]


FORMULAS = {"hoeffding": hoeffding, "bernstein": bernstein, "rad": rad, "wilson": wilson, "omega-star": omega_star}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", FORMULAS)
def test_a_bound_is_its_formula(name: str, law: str) -> None:
    for n in (2, 5, 29, 30, 31, 400):
        costs = LAWS[law](np.random.default_rng(n), (n, 3))
        expected = [min(max(FORMULAS[name](costs[:, j], 3), 0.0), 1.0) for j in range(3)]
        # A fixed cost has no variance but for rounding, of which the square root is taken.
        assert bounds_after(name, costs) == pytest.approx(expected, abs=1e-7 if law == "fixed" else 1e-12)


def log_capital(costs: Vector, mean: float, delta: float) -> float:
    """The largest logarithm that the capital of the bettor against this mean ever had."""
    capital = most = 0.0
    for n in range(1, len(costs) + 1):
        past = costs[: n - 1]
        running = (0.5 + np.cumsum(past)) / (np.arange(1, n) + 1)
        variance = (0.25 + ((past - running) ** 2).sum()) / n
        bet = min(math.sqrt(2 * math.log(1 / delta) / (variance * n * math.log(n + 1))), 0.5 / mean)
        capital += math.log(1 + bet * (costs[n - 1] - mean))
        most = max(most, capital)
    return most


@pytest.mark.parametrize("law", LAWS)
def test_the_betting_bound_is_the_largest_rejected_mean_up_to_its_grid(law: str) -> None:
    grid = np.append([0.0], (np.arange(1, 101) / 101) ** 2)
    for n, delta in ((5, 0.3), (60, 0.05), (200, 0.01)):
        costs = LAWS[law](np.random.default_rng(n), (n, 1))

        def gap(q: float, costs: Vector = costs, delta: float = delta) -> float:
            return log_capital(costs[:, 0], q, delta) - math.log(1 / delta)

        exact = optimize.brentq(gap, 1e-9, 0.999) if gap(1e-9) > 0 > gap(0.999) else 0.0
        bound = bounds_after("betting", costs, cost_delta=delta)[0]
        cell = np.searchsorted(grid, exact, side="right") - 1
        assert bound == pytest.approx(grid[cell], abs=1e-12)


# How often a bound may be above the truth after n pulls: theory's promise, or for Wilson's exp(-z^2 / 2).
PROMISES: dict[str, tuple[dict[str, Any], Callable[[int], float]]] = {
    "hoeffding": ({}, lambda n: 1e-6),
    "bernstein": ({}, lambda n: 1e-6),
    "betting": ({"cost_delta": 0.05}, lambda n: 0.05),
    "rad": ({"cost_confidence": None}, lambda n: 1e-3),
    "wilson": ({"cost_rho": 1.0}, lambda n: 1 / (n + 1)),
    "omega-star": ({"cost_rho": 1.0}, lambda n: 1 / (n + 1)),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", PROMISES)
def test_a_bound_is_below_the_truth_as_often_as_promised(name: str, law: str) -> None:
    given, chance = PROMISES[name]
    replicates = 1000
    costs = LAWS[law](np.random.default_rng(7), (300, replicates))
    for pulls in (1, 2, 3, 10, 31, 100, 300):
        bounds = bounds_after(name, costs[:pulls], **given)
        assert (bounds >= 0).all()
        assert (bounds <= 1).all()
        most = stats.binom.ppf(0.999, replicates, chance(pulls))  # luck may have it above a little more often
        assert (bounds > TRUTH[law] + 1e-9).sum() <= most, pulls


def test_the_betting_bound_is_below_the_truth_in_all_rounds_at_once() -> None:
    costs = LAWS["coin"](np.random.default_rng(3), (400, 1000))
    out, part = np.zeros((1, 1000)), build(COSTS["betting"], 1, 1000, cost_delta=0.1)
    ever = np.zeros(1000, dtype=bool)
    for start in range(0, 400, 20):
        follow(part, costs[start : start + 20], out)
        ever |= out[0] > 0.3
    assert 0 < ever.sum() <= stats.binom.ppf(0.999, 1000, 0.1)


@pytest.mark.parametrize("name", LOWER)
def test_a_bound_comes_close_to_the_truth(name: str) -> None:
    costs = LAWS["uniform"](np.random.default_rng(1), (2000, 20))
    bounds = bounds_after(name, costs)
    assert (bounds > 0.3 - (0.08 if name in ("hoeffding", "bernstein") else 0.04)).all()


def test_bounds_that_know_the_variance_are_closer_for_costs_that_hardly_vary() -> None:
    costs = np.random.default_rng(1).uniform(0.29, 0.31, (200, 5))
    assert (bounds_after("omega-star", costs) > bounds_after("wilson", costs) + 0.02).all()
    assert (bounds_after("betting", costs) > bounds_after("hoeffding", costs) + 0.1).all()
    assert (bounds_after("bernstein", costs) < bounds_after("betting", costs)).all()


@pytest.mark.parametrize("name", [*LOWER, "mean"])
def test_nothing_is_known_of_an_arm_that_was_never_pulled(name: str) -> None:
    out = np.full((2, 1), 9.0)
    part = build(COSTS[name], 2, 1)
    learn_costs(part, 0, 0, np.array([0.4]))
    cost_bounds(part, Now(0, np.uint64(0), 0, 0), out)
    assert out[1, 0] == 0
    assert 0 <= out[0, 0] <= 0.4


@pytest.mark.parametrize("name", LOWER)
def test_lower_bounds_leave_no_doubt(name: str) -> None:
    out, part = np.ones((1, 2)), build(COSTS[name], 1, 2)
    learn_costs(part, 0, 0, np.array([0.4, 0.2]))
    cost_doubts(part, out, np.ones((1, 2)))
    assert not out.any()
    assert "doubts" in COSTS[name].gives


def test_the_doubt_about_a_mean_is_its_standard_error_and_one_pull() -> None:
    costs = np.random.default_rng(2).uniform(0, 1, (40, 2))
    out, part = np.zeros((2, 2)), build(COSTS["mean"], 2, 2)
    for t, row in enumerate(costs):
        learn_costs(part, t, 0, row)
    cost_bounds(part, Now(40, np.uint64(0), 0, 40), out)
    assert out == pytest.approx(np.array([costs.mean(axis=0), [0, 0]]))
    noises = np.ones((2, 2))
    cost_doubts(part, out, noises)
    assert out == pytest.approx(np.array([costs.std(axis=0) / math.sqrt(40) + 1 / 40, [0, 0]]))
    assert noises == pytest.approx(np.array([costs.var(axis=0), [0, 0]]))


@pytest.mark.parametrize("name", [name for name, part in COSTS.items() if "ceilings" in part.gives])
def test_a_ceiling_mirrors_its_bound(name: str) -> None:
    costs = LAWS["uniform"](np.random.default_rng(4), (50, 3))
    floors, ceilings = np.zeros((1, 3)), np.zeros((1, 3))
    part, now = build(COSTS[name], 1, 3), Now(50, np.uint64(0), 0, 50)
    cost_ceilings(part, now, ceilings)
    assert (ceilings == 1).all()
    follow(part, costs, floors)
    cost_ceilings(part, now, ceilings)
    if name == "rad":  # its radius depends on the mean, and so does not mirror
        means = costs.mean(axis=0)
        assert ceilings[0] == pytest.approx(means + np.sqrt(means / 50) + 1 / 50)
    else:
        assert ceilings[0] == pytest.approx(1 - bounds_after(name, 1 - costs), abs=1e-9)
    assert (floors < ceilings).all()


def test_sampled_costs_follow_the_posterior() -> None:
    part, out = build(COSTS["beta-sample"], 1, 2), np.zeros((1, 2))
    for t, cost in enumerate((1.0, 0.0, 0.25, 0.5)):
        learn_costs(part, t, 0, np.array([cost, 0.0]))
    samples = np.zeros((3000, 2))
    for t in range(3000):
        cost_bounds(part, Now(t, np.uint64(5), 0, t), out)
        samples[t] = out[0]
    assert stats.kstest(samples[:, 0], stats.beta(2.75, 3.25).cdf).pvalue > 0.01
    assert stats.kstest(samples[:, 1], stats.beta(1, 5).cdf).pvalue > 0.01
    assert abs(stats.pearsonr(samples[:, 0], samples[:, 1]).statistic) < 0.05


@pytest.mark.parametrize("size", [1.0, 0.125, 2.0**-13])
def test_sampled_costs_are_measured_by_the_largest_one_seen(size: float) -> None:
    part, out = build(COSTS["unit-sample"], 1, 2), np.zeros((1, 2))
    for t, cost in enumerate((1.0, 0.0, 0.25, 0.5)):
        learn_costs(part, t, 0, np.array([size * cost, 0.0]))
    granted = part.unit.granted[1]
    samples = np.zeros((3000, 2))
    for t in range(3000):
        cost_bounds(part, Now(t, np.uint64(5), 0, t), out)
        samples[t] = out[0]
    unit = max(size, part.unit.granted[0])
    seen = 1.75 * size / unit
    assert stats.kstest(samples[:, 0] / unit, stats.beta(1 + seen, 5 - seen).cdf).pvalue > 0.01
    assert stats.kstest(samples[:, 1] / granted, stats.beta(1, 5).cdf).pvalue > 0.01


def rewards_after(part: Part, rewards: list[float], late: int, now: Now, verb: Any) -> float:
    """What `verb` says of an arm with these rewards, and some more pulls whose rewards are late."""
    built, out, memo = build(part, 1, 1), np.zeros(1), np.zeros(MEMO)
    for t in range(len(rewards) + late):
        advance(built, Now(t, np.uint64(0), 0, t), 0, memo)
    for t, reward in enumerate(rewards):
        learn_reward(built, t, 0, memo, reward)
    verb(built, now, out)
    return float(out[0])


@pytest.mark.parametrize("late", [0, 7])
@pytest.mark.parametrize("part", [WILSON_REWARDS, OMEGA_STAR_REWARDS, RAD_REWARDS], ids=lambda part: str(part.name))
def test_reward_bounds_are_their_formulas_with_means_of_what_came_and_radii_of_what_was_pulled(
    part: Part, late: int
) -> None:
    now = Now(90, np.uint64(0), 0, 90)
    for seen in ([1.0], [1.0, 0.0, 0.0], [1.0] * 10 + [0.0] * 25, [0.0] * 40):
        mean, n, here = float(np.mean(seen)), len(seen) + late, len(seen)
        low, high = wilson_ends(mean, n, 0.5 * math.log(91) * (star(np.array(seen)) if "omega" in part.name else 1.0))
        if part is RAD_REWARDS:
            low, high = mean - math.sqrt(mean / here) - 1 / here, min(mean + math.sqrt(mean / n) + 1 / n, 1.0)
        assert rewards_after(part, seen, late, now, reward_bounds) == pytest.approx(high, abs=1e-9)
        assert rewards_after(part, seen, late, now, reward_floors) == pytest.approx(max(low, 0.0), abs=1e-9)


@pytest.mark.parametrize("part", [WILSON_REWARDS, RAD_REWARDS, MEAN_REWARDS], ids=lambda part: str(part.name))
def test_an_arm_is_tried_before_its_reward_is_bounded(part: Part) -> None:
    assert rewards_after(part, [], 0, Now(3, np.uint64(0), 0, 3), reward_bounds) == math.inf
    assert rewards_after(part, [], 1, Now(3, np.uint64(0), 0, 3), reward_bounds) > 0.8


@pytest.mark.parametrize("part", [WILSON_REWARDS, RAD_REWARDS], ids=lambda part: str(part.name))
def test_an_arm_whose_rewards_never_come_is_taken_for_a_middling_one(part: Part) -> None:
    bounds = [
        rewards_after(part, [], late, Now(1000, np.uint64(0), 0, 1000), reward_bounds) for late in (10, 100, 1000)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert 0.5 < bounds[-1] < 0.6


@pytest.mark.parametrize("name", ["mean", "wilson", "omega-star"])
def test_an_arm_whose_costs_never_come_is_taken_to_cost_what_the_others_do(name: str) -> None:
    part, out, now = build(COSTS[name], 3, 1), np.zeros((3, 1)), Now(2, np.uint64(0), 0, 2)
    for arm, cost in ((0, 0.2), (0, 0.4), (1, 0.9)):
        advance(part, now, arm, np.zeros(MEMO))
        learn_costs(part, 0, arm, np.array([cost]))
    cost_bounds(part, now, out)
    assert out[2, 0] == 0  # nobody has pulled it
    advance(part, now, 2, np.zeros(MEMO))
    cost_bounds(part, now, out)
    assert out[2, 0] == pytest.approx(0.5)


@pytest.mark.parametrize(("name", "given"), [("bernstein", {"cost_scale": 0.1}), ("betting", {"cost_delta": 0.05})])
def test_a_policy_decides_by_the_bound_of_what_it_was_told(name: str, given: dict[str, float]) -> None:
    world = rw.catalog.one_resource(horizon=HORIZON)
    policy = rw.make_policy({"rewards": "mean", "costs": name, "allocate": "ratio"}, world.problem, 1, **given)
    part, out, rng = COSTS[name].build(world.problem, **given), np.zeros((2, 1)), np.random.default_rng(0)
    set_horizon(part, float(HORIZON))
    for t in range(60):
        cost_bounds(part, Now(t, np.uint64(1), 0, t), out)
        decision = policy.select()
        assert decision.arm is not None
        assert decision.cost_bounds == pytest.approx(out)
        cost = float(rng.uniform(0.1, 0.7))
        policy.update(decision, 1, [cost])
        learn_costs(part, t, decision.arm, np.array([cost]))
    assert out.any()


@pytest.mark.parametrize("name", ["mean", *LOWER, "beta-sample"])
def test_the_planner_takes_every_cost_estimate(name: str) -> None:
    assert recipe(f"believed/{name}/plan").costs is COSTS[name]
