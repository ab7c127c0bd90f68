"""The filter of unknown dynamics, against regression, importance sampling and itself with everything on time."""

import numpy as np
import pytest

import roguewk as rw
from roguewk.estimate.dynamics.filter import WINDOW, Filter, Kind, build_filter, follow, learn, level_now, unfollow
from roguewk.estimate.dynamics.parts import filter_for
from roguewk.estimate.dynamics.prior import DIAGONAL, table_of_known, weak_table
from roguewk.kernel.arrays import Vector
from roguewk.problem.family.registry import family_code, family_named

GAUSSIAN = Kind(family_code("gaussian"), True, 0.5)


def features(retention: float, pulls: Vector) -> Vector:
    """(round, feature) of a history of pulls, word for word."""
    rows, wear = [], 0.0
    for t, pulled in enumerate(pulls):
        rows.append([1.0, retention**t, wear])
        wear = retention * wear + pulled
    return np.array(rows)


def history(rng: np.random.Generator, rounds: int, chance: float = 0.5) -> Vector:
    return (rng.random(rounds) < chance).astype(np.int64)


def regression(x: Vector, y: Vector, noise: float, place: int) -> tuple[Vector, Vector, float]:
    """Mean, covariance and log-evidence of a Bayesian linear regression with the weak prior."""
    prior = weak_table()
    deviations, means = np.sqrt(prior.covariances[place, DIAGONAL]), prior.means[place]
    inverse = np.diag(deviations**-2.0)
    covariance: Vector = np.linalg.inv(inverse + x.T @ x / noise).astype(np.float64)
    mean = covariance @ (inverse @ means + x.T @ y / noise)
    spread = x @ np.diag(deviations**2) @ x.T + noise * np.eye(len(y))
    off = y - x @ means
    evidence = -0.5 * (off @ np.linalg.solve(spread, off) + np.linalg.slogdet(spread)[1])
    return mean, covariance, float(evidence)


def packed(covariance: Vector) -> Vector:
    return covariance[np.triu_indices(3)]


def play(part: Filter, pulls: Vector, rewards: Vector, delay: int = 0, shifts: Vector | None = None) -> None:
    """Let rounds pass for the only arm; each reward comes `delay` rounds late, and levels may be shifted."""
    moved = np.zeros(len(pulls)) if shifts is None else shifts
    for t, pulled in enumerate(pulls):
        follow(part, 0, int(pulled))
        due = t - delay
        if due >= 0 and pulls[due]:
            learn(part, 0, due, float(rewards[due]), float(moved[due]))
    for due in range(max(len(pulls) - delay, 0), len(pulls)):
        if pulls[due]:
            learn(part, 0, due, float(rewards[due]), float(moved[due]))


@pytest.mark.parametrize("spread", [0.0, 0.9], ids=["plain", "in contexts"])
@pytest.mark.parametrize("delay", [0, 1, 40])
def test_measurements_are_filtered_as_regression_on_all_of_them_would(delay: int, spread: float) -> None:
    """Where contexts shift the level, on what is measured less the shift."""
    rng = np.random.default_rng(1)
    pulls = history(rng, 120)
    rewards = rng.normal(0.4, 0.8, 120)
    shifts = spread * np.random.default_rng(6).standard_normal(120)
    part = build_filter([GAUSSIAN], [weak_table()])
    play(part, pulls, rewards + shifts, delay, shifts)
    followed = 0
    evidence = np.log(weak_table().chances)
    for k, retention in enumerate(part.retentions[0]):
        seen = features(retention, pulls)[pulls == 1]
        mean, covariance, told = regression(seen, rewards[pulls == 1], 0.25, k)
        evidence[k] += told
        if part.evidence[0, k] > -20:
            assert part.means[0, k] == pytest.approx(mean, abs=1e-8)
            assert part.covariances[0, k] == pytest.approx(packed(covariance), abs=1e-8)
            followed += 1
    expected = evidence - np.logaddexp.reduce(evidence)
    near = expected > -20
    assert part.evidence[0][near] == pytest.approx(expected[near], abs=1e-6)
    assert followed > 3


