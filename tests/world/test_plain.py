import copy
import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roguewk.bounds.assumptions import check_assumptions
from roguewk.problem.arm import Arm
from roguewk.problem.errors import InputError
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world import catalog
from roguewk.world.cost import Cost
from roguewk.world.plain import world_from_data, world_to_data
from roguewk.world.world import World

CALL: dict[str, Any] = {
    "name": "call", "A": 0.2, "B": -0.5, "K": 0.8, "alpha": 0.2, "beta": 0.8, "x0": 0.1,
    "costs": [{"uniform": [0.1, 0.2]}, 3],
}  # fmt: skip
WALK: dict[str, Any] = {
    "name": "walk", "rested": 0.6, "wear": 0.5, "half_life": 2, "start": 0.4,
    "costs": [{"choices": [0.1, 0.4], "weights": [1, 2]}, {"beta": [2, 3, 7.5]}],
}  # fmt: skip
PAIR: dict[str, Any] = {
    "name": "pair", "A": [[0.5, 0.0], [0.1, 0.8]], "B": [-1.0, -0.1], "K": [0.0, 0.1], "alpha": 1, "beta": [1, 0.5],
    "x0": [-0.5, -0.2], "state": [[-4, 1], [-4.0, 1]], "family": "gaussian", "sigma": 0.7,
    "costs": [{"bernoulli": 0.3}, {"bernoulli": [0.2, 4]}],
}  # fmt: skip
GOOD: dict[str, Any] = {
    "horizon": 1000,
    "idle": True,
    "resource": [{"name": "staff", "budget": 300, "largest_cost": 1.5}, {"name": "euros", "budget": 900.0}],
    "arm": [CALL, WALK, PAIR],
}


def changed(*path: Any, to: Any = None, drop: bool = False) -> dict[str, Any]:
    """The good data with one value replaced or dropped."""
    data = copy.deepcopy(GOOD)
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    if drop:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return data


def test_a_world_file_says_what_it_means() -> None:
    world = world_from_data(GOOD)
    assert world.problem.idle is True
    assert world.problem.budgets.tolist() == [300.0, 900.0]
    assert world.costs[0] == (Cost.uniform(0.1, 0.2), Cost.fixed(3.0))
    assert world.costs[1] == (Cost.choices([0.1, 0.4], [1, 2]), Cost.beta(2, 3, 7.5))
    assert world.costs[2] == (Cost.bernoulli(0.3), Cost.bernoulli(0.2, 4.0))
    assert world.problem.arms[2].state == ((-4.0, 1.0), (-4.0, 1.0))


def test_the_largest_cost_is_found_when_it_is_not_given() -> None:
    assert world_from_data(GOOD).problem.scales.tolist() == [1.5, 7.5]
    cheap = {"horizon": 9, "resource": [{"name": "staff", "budget": 3}], "arm": [{**CALL, "costs": [0.2]}]}
    assert world_from_data(cheap).problem.scales.tolist() == [0.2]
    free = {**cheap, "arm": [{**CALL, "costs": [0.0]}]}
    assert world_from_data(free).problem.scales.tolist() == [1.0]


def test_the_state_set_grows_to_hold_x0_when_it_is_not_given() -> None:
    low, high = world_from_data(GOOD).problem.arms[0].state
    assert low <= 0.1
    assert high >= 1.0


def test_an_everyday_arm_starts_with_its_start_and_otherwise_rested() -> None:
    world = world_from_data(GOOD)
    level = world.problem.arms[1].alpha + float(world.x0[1][0])
    assert 1 / (1 + math.exp(-level)) == pytest.approx(0.4)
    assert world_from_data(changed("arm", 1, "start", drop=True)).x0[1].tolist() == [0.0]


def test_a_file_without_resources_needs_no_costs() -> None:
    arm = {key: value for key, value in CALL.items() if key != "costs"}
    world = world_from_data({"horizon": 10, "arm": [arm]})
    assert world.problem.resources == ()
    assert world.problem.idle is False


@pytest.mark.parametrize("world", [world_from_data(GOOD), *map(catalog.get, catalog.names())])
def test_worlds_and_problems_come_back_exactly_from_json(world: World) -> None:
    data = world_to_data(world)
    again = world_from_data(json.loads(json.dumps(data)))
    assert world_to_data(again) == data
    assert again.costs == world.costs
    known = problem_to_data(world.problem)
    assert problem_to_data(problem_from_data(json.loads(json.dumps(known)))) == known
    for old, new in zip(world.problem.arms, again.problem.arms, strict=True):
        assert (old.box == new.box).all()
        assert (old.matrix == new.matrix).all()


