"""World files and problem files with contexts, both ways, and what is refused in them."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import roguewk as rw
from roguewk.world.plain import world_from_data, world_to_data
from tests.problem.surrounded import days_of, worlds

FILE = """
horizon = "2 weeks"
rounds_per_day = 2
idle = true

[[context]]
name = "place"
values = ["home", "driving"]
chances = [0.8, 0.2]

[[context]]
name = "mood"
values = ["good", "so so"]
chances = [0.5, 0.5]
known = false

[[context]]
name = "weekday"
cycle = ["workday", "workday", "workday", "workday", "workday", "weekend", "weekend"]
each = "1 day"

[[arm]]
name = "walk"
rested = 0.6
wear = 0.5
half_life = 3
when = { weekend = 0.5, driving = false, "so so" = -0.25 }

[[arm]]
name = "read"
rested = 0.5
wear = 0.2
half_life = 1
"""


def read(text: str, tmp_path: Path, load: Any = rw.load_world) -> Any:
    path = tmp_path / "world.toml"
    path.write_text(text)
    return load(path)


def test_a_world_file_says_what_contexts_are_and_what_policies_are_told(tmp_path: Path) -> None:
    world = read(FILE, tmp_path)
    place, mood, weekday = world.contexts
    assert (place.chances, mood.chances, weekday.each) == ((0.8, 0.2), (0.5, 0.5), "1 day")
    assert world.problem.contexts == (place, rw.Context("mood", ["good", "so so"]), weekday)
    assert world.arms[0].when == {"weekend": 0.5, "driving": False, "so so": -0.25}
    days = days_of(world)
    assert days.turning(9)["weekday"] == "workday"
    assert days.turning(10)["weekday"] == days.turning(13)["weekday"] == "weekend"


def same(one: rw.World, other: rw.World) -> bool:
    parts = (one.contexts, one.problem.contexts), (other.contexts, other.problem.contexts)
    whens = [[arm.when for arm in (*world.arms, *world.problem.arms)] for world in (one, other)]
    return parts[0] == parts[1] and whens[0] == whens[1]


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(world=worlds())
def test_worlds_are_written_and_read_as_they_are(world: rw.World) -> None:
    assert same(world_from_data(world_to_data(world)), world)
    for other in (world.believe(world.arms), world.with_budget(3.0), world.with_outcomes(rw.Outcomes(delay=2))):
        assert same(other, world)
    assert world.with_problem(horizon=9).contexts == world.contexts


def test_names_and_values_may_hold_spaces_quotes_and_dots(tmp_path: Path) -> None:
    context = rw.Context('where "one" is', ["at home", 'the "shop"', "a.b = c", "ü"], chances=[0.25] * 4)
    when: Any = {"at home": 0.5, 'the "shop"': False, "a.b = c": -1e-3, "ü": False}
    problem = rw.Problem(
        [rw.Arm("walk", alpha=0.0, when=when)], [], 9, idle=True, contexts=[rw.Context(context.name, context.values)]
    )
    world = rw.World(problem, [0.0], [[]], contexts=[context])
    again = read(world.to_toml(), tmp_path)
    assert same(again, world)
    assert again.arms[0].when == when
    assert again.to_toml() == world.to_toml()


def test_beliefs_keep_what_contexts_do_unless_they_say_otherwise(tmp_path: Path) -> None:
    beliefs = {
        "half_life = 6": {"weekend": 0.5, "driving": False, "so so": -0.25},
        "A = 0.5\nB = -0.1\nK = 0\nalpha = 0.3\nbeta = 1.0": {"weekend": 0.5, "driving": False, "so so": -0.25},
        'dynamics = "unknown"': {"weekend": 0.5, "driving": False, "so so": -0.25},
        "when = { weekend = -1, driving = false }": {"weekend": -1.0, "driving": False},
        "when = { driving = false }": {"driving": False},
    }
    for belief, when in beliefs.items():
        world = read(f'{FILE}\n[[belief]]\nname = "walk"\n{belief}\n', tmp_path)
        assert world.problem.arms[0].when == when
        assert world.arms[0].when == {"weekend": 0.5, "driving": False, "so so": -0.25}
        assert same(read(world.to_toml(), tmp_path), world)
    shifted = FILE.replace(", driving = false", "")
    world = read(shifted + '\n[[belief]]\nname = "walk"\nwhen = {}\n', tmp_path)
    assert world.problem.arms[0].when is None
    assert same(read(world.to_toml(), tmp_path), world)


def test_an_arm_that_nobody_knows_is_shifted_and_forbidden_all_the_same(tmp_path: Path) -> None:
    world = read(FILE.replace('name = "walk"\n', 'name = "walk"\ndynamics = "unknown"\n'), tmp_path)
    assert world.problem.unknown == ("walk",)
    assert world.problem.arms[0].when == world.arms[0].when


CHANGED = {
    "values of `when`": ("weekend = 0.5", "wekend = 0.5", "value of a context in `when` of arm 'walk'"),
    "true in `when`": ("driving = false", "driving = true", "has true for 'driving'"),
    "a text in `when`": ("driving = false", 'driving = "never"', "what 'driving' adds"),
    "chances": ("[0.8, 0.2]", "[0.8, 0.3]", "chances of context 'place' are [0.8, 0.3]"),
    "too few chances": ("[0.8, 0.2]", "[1.0]", "give 2 numbers, one for each value"),
    "no chances": ("chances = [0.8, 0.2]\n", "", "context 'place' has no chances, and a world needs the truth"),
    "a cycle that is not known": (
        'each = "1 day"',
        'each = "1 day"\nknown = false',
        "known of context 'weekday' is false, and a cycle is always known",
    ),
    "known is no truth value": ("known = false", 'known = "no"', "known of context 'mood'"),
    "no days": ("rounds_per_day = 2\n", "", "horizon"),
    "not whole": ('each = "1 day"', 'each = "6 hours"', "each of context 'weekday'"),
    "another key": ('name = "place"', 'name = "place"\nvaleus = ["a"]', "key of context 'place'"),
    "a belief that allows": (
        '[[context]]\nname = "place"',
        '[[belief]]\nname = "walk"\nwhen = { driving = 0.5 }\n[[context]]\nname = "place"',
        "forbidden in ['driving'] and believed to be in []",
    ),
}


@pytest.mark.parametrize("what", CHANGED)
def test_a_file_that_cannot_be_is_refused_in_a_sentence_with_its_name(what: str, tmp_path: Path) -> None:
    old, new, sentence = CHANGED[what]
    assert old in FILE
    with pytest.raises(rw.InputError) as caught:
        read(FILE.replace(old, new, 1), tmp_path)
    assert sentence in str(caught.value)
    assert "world.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_problem_file_may_leave_chances_out(tmp_path: Path) -> None:
    text = FILE.replace("chances = [0.8, 0.2]\n", "").replace("chances = [0.5, 0.5]\nknown = false\n", "")
    problem = read(text, tmp_path, rw.load_problem)
    assert [context.chances for context in problem.contexts] == [None] * 3
    assert rw.make_policy("roguewk-plan", problem).select(context=["home", "good"]).context == {
        "place": "home",
        "mood": "good",
        "weekday": "workday",
    }
    said = read(FILE.replace("known = false\n", ""), tmp_path, rw.load_problem)
    assert said.contexts[0].chances == (0.8, 0.2)


def test_a_world_needs_the_chances_that_its_problem_leaves_out() -> None:
    told = rw.Context("place", ["home", "out"])
    problem = rw.Problem([rw.Arm("walk", alpha=0.0)], [], 9, contexts=[told])
    with pytest.raises(rw.InputError, match="has no chances, and a world needs the truth: give them, in World"):
        rw.World(problem, [0.0], [[]])
    true = rw.Context("place", ["home", "out"], chances=[0.9, 0.1])
    assert rw.World(problem, [0.0], [[]], contexts=[true]).problem.contexts == (told,)
    with pytest.raises(rw.InputError, match="is another one in the world"):
        rw.World(problem, [0.0], [[]], contexts=[rw.Context("place", ["out", "home"], chances=[0.9, 0.1])])
    with pytest.raises(rw.InputError, match="give those of the problem, with chances"):
        rw.World(problem, [0.0], [[]], contexts=[])
    other = rw.Problem(
        [rw.Arm("walk", alpha=0.0)], [], 9, contexts=[rw.Context("place", ["home", "out"], chances=[0.5, 0.5])]
    )
    with pytest.raises(rw.InputError, match="has other chances in the world than in the problem"):
        rw.World(other, [0.0], [[]], contexts=[true])


def test_a_world_file_is_told_to_add_the_chances_of_a_context() -> None:
    arm = {"name": "walk", "rested": 0.5, "wear": 0.2, "half_life": 2}
    mood = {"name": "mood", "values": ["good", "bad"]}
    with pytest.raises(rw.InputError, match=r"context 'mood' has no chances.*: add `chances = \[...\]`"):
        world_from_data({"horizon": 9, "arm": [arm], "context": [mood]})
