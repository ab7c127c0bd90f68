"""Policies for drifting arms without budgets, each beside a literal rewrite; rewards on time, late or never."""

import math
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import REWARD_DRAW, Now, unit, words
from roguewk.part.status import Status
from roguewk.problem.ledger import WITHIN
from roguewk.world.game import Game
from tests.judge import coins, judge, sure

UNIT = {
    "coins": coins(0.3, 0.5, 0.6, rounds=500),
    "paper": rw.catalog.paper(budget=300, horizon=700),
    "slow": rw.catalog.slow_recovery(horizon=400),
    "idle allowed": rw.catalog.messages(),
    "many": rw.catalog.many_arms(horizon=400, arms=6),
}
WORLDS = {**UNIT, "gaussian": rw.catalog.gaussian(horizon=500)}
every_world = pytest.mark.parametrize("world", WORLDS)
every_unit_world = pytest.mark.parametrize("world", UNIT)
on_time_or_late = pytest.mark.parametrize("late", [False, True])


class Log:
    """Which arm was pulled in which round, and the rewards that have come."""

    def __init__(self, world: rw.World) -> None:
        arms = world.problem.arms
        self.arms, self.horizon = len(arms), world.problem.horizon
        self.ranges = [1.0 if arm.sigma is None else 2 * arm.sigma for arm in arms]
        self.pulled: list[int | None] = []  # by round
        self.came: dict[int, float] = {}  # by round

    def index(self, t: int, a: int) -> float:
        raise NotImplementedError

    def shares(self, t: int) -> Vector:
        index = [self.index(t, a) for a in range(self.arms)]
        return sure(self.best(index), self.arms)

    def best(self, index: list[float]) -> int:
        """The arm with the largest index; of those of which nothing is known, the last one pulled or the one least."""
        unknown = [a for a in range(self.arms) if index[a] == math.inf]
        if self.pulled and self.pulled[-1] in unknown:
            return unknown[unknown.index(self.pulled[-1])]
        return min(unknown, key=lambda a: self.pulled.count(a)) if unknown else int(np.argmax(index))

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        self.pull(arm)
        if arm is not None:
            self.arrive(t, reward)

    def pull(self, arm: int | None) -> None:
        self.pulled.append(arm)

    def arrive(self, t: int, reward: float) -> None:
        self.came[t] = reward

    def mean(self, a: int, rounds: range) -> float:
        """Of what has come; 1 if nothing has."""
        seen = [self.came[s] for s in rounds if self.pulled[s] == a and s in self.came]
        return float(np.mean(seen)) if seen else 1.0

    def count(self, a: int, rounds: range) -> int:
        return sum(self.pulled[s] == a for s in rounds)


def judged(
    literal: Log, policy: str, world: rw.World, rounds: int, *, late: bool, seed: int, **parameters: Any
) -> list[rw.Decision]:
    """`judge`, or the same with rewards that come up to twelve rounds late, in another order, or never."""
    if not late:
        return judge(literal, policy, world, rounds, seed, **parameters)
    game, player = Game(world, seed), rw.make_policy(policy, world.problem, seed, **parameters)
    due: dict[int, list[tuple[int, float, Vector]]] = {}
    decisions = []
    for t in range(rounds):
        for s, reward, costs in due.pop(t, []):
            player.update(s, reward, costs)
            literal.arrive(s, reward)
        decision = player.select()
        if player.round == t or decision.code is Status.RESERVED or game.stopped_by != WITHIN:
            break  # a budget is spent, whether or not that is known, or may be needed for what is still open
        assert decision.probabilities == pytest.approx(literal.shares(t), abs=1e-9), f"round {t}"
        reward, costs = game.play(decision.arm)
        literal.pull(decision.arm)
        if decision.arm is not None and t % 17 == 5:
            player.forget(decision)
        elif decision.arm is not None:
            due.setdefault(t + 1 + (7 * t % 13 if t % 3 else 0), []).append((t, reward, costs))
        decisions.append(decision)
    assert len(decisions) > 50
    return decisions