def test_a_problem_as_data_holds_no_truth() -> None:
    text = json.dumps(problem_to_data(world_from_data(GOOD).problem))
    assert not any(word in text for word in ("x0", "costs", "start"))
    with pytest.raises(InputError, match="unknown key of arm 'call': 'x0'"):
        problem_from_data(GOOD)


def test_functions_cannot_be_written_down() -> None:
    arm = Arm("own", h=lambda x, pulled: 0.5 * x, state=(-1, 1))
    with pytest.raises(InputError, match="pass the problem itself"):
        problem_to_data(Problem([arm], [Resource("staff", 1.0)], 10))


def test_worn_in_place_of_wear_says_how_an_arm_wears_off() -> None:
    table = {key: value for key, value in WALK.items() if key != "wear"} | {"worn": 0.2}
    arm = world_from_data(changed("arm", 1, to=table)).arms[1]
    assert arm.B == everyday_arm("walk", rested=0.6, worn=0.2, half_life=2).B
    for data, sentence in (
        (changed("arm", 1, "worn", to=0.2), "arm 'walk' has both 'wear' and 'worn': give one of them"),
        (changed("arm", 1, to=table | {"worn": 1.2}), "worn of arm 'walk' is 1.2: give a mean reward strictly between"),
        (changed("arm", 0, "worn", to=0.2), "arm 'call' has both 'A' and 'worn'"),
    ):
        with pytest.raises(InputError) as caught:
            world_from_data(data)
        assert sentence in str(caught.value)


@pytest.mark.parametrize("told", [{"worn": 0.3}, {"wear": 0.1}, {"half_life": 6}])
@pytest.mark.parametrize("use", [{"worn": 0.2}, {"wear": 0.5}])
def test_a_belief_tells_wear_or_worn_in_place_of_what_the_arm_has(
    use: dict[str, float], told: dict[str, float]
) -> None:
    table = {key: value for key, value in WALK.items() if key != "wear"} | use
    data = changed("arm", 1, to=table) | {"belief": [{"name": "walk", **told}]}
    judge: dict[str, Any] = {"rested": 0.6, "half_life": 2, **({} if {"wear", "worn"} & told.keys() else use), **told}
    assert world_from_data(data).problem.arms[1].B == everyday_arm("walk", **judge).B


def test_costs_by_the_names_of_resources_are_those_of_a_list_in_their_order() -> None:
    named = changed("arm", 0, "costs", to={"euros": 3, "staff": {"uniform": [0.1, 0.2]}})
    assert world_to_data(world_from_data(named)) == world_to_data(world_from_data(GOOD))
    world = world_from_data(GOOD)
    rows = [{"euros": row[1], "staff": row[0]} for row in world.costs]
    assert World(world.problem, world.x0, rows).costs == world.costs
    assert World(world.problem, world.x0, [{"euros": 1.5, "staff": 0}] * 3).mean_costs.tolist() == [[0, 1.5]] * 3


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ({"staff": 1}, "the costs of arm 'call' do not name resource 'euros': add it, with 0 if a pull takes none"),
        ({"staff": 1, "euro": 1}, "unknown resource in the costs of arm 'call': 'euro': did you mean 'euros'?"),
        ({}, "the costs of arm 'call' do not name resource 'staff'"),
    ],
)
def test_costs_by_wrong_names_are_refused_in_files_and_in_python(costs: dict[str, Any], sentence: str) -> None:
    world = world_from_data(GOOD)
    with pytest.raises(InputError) as caught:
        world_from_data(changed("arm", 0, "costs", to=costs))
    assert sentence in str(caught.value)
    with pytest.raises(InputError) as caught:
        World(world.problem, world.x0, [costs, *world.costs[1:]])
    assert sentence in str(caught.value)


