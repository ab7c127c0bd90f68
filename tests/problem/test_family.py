"""Families of rewards: formulas against SciPy and finite differences, draws against SciPy, and who refuses what."""

import inspect
import math
from typing import Any

import numba
import numpy as np
import pytest
from scipy import optimize, stats

import roguewk as rw
from roguewk.kernel.draws import poisson
from roguewk.kernel.luck import block
from roguewk.problem.constants import arm_constants, largest_divergence, mean_rewards, reward_noise
from roguewk.problem.family import compiled
from roguewk.problem.family.bounded import PRECISION
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import FAMILIES, NAMES, family_code, family_named
from roguewk.world.truth import build_truth, draw_reward

LEVELS = [-6.0, -1.3, -0.2, 0.0, 0.7, 2.5, 5.0]
FORMULAS = [name for name in vars(compiled) if name in RewardFamily.__dataclass_fields__]
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def arm_of(name: str, **changes: Any) -> rw.Arm:
    """An arm whose mean reward can be anything between two ends that suit every family."""
    given = {"A": 0.5, "B": -1.0, "beta": 0.8, "family": name, "sigma": 0.7 if name == "gaussian" else None}
    return rw.Arm("a", **{**given, **changes})


def judge_of(name: str, mean: float, sigma: float) -> Any:
    """The law of rewards as SciPy has it; that of shares is judged by coins, as their likelihood is."""
    laws = {"gaussian": stats.norm(mean, sigma), "poisson": stats.poisson(mean)}
    return laws.get(name) or stats.bernoulli(mean)


def log_density(name: str, reward: float, level: float, sigma: float) -> float:
    law = judge_of(name, family_named(name).mean_of_level(level), sigma)
    return float(law.logpdf(reward) if name == "gaussian" else law.logpmf(reward))


@every_family
def test_the_derivatives_of_the_log_partition_are_the_mean_and_the_variance(family: RewardFamily) -> None:
    for level in LEVELS:
        b, mean = family.log_partition(level)
        step = 1e-5
        below, above = family.log_partition(level - step), family.log_partition(level + step)
        assert mean == pytest.approx((above[0] - below[0]) / (2 * step), rel=1e-7)
        assert family.variance(mean) == pytest.approx((above[1] - below[1]) / (2 * step), rel=1e-6)
        assert family.mean_of_level(level) == pytest.approx(mean, rel=1e-14)
        assert family.level_of_mean(mean) == pytest.approx(level, abs=1e-9)
        assert family.means_of_levels(np.array([level]))[0] == pytest.approx(mean, rel=1e-14)
        assert math.isfinite(b)


@every_family
def test_likelihoods_and_divergences_are_those_of_scipy(family: RewardFamily) -> None:
    sigma = 0.7 if family.wants_sigma else 1.0
    rewards = [0.0, 1.0] if family.rewards.unit else [0.0, 1.0, 3.0, 8.0]
    for p in LEVELS:
        mean = family.mean_of_level(p)
        for q in LEVELS:
            other = family.mean_of_level(q)
            for reward in rewards:
                ratio = log_density(family.name, reward, p, sigma) - log_density(family.name, reward, q, sigma)
                scale = 1e-9 * (1 + abs(ratio))
                found = family.surprise(q, reward, sigma) - family.surprise(p, reward, sigma)
                assert found == pytest.approx(ratio, abs=scale)
                found = family.likelihood(mean, reward, sigma) - family.likelihood(other, reward, sigma)
                assert found == pytest.approx(ratio, abs=scale)
            # A log-likelihood ratio is linear in the reward, so its mean is the ratio at the mean reward.
            if family.rewards.whole:
                low, high = 0.0, 1.0
                at_low, at_high = (
                    log_density(family.name, r, p, sigma) - log_density(family.name, r, q, sigma) for r in (low, high)
                )
                expected = at_low + mean * (at_high - at_low)
                assert family.divergence(p, q, sigma) == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_shares_between_0_and_1_have_a_likelihood_between_those_of_the_ends() -> None:
    family = family_named("bounded")
    for reward in (0.0, 0.1, 0.5, 0.97, 1.0):
        for level in LEVELS:
            b, mean = family.log_partition(level)
            assert family.surprise(level, reward, 1.0) == pytest.approx(b - reward * level, abs=1e-12)
            assert -family.likelihood(mean, reward, 1.0) == pytest.approx(b - reward * level, rel=1e-10)


@every_family
@pytest.mark.parametrize("limit", [0.0, 1e-10, 0.01, 0.5, 5.0])
def test_the_farthest_mean_is_the_root_that_scipy_finds(family: RewardFamily, limit: float) -> None:
    sigma = 0.7 if family.wants_sigma else 1.0
    for mean in (1e-6, 0.2, 0.5, 0.9) if family.rewards.unit else (1e-6, 0.3, 2.0, 400.0):
        found = family.farthest_mean(mean, limit, sigma)
        assert found >= mean
        if limit == 0.0:
            assert found == pytest.approx(mean, rel=1e-6)
            continue
        p = family.level_of_mean(mean)

        def excess(q: float, p: float = p) -> float:
            return family.divergence(p, q, sigma) - limit

        top = p + 1.0
        while excess(top) < 0:
            top = p + 2 * (top - p)
        root = float(optimize.brentq(excess, p, top, xtol=1e-14))
        assert found == pytest.approx(family.mean_of_level(root), rel=1e-6)


