"""Policies for stationary arms without budgets, each beside a literal rewrite."""

import functools
import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import rel_entr

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.kernel.draws import beta, standard_normal
from roguewk.kernel.luck import REWARD_DRAW, Now
from roguewk.problem.family.bernoulli import BERNOULLI
from tests.judge import coins, judge, regret, sure

UNIT = {
    "coins": coins(0.3, 0.5, 0.6),
    "close coins": coins(0.9, 0.88, 0.91, 0.05, rounds=600),
    "paper": rw.catalog.paper(budget=300),
    "two dimensions": rw.catalog.two_dimensional(horizon=500),
}
WORLDS = {**UNIT, "gaussian": rw.catalog.gaussian(horizon=600)}
every_world = pytest.mark.parametrize("world", WORLDS)
every_unit_world = pytest.mark.parametrize("world", UNIT)


class Seen:
    """All rewards so far; the arm with the largest index is played."""

    once_each = True

    def __init__(self, world: rw.World) -> None:
        self.rewards: list[list[float]] = [[] for _ in world.problem.arms]
        self.sigmas = [arm.sigma for arm in world.problem.arms]
        self.ranges = [1.0 if sigma is None else 2 * sigma for sigma in self.sigmas]
        self.horizon = world.problem.horizon

    def index(self, t: int, a: int) -> float:
        raise NotImplementedError

    def shares(self, t: int) -> Vector:
        arms = len(self.rewards)
        unseen = [a for a in range(arms) if not self.rewards[a]]
        if self.once_each and unseen:
            return sure(unseen[0], arms)
        return sure(int(np.argmax([self.index(t, a) for a in range(arms)])), arms)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        assert arm is not None
        self.rewards[arm].append(reward)


class Ucb1(Seen):
    """Auer, Cesa-Bianchi and Fischer 2002: each arm once, then the largest mean + sqrt(2 log t / n)."""

    def index(self, t: int, a: int) -> float:
        seen = self.rewards[a]
        return float(np.mean(seen)) + self.ranges[a] * math.sqrt(2 * math.log(t) / len(seen))


@every_world
def test_ucb1_decides_like_a_literal_rewrite(world: str) -> None:
    decisions = judge(Ucb1(WORLDS[world]), "ucb1", WORLDS[world], 1000, seed=1)
    assert len({decision.arm for decision in decisions}) == len(WORLDS[world].problem.arms)


class Ucb1Tuned(Seen):
    """The same paper, section 4, for rewards divided by their range."""

    def index(self, t: int, a: int) -> float:
        seen = np.array(self.rewards[a]) / self.ranges[a]
        variance = seen.var() + math.sqrt(2 * math.log(t) / seen.size)
        return float(self.ranges[a] * (seen.mean() + math.sqrt(math.log(t) / seen.size * min(1 / 4, variance))))


@every_world
def test_ucb1_tuned_decides_like_a_literal_rewrite(world: str) -> None:
    decisions = judge(Ucb1Tuned(WORLDS[world]), "ucb1-tuned", WORLDS[world], 1000, seed=2)
    assert len({decision.arm for decision in decisions}) == len(WORLDS[world].problem.arms)


def kl(p: float, q: float) -> float:
    """Of two coins."""
    return float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))


class KlUcb(Seen):
    """Garivier and Cappé 2011: the largest q with n kl(mean, q) <= log t + c log log t, by bisection."""

    def __init__(self, world: rw.World, c: float) -> None:
        super().__init__(world)
        self.c = c

    def index(self, t: int, a: int) -> float:
        seen, sigma = self.rewards[a], self.sigmas[a]
        mean = float(np.mean(seen))
        level = (math.log(t) + self.c * math.log(max(math.log(t), 1))) / len(seen)
        if sigma is not None:
            return mean + sigma * math.sqrt(2 * level)
        low, high = mean, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if kl(mean, middle) <= level else (low, middle)
        return low


@every_world
@pytest.mark.parametrize("c", [0.0, 3.0])
def test_kl_ucb_decides_like_a_literal_rewrite(world: str, c: float) -> None:
    decisions = judge(KlUcb(WORLDS[world], c), "kl-ucb", WORLDS[world], 400, seed=3, loglog=c)
    assert len({decision.arm for decision in decisions}) == len(WORLDS[world].problem.arms)


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.001, 0.2, 0.5, 0.9, 0.999, 1 - 1e-9, 1.0])
@pytest.mark.parametrize("level", [0.0, 1e-12, 1e-4, 0.1, 1.0, 20.0])
def test_the_kl_bound_of_a_coin_is_the_root_that_scipy_finds(mean: float, level: float) -> None:
    found = BERNOULLI.farthest_mean(mean, level, 1.0)
    assert mean <= found <= 1
    if level == 0 or mean == 1:
        assert found == pytest.approx(mean, abs=1e-12)
        return
    top = 1 - 1e-16
    root = brentq(lambda q: kl(mean, q) - level, mean, top, xtol=1e-15) if kl(mean, top) > level else 1.0
    assert found == pytest.approx(root, abs=1e-9)


