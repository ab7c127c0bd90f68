"""The timetable of recharging bandits beside a literal rewrite with SciPy's linear programs."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import roguewk as rw
from roguewk.allocate.believed_arms import build_believed_arms, credit
from roguewk.allocate.timetable import build_timetable, fill_ways
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import ALLOCATION_DRAW, Now, unit, words
from roguewk.part.verbs import LEVEL, PUSH, RESTED, RETENTION, SPREAD
from roguewk.problem.constants import mean_rewards, next_states
from roguewk.relax.periodic import PERIODS, steady_rewards
from tests.judge import coins, doubted_costs, judge, sure

WORLDS = {
    "coins": coins(0.3, 0.5, 0.6, rounds=400),
    "paper": rw.catalog.paper(horizon=400),
    "paper, short of budget": rw.catalog.paper(budget=60, horizon=400),
    "paper, idle": rw.catalog.paper(budget=60, horizon=400, idle=True),
    "one_resource": rw.catalog.one_resource(horizon=400),
    "slow, idle": rw.catalog.slow_recovery(horizon=400, idle=True),
    "gaussian": rw.catalog.gaussian(horizon=400),
    "messages": rw.catalog.messages(horizon=400),
    "two_dimensional, idle": rw.catalog.two_dimensional(horizon=400, idle=True),
}


def steady(arm: rw.Arm, tau: int) -> float:
    """The mean reward at a pull every tau rounds: the state that a pull and tau - 1 rounds of rest lead back to."""
    rest = [np.linalg.matrix_power(arm.matrix, k) for k in range(tau + 1)]
    drift = sum(rest[:tau]) @ arm.pull_back + rest[tau - 1] @ arm.push
    level = arm.alpha + arm.weights @ np.linalg.solve(np.eye(arm.dimension) - rest[tau], drift)
    return float(level if arm.sigma is not None else 1 / (1 + np.exp(-level)))


class Recharging:
    """Kleinberg and Immorlica 2018 with budgets; turns of arm a when its passed turns reach U + k."""

    def __init__(self, problem: rw.Problem, seed: int) -> None:
        self.problem, self.m = problem, len(problem.arms)
        self.starts = [
            unit(np.uint64(words(Now(0, np.uint64(seed), 0, 0), ALLOCATION_DRAW, a)[0])) for a in range(self.m)
        ]
        self.steady = np.array([[steady(arm, tau) for tau in PERIODS] for arm in problem.arms])
        self.costs: list[list[Vector]] = [[] for _ in range(self.m)]
        self.spent = np.zeros(len(problem.resources))
        self.passed = np.zeros(self.m)
        self.taken = np.zeros(self.m)
        self.again = 0

    def mean_costs(self) -> Vector:
        return doubted_costs(self.costs, self.problem.rates)[0]

    def rates(self, t: int) -> Vector:
        tau = np.tile(PERIODS, self.m)
        of_arm = np.repeat(np.eye(self.m), len(PERIODS), axis=1)  # (arm, way)
        left = self.problem.horizon - t
        budgets = np.maximum(self.problem.budgets / self.problem.scales - self.spent, 0) / left
        rows = (of_arm.T @ self.mean_costs() / tau[:, None]).T
        # An arm has all rounds to itself; where every round must play, there are only as many as there are pulls.
        own, rounds = (of_arm, np.ones(self.m)) if self.problem.idle else (of_arm - 1 / tau, np.zeros(self.m))
        limits = np.concatenate([budgets, [1.0], rounds])
        found = linprog(-self.steady.ravel() / tau, np.vstack([rows, 1 / tau, own]), limits, method="highs")
        return np.asarray(of_arm @ (found.x / tau))

    def shares(self, t: int) -> Vector:
        for a in range(self.m):
            if not self.costs[a]:
                return sure(a, self.m)
        if t >= self.again:
            self.pace = self.rates(t)
            self.again = t + 1 + min(t, self.problem.horizon - t) // 8
        if self.problem.idle:
            self.passed += self.pace
        waits = [
            (self.starts[a] + self.taken[a] - self.passed[a]) / self.pace[a] if self.pace[a] > 1e-9 else np.inf
            for a in range(self.m)
        ]
        if self.problem.idle and min(waits) > 0:
            return np.zeros(self.m)
        self.passed += max(min(waits), 0) * self.pace
        return sure(int(np.argmin(waits)), self.m)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        if arm is not None:
            self.costs[arm].append(costs / self.problem.scales)
            self.spent += costs / self.problem.scales
            self.taken[arm] += 1


@pytest.mark.parametrize("world", WORLDS)
def test_recharging_decides_like_a_literal_rewrite(world: str) -> None:
    problem = WORLDS[world].problem
    decisions = judge(Recharging(problem, 7), "recharging", WORLDS[world], 400, seed=7)
    assert len(decisions) > 100
    idle = sum(decision.arm is None for decision in decisions)
    assert (idle > 0) == problem.idle


@pytest.mark.parametrize("name", rw.catalog.names())
def test_steady_rewards_are_those_of_a_cycle_that_closes(name: str) -> None:
    for arm in rw.catalog.get(name).problem.arms:
        assert steady_rewards(arm) == pytest.approx([steady(arm, tau) for tau in PERIODS], abs=1e-8)


def test_steady_rewards_of_arms_that_hardly_recover_are_those_of_as_many_pulls() -> None:
    arm = rw.Arm("worn", A=[[0.9997, 0.0], [0.1, 0.2]], B=[-0.001, 0.1], K=[0.0001, 0.0], beta=[1.0, 0.5])
    found = dict(zip(PERIODS, steady_rewards(arm), strict=True))
    for tau in (1, 3, 64):
        state = arm.box.mean(axis=1)[None, :]
        for t in range(-(-20_000 // tau) * tau):
            state = next_states(arm, state, float(t % tau == 0))
        assert found[tau] == pytest.approx(mean_rewards(arm, state)[0], abs=1e-8)


def test_steady_rewards_of_own_functions_are_those_of_playing_on_and_on() -> None:
    def tired(x: float, pulled: float) -> float:
        return float(0.6 * np.sin(x) - 0.7 * pulled)

    def hill(x: float) -> float:
        return float(0.1 + 0.8 * np.exp(-2 * x * x))

    found = steady_rewards(rw.Arm("own", h=tired, g=hill, state=(-2, 2)))
    for tau, reward in zip(PERIODS, found, strict=True):
        x = 1.5
        for t in range(100 * tau):
            x = tired(x, float(t % tau == 0))
        assert reward == pytest.approx(hill(x), abs=1e-8)


def test_rates_of_believed_arms_are_those_of_arms_that_are_so() -> None:
    arms = [
        rw.Arm("slow", A=0.97, B=-0.1, alpha=0.8),
        rw.Arm("fast", A=0.2, B=-1.5, alpha=-0.3),
        rw.Arm("measured", A=0.8, B=-0.4, alpha=1.3, family="gaussian", sigma=0.5),
    ]
    problem = rw.Problem(arms, [], 100)
    believed, known = build_believed_arms(problem), build_timetable(problem).grid
    own: Any = build_timetable(problem, "learned").grid
    for row, arm in zip(believed.now, arms, strict=True):
        row[[RETENTION, RESTED, PUSH, LEVEL]] = arm.matrix[0, 0], arm.alpha, arm.push[0], 0.0
    fill_ways(own, believed, 50.0)
    assert own.rewards * own.unit == pytest.approx(known.rewards * known.unit, abs=1e-8)
    believed.now[1, SPREAD] = 0.5
    fill_ways(own, believed, 50.0)
    more = (own.rewards * own.unit - known.rewards * known.unit) / own.frequencies
    assert more.reshape(3, -1)[[0, 2]] == pytest.approx(0.0, abs=1e-6)
    assert more.reshape(3, -1)[1] == pytest.approx(credit(believed, 1, 50.0))
    assert 0.02 < credit(believed, 1, 50.0) < 0.3


def test_nothing_known_earns_most_of_what_knowing_the_dynamics_does() -> None:
    for budget in (100, 300):
        world = rw.catalog.paper(budget=budget, horizon=800)
        policies = {"known": "recharging", "learned": ("recharging", {"dynamics": "learned"}), "none": "ts-lp-resolved"}
        earned = rw.simulate(world, policies, replicates=8, seed=5).frame().groupby("policy")["expected_reward"].mean()
        assert earned["learned"] > 0.92 * earned["known"]
        assert earned["learned"] > 1.05 * earned["none"]


def test_turns_are_as_many_as_the_best_rates_ask_for() -> None:
    """No budgets, known optimum: two like arms that recover in two rounds take every other round each."""
    arms = [rw.Arm(name, A=0.1, B=-3.0, alpha=1.0) for name in "ab"]
    runs = rw.simulate(rw.World(rw.Problem(arms, [], 500), [0.0, 0.0], [[], []]), "recharging", 3, curves=True)
    played = runs.curves["recharging"].arms[:, 20:]
    assert (played[:, 1:] != played[:, :-1]).all()


def test_an_arm_that_was_away_does_not_catch_up_all_its_turns() -> None:
    world = rw.catalog.one_resource(horizon=300, idle=True)
    policy = rw.make_policy("recharging", world.problem, seed=8)
    played = []
    for t in range(120):
        decision = policy.select(available=["cheap"] if 10 <= t < 90 else None)
        played.append(decision.arm)
        if decision.arm is not None:
            policy.update(decision, 1.0, [[0.6], [0.15]][decision.arm])
    assert 0 not in played[10:90]
    assert 0 in played[90:93]
    assert played[90:100].count(0) < 8


def test_an_arm_is_played_all_the_same_when_none_pays_and_every_round_must_be() -> None:
    levels = {"a": -2.0, "b": -1.0}
    arms = [rw.Arm(name, A=0.5, B=-1.0, alpha=x, family="gaussian", sigma=0.1) for name, x in levels.items()]
    policy = rw.make_policy("recharging", rw.Problem(arms, [], 50))
    for _ in range(10):
        decision = policy.select()
        assert decision.arm is not None
        policy.update(decision, -1.5)
    assert decision.status.startswith("no arm promises a positive reward")