@pytest.mark.parametrize("name", FORMULAS)
def test_compiled_formulas_are_those_of_the_family(name: str) -> None:
    formula = getattr(compiled, name)
    run = numba.njit(
        (lambda code, a, b, c: formula(code, a, b, c))
        if len(inspect.signature(getattr(FAMILIES[0], name)).parameters) == 3
        else (lambda code, a, b, c: formula(code, a))
    )
    for code, family in enumerate(FAMILIES):
        own = getattr(family, name)
        arguments = (0.4, 0.3, 0.8)[: len(inspect.signature(own).parameters)]
        assert formula(code, *arguments) == own(*arguments)
        assert run(code, 0.4, 0.3, 0.8) == pytest.approx(own(*arguments), rel=1e-15)


def test_every_formula_of_a_family_is_compiled() -> None:
    plain = {"means_of_levels", "symbolic_mean", "refusal", "points", "steepest", "turns", "spread", "own_slopes"}
    functions = {name for name, value in vars(FAMILIES[0]).items() if callable(value)}
    assert set(FORMULAS) == functions - plain - {"drawing"}


@every_family
def test_rewards_that_a_family_cannot_have_are_refused_in_one_sentence(family: RewardFamily) -> None:
    problem = rw.Problem([arm_of(family.name)], [], 10)
    wrong: dict[str, list[Any]] = {
        "bernoulli": [0.5, 2, -1],
        "gaussian": [math.nan],
        "poisson": [-1, 0.5, 1e300],
        "bounded": [-0.1, 1.1],
    }
    right: dict[str, list[Any]] = {
        "bernoulli": [0, 1, True],
        "gaussian": [-3.5],
        "poisson": [0, 17, 2.0],
        "bounded": [0, 0.3, 1.0],
    }
    for reward in right[family.name]:
        assert problem.check_reward(0, reward) == float(reward)
    for reward in wrong[family.name]:
        with pytest.raises(rw.InputError, match=r"reward .*of arm 'a' is"):
            problem.check_reward(0, reward)


def draws(arm: rw.Arm, mean: float, count: int, seed: int) -> Any:
    truth = build_truth(rw.World(rw.Problem([arm], [], 10), [arm.box.mean(axis=1)], [[]]))
    words = [block(np.uint64(seed), 0, t, 0, 0) for t in range(count)]
    return np.array([draw_reward(truth, 0, mean, np.uint64(w[0]), np.uint64(w[1])) for w in words])


@pytest.mark.parametrize("mean", [0.0, 1e-3, 0.4, 3.0, 9.99, 10.0, 37.0, 1234.5, 1e6])
def test_poisson_numbers_pass_a_chi_square_test(mean: float) -> None:
    numbers = draws(arm_of("poisson"), mean, 20_000, seed=4)
    assert (numbers == np.floor(numbers)).all()
    if mean == 0.0:
        assert (numbers == 0).all()
        return
    judge = stats.poisson(mean)
    ends = np.unique(judge.ppf(np.linspace(0.02, 0.98, 40)))
    chances = np.diff(np.concatenate([[0.0], judge.cdf(ends), [1.0]]))
    seen = np.histogram(numbers, np.concatenate([[-1.0], ends + 0.5, [np.inf]]))[0]
    kept = chances * numbers.size > 5
    rest = [chances[~kept].sum() * numbers.size], [seen[~kept].sum()]
    expected, found = chances[kept] * numbers.size, seen[kept]
    if rest[0][0] > 1e-6:
        expected, found = np.append(expected, rest[0]), np.append(found, rest[1])
    assert stats.chisquare(found, expected * found.sum() / expected.sum()).pvalue > 0.01


def test_the_tails_of_large_poisson_numbers_are_as_heavy_as_they_should_be() -> None:
    numbers, judge = draws(arm_of("poisson"), 20.0, 40_000, seed=6), stats.poisson(20.0)
    for end in (8, 10, 31, 34):
        chance = judge.cdf(end) if end < 20 else judge.sf(end)
        seen = float(np.mean(numbers <= end) if end < 20 else np.mean(numbers > end))
        assert seen == pytest.approx(chance, abs=4 * math.sqrt(chance / numbers.size))


def test_with_the_same_luck_a_small_rate_that_grows_never_counts_less() -> None:
    word = [block(np.uint64(9), 0, t, 0, 0) for t in range(50)]
    for first, second, _, _ in word:
        counts = [poisson(rate, np.uint64(first), np.uint64(second)) for rate in np.linspace(0.0, 9.9, 60)]
        assert counts == sorted(counts)