class DUcb(Log):
    """Garivier and Moulines 2011, discounted."""

    def __init__(self, world: rw.World, discount: float | None, xi: float) -> None:
        super().__init__(world)
        self.discount = 1 - math.sqrt(1 / self.horizon) / 4 if discount is None else discount
        self.xi = xi

    def index(self, t: int, a: int) -> float:
        weights = [self.discount ** (t - 1 - s) for s in range(t)]
        n = [sum(w for w, arm in zip(weights, self.pulled, strict=True) if arm == b) for b in range(self.arms)]
        if n[a] == 0:
            return math.inf
        came = [s for s in range(t) if self.pulled[s] == a and s in self.came]
        total = sum(weights[s] for s in came)
        mean = sum(weights[s] * self.came[s] for s in came) / total if came else 1.0
        return mean + 2 * self.ranges[a] * math.sqrt(self.xi * math.log(max(sum(n), 1)) / n[a])


@every_world
@on_time_or_late
@pytest.mark.parametrize(("discount", "xi"), [(None, 0.6), (0.9, 0.1)])
def test_discounted_ucb_decides_like_a_literal_rewrite(
    world: str, late: bool, discount: float | None, xi: float
) -> None:
    literal = DUcb(WORLDS[world], discount, xi)
    decisions = judged(literal, "d-ucb", WORLDS[world], 150, late=late, seed=1, discount=discount, xi=xi)
    assert {decision.arm for decision in decisions} == set(range(literal.arms))


class SwUcb(Log):
    """Garivier and Moulines 2011, with a window."""

    def __init__(self, world: rw.World, window: int | None, xi: float) -> None:
        super().__init__(world)
        self.tau = window or math.ceil(2 * math.sqrt(self.horizon * math.log(self.horizon)))
        self.xi = xi

    def index(self, t: int, a: int) -> float:
        rounds = range(max(t - self.tau, 0), t)
        n = self.count(a, rounds)
        if n == 0:
            return math.inf
        return self.mean(a, rounds) + self.ranges[a] * math.sqrt(self.xi * math.log(min(t, self.tau)) / n)


@every_world
@on_time_or_late
@pytest.mark.parametrize(("window", "xi"), [(None, 0.6), (25, 0.2), (2, 1.0), (10_000, 2.0)])
def test_sliding_window_ucb_decides_like_a_literal_rewrite(
    world: str, late: bool, window: int | None, xi: float
) -> None:
    literal = SwUcb(WORLDS[world], window, xi)
    decisions = judged(literal, "sw-ucb-gm", WORLDS[world], 300, late=late, seed=2, window=window, xi=xi)
    assert {decision.arm for decision in decisions} == set(range(literal.arms))


class SwUcbSharp(Log):
    """Wei and Srivastava 2018: the window grows with t."""

    def __init__(self, world: rw.World, growth: float, start: float) -> None:
        super().__init__(world)
        self.alpha, self.factor = growth, start

    def index(self, t: int, a: int) -> float:
        tau = min(math.ceil(self.factor * t**self.alpha), t)
        rounds = range(t - tau, t)
        n = self.count(a, rounds)
        if n == 0:
            return math.inf
        return self.mean(a, rounds) + self.ranges[a] * math.sqrt((1 + self.alpha) * math.log(t) / n)


@every_world
@on_time_or_late
@pytest.mark.parametrize(("growth", "start"), [(0.5, 1.0), (0.25, 12.3), (0.0, 20.0), (1.0, 0.5), (1.0, 1e30)])
def test_sw_ucb_sharp_decides_like_a_literal_rewrite(world: str, late: bool, growth: float, start: float) -> None:
    if start == 1e30 and growth == 1.0:
        literal = SwUcbSharp(WORLDS[world], 1.0, 1.0)  # every round counts
    else:
        literal = SwUcbSharp(WORLDS[world], growth, start)
    decisions = judged(literal, "sw-ucb-sharp", WORLDS[world], 300, late=late, seed=3, growth=growth, start=start)
    assert len({decision.arm for decision in decisions}) > 1


