"""Policies that learn how arms recover, each beside a literal rewrite."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from tests.judge import coins, judge, sure

WORLDS = {
    "coins": coins(0.3, 0.5, 0.6, rounds=400),
    "paper": rw.catalog.paper(horizon=400),
    "one_resource": rw.catalog.one_resource(horizon=400),
    "gaussian": rw.catalog.gaussian(horizon=400),
    "messages": rw.catalog.messages(horizon=400),
    "two_dimensional": rw.catalog.two_dimensional(horizon=400),
}


class Remembering:
    """What all of them keep: the arm, None for an idle round, and the reward of every round."""

    def __init__(self, problem: rw.Problem) -> None:
        self.problem = problem
        self.m = len(problem.arms)
        self.arms: list[int | None] = []
        self.rewards: list[float] = []

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        self.arms.append(arm)
        self.rewards.append(reward)

    def rounds_of(self, arm: int) -> list[int]:
        return [t for t, each in enumerate(self.arms) if each == arm]


class RecoverySoftmax(Remembering):
    """Yancey and Settles 2020, with plain means: exp((mean - gamma 0.5^(rounds since / h)) / temperature)."""

    def __init__(self, problem: rw.Problem, gamma: float, h: float, temperature: float) -> None:
        super().__init__(problem)
        self.gamma, self.h, self.temperature = gamma, h, temperature

    def shares(self, t: int) -> Vector:
        scores = []
        for a in range(self.m):
            rounds = self.rounds_of(a)
            if not rounds:
                return sure(a, self.m)
            penalty = self.gamma * 0.5 ** ((t - rounds[-1]) / self.h)
            scores.append(np.mean([self.rewards[s] for s in rounds]) - penalty)
        weights = np.exp(np.array(scores) / self.temperature)
        return np.asarray(weights / weights.sum())


@pytest.mark.parametrize("world", WORLDS)
def test_recovery_softmax_has_the_probabilities_of_a_literal_rewrite(world: str) -> None:
    problem = WORLDS[world].problem
    decisions = judge(RecoverySoftmax(problem, 0.2, 4, 0.1), "recovery-softmax", WORLDS[world], 300, seed=1)
    assert len({decision.arm for decision in decisions}) == len(problem.arms)
    given = {"penalty": 0.9, "half_life": 1.5, "temperature": 0.4}
    judge(RecoverySoftmax(problem, 0.9, 1.5, 0.4), "recovery-softmax", WORLDS[world], 200, seed=2, **given)


@pytest.mark.parametrize("temperature", [1e-29, 1e-3, 1e29])
def test_a_softmax_of_any_temperature_is_a_distribution_over_the_arms_at_hand(temperature: float) -> None:
    world = rw.catalog.gaussian(horizon=100)
    policy = rw.make_policy("recovery-softmax", world.problem, temperature=temperature)
    for _ in range(6):
        decision = policy.select()
        assert decision.arm is not None
        policy.update(decision, [500.0, -800.0, 2.0][decision.arm], [0.1, 0.1])
    chances = policy.select(available=[1, 2]).probabilities
    assert chances.sum() == pytest.approx(1)
    assert chances[0] == 0
    assert chances[2] == pytest.approx(0.5 if temperature == 1e29 else 1)


class Rebounding(Remembering):
    """Leqi et al. 2021: a trial of n pulls of each arm, least squares, then w rounds at a time by enumeration."""

    def __init__(self, problem: rw.Problem, n: int, w: int = 3) -> None:
        super().__init__(problem)
        self.n, self.w = n, w
        self.plan: list[int] = []

    def fit(self, a: int) -> tuple[float, float, float]:
        """Base, slope and retention: the whole path of the trial by least squares, at every retention in a grid."""
        rewards = np.array([self.rewards[t] for t in self.rounds_of(a)[: self.n]])
        best = rewards.mean(), 0.0, 0.0
        spread = error = ((rewards - rewards.mean()) ** 2).sum()
        for retention in np.arange(50) / 50:
            s = np.zeros(self.n)
            for k in range(1, self.n):
                s[k] = retention * (s[k - 1] + 1)
            (base, slope), *_ = np.linalg.lstsq(np.column_stack([np.ones(self.n), -s]), rewards)
            left = ((rewards - base + slope * s) ** 2).sum()
            if np.ptp(s) > 0 and slope > 0 and left < error - 1e-9 * spread:
                best, error = (float(base), float(slope), float(retention)), left
        return best

    def satiation(self, a: int, retention: float) -> float:
        s = 0.0
        for arm in self.arms:
            s = retention * (s + (arm == a))
        return s

    def shares(self, t: int) -> Vector:
        for a in range(self.m):
            if len(self.rounds_of(a)) < self.n:
                return sure(a, self.m)
        if not self.plan:
            self.plan = list(self.best(min(self.w, self.problem.horizon - t)))
        return sure(self.plan.pop(0), self.m)

    def best(self, rounds: int) -> tuple[int, ...]:
        models = [self.fit(a) for a in range(self.m)]
        states = [self.satiation(a, model[2]) for a, model in enumerate(models)]
        chosen: tuple[int, ...] = ()
        most = -math.inf
        for sequence in itertools.product(range(self.m), repeat=rounds):
            s, total = list(states), 0.0
            for arm in sequence:
                total += models[arm][0] - models[arm][1] * s[arm]
                s = [models[a][2] * (s[a] + (a == arm)) for a in range(self.m)]
            if total > most + 1e-9:
                chosen, most = sequence, total
        return chosen


def usual_tries(problem: rw.Problem) -> int:
    """T^(2/3) / m, or a third of the pulls that the budgets surely allow."""
    pulls = [resource.budget / resource.unit / 3 for resource in problem.resources]
    return max(1, int(min([problem.horizon ** (2 / 3), *pulls]) / len(problem.arms)))


@pytest.mark.parametrize("world", WORLDS)
def test_rebounding_decides_like_a_literal_rewrite(world: str) -> None:
    problem = WORLDS[world].problem
    tries = usual_tries(problem)
    decisions = judge(Rebounding(problem, tries), "rebounding", WORLDS[world], 120, seed=3)
    assert len(decisions) > 3 * tries
    longer = judge(Rebounding(problem, 20, 4), "rebounding", WORLDS[world], 100, seed=4, tries=20, lookahead=4)
    assert len(longer) > 20 * len(problem.arms)


def test_rebounding_plans_no_further_than_the_last_round() -> None:
    problem = rw.catalog.paper(horizon=35).problem
    world = rw.catalog.paper(horizon=35)
    assert len(judge(Rebounding(problem, 5, 6), "rebounding", world, 35, tries=5, lookahead=6)) == 35


def test_a_trial_without_noise_gives_the_true_satiation() -> None:
    """A world made as the paper's: from rest, rewards hardly noisy, gamma 0.6."""
    arms = [
        rw.Arm(name, A=0.6, B=-0.6 * slope, alpha=base, family="gaussian", sigma=1e-6)
        for name, slope, base in (("a", 0.5, 1.0), ("b", 1.0, 1.4))
    ]
    world = rw.World(rw.Problem(arms, [], 60), [0.0, 0.0], [[], []])
    decisions = judge(Rebounding(world.problem, 7), "rebounding", world, 60)
    states = [0.0, 0.0]
    for decision in decisions:
        if decision.round >= 14:
            assert decision.reward_bounds == pytest.approx([1.0 + states[0], 1.4 + states[1]], abs=1e-4)
        states = [
            0.6 * (x - slope * (decision.arm == a)) for a, x, slope in zip((0, 1), states, (0.5, 1.0), strict=True)
        ]


