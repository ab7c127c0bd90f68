"""Policies for stationary arms with budgets, each beside a literal rewrite from its paper."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import roguewk as rw
from roguewk.allocate.lp import build_solver, optimise
from roguewk.kernel.arrays import Vector
from roguewk.kernel.draws import beta
from roguewk.kernel.luck import ALLOCATION_DRAW, COST_DRAW, REWARD_DRAW, Now, unit, words
from roguewk.policy.registry import recipe
from tests.judge import coins, judge, sure

WORLDS = {
    "paper": rw.catalog.paper(budget=90, horizon=300),
    "paper, idle": rw.catalog.paper(budget=60, horizon=300, idle=True),
    "one resource": rw.catalog.one_resource(horizon=300),
    "mobile health": rw.catalog.messages(horizon=300),
    "two-dimensional": rw.catalog.two_dimensional(horizon=200),
}
GAUSSIAN = rw.catalog.gaussian(horizon=200)
SEED = 3
ONE_BUDGET = ["kube", "fractional-kube", "ucb-bv1", "ucb-bv2", "omega-ucb", "omega-star-ucb", "budgeted-ts"]
SEVERAL = [
    *("ucb-bwk", "primal-dual-bwk", "balanced-exploration", "lagrange-bwk"),
    *("ts-lp", "ts-lp-resolved", "dual-descent"),
]


def shop(rounds: int = 2000, idle: bool = False) -> rw.World:
    """Stationary arms: the best reward is dear, the best reward per cost is arm 1, and arm 2 is poor."""
    levels = [float(np.log(mean / (1 - mean))) for mean in (0.7, 0.5, 0.1)]
    arms = [rw.Arm(f"arm {a}", A=0.5, B=0.0, alpha=level) for a, level in enumerate(levels)]
    costs = [[rw.Cost.uniform(0.6, 1.0)], [rw.Cost.uniform(0.1, 0.3)], [rw.Cost.uniform(0.2, 0.4)]]
    return rw.World(rw.Problem(arms, [rw.Resource("money", 0.2 * rounds)], rounds, idle), [0.0] * 3, costs)


class Past:
    """What all of them remember; costs are scaled into [0, 1]."""

    def __init__(self, world: rw.World) -> None:
        self.problem = world.problem
        self.m, self.d, self.T = len(world.problem.arms), len(world.problem.resources), world.problem.horizon
        self.b = world.problem.rates
        self.rewards: list[list[float]] = [[] for _ in range(self.m)]
        self.costs: list[list[Vector]] = [[] for _ in range(self.m)]
        self.spent = np.zeros(self.d)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        if arm is not None:
            self.rewards[arm].append(reward)
            self.costs[arm].append(costs / self.problem.scales)
            self.spent += costs / self.problem.scales

    def shares(self, t: int) -> Vector:
        for a, seen in enumerate(self.rewards):
            if not seen:
                return sure(a, self.m)
        return self.choose(t)

    def choose(self, t: int) -> Vector:
        raise NotImplementedError

    @property
    def n(self) -> Vector:
        return np.array([len(seen) for seen in self.rewards], dtype=float)

    @property
    def mean_rewards(self) -> Vector:
        return np.array([np.mean(seen) for seen in self.rewards])

    @property
    def mean_costs(self) -> Vector:
        return np.array([np.mean(seen, axis=0) for seen in self.costs])

    def as_one(self, costs: Vector) -> Vector:
        """(arm,) costs in units of the scarcest resource."""
        return np.asarray((costs * self.b.min() / self.b).max(axis=1))

    def best_ratio(self, rewards: Vector, costs: Vector) -> Vector:
        """Certainty for the most reward per cost, of equals the larger reward; what costs nothing comes first."""
        free = [math.inf if reward > 0 else 0.0 for reward in rewards]
        ratios = [(r / c if c > 0 else f, r) for r, c, f in zip(rewards, costs, free, strict=True)]
        return sure(max(range(self.m), key=lambda a: ratios[a]), self.m)


class Densities(Past):
    """Tran-Thanh et al. 2012: UCB1 bounds over mean costs; fractional KUBE plays the densest arm."""

    def bounds(self, t: int) -> Vector:
        widths = np.array([1.0 if arm.sigma is None else 2 * arm.sigma for arm in self.problem.arms])
        # In this order, so that densities which are equal are so to the last bit.
        return np.asarray(self.mean_rewards + math.sqrt(2 * math.log(t)) * (widths / np.sqrt(self.n)))

    def choose(self, t: int) -> Vector:
        return self.best_ratio(self.bounds(t), self.as_one(self.mean_costs))


class Kube(Densities):
    """KUBE itself: as many pulls of the densest arm as the budget left has room for, then of the next densest."""

    def choose(self, t: int) -> Vector:
        bounds, costs = self.bounds(t), self.as_one(self.mean_costs)
        left = float(((self.b * self.T - self.spent) * self.b.min() / self.b).min())
        if (costs == 0).any():
            return self.best_ratio(bounds, costs)
        counts = np.zeros(self.m)
        for a in sorted(range(self.m), key=lambda a: (-bounds[a] / costs[a], -bounds[a])):
            counts[a] = math.floor(left / costs[a] + 1e-9)
            left -= counts[a] * costs[a]
        if counts.any():
            return counts / counts.sum()
        return np.zeros(self.m) if self.problem.idle else self.best_ratio(bounds, costs)


class UcbBv(Past):
    """Ding et al. 2013; rule 1 is told lambda."""

    def __init__(self, world: rw.World, known: float | None) -> None:
        super().__init__(world)
        self.known = known

    def choose(self, t: int) -> Vector:
        costs = self.as_one(self.mean_costs)
        least = costs.min() if self.known is None else self.known
        index = []
        for r, c, n in zip(self.mean_rewards, costs, self.n, strict=True):
            e = math.sqrt(math.log(t) / n)
            if e >= least:
                index.append((math.inf, -n))  # the rarest first
            elif self.known:
                index.append((r / c + (1 + 1 / least) * e / (least - e), 0.0))
            else:
                index.append((r / c + (1 / least) * (1 + 1 / (least - e)) * e, 0.0))
        return sure(max(range(self.m), key=lambda a: index[a]), self.m)


class Omega(Past):
    """Heyden et al. 2024; `star` scales z^2 by the share of the largest possible variance."""

    star = False

    def z2(self, values: Vector, t: int) -> float:
        n, mean, z2 = len(values), float(np.mean(values)), 2 * 0.25 * math.log(t + 1)
        if self.star and n >= 30 and 0 < mean < 1:
            z2 *= min(1.0, float(np.var(values, ddof=1)) / (mean * (1 - mean) * n / (n - 1)))
        return z2

    def end(self, values: Vector, t: int, side: int) -> float:
        n, mean, z2 = len(values), float(np.mean(values)), self.z2(values, t)
        centre = (n * mean + z2 / 2) / (n + z2)
        half = math.sqrt(z2) / (n + z2) * math.sqrt(n * mean * (1 - mean) + z2 / 4)
        return min(max(centre + side * half, 0.0), 1.0)

    def choose(self, t: int) -> Vector:
        upper = np.array([self.end(np.array(seen), t, 1) for seen in self.rewards])
        lower = np.array([[self.end(np.array(seen)[:, j], t, -1) for j in range(self.d)] for seen in self.costs])
        return self.best_ratio(upper, self.as_one(lower))


class OmegaStar(Omega):
    star = True


class Samples(Past):
    """Thompson sampling of mean rewards and costs, without first pulls."""

    def sampled(self, t: int) -> tuple[Vector, Vector]:
        now = Now(t, np.uint64(SEED), 0, t)
        wins, n = [float(sum(seen)) for seen in self.rewards], [float(len(seen)) for seen in self.rewards]
        rewards = [beta(1.0 + wins[a], 1.0 + n[a] - wins[a], now, REWARD_DRAW + 2 * a) for a in range(self.m)]
        dear = np.array([np.sum(seen, axis=0) if seen else np.zeros(self.d) for seen in self.costs])
        costs = [
            beta(1.0 + float(dear[a, j]), 1.0 + n[a] - float(dear[a, j]), now, COST_DRAW + 2 * (a * self.d + j))
            for a, j in np.ndindex(self.m, self.d)
        ]
        return np.array(rewards), np.array(costs).reshape(self.m, self.d)

    def shares(self, t: int) -> Vector:
        return self.choose(t)


class BudgetedThompson(Samples):
    """Xia et al. 2015."""

    def choose(self, t: int) -> Vector:
        rewards, costs = self.sampled(t)
        return self.best_ratio(rewards, self.as_one(costs))


class ThompsonProgram(Samples):
    """Ferreira, Simchi-Levi and Wang 2018: the linear program of the samples."""

    def rates(self, t: int) -> Vector:
        return self.b

    def choose(self, t: int) -> Vector:
        rewards, costs = self.sampled(t)
        rows = np.vstack([costs.T, np.ones(self.m)])
        found = linprog(-rewards, rows, np.append(self.rates(t), 1.0), method="highs")
        shares = np.asarray(found.x)
        return shares if self.problem.idle else shares / shares.sum()


class ThompsonResolved(ThompsonProgram):
    """The same with what is left of budgets and rounds."""

    def rates(self, t: int) -> Vector:
        return np.maximum(self.b * self.T - self.spent, 0) / (self.T - t)


class Radius(Past):
    """What Agrawal and Devanur and Badanidiyuru et al. bound means with, C = 1."""

    def rad(self, means: Vector, n: Vector) -> Vector:
        return np.asarray(np.sqrt(means / n) + 1 / n)

    def reward_box(self) -> tuple[Vector, Vector]:
        means = self.mean_rewards
        return np.maximum(means - self.rad(means, self.n), 0), np.minimum(means + self.rad(means, self.n), 1)

    def cost_box(self) -> tuple[Vector, Vector]:
        means, n = self.mean_costs, self.n[:, None]
        return np.maximum(means - self.rad(means, n), 0), np.minimum(means + self.rad(means, n), 1)

    def program(self, rewards: Vector, costs: Vector, rates: Vector) -> Vector:
        """One of many optima as long as bounds are clipped, so the solver is ours; HiGHS judges it elsewhere."""
        shares, prices = np.zeros(self.m), np.zeros(self.d)
        solver = build_solver(self.m, self.d, self.problem.idle, "normalise")
        optimise(solver, rewards, costs, rates, np.ones(self.m, dtype=np.bool_), shares, prices)
        return shares


class UcbBwk(Radius):
    """Agrawal and Devanur 2014, with the reserve that practice can afford."""

    def choose(self, t: int) -> Vector:
        eps = min(math.sqrt(self.m / (self.b.min() * self.T)), 0.2)
        return self.program(self.reward_box()[1], self.cost_box()[0], (1 - eps) * self.b)


class PrimalDual(Radius):
    """Badanidiyuru et al. 2018: all budgets scaled to the smallest, time among the resources."""

    def __init__(self, world: rw.World) -> None:
        super().__init__(world)
        self.B = min(self.b.min(), 1.0) * self.T
        self.v = np.ones(self.d + 1)
        self.eps = math.sqrt(math.log(self.d + 1) / self.B)

    def lower(self) -> Vector:
        """(arm, resource + 1) lower bounds on costs, as if every budget were B."""
        costs = np.zeros((self.m, self.d))
        for a, seen in enumerate(self.costs):
            if seen:
                mean = np.mean(seen, axis=0)
                costs[a] = np.maximum(mean - self.rad(mean, np.array(len(seen))), 0)
        return np.column_stack([costs * self.B / (self.b * self.T), np.full(self.m, self.B / self.T)])

    def choose(self, t: int) -> Vector:
        return self.best_ratio(self.reward_box()[1], self.lower() @ self.v)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        assert arm is not None
        self.v *= (1 + self.eps) ** self.lower()[arm]
        super().learn(t, arm, reward, costs)


class Balanced(Radius):
    """Badanidiyuru et al. 2018, with 30 points of the box: of their optima, the one that favours the arm in turn."""

    def choose(self, t: int) -> Vector:
        (low_r, high_r), (low_c, high_c) = self.reward_box(), self.cost_box()
        tries = [self.program(high_r, low_c, self.b)]
        for s in range(1, 30):
            now, size = Now(t, np.uint64(SEED), 0, t), self.m * (1 + self.d)
            blocks = [words(now, ALLOCATION_DRAW + s, k) for k in range(0, size, 4)]
            u = np.array([unit(np.uint64(word)) for block in blocks for word in block])[:size]
            rewards = high_r - u[: self.m] * (high_r - low_r)
            tries.append(self.program(rewards, low_c + u[self.m :].reshape(self.m, self.d) * (high_c - low_c), self.b))
        return max(tries, key=lambda shares: float(shares[t % self.m]))


class Weights(Past):
    """Exponential weights over the arms and, where rounds may be idle, over an idle round."""

    def __init__(self, world: rw.World) -> None:
        super().__init__(world)
        self.K = self.m + int(self.problem.idle)
        self.gains = np.zeros(self.K)
        self.p = np.zeros(self.K)

    def mixed(self, learning: float, mixing: float) -> Vector:
        w = np.exp(learning * (self.gains - self.gains.max()))
        self.p = (1 - mixing) * w / w.sum() + mixing / self.K
        return self.p[: self.m]

    def shares(self, t: int) -> Vector:
        return self.choose(t)


class Lagrange(Weights):
    """Immorlica et al. 2022, with EXP3.P and Hedge."""

    def __init__(self, world: rw.World) -> None:
        super().__init__(world)
        self.losses = np.zeros(self.d + 1)
        self.j = 0

    def choose(self, t: int) -> Vector:
        dual = np.exp(-math.sqrt(8 * math.log(self.d + 1) / self.T) * self.losses)
        number = unit(np.uint64(words(Now(t, np.uint64(SEED), 0, t), ALLOCATION_DRAW, 0)[0]))
        self.j = int(np.searchsorted(np.cumsum(dual / dual.sum()), number, side="right"))
        K, T = self.K, self.T
        return self.mixed(0.95 * math.sqrt(math.log(K) / (K * T)), 1.05 * math.sqrt(K * math.log(K) / T))

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        payoffs = np.append(reward + 1 - costs / self.problem.scales / self.b, reward)
        lowest = 1 - max(1, (1 / self.b).max())
        payoffs = (payoffs - lowest) / (2 - lowest)
        chosen = self.K - 1 if arm is None else arm
        estimates = np.full(self.K, math.sqrt(math.log(self.K) / (self.K * self.T)))
        estimates[chosen] += payoffs[self.j]
        self.gains += estimates / self.p
        self.losses += payoffs


class DualDescent(Weights):
    """Castiglioni, Celli and Kroer 2022, with EXP3."""

    def __init__(self, world: rw.World) -> None:
        super().__init__(world)
        self.prices = np.zeros(self.d)

    def choose(self, t: int) -> Vector:
        mixing = math.sqrt(self.K * math.log(self.K) / ((math.e - 1) * self.T))
        return self.mixed(mixing / self.K, mixing)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        scaled, worst = costs / self.problem.scales, (1 / self.b).sum()
        chosen = self.K - 1 if arm is None else arm
        self.gains[chosen] += (reward - self.prices @ scaled + worst) / (1 + worst) / self.p[chosen]
        self.prices = np.clip(self.prices - (self.b - scaled) / math.sqrt(self.T), 0, 1 / self.b)


LITERALS: dict[str, Any] = {
    "kube": Kube,
    "fractional-kube": Densities,
    "ucb-bv1": lambda world: UcbBv(world, 0.1),
    "ucb-bv2": lambda world: UcbBv(world, None),
    "omega-ucb": Omega,
    "omega-star-ucb": OmegaStar,
    "budgeted-ts": BudgetedThompson,
    "ucb-bwk": UcbBwk,
    "primal-dual-bwk": PrimalDual,
    "balanced-exploration": Balanced,
    "lagrange-bwk": Lagrange,
    "ts-lp": ThompsonProgram,
    "ts-lp-resolved": ThompsonResolved,
    "dual-descent": DualDescent,
}


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("policy", LITERALS)
def test_a_policy_decides_like_its_literal_rewrite(policy: str, world: str) -> None:
    decisions = judge(LITERALS[policy](WORLDS[world]), policy, WORLDS[world], 200, seed=SEED)
    assert len(decisions) > 60
    assert len({decision.arm for decision in decisions}) > 1


@pytest.mark.parametrize("policy", ["kube", "fractional-kube", "ucb-bv1", "ucb-bv2"])
def test_rewards_need_not_be_0_or_1_where_no_bound_relies_on_it(policy: str) -> None:
    assert len(judge(LITERALS[policy](GAUSSIAN), policy, GAUSSIAN, 150, seed=SEED)) > 60


def test_ucb_bv1_explores_less_when_it_knows_that_costs_are_high() -> None:
    world = rw.catalog.paper(budget=300, horizon=600)
    decisions = judge(UcbBv(world, 0.6), "ucb-bv1", world, 600, seed=SEED, least_cost=0.6)
    assert "the most reward for its cost" in {decision.status for decision in decisions}


@pytest.mark.parametrize(
    "policy",
    ["omega-ucb", "omega-star-ucb", "budgeted-ts", *SEVERAL],
)
def test_rewards_that_are_not_0_or_1_are_refused_where_a_bound_relies_on_it(policy: str) -> None:
    with pytest.raises(rw.InputError, match=r"needs rewards .* 1 and those of arm 'coupon' are not: take "):
        rw.make_policy(policy, GAUSSIAN.problem)


@pytest.mark.parametrize("policy", [*ONE_BUDGET, "primal-dual-bwk", "lagrange-bwk", "dual-descent"])
def test_a_problem_without_resources_is_refused_where_costs_are_weighed(policy: str) -> None:
    with pytest.raises(rw.InputError, match="and the problem has no resource: take 'ucb1', or the allocation"):
        rw.make_policy(policy, coins(0.3, 0.6).problem)


@pytest.mark.parametrize("policy", ["ucb-bwk", "balanced-exploration", "ts-lp"])
def test_a_linear_program_does_without_resources(policy: str) -> None:
    runs = rw.simulate(coins(0.2, 0.8, rounds=1000), policy, replicates=20)
    assert runs.frame()["expected_reward"].mean() > 650


@pytest.mark.parametrize("rewards", ["mean", "ucb1"])
def test_balanced_exploration_is_refused_estimates_without_both_ends(rewards: str) -> None:
    with pytest.raises(rw.InputError, match="'balanced' needs an estimate that gives ceilings: take costs"):
        recipe(f"{rewards}/mean/balanced")


def test_the_reserve_of_ucb_bwk_leaves_most_of_the_budget() -> None:
    for budget, expected in ((10.0, 0.2), (300.0, 0.1), (30000.0, 0.01)):
        problem = rw.catalog.paper(budget=budget).problem
        assert rw.make_policy("ucb-bwk", problem).parts.allocation.reserve == pytest.approx(expected)
    assert rw.make_policy("roguewk-ucb", problem).parts.allocation.reserve == 0


def test_kube_leaves_rounds_idle_when_no_pull_fits_any_more() -> None:
    policy = rw.make_policy("kube", shop(rounds=10, idle=True).problem)
    for cost in (0.9, 0.5, 0.4):  # of a budget of 2
        policy.update(policy.select(), 1, [cost])
    decision = policy.select()
    assert decision.arm is None
    assert decision.status == "waiting is worth more than any arm now: an idle round"


@pytest.mark.parametrize("policy", ["lagrange-bwk", "dual-descent"])
def test_an_idle_round_is_one_of_the_choices_where_it_is_allowed(policy: str) -> None:
    for idle in (False, True):
        policy_now = rw.make_policy(policy, shop(idle=idle).problem)
        assert policy_now.select().probabilities.sum() == pytest.approx(0.75 if idle else 1.0)


@pytest.mark.parametrize("policy", LITERALS)
def test_only_available_arms_are_drawn_and_nothing_has_to_be_known_of_the_rewards(policy: str) -> None:
    for idle in (False, True):
        player = rw.make_policy(policy, shop(idle=idle).problem, seed=2)
        for t in range(60):
            decision = player.select(available=[[0, 1], [1, 2], [2], []][t % 4])
            assert np.isfinite(decision.probabilities).all()
            assert decision.probabilities[[[2], [0], [0, 1], [0, 1, 2]][t % 4]].sum() == 0
            assert decision.probabilities.sum() == pytest.approx(0.0 if t % 4 == 3 else 1.0) or idle
            if t % 5 == 0 and decision.arm is not None:
                player.update(decision, 1, [0.3])


@pytest.mark.parametrize("policy", LITERALS)
def test_a_saved_policy_goes_on_as_if_it_had_not_been(policy: str) -> None:
    world = shop(rounds=200)
    player, rng = rw.make_policy(policy, world.problem, seed=4), np.random.default_rng(1)
    for t in range(80):
        if t == 40:
            restored = rw.restore_policy(player.state())
        decision = player.select()
        reward, cost = int(rng.integers(2)), float(rng.uniform(0, 0.4))
        player.update(decision, reward, [cost])
        if t >= 40:
            again = restored.select()
            assert again.probabilities.tolist() == decision.probabilities.tolist()
            restored.update(again, reward, [cost])


# What they earn of the best mixture's 0.5 a round; playing all arms alike earns 0.4 of it. Those made for adversaries
# have hardly begun to learn in so few rounds, and UCB-BV is judged below.
EARNED = {name: 0.85 for name in LITERALS if not name.startswith("ucb-bv")}
EARNED |= {"lagrange-bwk": 0.55, "dual-descent": 0.45, "balanced-exploration": 0.75}


def test_a_policy_finds_the_arm_with_the_most_reward_for_its_cost() -> None:
    runs = rw.simulate(shop(), list(EARNED), replicates=100, seed=1)
    earned = runs.frame().groupby("policy")["expected_reward"].mean() / 1000
    assert {name: earned[name] for name in EARNED if not EARNED[name] < earned[name] <= 1.01} == {}


def test_ucb_bv_finds_the_best_arm_where_all_arms_are_dear() -> None:
    arms = [rw.Arm(f"arm {a}", A=0.5, B=0.0, alpha=level) for a, level in enumerate((2.0, -2.0))]
    problem = rw.Problem(arms, [rw.Resource("money", 4500.0)], 5000)
    world = rw.World(problem, [0.0, 0.0], [[rw.Cost.uniform(0.8, 1.0)], [rw.Cost.uniform(0.8, 1.0)]])
    runs = rw.simulate(world, [("ucb-bv1", {"least_cost": 0.8}), "ucb-bv2"], replicates=20)
    earned = runs.frame().groupby("policy")["expected_reward"].mean() / (5000 / (1 + math.exp(-2)))
    assert (earned > 0.8).all()  # both alike would earn 0.57