class Exp3(Log):
    """Auer et al. 2002; with batches, Besbes, Gur and Zeevi 2014. Weights are multiplied, as written."""

    def __init__(self, world: rw.World, batch: int, gamma: float | None = None) -> None:
        super().__init__(world)
        self.batch, K = batch, self.arms
        self.gamma = min(1.0, math.sqrt(K * math.log(K) / ((math.e - 1) * batch))) if gamma is None else gamma
        self.chances: list[Vector] = []

    def shares(self, t: int) -> Vector:
        weights = np.ones(self.arms)
        for s in range(t - t % self.batch, t):
            arm = self.pulled[s]
            if arm is not None and s in self.came:
                weights[arm] *= math.exp(self.gamma * self.came[s] / self.chances[s][arm] / self.arms)
        self.chances.append((1 - self.gamma) * weights / weights.sum() + self.gamma / self.arms)
        return self.chances[-1]


@every_unit_world
@on_time_or_late
@pytest.mark.parametrize("gamma", [None, 0.3])
def test_exp3_has_the_probabilities_of_a_literal_rewrite(world: str, late: bool, gamma: float | None) -> None:
    literal = Exp3(UNIT[world], UNIT[world].problem.horizon, gamma)
    decisions = judged(literal, "exp3", UNIT[world], 200, late=late, seed=4, gamma=gamma)
    assert {decision.arm for decision in decisions} == set(range(literal.arms))


@every_unit_world
@on_time_or_late
@pytest.mark.parametrize("variation", [2.0, 40.0])
def test_rexp3_has_the_probabilities_of_a_literal_rewrite(world: str, late: bool, variation: float) -> None:
    K, T = len(UNIT[world].problem.arms), UNIT[world].problem.horizon
    batch = math.ceil((K * math.log(K)) ** (1 / 3) * (T / variation) ** (2 / 3))
    literal = Exp3(UNIT[world], batch)
    decisions = judged(literal, "rexp3", UNIT[world], 200, late=late, seed=5, variation=variation)
    assert {decision.arm for decision in decisions} == set(range(literal.arms))


def test_exp3_stays_within_numbers_when_one_arm_has_won_everything() -> None:
    policy = rw.make_policy("exp3", coins(0.5, 0.5, rounds=20_000).problem, gamma=1e-3)
    for t in range(20_000):
        decision = policy.select()
        policy.update(t, float(decision.arm == 0))
    assert decision.probabilities == pytest.approx([1 - 0.5e-3, 0.5e-3], abs=1e-4)


def test_arms_that_are_not_available_leave_their_share_to_the_others() -> None:
    policy = rw.make_policy("exp3", coins(0.2, 0.5, 0.6).problem, gamma=0.3)
    for t in range(50):
        policy.update(policy.select(), float(t % 2))
    decision = policy.select(available=[0, 2])
    G = decision.reward_bounds[[0, 2]]
    expected = 0.7 * np.exp(0.1 * G) / np.exp(0.1 * G).sum() + 0.3 / 2
    assert decision.probabilities == pytest.approx([expected[0], 0, expected[1]])


def test_with_doubling_exp3_mixes_for_the_rounds_of_the_epoch() -> None:
    policy = rw.make_policy("exp3", coins(0.2, 0.5, rounds=50).problem, doubling=10, restart=True)
    gammas = []
    for t in range(45):
        decision = policy.select()
        if t in (0, 10, 20, 40):  # all is forgotten there
            assert decision.probabilities == pytest.approx([0.5, 0.5])
        G = decision.reward_bounds
        gammas.append(
            next(
                length
                for length in (10, 20, 40)
                if decision.probabilities == pytest.approx(exp3_shares(G, length), abs=1e-12)
            )
        )
        policy.update(decision, 1.0)
    assert {10, 20, 40} >= set(gammas[1:]) >= {10, 20}
    assert set(gammas[21:40]) == {20}
    assert set(gammas[41:]) == {40}


