"""Half-lives and delays that are said in days."""

from pathlib import Path
from typing import Any

import pytest

import roguewk as rw
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.world.plain import world_from_data

GUESS = {"about": "4 days", "between": ["2 days", "8 days"]}


def data(half_life: Any, per_day: Any = 2, **more: Any) -> dict[str, Any]:
    arm = {"name": "walk", "rested": 0.6, "wear": 0.5, "half_life": half_life}
    days = {} if per_day is None else {"rounds_per_day": per_day}
    return {"horizon": 40, **days, "arm": [arm], **more}


@pytest.mark.parametrize(
    ("said", "per_day", "rounds"),
    [("4 days", 2, 8.0), ("3 rounds", None, 3.0), ("0.5 days", 1, 0.5), ("1 week", 1 / 7, 1.0), (2.5, None, 2.5)],
)
def test_a_half_life_in_days_is_that_many_rounds_whole_or_not(said: Any, per_day: Any, rounds: float) -> None:
    judge = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=rounds)
    for arm in (
        world_from_data(data(said, per_day)).arms[0],
        problem_from_data(data(said, per_day)).arms[0],
        world_from_data(data(9, per_day, belief=[{"name": "walk", "half_life": said}])).problem.arms[0],
    ):
        assert (arm.A, arm.B) == (judge.A, judge.B)


def test_a_guess_of_a_half_life_in_days_is_one_in_rounds() -> None:
    for prior in (
        problem_from_data(data(GUESS)).arms[0].prior,
        world_from_data(data(9, belief=[{"name": "walk", "half_life": GUESS}])).problem.arms[0].prior,
    ):
        assert prior is not None
        assert prior.half_life == (8, 4, 16)


def test_delays_in_days_are_those_in_rounds_in_files_and_in_python() -> None:
    late = {"delay": ["12 hours", "3 days"], "missing": 0.1, "costs": {"delay": "1 round"}}
    world = world_from_data(data("4 days", outcomes=late))
    by_hand = rw.Outcomes(delay=(1, 6), missing=0.1, costs=rw.Outcomes(delay=1))
    assert world.outcomes == by_hand
    said = rw.Outcomes(delay=("12 hours", "3 days"), missing=0.1, costs=rw.Outcomes(delay="1 round"))
    assert world.with_outcomes(rw.Outcomes()).with_outcomes(said).outcomes == by_hand


def test_a_world_said_in_days_comes_back_from_its_file_to_the_last_digit(tmp_path: Path) -> None:
    world = world_from_data(
        data("5 hours", outcomes={"delay": "2 days"}, belief=[{"name": "walk", "half_life": GUESS}])
    )
    world.to_toml(tmp_path / "w.toml")
    again = rw.load_world(tmp_path / "w.toml")
    assert (again.arms[0].A, again.outcomes) == (world.arms[0].A, rw.Outcomes(delay=4))
    assert problem_to_data(again.problem) == problem_to_data(world.problem)
    assert again.to_toml() == world.to_toml()


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (data("4 days", None), "half_life of arm 'walk' is '4 days' and nothing says how long .* give rounds_per_day"),
        (data(GUESS, None), "half_life of arm 'walk' is '4 days' and nothing says how long"),
        (data("long"), "half_life of arm 'walk' is 'long': give a number of rounds, or a text such as"),
        (data("0 days"), "half_life of arm 'walk' is 0.0: give a positive number"),
        (data(3, "x"), "rounds_per_day is 'x': give a number"),
        (data("3 days", 0), "rounds_per_day is 0: give a positive number"),
        (data(3, outcomes={"delay": "5 hours"}), "delay of outcomes is '5 hours', which is 0.41.* rounds: give whole"),
        (data(3, None, outcomes={"delay": "2 days"}), "delay of outcomes is '2 days' and nothing says how long"),
        (data(3, outcomes={"delay": ["3 days", 2]}), "give the fewest rounds before the most"),
    ],
)
def test_a_duration_that_is_no_number_of_rounds_is_told_in_one_sentence(given: dict[str, Any], hint: str) -> None:
    with pytest.raises(rw.InputError, match=hint):
        world_from_data(given) if not isinstance(given["arm"][0]["half_life"], dict) else problem_from_data(given)


def test_an_arm_by_itself_says_that_it_does_not_know_how_long_a_round_is() -> None:
    for make in (
        lambda: rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life="4 days"),  # type: ignore[arg-type]
        lambda: rw.unknown_arm("walk", half_life=GUESS),
        lambda: rw.Prior(half_life="4 days"),
    ):
        with pytest.raises(rw.InputError, match="is '4 days', and an arm by itself does not know how long a round is"):
            make()