def test_a_trial_is_no_longer_than_the_budgets_surely_allow() -> None:
    policy = rw.make_policy("rebounding", rw.catalog.paper(budget=30.0).problem)
    assert [policy.select().arm for _ in range(9)] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert usual_tries(policy.problem) == 3


class Recovering(Remembering):
    """Pike-Burke and Grunewalder 2019, dRGP-UCB: Gaussian process regression from scratch, d rounds at a time."""

    def __init__(self, problem: rw.Problem, d: int, z_max: int, lengthscale: float, scale: float) -> None:
        super().__init__(problem)
        self.d, self.z_max, self.lengthscale, self.scale = d, z_max, lengthscale, scale
        self.plan: list[int] = []

    def kernel(self, z: Any, other: Any) -> Vector:
        return np.asarray(np.exp(-((np.array(z)[:, None] - np.array(other)) ** 2) / (2 * self.lengthscale**2)))

    def z(self, arm: int, before: int) -> int:
        rounds = [t for t in self.rounds_of(arm) if t < before]
        return min(self.z_max, before - rounds[-1]) if rounds else self.z_max

    def posterior(self, arm: int) -> tuple[Vector, Vector]:
        """Mean and covariance on 1..z_max."""
        grid, rounds = range(1, self.z_max + 1), self.rounds_of(arm)
        if not rounds:
            return np.zeros(self.z_max), self.kernel(grid, grid)
        z = [self.z(arm, t) for t in rounds]
        noise = self.problem.arms[arm].sigma or 0.5
        gram = self.kernel(z, z) + noise**2 * np.eye(len(z))
        cross = self.kernel(grid, z)
        mean = cross @ np.linalg.solve(gram, np.array([self.rewards[t] for t in rounds]))
        return mean, self.kernel(grid, grid) - cross @ np.linalg.solve(gram, cross.T)

    def shares(self, t: int) -> Vector:
        if not self.plan:
            self.plan = list(self.best(t, min(self.d, self.problem.horizon - t)))
        return sure(self.plan.pop(0), self.m)

    def best(self, t: int, rounds: int) -> tuple[int, ...]:
        curves = [self.posterior(a) for a in range(self.m)]
        now = [self.z(a, t) for a in range(self.m)]
        # t counts from 1 in the paper
        alpha = self.scale * math.sqrt(2 * math.log((self.m * self.z_max) ** self.d * (t + self.d) ** 2))
        chosen: tuple[int, ...] = ()
        most = -math.inf
        for sequence in itertools.product(range(self.m), repeat=rounds):
            z, total, variance = list(now), 0.0, 0.0
            visits: list[tuple[int, int]] = []
            for arm in sequence:
                visits.append((arm, z[arm] - 1))
                z = [1 if a == arm else min(z[a] + 1, self.z_max) for a in range(self.m)]
            total = sum(curves[a][0][place] for a, place in visits)
            variance = sum(curves[a][1][place, other] for a, place in visits for b, other in visits if a == b)
            bound = total + alpha * math.sqrt(max(variance, 0.0))
            if bound > most + 1e-9:
                chosen, most = sequence, bound
        return chosen