def test_kl_ucb_loses_less_than_ucb1_where_coins_nearly_always_win() -> None:
    """Garivier and Cappé's first experiment has coins of 0.9 and 0.8 and KL-UCB far ahead."""
    kl_ucb, ucb1 = (regret(name, 0.9, 0.8, rounds=5000, replicates=100).mean() for name in ("kl-ucb", "ucb1"))
    lai_and_robbins = 0.1 / kl(0.8, 0.9) * math.log(5000)
    assert 0.5 * lai_and_robbins < kl_ucb < 2 * lai_and_robbins
    assert kl_ucb < 0.6 * ucb1


class GlmUcb(Seen):
    """Filippi et al. 2010 with unit vectors for features: matrices, a projection and a norm, all written out."""

    def __init__(self, world: rw.World, tuning: float | None) -> None:
        super().__init__(world)
        self.tuning = tuning

    def index(self, t: int, a: int) -> float:
        d, T, largest = len(self.rewards), self.horizon, 4.0
        coin, mean, e = self.sigmas[a] is None, float(np.mean(self.rewards[a])), np.eye(d)[a]
        norm = math.sqrt(e @ np.linalg.inv(np.diag([len(seen) for seen in self.rewards])) @ e)
        slope = math.exp(-largest) / (1 + math.exp(-largest)) ** 2
        kappa = math.sqrt(3 + 2 * math.log(1 + 2 / 1))
        rho = 2 * (0.25 if coin else 1) * kappa * self.ranges[a] / (slope if coin else 1)
        rho *= math.sqrt(2 * d * math.log(t) * math.log(2 * d * T / (1 / T)))
        if coin:
            odds = math.inf if mean == 1 else -math.inf if mean == 0 else math.log(mean / (1 - mean))
            mean = 1 / (1 + math.exp(-min(max(odds, -largest), largest)))
        if self.tuning is None:
            return mean + self.ranges[a] / 2 * math.sqrt(2 * math.log(t)) * norm
        return mean + self.tuning * rho * norm


@every_world
@pytest.mark.parametrize("tuning", [None, 0.001])
def test_glm_ucb_decides_like_a_literal_rewrite(world: str, tuning: float | None) -> None:
    decisions = judge(GlmUcb(WORLDS[world], tuning), "glm-ucb", WORLDS[world], 400, seed=4, tuning=tuning)
    assert len({decision.arm for decision in decisions}) == len(WORLDS[world].problem.arms)


class ThompsonBeta(Seen):
    """A draw from Beta(1 + ones, 1 + zeros) each."""

    once_each = False

    def __init__(self, world: rw.World, seed: int, prior: tuple[float, float]) -> None:
        super().__init__(world)
        self.seed, self.prior = np.uint64(seed), prior

    def index(self, t: int, a: int) -> float:
        ones = self.rewards[a].count(1.0)
        zeros = self.rewards[a].count(0.0)
        return beta(self.prior[0] + ones, self.prior[1] + zeros, Now(t, self.seed, 0, t), REWARD_DRAW + 2 * a)


@every_unit_world
@pytest.mark.parametrize("prior", [(1.0, 1.0), (3.0, 0.5)])
def test_thompson_sampling_with_a_beta_prior_decides_like_a_literal_rewrite(
    world: str, prior: tuple[float, float]
) -> None:
    place, given = UNIT[world], {"prior_ones": prior[0], "prior_zeros": prior[1]}
    decisions = judge(ThompsonBeta(place, 5, prior), "thompson-beta", place, 400, seed=5, **given)
    assert {decision.probabilities.max() for decision in decisions} == {1.0}


class ThompsonGauss(ThompsonBeta):
    """A draw from the normal posterior; the prior is a mean and a weight."""

    def index(self, t: int, a: int) -> float:
        (mean, weight), sigma = self.prior, self.sigmas[a] or 0.5
        precision = (weight + len(self.rewards[a])) / sigma**2
        centre = (weight / sigma**2 * mean + sum(self.rewards[a]) / sigma**2) / precision
        return centre + standard_normal(Now(t, self.seed, 0, t), REWARD_DRAW, a) / math.sqrt(precision)


@every_world
@pytest.mark.parametrize("prior", [(0.5, 0.01), (0.0, 1.0)])
def test_thompson_sampling_with_a_normal_prior_decides_like_a_literal_rewrite(
    world: str, prior: tuple[float, float]
) -> None:
    place, given = WORLDS[world], {"prior_mean": prior[0], "prior_weight": prior[1]}
    decisions = judge(ThompsonGauss(place, 6, prior), "thompson-gauss", place, 400, seed=6, **given)
    assert {decision.probabilities.max() for decision in decisions} == {1.0}