def exp3_shares(G: Vector, length: int) -> Vector:
    gamma = min(1.0, math.sqrt(2 * math.log(2) / ((math.e - 1) * length)))
    weights = np.exp(gamma / 2 * G)
    return np.asarray((1 - gamma) * weights / weights.sum() + gamma / 2)


class Bob(Log):
    """Cheung, Simchi-Levi and Zhu 2019: EXP3 over the windows, from all rewards that have come by a block's start."""

    def __init__(self, world: rw.World, seed: int, block: int | None, xi: float) -> None:
        super().__init__(world)
        T, self.seed, self.xi = self.horizon, np.uint64(seed), xi
        self.H = block or math.ceil(self.arms ** (2 / 3) * math.sqrt(T))
        D = math.ceil(math.log(self.H))
        self.J = [math.floor(round(self.H ** (k / D), 9)) for k in range(D + 1)]
        self.gamma = min(1.0, math.sqrt((D + 1) * math.log(D + 1) / ((math.e - 1) * math.ceil(T / self.H))))
        self.norm = 2 * self.H + 4 * 0.5 * math.sqrt(self.H * math.log(T / math.sqrt(self.H)))
        self.blocks: list[tuple[int, float]] = []  # choice and its probability

    def choose(self, t: int) -> tuple[int, float]:
        s = np.ones(len(self.J))
        for i, (j, p) in enumerate(self.blocks):
            Q = sum(self.came.get(r, 0.0) for r in range(i * self.H, (i + 1) * self.H))
            s[j] *= math.exp(self.gamma / (len(self.J) * p) * (1 / 2 + Q / self.norm))
        chances = (1 - self.gamma) * s / s.sum() + self.gamma / len(self.J)
        number = unit(np.uint64(words(Now(t, self.seed, 0, t), REWARD_DRAW, 0)[0]))
        j = int(np.searchsorted(np.cumsum(chances), number, side="right"))
        return j, float(chances[j])

    def shares(self, t: int) -> Vector:
        if t % self.H == 0:
            self.blocks.append(self.choose(t))
        return super().shares(t)

    def index(self, t: int, a: int) -> float:
        w, begin = self.J[self.blocks[-1][0]], t - t % self.H
        rounds = range(max(t - w, begin), t)
        n = self.count(a, rounds)
        if n == 0:
            return math.inf
        return self.mean(a, rounds) + math.sqrt(self.xi * math.log(min(t - begin, w)) / n)


@every_unit_world
@on_time_or_late
@pytest.mark.parametrize(("block", "xi"), [(None, 0.6), (12, 0.2), (400, 1.0)])
def test_bandit_over_bandit_decides_like_a_literal_rewrite(
    world: str, late: bool, block: int | None, xi: float
) -> None:
    literal = Bob(UNIT[world], 6, block, xi)
    decisions = judged(literal, "bob", UNIT[world], 400, late=late, seed=6, block=block, xi=xi)
    assert len({decision.arm for decision in decisions}) > 1
    if block == 12 and len(decisions) > 200:
        assert len({choice for choice, _ in literal.blocks}) > 1