BAD: list[tuple[dict[str, Any], str]] = [
    (changed("horizon", drop=True), "the world has no 'horizon'"),
    (changed("horizon", to=0), "horizon is 0"),
    (changed("horizon", to="long"), "horizon is 'long'"),
    (changed("horizon", to=1e3), "horizon is 1000.0"),
    (changed("idle", to=1), "idle is 1: give true or false"),
    (changed("arms", to=[]), "unknown key of the world: 'arms': did you mean 'arm'?"),
    (changed("arm", to=3), "arm is 3: write each one as a table [[arm]]"),
    (changed("arm", to={"name": "call"}), "write each one as a table [[arm]]"),
    (changed("arm", to=[]), "the world has no arm: add an [[arm]] table"),
    (changed("arm", drop=True), "the world has no arm"),
    (changed("arm", 0, to=7), "arm number 1 is 7"),
    (changed("arm", 0, "name", drop=True), "arm number 1 has no 'name'"),
    (changed("arm", 0, "name", to=3), "name of an arm is 3"),
    (changed("arm", 0, "name", to="walk"), "'walk' is the name of two arms"),
    (changed("arm", 0, "beta", drop=True), "arm 'call' has no 'beta': add `beta = ...`"),
    (changed("arm", 0, "x0", drop=True), "arm 'call' has no 'x0'"),
    (changed("arm", 0, "costs", drop=True), "arm 'call' has no 'costs'"),
    (changed("arm", 0, "betta", to=1), "unknown key of arm 'call': 'betta': did you mean 'beta'?"),
    (changed("arm", 0, "wear", to=1), "arm 'call' has both 'A' and 'wear'"),
    (changed("arm", 1, "x0", to=0.0), "arm 'walk' has both 'x0' and 'rested'"),
    (changed("arm", 1, "half_life", drop=True), "arm 'walk' has no 'half_life'"),
    (changed("arm", 1, to={"name": "walk", "dynamics": "unknown"}), "a world needs the truth: add rested, wear and"),
    (changed("arm", 1, to={"name": "walk", "like": "call"}), "or read the file with rw.load_problem"),
    (changed("arm", 1, "start", to=1.5), "start of arm 'walk' is 1.5"),
    (changed("arm", 0, "A", to=1.0), "A of arm 'call' does not contract"),
    (changed("arm", 0, "A", to=math.nan), "A of arm 'call' is nan"),
    (changed("arm", 0, "A", to="0.2"), "A of arm 'call' is '0.2': give numbers"),
    (changed("arm", 2, "A", to=[[0.5], [0.1, 0.2]]), "A of arm 'pair'"),
    (changed("arm", 2, "B", to=[1.0]), "B of arm 'pair' has shape (1,): give 2 numbers"),
    (changed("arm", 0, "alpha", to=math.inf), "alpha of arm 'call' is inf: give a finite number"),
    (changed("arm", 0, "x0", to=math.nan), "x0 of arm 'call' is nan"),
    (changed("arm", 0, "x0", to=1e9), "state of arm 'call' spans"),
    (changed("arm", 2, "x0", to=[-9.0, 0.0]), "x0 [-9.0, 0.0] of arm 'pair' is outside its state set"),
    (changed("arm", 0, "state", to=[2, 1]), "state of arm 'call' is"),
    (changed("arm", 0, "family", to="weibull"), "unknown family of arm 'call': 'weibull'"),
    (changed("arm", 0, "costs", to="free"), "costs of arm 'call' is 'free': give a list"),
    (changed("arm", 0, "costs", to=[0.1]), "arm 'call' has 1 costs for 2 resources"),
    (changed("arm", 0, "costs", 0, to="free"), "cost of arm 'call' on 'staff': a fixed cost is 'free'"),
    (changed("arm", 0, "costs", 0, to=-0.1), "cost of arm 'call' on 'staff': a fixed cost is -0.1"),
    (changed("arm", 0, "costs", 0, to={"unifrom": [0, 1]}), "did you mean 'uniform'?"),
    (
        changed("arm", 0, "costs", 0, to={"normal": [0, 1]}),
        "unknown key of cost of arm 'call' on 'staff': 'normal': did you mean 'uniform'? (known are fixed, uniform, ",
    ),
    (changed("arm", 0, "costs", 0, to={}), "cost of arm 'call' on 'staff': found nothing"),
    (changed("arm", 0, "costs", 0, to={"fixed": 1, "beta": [1, 1]}), "found fixed, beta: give exactly one"),
    (changed("arm", 0, "costs", 0, to={"uniform": [0.1]}), "uniform has 1 numbers: give 2"),
    (changed("arm", 0, "costs", 0, to={"uniform": [0.2, 0.1]}), "give the lower end first"),
    (changed("arm", 0, "costs", 0, to={"choices": [1, 2], "weights": [0.5, 0.6]}), "add up to 1.1: make them add up"),
    (changed("arm", 0, "costs", 0, to={"choices": 3}), "choices are 3"),
    (changed("arm", 0, "costs", 0, to={"fixed": 1, "weights": [1]}), "found fixed, weights"),
    (changed("arm", 0, "costs", 0, to=9.0), "cost 9 of arm 'call' on 'staff' is outside [0, 1.5]"),
    (changed("resource", to="staff"), "resource is 'staff': write each one as a table [[resource]]"),
    (changed("resource", 0, to="staff"), "resource number 1 is 'staff'"),
    (changed("resource", 0, "budget", to=0), "budget of resource 'staff' is 0"),
    (changed("resource", 0, "budget", to=-5.0), "budget of resource 'staff' is -5.0: give a positive number"),
    (changed("resource", 0, "budget", drop=True), "resource 'staff' has no 'budget'"),
    (changed("resource", 0, "buget", to=3), "unknown key of resource 'staff': 'buget': did you mean 'budget'?"),
    (changed("resource", 0, "largest_cost", to=math.nan), "largest_cost of resource 'staff' is nan"),
    (changed("resource", 1, "name", to="staff"), "'staff' is the name of two resources"),
    (changed("horizon", to=16**5000), "a whole number has"),
]