@pytest.mark.parametrize("spread", [0.0, 0.9], ids=["plain", "in contexts"])
@pytest.mark.parametrize("family", ["bernoulli", "poisson", "bounded"])
def test_other_rewards_are_filtered_as_importance_sampling_says(family: str, spread: float) -> None:
    rng = np.random.default_rng(2)
    pulls = history(rng, 40, 0.4)
    prior, kind = weak_table(), family_named(family)
    shifts = spread * np.random.default_rng(6).standard_normal(40)
    level = features(0.8, pulls) @ np.array([0.3, -0.5, -0.5]) + shifts
    means = np.array([kind.mean_of_level(each) for each in level])
    shares = np.minimum(means, 0.99)
    drawn = {"poisson": rng.poisson(means), "bounded": rng.beta(3 * shares, 3 * (1 - shares))}
    rewards = drawn.get(family, rng.random(40) < means).astype(float)
    part = build_filter([Kind(family_code(family), False, 1.0)], [prior])
    play(part, pulls, rewards, shifts=shifts)

    numbers = rng.standard_normal((40_000, 3))
    logs, expected = [], []
    for k, half_life in enumerate(prior.half_lives):
        retention = 0.5 ** (1 / half_life)
        samples = prior.means[k] + np.sqrt(prior.covariances[k, DIAGONAL]) * numbers
        x = features(retention, pulls)
        levels = samples @ x[pulls == 1].T + shifts[pulls == 1]  # (sample, pull)
        b = np.exp(levels) if family == "poisson" else np.logaddexp(0, levels)
        told = levels @ rewards[pulls == 1] - b.sum(axis=1)
        logs.append(np.logaddexp.reduce(told) - np.log(len(told)))
        weights = np.exp(told - told.max())
        last = np.array([1.0, retention**40, _wear_now(retention, pulls)])
        expected.append(np.average(samples @ last, weights=weights))
    posterior = np.log(prior.chances) + logs
    posterior -= np.logaddexp.reduce(posterior)
    assert np.abs(np.exp(part.evidence[0]) - np.exp(posterior)).max() < 0.02
    assert level_now(part, 0).mean == pytest.approx(float(np.exp(posterior) @ expected), abs=0.08)


def _wear_now(retention: float, pulls: Vector) -> float:
    return float(sum(retention ** (len(pulls) - 1 - t) for t in np.flatnonzero(pulls)))


@pytest.mark.parametrize(("family", "sigma"), [("bernoulli", None), ("poisson", None), ("gaussian", 0.5)])
def test_an_arm_of_which_only_the_start_is_not_known_is_known_ever_after(family: str, sigma: float | None) -> None:
    """What its start adds fades until no number is small enough for it."""
    arm = rw.Arm("steady", A=0.5, B=-0.6, alpha=0.3, state=(-3.0, 0.0), family=family, sigma=sigma)
    exact = sigma is not None
    part = build_filter([Kind(family_code(family), exact, sigma or 1.0)], [table_of_known(arm)])
    rng = np.random.default_rng(5)
    pulls = history(rng, 1500)
    play(part, pulls, rng.integers(0, 2, 1500).astype(np.float64))
    x = features(0.5, pulls)
    believed = level_now(part, 0)
    assert believed.mean == pytest.approx(0.3 - 0.6 * (0.5 * x[-1, 2] + pulls[-1]), abs=1e-9)
    assert 0.0 <= believed.variance < 1e-12
    assert np.isfinite(part.means).all()
    assert np.isfinite(part.covariances).all()
    assert (part.covariances[0, 0, DIAGONAL] <= table_of_known(arm).covariances[0, DIAGONAL]).all()