class CusumUcb(Log):
    """Liu, Lee and Shroff 2018; rewards are looked at in the order in which they come."""

    def __init__(self, world: rw.World, samples: int, tolerance: float, threshold: float | None) -> None:
        super().__init__(world)
        self.M, self.epsilon = samples, tolerance
        self.h = math.log(self.horizon) if threshold is None else threshold
        self.begins = [0] * self.arms
        self.ys: list[list[float]] = [[] for _ in range(self.arms)]
        self.alarms = 0

    def arrive(self, t: int, reward: float) -> None:
        arm = self.pulled[t]
        assert arm is not None
        if t < self.begins[arm]:
            return
        self.came[t] = reward
        self.ys[arm].append(reward / self.ranges[arm])
        if self.alarm(self.ys[arm]):
            self.ys[arm] = []
            self.begins[arm] = len(self.pulled)
            self.alarms += 1

    def alarm(self, ys: list[float]) -> bool:
        u, up, down = float(np.mean(ys[: self.M])), 0.0, 0.0
        for y in ys[self.M :]:
            up = max(0.0, up + y - u - self.epsilon)
            down = max(0.0, down + u - y - self.epsilon)
        return max(up, down) >= self.h

    def index(self, t: int, a: int) -> float:
        pulls = [self.count(b, range(self.begins[b], t)) for b in range(self.arms)]
        if pulls[a] == 0:
            return math.inf
        mean = self.mean(a, range(self.begins[a], t))
        return mean + self.ranges[a] * math.sqrt(math.log(sum(pulls)) / pulls[a])

    def shares(self, t: int) -> Vector:
        index = [self.index(t, a) for a in range(self.arms)]
        best = super().shares(t)
        return best if math.inf in index else 0.9 * best + 0.1 / self.arms


@every_world
@on_time_or_late
@pytest.mark.parametrize(("samples", "threshold"), [(30, None), (5, 1.52)])
def test_cusum_ucb_decides_like_a_literal_rewrite(
    world: str, late: bool, samples: int, threshold: float | None
) -> None:
    literal = CusumUcb(WORLDS[world], samples, 0.05, threshold)
    given = {"samples": samples, "tolerance": 0.05, "threshold": threshold, "explore": 0.1}
    judged(literal, "cusum-ucb", WORLDS[world], 300, late=late, seed=7, **given)
    assert literal.alarms > 0 or threshold is None


class LdsUcb(Log):
    """A ridge regression for each arm and sequence of arms before it, solved anew each time."""

    def __init__(self, world: rw.World, s: int, ridge: float) -> None:
        super().__init__(world)
        self.s, self.ridge = s, ridge
        self.contexts: list[tuple[tuple[int | None, ...], Vector]] = []  # by round: the arms before, the regressors

    def shares(self, t: int) -> Vector:
        known = [s if s >= 0 and s in self.came else None for s in range(t - 1, t - 1 - self.s, -1)]
        before = tuple(None if s is None else self.pulled[s] for s in known)
        phi = np.array([1.0, *(0.0 if s is None else self.came[s] for s in known)])
        self.contexts.append((before, phi))
        for a in range(self.arms):
            if a not in self.pulled:
                return sure(a, self.arms)
        return sure(int(np.argmax([self.index(t, a) for a in range(self.arms)])), self.arms)

    def index(self, t: int, a: int) -> float:
        before, phi = self.contexts[t]
        alike = [s for s in range(t) if self.pulled[s] == a and self.contexts[s][0] == before]
        came = [s for s in alike if s in self.came]
        tried = self.ridge * np.eye(phi.size) + sum(np.outer(self.contexts[s][1], self.contexts[s][1]) for s in alike)
        known = self.ridge * np.eye(phi.size) + sum(np.outer(self.contexts[s][1], self.contexts[s][1]) for s in came)
        total = sum((self.contexts[s][1] * self.came[s] for s in came), np.zeros(phi.size))
        spread = math.sqrt(phi @ np.linalg.solve(tried, phi))
        return float(phi @ np.linalg.solve(known, total)) + self.ranges[a] * math.sqrt(2 * math.log(t)) * spread