@pytest.mark.parametrize("name", ["thompson-beta", "thompson-gauss"])
def test_thompson_sampling_settles_on_the_best_coin(name: str) -> None:
    """Kaufmann, Korda and Munos 2012: the regret comes near the bound of Lai and Robbins, 10.3 here."""
    bound = sum((0.6 - p) / kl(p, 0.6) for p in (0.3, 0.5)) * math.log(2000)
    assert 0.3 * bound < regret(name, 0.3, 0.5, 0.6, rounds=2000).mean() < 3 * bound


@functools.cache
def gittins_index(ones: int, zeros: int, discount: float, depth: int) -> float:
    """The sure reward worth as much as one more look at a Beta(1, 1) coin that gave these, by bisection."""

    def better_to_go_on(sure_reward: float) -> bool:
        a, n = 1 + ones + np.arange(depth + 1.0), 2 + ones + zeros + depth
        value = np.maximum(a / n, sure_reward) / (1 - discount)
        for steps in range(depth - 1, -1, -1):
            p = (1 + ones + np.arange(steps + 1.0)) / (2 + ones + zeros + steps)
            going_on = p * (1 + discount * value[1:]) + (1 - p) * discount * value[:-1]
            value = np.maximum(going_on, sure_reward / (1 - discount))
        return bool(going_on[0] > sure_reward / (1 - discount))

    low, high = 0.0, 1.0
    for _ in range(25):
        middle = (low + high) / 2
        low, high = (middle, high) if better_to_go_on(middle) else (low, middle)
    return low


class Gittins(Seen):
    """The largest index."""

    once_each = False

    def index(self, t: int, a: int) -> float:
        return gittins_index(self.rewards[a].count(1.0), self.rewards[a].count(0.0), 0.9, 80)


@every_unit_world
def test_gittins_indices_decide_like_a_literal_rewrite(world: str) -> None:
    decisions = judge(Gittins(UNIT[world]), "gittins", UNIT[world], 100, seed=7, discount=0.9)
    assert len({decision.arm for decision in decisions}) > 1


@pytest.mark.parametrize(("discount", "published"), [(0.9, 0.7029), (0.95, 0.7614), (0.99, 0.8699)])
def test_the_first_gittins_index_is_the_published_one(discount: float, published: float) -> None:
    bounds = rw.make_policy("gittins", coins(0.3, 0.5).problem, discount=discount).select().reward_bounds
    assert bounds == pytest.approx([published, published], abs=1e-4)


def test_gittins_indices_are_close_to_the_truth_within_their_table_and_beyond() -> None:
    """Along 450 pulls of one coin; the table ends at 400."""
    policy, ones = rw.make_policy("gittins", coins(0.5, rounds=450).problem), 0
    for t in range(450):
        bound = policy.select().reward_bounds[0]
        if t in (1, 7, 60, 399, 400, 401, 449):
            assert bound == pytest.approx(gittins_index(ones, t - ones, 0.99, 800), abs=2e-4 if t <= 400 else 1e-3), t
        reward = float(t % 3 == 0)
        policy.update(t, reward)
        ones += int(reward)


def test_pulls_without_a_reward_make_a_gittins_index_surer_not_better() -> None:
    policy = rw.make_policy("gittins", coins(0.5, rounds=500).problem)
    bounds = [policy.select().reward_bounds[0] for _ in range(450)]
    assert (np.diff(bounds) < 1e-3).all()
    assert bounds[0] > 0.86
    assert 0.5 < bounds[-1] < 0.51


@pytest.mark.parametrize("name", ["thompson-beta", "gittins"])
def test_a_policy_for_coins_refuses_other_rewards(name: str) -> None:
    with pytest.raises(
        rw.InputError, match="needs rewards of 0 or 1 and those of arm 'coupon' are not: take 'thompson"
    ):
        rw.make_policy(name, rw.catalog.gaussian().problem)


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("gittins", {"discount": 1.0}, "discount of policy 'gittins' is 1.0: give a number from 0 to 0.999"),
        ("kl-ucb", {"loglog": -1.0}, "loglog of policy 'kl-ucb' is -1.0: give a number of at least 0"),
        ("thompson-beta", {"prior_ones": 0.0}, "prior_ones of policy 'thompson-beta' is 0.0: give a number above 0"),
        ("glm-ucb", {"largest": 0.0}, "largest of policy 'glm-ucb' is 0.0: give a number above 0"),
        ("ucb1-tuned", {"scale": -1.0}, "scale of policy 'ucb1-tuned' is -1.0: give a number of at least 0"),
    ],
)
def test_a_parameter_out_of_range_gets_a_sentence(name: str, parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.make_policy(name, coins(0.3, 0.5).problem, **parameters)
    assert str(caught.value) == sentence