@pytest.mark.parametrize("world", WORLDS)
def test_recovering_decides_like_gaussian_process_regression(world: str) -> None:
    problem = WORLDS[world].problem
    decisions = judge(Recovering(problem, 2, 30, 5.0, 1.0), "recovering", WORLDS[world], 200, seed=5)
    assert len({decision.arm for decision in decisions}) == len(problem.arms)
    given: dict[str, Any] = {"depth": 3, "z_max": 8, "lengthscale": 2.5, "scale": 0.2}
    judge(Recovering(problem, 3, 8, 2.5, 0.2), "recovering", WORLDS[world], 121, seed=6, **given)


def test_recovering_knows_what_pulls_will_tell_before_their_rewards_come() -> None:
    """Doubt shrinks with pulls; means wait for rewards, whose order does not matter."""
    problem = rw.catalog.paper(horizon=100).problem
    early, late = (rw.make_policy("recovering", problem, depth=1) for _ in range(2))
    waiting = []
    for _ in range(4):
        decision = early.select()
        same = late.select()
        assert same.arm == decision.arm
        waiting.append(same)
        early.update(decision, 0.0, [0.1] * 3)  # a mean of 0, as in the prior
    for each in reversed(waiting):
        late.update(each, 0.0, [0.1] * 3)
    assert early.select().reward_bounds == pytest.approx(late.select().reward_bounds, abs=1e-12)


def test_more_sequences_than_can_be_tried_are_refused() -> None:
    problem = rw.catalog.many_arms(horizon=50, arms=40).problem
    with pytest.raises(rw.InputError, match="lookahead 5 makes 40\\^5 sequences of 40 arms: give a smaller lookahead"):
        rw.make_policy("rebounding", problem, lookahead=5)
    with pytest.raises(rw.InputError, match="depth 4 makes 40\\^4 sequences of 40 arms: give a smaller depth"):
        rw.make_policy("recovering", problem, depth=4)


@pytest.mark.parametrize("name", ["rebounding", "recovering"])
def test_a_sequence_is_planned_anew_when_its_arm_is_away(name: str) -> None:
    problem = rw.catalog.paper(horizon=300).problem
    policy = rw.make_policy(name, problem, **({"tries": 2} if name == "rebounding" else {}))
    for t in range(60):
        away = t % 3
        decision = policy.select(available=[a for a in range(3) if a != away])
        assert decision.arm is not None
        assert decision.arm != away
        policy.update(decision, float(t % 2), [0.01] * 3)
    assert policy.select(available=[]).arm is None


def test_parts_that_do_not_fit_together_are_refused() -> None:
    for name in ("ucb1/none/lookahead", "ucb1/none/best-sequence", "ucb1/none/whittle"):
        with pytest.raises(rw.InputError, match="needs an estimate that gives"):
            rw.make_policy(name, rw.catalog.paper().problem)