@every_world
@on_time_or_late
@pytest.mark.parametrize(("s", "ridge"), [(1, 1.0), (2, 0.3)])
def test_lds_ucb_decides_like_a_literal_rewrite(world: str, late: bool, s: int, ridge: float) -> None:
    literal = LdsUcb(WORLDS[world], s, ridge)
    decisions = judged(literal, "lds-ucb", WORLDS[world], 200, late=late, seed=8, s=s, ridge=ridge)
    assert {decision.arm for decision in decisions} == set(range(literal.arms))


def test_lds_ucb_foretells_an_arm_that_alternates() -> None:
    """Its own reward before it is all there is to know."""
    policy = rw.make_policy("lds-ucb", coins(0.5, rounds=400).problem, scale=0.0, ridge=1e-3)
    for t in range(400):
        bound = policy.select().reward_bounds[0]
        if t > 20:
            assert bound == pytest.approx(t % 2, abs=0.01)
        policy.update(t, float(t % 2))


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_lds_ucb_has_finite_bounds_whatever_the_size_of_rewards(size: float) -> None:
    arms = [rw.Arm(f"arm {a}", A=0.5, family="gaussian", sigma=size) for a in range(2)]
    policy = rw.make_policy("lds-ucb", rw.Problem(arms, [], 100), s=2, ridge=1e-9)
    for t in range(100):
        assert np.isfinite(policy.select().reward_bounds).all()
        policy.update(t, size * (1 + t % 2))


def test_lds_ucb_refuses_more_regressions_than_fit() -> None:
    problem = rw.catalog.many_arms(arms=100).problem
    with pytest.raises(rw.InputError) as caught:
        rw.make_policy("lds-ucb", problem, s=2)
    assert str(caught.value) == (
        "'lds-ucb' with s = 2 and 100 arms has 1020100 regressions: take a smaller s, fewer arms, or 'sw-ucb-gm'"
    )
    assert rw.make_policy("lds-ucb", problem, s=1).select().arm == 0


@pytest.mark.parametrize("name", ["exp3", "rexp3", "bob"])
def test_a_policy_for_rewards_of_0_or_1_refuses_others(name: str) -> None:
    with pytest.raises(
        rw.InputError, match=r"needs rewards (of 0 or|from 0 to) 1 and those of arm 'coupon' are not: take .*'sw-ucb"
    ):
        rw.make_policy(name, rw.catalog.gaussian().problem)


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("d-ucb", {"discount": 1.5}, "discount of policy 'd-ucb' is 1.5: give a number from 0 to 1"),
        ("sw-ucb-gm", {"window": 0}, "window of policy 'sw-ucb-gm' is 0: give a whole number from 1 to 1000000000"),
        ("sw-ucb-sharp", {"growth": 2.0}, "growth of policy 'sw-ucb-sharp' is 2.0: give a number from 0 to 1"),
        ("exp3", {"gamma": 2.0}, "gamma of policy 'exp3' is 2.0: give a number from 0 to 1"),
        ("rexp3", {"batch": -1}, "batch of policy 'rexp3' is -1: give a whole number from 0 to 1000000000"),
        ("cusum-ucb", {"samples": 0}, "samples of policy 'cusum-ucb' is 0: give a whole number from 1 to 1000000000"),
        ("lds-ucb", {"s": 3}, "s of policy 'lds-ucb' is 3: give a whole number from 1 to 2"),
    ],
)
def test_a_parameter_out_of_range_gets_a_sentence(name: str, parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.make_policy(name, coins(0.3, 0.5).problem, **parameters)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("name", ["d-ucb", "sw-ucb-gm", "sw-ucb-sharp", "exp3", "rexp3", "bob", "cusum-ucb", "lds-ucb"])
@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_the_shortest_games_and_a_lone_arm_are_played(name: str, horizon: int) -> None:
    for means in ((0.5,), (0.3, 0.5)):
        runs = rw.simulate(coins(*means, rounds=horizon), name, replicates=2)
        assert (runs.frame()["rounds"] == horizon).all()