@pytest.mark.parametrize(("data", "hint"), BAD, ids=[hint[:40] for _, hint in BAD])
def test_a_mistake_is_told_in_one_sentence_that_names_the_file(data: dict[str, Any], hint: str) -> None:
    with pytest.raises(InputError) as caught:
        world_from_data(data, "world.toml")
    message = str(caught.value)
    assert message.startswith("world.toml: ")
    assert hint in message
    assert "\n" not in message


@pytest.mark.parametrize("data", [None, 3, [], "text", {1: 2}, {}])
def test_data_that_is_no_table_is_refused(data: Any) -> None:
    for read in (world_from_data, problem_from_data):
        with pytest.raises(InputError, match=r"^state\.json: "):
            read(data, "state.json")


def test_deeply_nested_data_is_refused() -> None:
    nest: Any = 1
    for _ in range(5000):
        nest = [nest]
    with pytest.raises(InputError, match="nested"):
        world_from_data(changed("arm", 0, "A", to=nest))


NUMBERS = st.one_of(st.integers(-3, 3), st.integers(), st.floats(), st.sampled_from([0.5, 1e308, 5e-324, 16**3000]))
LEAVES = st.one_of(NUMBERS, st.booleans(), st.text(max_size=8), st.dates(), st.times(), st.datetimes())
KEYS = st.one_of(st.text(max_size=5), st.sampled_from(["A", "state", "sigma", "weights", "fixed", "rested", "costs"]))
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)), max_leaves=6
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in the data."""
    pairs = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    return [(data, key) for key, _ in pairs] + [place for _, value in pairs for place in places(value)]


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_whatever_toml_can_hold_gives_a_world_or_one_sentence(draw: st.DataObject) -> None:
    data = copy.deepcopy(GOOD)
    for _ in range(draw.draw(st.integers(1, 3))):
        container, key = draw.draw(st.sampled_from(places(data) or [(data, "horizon")]))
        change = draw.draw(st.sampled_from(["replace", "nudge", "drop", "add"]))
        if change == "drop":
            container.pop(key, None) if isinstance(container, dict) else container.pop(key)
        elif change == "add" and isinstance(container, dict):
            container[draw.draw(KEYS)] = draw.draw(VALUES)
        else:
            container[key] = draw.draw(NUMBERS if change == "nudge" else VALUES)
    message = ""
    try:
        world = world_from_data(data, "world.toml")
    except InputError as error:
        message = str(error)
    if message:
        assert message.startswith("world.toml: ")
        assert "\n" not in message
    else:
        written = json.loads(json.dumps(world_to_data(world)))
        assert world_to_data(world_from_data(written)) == world_to_data(world)
        json.dumps(check_assumptions(world).to_data(), allow_nan=False)
