import itertools
import math

import numpy as np
import pytest
from benchmarks import reference

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world.cost import Cost
from roguewk.world.world import World

DYNAMICS = [(0.1, 0.2, -0.5, 0.8, 0.2, 0.8), (0.3, 0.7, -1.2, 0.4, 0.5, 0.3), (0.9, 0.5, -2.0, 1.0, 0.1, 1.0)]
SUPPORTS = [
    [(0.1, 0.2), (0.6, 0.8), (0.3, 0.5)],
    [(0.2, 0.3), (0.3, 0.4), (0.1, 0.5)],
    [(0.2, 0.3), (0.2, 0.4), (0.1, 0.3)],
]


def paper(budget: float = 300.0, horizon: int = 1000, idle: bool = False) -> World:
    """Tables 1 and 2 of the paper."""
    arms = [
        Arm(f"arm {a}", A=A, B=B, K=K, alpha=alpha, beta=beta, state=(-3, 3))
        for a, (_, A, B, K, alpha, beta) in enumerate(DYNAMICS)
    ]
    problem = Problem(arms, [Resource(f"resource {j}", budget, 1.0) for j in range(3)], horizon, idle)
    return World(problem, [row[0] for row in DYNAMICS], [[Cost.uniform(*ends) for ends in row] for row in SUPPORTS])


def random_past(rng: np.random.Generator, size: int, family: str) -> tuple[reference.Trajectory, list[bool]]:
    matrix = rng.normal(size=(size, size))
    matrix *= rng.uniform(0.3, 0.9) / np.abs(np.linalg.eigvals(matrix)).max()
    sigma = 0.7 if family == "gaussian" else None
    push, pull_back, weights = rng.normal(size=(3, size))
    box = [(-2, 2)] * size
    arm = Arm("a", matrix, push, pull_back, 0.3, weights, family, sigma, box[0] if size == 1 else box)
    past = reference.Trajectory(arm)
    pulls = [bool(pulled) for pulled in rng.integers(0, 2, 12)] + [True]
    for pulled in pulls:
        if pulled:
            past.observe(float(rng.integers(0, 2)) if sigma is None else rng.normal())
        past.advance(pulled)
    return past, pulls


def each_past() -> list[tuple[reference.Trajectory, list[bool]]]:
    rng = np.random.default_rng(3)
    return [random_past(rng, *kind) for kind in itertools.product((1, 1, 2, 3), ("bernoulli", "gaussian"))]


def inside(past: reference.Trajectory, count: int) -> Vector:
    low, high = past.arm.box.T
    return np.random.default_rng(5).uniform(low, high, (count, len(low)))


def test_luck_at_counter_zero_borrows_through_all_256_bits() -> None:
    key = np.array([7, 9], dtype=np.uint64)
    expected = np.random.Philox(key=key, counter=2**256 - 1).random_raw(4)
    assert np.array_equal(reference.philox_words(7, 9, 0, 0, 0), expected)


def test_luck_borrows_from_the_purpose_and_the_part() -> None:
    key = np.array([7, 2**64 - 1], dtype=np.uint64)
    by_purpose = np.random.Philox(key=key, counter=2**64 - 1).random_raw(4)
    by_part = np.random.Philox(key=key, counter=2**128 - 1).random_raw(4)
    assert np.array_equal(reference.philox_words(7, 2**64 - 1, 0, 1, 0), by_purpose)
    assert np.array_equal(reference.philox_words(7, 2**64 - 1, 0, 0, 1), by_part)


def test_luck_follows_the_published_words_of_philox() -> None:
    published = [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]
    assert [int(word) for word in reference.philox_words(0, 0, 0, 0, 0)] == published


@pytest.mark.parametrize(("u", "expected"), [(0.0, 0.0), (0.24, 0.0), (0.25, 5.0), (0.999, 5.0)])
def test_a_bernoulli_cost_is_a_choice_of_nothing_and_the_amount(u: float, expected: float) -> None:
    assert reference.draw_cost(Cost.bernoulli(0.75, 5.0), u) == expected
    assert reference.draw_cost(Cost.choices([0.0, 5.0], [1, 3]), u) == expected


