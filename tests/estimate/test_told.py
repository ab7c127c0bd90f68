"""What one reward tells of a level, against sums over many points."""

from typing import Any

import numpy as np
import pytest

from roguewk.estimate.dynamics.filter import Kind, build_filter
from roguewk.estimate.dynamics.prior import weak_table
from roguewk.estimate.dynamics.told import WIDEST, Moments, Update, after_reward
from roguewk.problem.family.registry import family_code

REWARDS = [("bernoulli", 0.0), ("bernoulli", 1.0), ("bounded", 0.3), ("poisson", 4.0), ("gaussian", 1.2)]


def kind(family: str) -> Any:
    sigma = 0.5 if family == "gaussian" else 1.0
    return build_filter([Kind(family_code(family), family == "gaussian", sigma)], [weak_table()]).arms[0]


def summed(family: str, reward: float, mean: float, variance: float) -> Update:
    """By forty thousand points."""
    off = np.linspace(-12.0, 12.0, 40_001) * variance**0.5
    levels = mean + off
    if family == "gaussian":
        told = -0.5 * ((reward - levels) / 0.5) ** 2
    else:
        told = reward * levels - (np.exp(levels) if family == "poisson" else np.logaddexp(0.0, levels))
    weights = np.exp(told - off**2 / variance / 2)
    total = weights.sum()
    shift = float(weights @ off / total)
    evidence = np.log(total * (off[1] - off[0]) / np.sqrt(2 * np.pi * variance))
    return Update(shift, float(weights @ (off - shift) ** 2 / total), float(evidence))


@pytest.mark.parametrize(("family", "reward"), REWARDS)
@pytest.mark.parametrize("variance", [1e-3, 0.05, 0.24, 0.26, 1.0, 3.0])
def test_a_reward_tells_what_many_points_say(family: str, reward: float, variance: float) -> None:
    for mean in np.linspace(-4.0, 1.5 if family == "poisson" else 4.0, 9):
        after = after_reward(kind(family), Moments(float(mean), variance), reward)
        expected = summed(family, reward, float(mean), variance)
        deviation = expected.variance**0.5
        assert after.shift == pytest.approx(expected.shift, rel=2e-3, abs=2e-3 * deviation)
        # What is learned is the part of a variance that goes: errors that add up must be small beside it.
        assert variance - after.variance == pytest.approx(variance - expected.variance, rel=0.02, abs=1e-9)
        assert after.evidence == pytest.approx(expected.evidence, abs=1e-3)


@pytest.mark.parametrize("mean", [-800.0, -40.0, 0.0, 40.0, 800.0])
@pytest.mark.parametrize("variance", [1e-20, 0.1, 0.99 * WIDEST**2, 1.01 * WIDEST**2, 1e6])
def test_however_sure_or_unsure_a_level_is_a_coin_tells_something_finite(mean: float, variance: float) -> None:
    for reward, sign in ((0.0, -1.0), (1.0, 1.0)):
        after = after_reward(kind("bernoulli"), Moments(mean, variance), reward)
        assert np.isfinite(after).all()
        assert 0.0 <= after.variance <= variance
        assert sign * after.shift >= -1e-9 * variance**0.5
