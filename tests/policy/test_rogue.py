"""The ROGUE family, without budgets: each beside a literal rewrite."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from benchmarks.reference.arms import Trajectory, mean_reward
from benchmarks.reference.steps import most_likely, reward_bound
from scipy import optimize, stats

import roguewk as rw
from roguewk.estimate.states.radius import chi_squared_quantile
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import REWARD_DRAW, Now, unit, words
from roguewk.problem.arm import Arm
from roguewk.problem.constants import largest_divergence, radius_parts
from roguewk.world.game import Game
from tests.judge import judge, sure

WORLDS = {name: rw.catalog.get(name) for name in ("paper", "gaussian", "two_dimensional", "slow_recovery")}


class Rogue:
    """Each arm once, then the largest mean reward of a state with `D(x0 || likeliest) <= limit(arm, n, t)`."""

    def __init__(self, problem: rw.Problem, limit: Callable[[Arm, int, int], float], explore: float = 0.0) -> None:
        self.past = [Trajectory(arm) for arm in problem.arms]
        self.limit, self.explore = limit, explore

    def bounds(self, t: int) -> Vector:
        found = []
        for past in self.past:
            n = past.rewards.size
            found.append(reward_bound(past, most_likely(past), self.limit(past.arm, n, t) / n))
        return np.array(found)

    def shares(self, t: int) -> Vector:
        m = len(self.past)
        if t < m:
            return sure(t, m)
        chance = min(self.explore / (t + 1), 1.0)
        return np.asarray((1 - chance) * sure(int(np.argmax(self.bounds(t))), m) + chance / m)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        for a, past in enumerate(self.past):
            if a == arm:
                past.observe(reward)
            past.advance(a == arm)


def published(arm: Arm, n: int, t: int) -> float:
    bias, noise = radius_parts(arm)
    return n * 1e-4 * (bias + noise * math.sqrt(2 * 4 * math.log(t))) / math.sqrt(n)


def tuned(arm: Arm, n: int, t: int) -> float:
    return min(n * math.sqrt(largest_divergence(arm) / 4 * math.log(t) / n), 2 * math.log(t))


RULES: list[tuple[str, dict[str, Any], Callable[[Arm, int, int], float], float]] = [
    ("rogue-ucb", {"radius_scale": 1e-4}, published, 0.0),
    ("rogue-ucb-tuned", {}, tuned, 0.0),
    ("eps-rogue", {"explore_decay": 7.0}, lambda arm, n, t: 0.0, 7.0),
]


@pytest.mark.parametrize(("policy", "parameters", "limit", "explore"), RULES)
@pytest.mark.parametrize("world", ["paper", "gaussian", "two_dimensional"])
def test_rogue_policies_decide_like_a_literal_rewrite(
    policy: str, parameters: dict[str, Any], limit: Callable[[Arm, int, int], float], explore: float, world: str
) -> None:
    problem, literal = WORLDS[world].problem, Rogue(WORLDS[world].problem, limit, explore)
    decisions = judge(literal, policy, WORLDS[world], 40, seed=3, **parameters)
    assert len(decisions) == 40
    for past, arm in zip(literal.past, problem.arms, strict=True):
        assert past.rewards.size > 0, arm.name


@pytest.mark.parametrize("world", ["paper", "gaussian", "two_dimensional"])
@pytest.mark.parametrize(
    ("parameters", "limit"),
    [
        ({"radius": "rogue", "radius_scale": 1e-4}, published),
        ({"radius": "tuned"}, tuned),
        (
            {"radius": "wilks", "state_confidence": 0.2},
            lambda arm, n, t: float(stats.chi2.ppf(0.2, arm.dimension)) / 2,
        ),
    ],
)
def test_the_bounds_of_every_radius_are_those_of_the_reference(
    world: str, parameters: dict[str, Any], limit: Callable[[Arm, int, int], float]
) -> None:
    problem = WORLDS[world].problem
    literal = Rogue(problem, limit)
    game = Game(WORLDS[world], 5)
    policy = rw.make_policy({"rewards": "rogue", "costs": "none", "allocate": "argmax"}, problem, 5, **parameters)
    tight = 0
    for t in range(30):
        decision = policy.select(available=[t % len(problem.arms)])
        if t >= len(problem.arms):
            bounds = literal.bounds(t)
            assert decision.reward_bounds == pytest.approx(bounds, abs=1e-5)
            free = [reward_bound(past, most_likely(past), 1e9) for past in literal.past]
            tight += int((bounds < np.array(free) - 1e-3).any())
        assert decision.arm is not None
        reward, costs = game.play(decision.arm)
        policy.update(decision, reward, costs)
        literal.learn(t, decision.arm, reward, costs)
    assert tight > 0, "the radius never mattered"


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 7])
def test_quantiles_are_those_of_scipy(degrees: int) -> None:
    for chance in (0.01, 0.5, 0.95, 1 - 1e-9):
        expected = float(stats.chi2.ppf(chance, degrees))
        assert chi_squared_quantile(degrees, chance) == pytest.approx(expected, rel=1e-6, abs=1e-9)


class RogueTs:
    """A posterior over candidate initial states, each followed by brute force."""

    def __init__(self, problem: rw.Problem, x0: Vector, seed: int) -> None:
        self.arms, self.x, self.seed = problem.arms, x0.copy(), seed  # (arm, candidate, coordinate)
        self.evidence = np.zeros(x0.shape[:2])

    def means(self) -> Vector:
        """(arm, candidate) mean rewards now."""
        return np.array([mean_reward(arm, x[:, : arm.dimension]) for arm, x in zip(self.arms, self.x, strict=True)])

    def weights(self) -> Vector:
        """(arm, candidate) of the posterior."""
        raw = np.exp(self.evidence - self.evidence.max(axis=1, keepdims=True))
        return np.asarray(raw / raw.sum(axis=1, keepdims=True))

    def shares(self, t: int) -> Vector:
        now = Now(t, np.uint64(self.seed), 0, t)
        drawn = []
        for a, (weights, means) in enumerate(zip(self.weights(), self.means(), strict=True)):
            number = unit(np.uint64(words(now, REWARD_DRAW, a)[0]))
            drawn.append(means[np.searchsorted(weights.cumsum(), number, side="right")])
        return sure(int(np.argmax(drawn)), len(drawn))

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        means = self.means()
        if arm is not None:
            sigma = self.arms[arm].sigma
            if sigma is None:
                self.evidence[arm] += stats.bernoulli.logpmf(int(reward), means[arm])
            else:
                self.evidence[arm] += stats.norm.logpdf(reward, means[arm], sigma)
        for a, each in enumerate(self.arms):
            k = each.dimension
            self.x[a, :, :k] = self.x[a, :, :k] @ each.matrix.T + each.push * (a == arm) + each.pull_back


def candidates_of(policy: rw.Policy) -> Vector:
    return np.asarray(policy.parts.rewards.candidates.x0)


@pytest.mark.parametrize("world", WORLDS)
def test_rogue_ts_decides_like_a_literal_rewrite(world: str) -> None:
    problem = WORLDS[world].problem
    x0 = candidates_of(rw.make_policy("rogue-ts", problem, candidates=40))
    decisions = judge(RogueTs(problem, x0, 8), "rogue-ts", WORLDS[world], 60, seed=8, candidates=40)
    assert len({decision.arm for decision in decisions}) > 1


@pytest.mark.parametrize("world", WORLDS)
def test_candidates_fill_the_box_evenly(world: str) -> None:
    problem = WORLDS[world].problem
    for arm, points in zip(problem.arms, candidates_of(rw.make_policy("rogue-ts", problem)), strict=True):
        places = (points[:, : arm.dimension] - arm.box[:, 0]) / (arm.box[:, 1] - arm.box[:, 0])
        assert stats.qmc.discrepancy(places) < 0.01


def test_a_late_reward_counts_as_if_it_had_come_in_time() -> None:
    problem = WORLDS["two_dimensional"].problem
    prompt, late = (rw.make_policy("rogue-ts", problem, seed=1, candidates=30) for _ in range(2))
    waiting = []
    for t in range(12):
        arm = t % len(problem.arms)
        for policy in (prompt, late):
            decision = policy.select(available=[arm])
            costs = [0.1] * len(problem.resources)
            if policy is prompt:
                policy.update(decision, t % 2, costs)
            else:
                waiting.append((decision, t % 2, costs))
    for each in reversed(waiting):
        late.update(*each)
    assert late.parts.rewards.evidence == pytest.approx(prompt.parts.rewards.evidence, abs=1e-9)
    assert np.ptp(late.parts.rewards.evidence, axis=1).max() > 0.01


class ClippedTs(RogueTs):
    """Chances of being the best by enumeration, then clipped so that they sum to one."""

    least, most, total = 0.1, 0.6, 1.0

    def shares(self, t: int) -> Vector:
        means, weights = self.means(), self.weights()
        best = np.zeros(len(means))
        for places in itertools.product(range(means.shape[1]), repeat=len(means)):
            values = [means[a, i] for a, i in enumerate(places)]
            best[int(np.argmax(values))] += np.prod([weights[a, i] for a, i in enumerate(places)])
        chances = best + 1e-9

        def missing(factor: float) -> float:
            return float(np.clip(factor * chances, self.least, self.most).sum() - self.total)

        factor = optimize.brentq(missing, 0.0, 1e12, xtol=1e-13, rtol=1e-14, maxiter=1000)
        return np.clip(factor * chances, self.least, self.most)


@pytest.mark.parametrize("world", ["paper", "gaussian"])
def test_clipped_rogue_ts_has_the_exact_probabilities(world: str) -> None:
    problem = WORLDS[world].problem
    x0 = candidates_of(rw.make_policy("rogue-ts", problem, candidates=7))
    decisions = judge(
        ClippedTs(problem, x0, 2), "rogue-ts-clipped", WORLDS[world], 30, seed=2, candidates=7, p_min=0.1, p_max=0.6
    )
    shares = np.array([decision.probabilities for decision in decisions])
    assert shares.min() >= 0.1 - 1e-12
    assert shares.max() <= 0.6 + 1e-12
    assert shares.sum(axis=1) == pytest.approx(np.ones(30), abs=1e-12)


def test_clipped_rogue_ts_leaves_idle_rounds_their_chance() -> None:
    world = rw.catalog.paper(idle=True)
    x0 = candidates_of(rw.make_policy("rogue-ts", world.problem, candidates=7))
    literal = ClippedTs(world.problem, x0, 2)
    literal.most, literal.total = 0.4, 0.6
    given = {"candidates": 7, "p_min": 0.1, "p_idle": 0.4}
    decisions = judge(literal, "rogue-ts-clipped", world, 60, seed=2, **given)
    assert 12 < sum(decision.arm is None for decision in decisions) < 36
    with pytest.raises(rw.InputError, match=r"p_idle is 0\.4, and this problem has no idle rounds"):
        rw.make_policy("rogue-ts-clipped", WORLDS["paper"].problem, p_idle=0.4)
    with pytest.raises(rw.InputError, match=r"cannot sum to 0.6, what p_idle leaves, over 3 arms: .* at most 0.2 "):
        rw.make_policy("rogue-ts-clipped", world.problem, p_idle=0.4, p_min=0.25)


@pytest.mark.parametrize("p_idle", [0.0, 0.5, 0.95])
def test_by_default_no_arm_has_less_than_a_tenth_of_an_even_share_of_what_idling_leaves(p_idle: float) -> None:
    policy = rw.make_policy("rogue-ts-clipped", rw.catalog.paper(idle=True).problem, p_idle=p_idle)
    for _ in range(60):  # until two of the arms are known to be worse
        decision = policy.select(available=["arm 0", "arm 1", "arm 2"])
        assert decision.probabilities.sum() == pytest.approx(1 - p_idle)
        if decision.arm is not None:
            policy.update(decision, decision.arm == 0, [0.0, 0.0, 0.0])
    assert policy.parts.allocation.least == pytest.approx(0.1 * (1 - p_idle) / 3)
    assert policy.parts.allocation.most == pytest.approx(0.8 * (1 - p_idle) + 0.4 * (1 - p_idle) / 3)
    assert decision.probabilities.min() >= 0.1 * (1 - p_idle) / 3 - 1e-12


@pytest.mark.parametrize("available", [["arm 1"], ["arm 0", "arm 2"]])
def test_with_few_arms_available_the_limits_give_way(available: list[str]) -> None:
    policy = rw.make_policy("rogue-ts-clipped", WORLDS["paper"].problem, p_min=0.3, p_max=0.4)
    shares = policy.select(available=available).probabilities
    assert shares.sum() == pytest.approx(1.0, abs=1e-12)
    names = [arm.name for arm in WORLDS["paper"].problem.arms]
    assert {names[a] for a in np.flatnonzero(shares)} == set(available)


def test_chances_that_cannot_sum_to_one_are_refused() -> None:
    with pytest.raises(rw.InputError, match=r"cannot sum to one over 3 arms: give p_min of at most 0.333"):
        rw.make_policy("rogue-ts-clipped", WORLDS["paper"].problem, p_min=0.4)
    with pytest.raises(rw.InputError, match="cannot sum to one over 3 arms"):
        rw.make_policy("rogue-ts-clipped", WORLDS["paper"].problem, p_max=0.2)


def test_custom_dynamics_are_followed_too() -> None:
    arm = rw.Arm("own", h=lambda x, pulled: 0.5 * x + 0.5 - pulled, g=lambda x: 1 / (1 + math.exp(-x)), state=[-2, 1])
    plain = rw.Arm("own", A=0.5, B=-1.0, K=0.5, alpha=0.0, beta=1.0, state=[-2, 1])
    policies = [rw.make_policy("rogue-ts", rw.Problem([each], [], 50), seed=4) for each in (arm, plain)]
    for t in range(20):
        one, other = (policy.select() for policy in policies)
        assert one.reward_bounds == pytest.approx(other.reward_bounds, abs=1e-9)
        for policy, decision in zip(policies, (one, other), strict=True):
            policy.update(decision, t % 2)