def test_what_is_believed_covers_the_truth_as_often_as_it_says() -> None:
    """Simulation-based calibration: worlds drawn from the prior, the rank of the true level among what is believed."""
    rng, prior = np.random.default_rng(3), weak_table()
    inside = []
    for _ in range(300):
        k = rng.choice(prior.chances.size, p=prior.chances)
        truth = prior.means[k] + np.sqrt(prior.covariances[k, DIAGONAL]) * rng.standard_normal(3)
        pulls = history(rng, 60, rng.uniform(0.1, 0.9))
        levels = features(0.5 ** (1 / prior.half_lives[k]), np.append(pulls, 0)) @ truth
        rewards = (rng.random(61) < 1 / (1 + np.exp(-levels))).astype(float)
        part = build_filter([Kind(family_code("bernoulli"), False, 1.0)], [prior])
        play(part, pulls, rewards[:60])
        now = level_now(part, 0)
        inside.append(abs(levels[60] - now.mean) < 1.645 * now.variance**0.5)
    assert 0.86 < np.mean(inside) < 0.94


def test_late_rewards_tell_the_same_to_the_end_of_the_window_and_nothing_beyond() -> None:
    rng = np.random.default_rng(4)
    pulls = history(rng, WINDOW + 300, 0.3)
    pulls[WINDOW - 1] = 1
    late, prompt = (build_filter([GAUSSIAN], [weak_table()]) for _ in range(2))
    for t, pulled in enumerate(pulls):
        follow(late, 0, int(pulled))
        follow(prompt, 0, int(pulled))
        if t == WINDOW - 1:
            learn(prompt, 0, t, 1.3)
    learn(late, 0, WINDOW - 1, 1.3)
    assert late.means == pytest.approx(prompt.means, abs=1e-9)
    assert late.evidence == pytest.approx(prompt.evidence, abs=1e-9)
    before = late.means.copy()
    learn(late, 0, 299, 5.0)
    assert late.means.tolist() == before.tolist()


@pytest.mark.parametrize("since", [1, 30, WINDOW + 40])
def test_a_pull_that_is_taken_back_leaves_nothing(since: int) -> None:
    rng = np.random.default_rng(5)
    pulls = history(rng, WINDOW + 100, 0.3)
    at = len(pulls) - since
    with_it, without = (build_filter([GAUSSIAN], [weak_table()]) for _ in range(2))
    for t, pulled in enumerate(pulls):
        follow(with_it, 0, 1 if t == at else int(pulled))
        follow(without, 0, 0 if t == at else int(pulled))
    unfollow(with_it, 0, at)
    assert with_it.wears == pytest.approx(without.wears, abs=1e-9)
    assert with_it.before == pytest.approx(without.before, abs=1e-9)
    assert with_it.bits.tolist() == without.bits.tolist()


def test_policies_that_know_no_dynamics_never_see_them() -> None:
    true = rw.catalog.paper(budget=60, idle=True)
    other = [rw.Arm(arm.name, A=0.3, B=0.4, alpha=-1.0) for arm in true.arms]
    misled = rw.World(true.problem.believe(other), true.x0, true.costs, true.arms)
    policy = ("roguewk-ts", {"dynamics": "learned"})
    runs = [rw.simulate(world, policy, 2, curves=True) for world in (true, misled)]
    arms = [each.curves[each.policies[0]].arms for each in runs]
    assert arms[0].tolist() == arms[1].tolist()
    assert filter_for(true.problem).means.tolist() == filter_for(misled.problem).means.tolist()


def test_what_was_told_wrong_cannot_be_corrected_and_that_is_said() -> None:
    """Each reward was weighed by what was believed before it: what false ones made of that cannot be taken back."""
    policy = rw.make_policy("roguewk-ts", rw.catalog.paper(idle=True).problem, dynamics="learned")
    decision = policy.select()
    assert decision.arm is not None
    policy.update(decision, reward=0, costs=[0.1, 0.1, 0.1])
    with pytest.raises(rw.InputError, match="amend"):
        policy.amend(decision, reward=(0, 1))