def test_counts_are_finite_for_the_most_extreme_words_and_rates() -> None:
    ends = [np.uint64(0), np.uint64(2**64 - 1)]
    for rate in (0.0, 1e-300, 9.999, 10.0, 1e6, 1e15, 1e300):
        for first in ends:
            for second in ends:
                assert 0 <= poisson(rate, first, second) < math.inf


@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5, 0.95])
def test_shares_are_beta_numbers_of_the_stated_precision(mean: float) -> None:
    numbers = draws(arm_of("bounded"), mean, 10_000, seed=8)
    judge = stats.beta(PRECISION * mean, PRECISION * (1 - mean))
    assert stats.kstest(numbers, judge.cdf).pvalue > 0.01
    assert ((numbers >= 0) & (numbers <= 1)).all()


@pytest.mark.parametrize("mean", [0.0, 1.0])
def test_a_share_that_is_all_but_certain_is_still_a_share(mean: float) -> None:
    assert draws(arm_of("bounded"), mean, 200, seed=9) == pytest.approx(mean, abs=1e-3)


@every_family
def test_the_theorys_slopes_hold_wherever_one_looks(family: RewardFamily) -> None:
    arm = arm_of(family.name, state=(-2.0, 1.5))
    found, sigma = arm_constants(arm), arm.sigma or 1.0
    states = np.linspace(-2.0, 1.5, 4001)
    means = mean_rewards(arm, states[:, None])
    assert np.abs(np.diff(means) / np.diff(states)).max() <= found.L_g * (1 + 1e-9)
    assert np.abs(np.diff(means) / np.diff(states)).max() >= found.L_g * 0.999
    low, high = arm.level_range()
    worst = max(family.divergence(low, high, sigma), family.divergence(high, low, sigma))
    assert worst <= largest_divergence(arm) <= worst * (1 + 1e-5) + 1e-11
    bends = np.diff(means, 2) / (states[1] - states[0]) ** 2 / arm.beta**2
    dip, rise = family.turns(low, high)
    assert -dip * 1.001 - 1e-6 <= bends.min()
    assert bends.max() <= rise * 1.001 + 1e-6
    extremes = [family.rewards.lowest, min(family.rewards.highest, family.mean_of_level(high) + 4 * reward_noise(arm))]
    for reward in extremes if family.rewards.lowest > -math.inf else [means[0] - 4 * sigma, means[-1] + 4 * sigma]:
        likelihoods = [family.surprise(arm.alpha + arm.beta * x, reward, sigma) for x in states[::10]]
        assert np.abs(np.diff(likelihoods) / np.diff(states[::10])).max() <= found.L_f * (1 + 1e-6)


@every_family
def test_a_g_equal_to_the_link_has_the_constants_of_the_link(family: RewardFamily) -> None:
    linear = arm_of(family.name, A=0.5, B=-1.0, beta=1.0, state=(-2.0, 1.0))
    own = rw.Arm("a", A=0.5, B=-1.0, family=family.name, sigma=linear.sigma, state=(-2.0, 1.0), g=family.mean_of_level)
    by_formula, by_grid = arm_constants(linear), arm_constants(own)
    for key in ("L_g", "L_p", "sigma"):
        assert getattr(by_grid, key) == pytest.approx(getattr(by_formula, key), rel=1e-3)
    assert by_grid.L_f <= by_formula.L_f * (1 + 1e-3)
    assert largest_divergence(own) == pytest.approx(largest_divergence(linear), rel=1e-5)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: rw.everyday_arm("a", rested=0, wear=1, half_life=1, family="poisson"), "strictly between 0 and 1e+06"),
        (lambda: rw.everyday_arm("a", rested=2, wear=1, half_life=1, family="bounded"), "strictly between 0 and 1"),
        (
            lambda: rw.everyday_arm("a", rested=2, wear=9, half_life=9, family="poisson"),
            "comes by its wear and half_life",
        ),
        (
            lambda: rw.Arm("a", A=0.5, beta=1.0, family="poisson", state=(0, 15)),
            "give a state set with rates from 1e-09",
        ),
        (lambda: rw.Arm("a", A=0.5, family="poisson", sigma=1.0), "leave it out, or use family = 'gaussian'"),
        (lambda: rw.Arm("a", A=0.5, family="counts"), "unknown family of arm 'a': 'counts'"),
        (lambda: arm_constants(rw.Arm("a", family="poisson", g=lambda x: x, state=(-1, 1))), "from 0 to 1e+06, or use"),
    ],
)
def test_what_a_family_cannot_be_is_refused_in_one_sentence(make: Any, sentence: str) -> None:
    with pytest.raises(rw.InputError) as error:
        make()
    assert sentence in str(error.value)


def test_families_have_a_name_and_a_code_each() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert [family_code(name) for name in NAMES] == list(range(len(NAMES)))
    assert [family.name for family in FAMILIES] == list(NAMES)