def test_states_are_those_of_the_dynamics_followed_step_by_step() -> None:
    for past, pulls in each_past():
        x = x0 = inside(past, 1)[0]
        states = []
        for pulled in pulls:
            if pulled:
                states.append(x)
            x = reference.step(past.arm, x, pulled)
        np.testing.assert_allclose(past.at_pulls(x0), states, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(past.now(x0), x, rtol=1e-12, atol=1e-12)


def test_the_trajectory_divergence_is_the_bregman_divergence_of_the_summed_log_partition() -> None:
    for past, _ in each_past():
        slopes = past.arm.weights @ past.powers  # (pull, coordinate)
        scale = (past.arm.sigma or 1.0) ** 2

        def partition(x0: Vector, past: reference.Trajectory = past, scale: float = scale) -> float:
            z = reference.level(past.arm, past.at_pulls(x0))
            return float(np.logaddexp(0, z).sum() if past.arm.sigma is None else (z**2).sum() / 2 / scale)

        for x0, other in zip(inside(past, 10), inside(past, 20)[10:], strict=True):
            gradient = reference.mean_reward(past.arm, past.at_pulls(x0)) @ slopes / scale
            bregman = partition(other) - partition(x0) - gradient @ (other - x0)
            assert reference.trajectory_divergence(past, x0, other) == pytest.approx(bregman, rel=1e-9, abs=1e-9)


def test_no_state_is_more_likely_than_the_most_likely() -> None:
    for past, _ in each_past():
        best = past.log_likelihood(reference.most_likely(past))
        assert all(past.log_likelihood(x0) <= best + 1e-12 for x0 in inside(past, 500))


@pytest.mark.parametrize("radius", [0.001, 0.05, 10.0])
def test_the_reward_bound_is_above_every_state_within_the_radius_and_reaches_a_fine_grid(radius: float) -> None:
    for past, _ in each_past():
        estimate = reference.most_likely(past)
        bound = reference.reward_bound(past, estimate, radius)
        shrink = np.geomspace(1e-3, 1, 20)[:, None]
        some = [estimate + part * (x0 - estimate) for x0 in inside(past, 100) for part in shrink]
        close = [x0 for x0 in some if reference.trajectory_divergence(past, x0, estimate) <= radius * len(past.rewards)]
        values = [float(reference.mean_reward(past.arm, past.now(x0))) for x0 in close]
        assert max(values) <= bound + 1e-8
        if past.arm.dimension == 1:
            grid = np.linspace(past.arm.box[:, 0], past.arm.box[:, 1], 20_001)
            near = [reference.trajectory_divergence(past, x, estimate) <= radius * len(past.rewards) for x in grid]
            reached = max(float(reference.mean_reward(past.arm, past.now(x))) for x in grid[near])
            assert reached == pytest.approx(bound, abs=1e-3)


def test_a_radius_of_zero_leaves_the_estimate_alone() -> None:
    for past, _ in each_past():
        estimate = reference.most_likely(past)
        plain = float(reference.mean_reward(past.arm, past.now(estimate)))
        assert reference.reward_bound(past, estimate, 0.0) == plain


def test_probabilities_without_idling_keep_their_proportions_or_go_to_the_best_arm() -> None:
    g = np.array([0.2, 0.9, 0.9])
    assert reference.play_always(g, np.array([0.1, 0.3, 0.0])) == pytest.approx([0.25, 0.75, 0.0])
    assert reference.play_always(g, np.zeros(3)).tolist() == [0.0, 1.0, 0.0]


def test_a_draw_beyond_the_probabilities_idles_or_takes_the_last_likely_arm() -> None:
    pi = np.array([0.0, 0.5, 0.25, 0.0])
    assert [reference.draw_arm(pi, u, True) for u in (0.0, 0.5, 0.75)] == [1, 2, reference.IDLE]
    assert reference.draw_arm(pi, 0.75, False) == 2


def test_a_tiny_game_by_hand() -> None:
    """One arm that forgets at once: the state is x0, then K + B = -1; the third pull overspends a budget of 5."""
    arm = Arm("only", A=0.0, B=-2.0, K=1.0, beta=1.0, state=(-3, 3))
    problem = Problem([arm], [Resource("euros", 5.0, largest_cost=4.0)], horizon=10)
    world = World(problem, [0.5], [[Cost.fixed(2.0)]])
    result = reference.run(world, reference.RogueUCB, seed=4, radius_constants=[1.0])

    g = [1 / (1 + math.exp(-x)) for x in (0.5, -1.0, -1.0)]
    luck = [reference.unit(reference.philox_words(4, 0, t, 0, 0)[0]) for t in range(3)]
    rewards = [float(u < mean) for u, mean in zip(luck, g, strict=True)]
    assert (result.arms, result.rounds, result.plays, result.stopped_by) == ([0, 0, 0], 3, 2, "euros")
    assert result.spent.tolist() == [6.0]
    assert result.rewards == rewards
    assert result.reward == sum(rewards[:2])
    assert result.expected_reward == pytest.approx(g[0] + g[1])
    # Since the start is forgotten the reward bound is the mean itself; mean cost 2/4 less sqrt(log(12 T^2) / 2n) < 0.
    assert [float(bound[0]) for bound in result.reward_bounds[1:]] == pytest.approx(g[1:])
    assert [bound.tolist() for bound in result.cost_bounds[1:]] == [[[0.0]], [[0.0]]]
    assert result.values[1:] == pytest.approx(g[1:])


def test_ucb1_breaks_ties_towards_the_first_arm_and_adds_its_bonus() -> None:
    result = reference.run(paper(), reference.UCB1, rounds=20)
    assert result.arms[:3] == [0, 1, 2]
    for t in range(3, 20):
        for a, bound in enumerate(result.reward_bounds[t]):
            seen = [r for arm, r in zip(result.arms[:t], result.rewards[:t], strict=True) if arm == a]
            assert bound == pytest.approx(sum(seen) / len(seen) + math.sqrt(2 * math.log(t) / len(seen)))
        assert result.arms[t] == result.reward_bounds[t].tolist().index(max(result.reward_bounds[t]))


def test_the_sliding_window_forgets_what_is_older_than_its_windows() -> None:
    result = reference.run(paper(), reference.SlidingWindowUCB, rounds=40, reward_window=5, cost_window=9, cost_scale=0)
    t = 39
    for a in range(3):
        rewards = [result.rewards[s] for s in range(t - 5, t) if result.arms[s] == a]
        costs = [result.costs[s] for s in range(t - 9, t) if result.arms[s] == a]
        radius = math.sqrt(2 * math.log(12 * 3 * 1000**3) / (len(rewards) + 1))
        assert result.reward_bounds[t][a] == pytest.approx(sum(rewards) / (len(rewards) + 1) + radius)
        assert result.cost_bounds[t][a] == pytest.approx(np.sum(costs, axis=0) / (len(costs) + 1))


@pytest.mark.parametrize("algorithm", [reference.RogueUCB, reference.UCB1, reference.SlidingWindowUCB])
def test_a_game_followed_along_its_own_path_is_the_same_game(algorithm: type[reference.Algorithm]) -> None:
    own = reference.run(paper(budget=20.0), algorithm, seed=2, replicate=5)
    followed = reference.run(paper(budget=20.0), algorithm, seed=2, replicate=5, follow=own.arms)
    assert followed.rewards == own.rewards
    assert np.array_equal(followed.reward_bounds, own.reward_bounds, equal_nan=True)
    assert np.array_equal(followed.probabilities, own.probabilities)
    assert followed.stopped_by == own.stopped_by != "horizon"


def test_idle_rounds_cost_nothing_and_earn_nothing() -> None:
    world = paper(budget=2.0, horizon=60, idle=True)
    result = reference.run(world, reference.RogueUCB, radius_constants=[1.0] * 3, cost_scale=0.0)
    idle = [t for t, arm in enumerate(result.arms) if arm == reference.IDLE]
    assert idle
    assert result.plays < result.rounds
    assert all(result.rewards[t] == 0 and not result.costs[t].any() for t in idle)


@pytest.mark.parametrize("algorithm", [reference.RogueUCB, reference.UCB1, reference.SlidingWindowUCB])
def test_a_problem_without_resources_runs_to_its_horizon(algorithm: type[reference.Algorithm]) -> None:
    arms = paper().problem.arms
    world = World(Problem(arms, [], 30), [0.1, 0.3, 0.9], [[], [], []])
    result = reference.run(world, algorithm)
    assert (result.rounds, result.plays, result.stopped_by, len(result.spent)) == (30, 30, "horizon", 0)
