"""Arms whose dynamics nobody knows: what is said of them, in Python and in files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.estimate.dynamics.prior import DIAGONAL, table_of, table_of_known, weak_table
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.world.plain import world_from_data, world_to_data

GUESS = {"about": 5.0, "between": [1.0, 30.0]}


def quantile(table: Any, share: float) -> float:
    """Of the half-life, between the points of the table."""
    middles = np.cumsum(table.chances) - table.chances / 2
    return float(np.exp(np.interp(share, middles, np.log(table.half_lives))))


def test_a_guess_of_the_half_life_has_its_ends_where_they_were_said() -> None:
    table = table_of(rw.unknown_arm("tip", half_life={"about": 6, "between": [2, 18]}))
    assert [quantile(table, share) for share in (0.025, 0.5, 0.975)] == pytest.approx([2, 6, 18], rel=0.12)
    lopsided = table_of(rw.unknown_arm("tip", half_life=GUESS))
    assert quantile(lopsided, 0.01) > 0.6
    assert quantile(lopsided, 0.99) < 50


def test_guesses_of_wear_and_of_the_rested_reward_are_gaussians_of_the_level() -> None:
    arm = rw.unknown_arm("tip", wear={"about": 0.5, "between": [0, 2]}, rested={"about": 0.5, "between": [0.2, 0.8]})
    table = table_of(arm)
    assert table.means[0] == pytest.approx([0.0, -0.5, -0.5])
    odds = 2 * np.log(4.0)
    assert np.sqrt(table.covariances[3, DIAGONAL]) == pytest.approx([odds / 3.92, 0.9, 2 / 3.92], rel=1e-3)


def test_what_is_known_stays_known() -> None:
    arm = rw.unknown_arm("tip", half_life=4, wear=0.5, rested=0.6, known_start="rested")
    table = table_of(arm)
    assert table.chances.max() == 1.0
    assert table.half_lives[table.chances.argmax()] == pytest.approx(4.0)
    assert table.covariances == pytest.approx(0.0)
    known = table_of_known(rw.everyday_arm("tip", rested=0.6, wear=0.5, half_life=4, known_start="rested"))
    assert known.means == pytest.approx(table.means)
    assert known.half_lives == pytest.approx(table.half_lives)


def test_measurements_are_guessed_in_units_of_their_noise() -> None:
    table = table_of(rw.unknown_arm("tip", family="gaussian", sigma=10.0))
    units = np.array([20.0, 10.0, 10.0])  # levels lie farther apart than wear moves them
    assert table.means == pytest.approx(units * weak_table().means)
    far = table_of(rw.unknown_arm("a", rested={"about": 1e3, "between": [500, 1500]}, family="gaussian", sigma=1.0))
    assert far.means[0, 0] == 1e3
    assert far.covariances[0, 0] == pytest.approx((1000 / 3.92) ** 2, rel=1e-3)


def test_a_problem_with_guesses_is_written_down_and_read_again() -> None:
    arms = [rw.unknown_arm("tip", half_life=GUESS, wear=0.4), rw.unknown_arm("hint", like="tip")]
    known = rw.everyday_arm("call", rested=0.6, wear=0.5, half_life=3)
    problem = rw.Problem([*arms, known], [rw.Resource("staff", 10.0)], horizon=50, idle=True)
    again = problem_from_data(problem_to_data(problem))
    assert problem_to_data(again) == problem_to_data(problem)
    assert again.unknown == ("tip", "hint")
    assert again.arms[1].like == "tip"


def test_a_table_of_a_fit_is_written_down_and_read_again() -> None:
    prior = rw.Prior(table=weak_table())
    arm = rw.unknown_arm("tip", prior=prior)
    again = problem_from_data(problem_to_data(rw.Problem([arm], [], 10))).arms[0]
    assert again.prior is not None
    for mine, theirs in zip(again.prior.table, weak_table(), strict=True):
        assert (mine == theirs).all()


FILE = """
horizon = 60
idle = true
[[resource]]
name = "staff"
budget = 12
largest_cost = 2
[[arm]]
name = "walk"
half_life = { about = 5, between = [1, 30] }
wear = { about = 0.5, between = [0, 2] }
[[arm]]
name = "run"
dynamics = "unknown"
[[arm]]
name = "jog"
like = "run"
"""


def test_a_policy_starts_from_a_file_that_says_next_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "problem.toml"
    path.write_text(FILE)
    problem = rw.load_problem(path)
    policy = rw.make_policy("roguewk-plan", problem, seed=1)
    for _ in range(20):
        decision = policy.select()
        if decision.arm is not None:
            policy.update(decision, reward=decision.round % 2, costs=[0.4])
    twin = rw.restore_policy(policy.state())
    assert [twin.select().arm for _ in range(5)] == [policy.select().arm for _ in range(5)]


WORLD: dict[str, Any] = {
    "horizon": 80,
    "resource": [{"name": "staff", "budget": 30}],
    "arm": [
        {"name": "walk", "rested": 0.6, "wear": 0.5, "half_life": 2, "costs": [0.2], "dynamics": "unknown"},
        {"name": "run", "rested": 0.7, "wear": 0.9, "half_life": 4, "costs": [0.3]},
    ],
    "belief": [{"name": "run", "half_life": GUESS}],
}


def test_a_world_may_leave_its_dynamics_open_to_policies() -> None:
    world = world_from_data(WORLD)
    assert world.problem.unknown == ("walk", "run")
    assert world.misjudged == ("walk", "run")
    assert float(world.arms[0].A) == pytest.approx(0.5**0.5)
    again = world_from_data(world_to_data(world))
    assert world_to_data(again) == world_to_data(world)
    runs = rw.simulate(world, ["roguewk-plan", "roguewk-ts", "ts-lp-resolved", "clairvoyant"], replicates=2)
    told = rw.simulate(world.believe(world.arms), ["clairvoyant"], replicates=2)
    assert (runs.totals["clairvoyant"] == told.totals["clairvoyant"]).all()


def test_policies_that_cannot_learn_dynamics_say_so_unless_guesses_will_do() -> None:
    problem = world_from_data(WORLD).problem
    with pytest.raises(rw.InputError, match="cannot learn the dynamics of arm 'walk'"):
        rw.make_policy("rogue-ts-clipped", problem)
    for name in ("whittle", "recharging"):
        assert hasattr(rw.make_policy(name, problem).parts.rewards, "filter")
    guessed = rw.make_policy("roguewk-plan", problem, dynamics="known")
    assert not hasattr(guessed.parts.rewards, "filter")


def test_arms_that_are_alike_learn_from_each_other() -> None:
    arms = [rw.unknown_arm("tip"), rw.unknown_arm("hint", like="tip"), rw.unknown_arm("other")]
    policy = rw.make_policy("roguewk-plan", rw.Problem(arms, [], horizon=100))
    for _ in range(10):
        policy.update(policy.follow("tip"), reward=0, costs=[])
        policy.skip(1)
    likely = policy.preview().reward_bounds
    assert likely[1] < 0.35 < likely[2]


def test_a_known_arm_beside_learned_ones_stays_as_it_is_known() -> None:
    known = rw.everyday_arm("call", rested=0.6, wear=0.5, half_life=3, known_start="rested")
    policy = rw.make_policy("roguewk-plan", rw.Problem([known, rw.unknown_arm("tip")], [], horizon=100))
    for _ in range(10):
        policy.update(policy.follow("call"), reward=0, costs=[])
    policy.skip(60)
    assert policy.preview().reward_bounds[0] == pytest.approx(0.6, abs=1e-3)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"half_life": {"about": 5}}, "write { about = 5, between"),
        ({"half_life": {"about": 5, "between": [6, 7]}}, "give ends around it"),
        ({"half_life": {"about": 0, "between": [-1, 7]}}, "rounds"),
        ({"half_life": {"abut": 5}}, "did you mean 'about'"),
        ({"wear": {"about": 1, "between": [0, 1e40]}}, "choose a unit"),
        ({"rested": {"about": 0.5, "between": [0, 0.9]}}, "strictly between"),
        ({"dynamics": "known"}, 'write "unknown"'),
        ({"dynamics": "unknown", "A": 0.5}, "leave 'A' out"),
        ({"like": "nobody"}, "name an arm whose dynamics are to be learned"),
        ({"like": "a"}, "name an arm whose dynamics are to be learned"),
    ],
)
def test_what_cannot_be_a_guess_is_refused_in_a_sentence(table: dict[str, Any], sentence: str) -> None:
    data = {"horizon": 10, "arm": [{"name": "a", **table}]}
    with pytest.raises(rw.InputError) as error:
        problem_from_data(data)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_world_whose_truth_is_a_guess_is_refused() -> None:
    data = {"horizon": 10, "arm": [{"name": "a", "rested": 0.5, "wear": 0.5, "half_life": GUESS}]}
    with pytest.raises(rw.InputError, match=r"needs the truth.*rw\.load_problem"):
        world_from_data(data)


def test_an_unknown_arm_is_shown_with_numbers_that_are_said_to_be_guesses() -> None:
    text = repr(rw.unknown_arm("tip"))
    assert text.startswith("Arm(name='tip', family='bernoulli', prior=Prior(")
    assert text.endswith("; dynamics unknown, first guesses: A 0.794, B -0.4, K 0, alpha 0, beta 1)")
