"""What is believed of the arms and what is true of them, kept apart."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.problem.arm import Arm
from roguewk.world.game import Game
from roguewk.world.plain import world_from_data, world_to_data
from roguewk.world.world import World

POLICIES = ["roguewk-ucb", "roguewk-plan", "clairvoyant"]


def slower(arm: Arm, factor: float = 2.0) -> Arm:
    """The arm with a half-life that many times as long."""
    return replace(arm, A=arm.A ** (1 / factor), state=None)


def misled(world: World) -> World:
    return world.believe([slower(arm) for arm in world.arms])


@pytest.fixture(scope="module")
def world() -> World:
    return rw.catalog.one_resource(horizon=150, idle=True)


def test_arms_believed_as_they_are_change_nothing_to_the_last_bit(world: World) -> None:
    same = world.believe([replace(arm) for arm in world.arms])
    assert same.misjudged == ()
    assert world_to_data(same) == world_to_data(world)
    one, other = (rw.simulate(each, POLICIES, replicates=2, seed=3, curves=True) for each in (world, same))
    for policy in POLICIES:
        for mine, theirs in zip(one.curves[policy], other.curves[policy], strict=True):
            assert np.array_equal(mine, theirs)


def test_a_wrong_belief_changes_decisions_but_not_the_world(world: World) -> None:
    wrong = misled(world)
    assert wrong.misjudged == ("dear", "cheap")
    one, other = (rw.simulate(each, POLICIES, replicates=2, seed=3, curves=True) for each in (world, wrong))
    for policy in POLICIES:
        arms = other.curves[policy].arms
        assert not np.array_equal(one.curves[policy].arms, arms)
        for r in range(2):  # the same arms bring the same in the world that nobody is mistaken about
            game = Game(world, 3, r)
            for t, arm in enumerate(arms[r][arms[r] >= -1].tolist()):
                assert np.array_equal(game.states, other.curves[policy].states[r, t])
                assert game.play(None if arm < 0 else arm)[0] == other.curves[policy].rewards[r, t]


def test_policies_without_dynamics_do_not_mind_what_is_believed(world: World) -> None:
    one, other = (rw.simulate(each, ["ucb1", "randomised"], 2, curves=True) for each in (world, misled(world)))
    for policy in ("ucb1", "randomised"):
        assert np.array_equal(one.curves[policy].arms, other.curves[policy].arms)


def test_bounds_exact_optimum_and_schedules_are_those_of_the_truth(world: World) -> None:
    assert rw.upper_bound(misled(world)).value == rw.upper_bound(world).value
    problem = rw.Problem([rw.Arm("call", A=0.5, B=-1.0, K=0.5)], [rw.Resource("staff", 2.0)], horizon=4, idle=True)
    tiny = rw.World(problem, [0.0], [[1.0]])
    wrong = tiny.believe([rw.Arm("call", A=0.1, B=-3.0, K=0.5)])
    assert rw.exact(wrong).value == rw.exact(tiny).value
    one, other = rw.theorem(tiny), rw.theorem(wrong)
    assert one.schedule is not None
    assert other.schedule is not None
    assert one.schedule.reward == other.schedule.reward
    assert [row.value for row in one.rows] == [row.value for row in other.rows]


def test_the_check_uses_the_true_constants_and_says_that_beliefs_are_wrong(world: World) -> None:
    report, wrong = rw.check_assumptions(world), rw.check_assumptions(misled(world))
    assert wrong.constants == report.constants
    assert [check.label for check in wrong.checks] == [*(check.label for check in report.checks), "K"]
    assert "Policies believe otherwise of 'dear', 'cheap' than is true." in wrong.checks[-1].sentence
    assert rw.check_assumptions(misled(world).problem).constants != report.constants


class Fed:
    """Plays roguewk-ucb, and is told a reward of its own making, whatever the world says."""

    decisions: list[list[Any]]

    def __init__(self, problem: rw.Problem, seed: int) -> None:
        self.policy = rw.make_policy("roguewk-ucb", problem, seed)
        self.arms: list[Any] = []
        self.decisions.append(self.arms)

    def select(self) -> Any:
        decision = self.policy.select()
        self.arms.append((decision.arm, decision.reward_bounds.tolist(), decision.probabilities.tolist()))
        return decision

    def update(self, decision: Any, reward: float, costs: Any) -> None:
        self.policy.update(decision, float(decision.round % 3 == 0), costs)


def test_two_truths_behind_one_belief_cannot_be_told_apart_but_by_their_rewards(world: World) -> None:
    other = World(world.problem, world.x0, world.costs, [slower(arm).with_state((-9, 9)) for arm in world.arms])
    assert other.problem is world.problem
    Fed.decisions = []
    for each in (world, other):
        rw.simulate(each, Fed, replicates=1, threads=1)
    assert Fed.decisions[0] == Fed.decisions[1]


def test_who_is_told_the_start_is_told_the_nearest_one_that_is_believed_possible(world: World) -> None:
    narrow = world.believe([arm.with_state((-0.5, 0.5)) for arm in world.arms])
    assert float(world.x0[0][0]) < -0.5
    told, given = "clairvoyant", ("clairvoyant", {"x0": [[-0.5], [world.x0[1].item()]]})
    runs = rw.simulate(narrow, {"told": told, "given": given}, replicates=1, curves=True)
    assert np.array_equal(runs.curves["told"].arms, runs.curves["given"].arms)
    flat = rw.catalog.two_dimensional(horizon=20)
    scalar = flat.believe([rw.Arm(arm.name, A=0.5, B=-0.5) for arm in flat.arms])
    with pytest.raises(
        rw.InputError, match="arm 'sprint' starts in a state of 2 coordinates and is believed to have 1"
    ):
        rw.simulate(scalar, "clairvoyant", replicates=1)
    assert rw.simulate(scalar, "roguewk-ucb", replicates=1, curves=True).curves["roguewk-ucb"].states.shape[-1] == 2


@pytest.mark.parametrize(
    ("arms", "sentence"),
    [
        ([], "the arms are ['dear', 'cheap'] and believed to be []: give the same names in the same order"),
        (
            [rw.Arm("cheap", A=0.5), rw.Arm("dear", A=0.5)],
            "believed to be ['cheap', 'dear']: give the same names in the same order",
        ),
        (
            [rw.Arm("dear", A=0.5), rw.Arm("cheap", A=0.5, family="gaussian", sigma=1.0)],
            "arm 'cheap' is bernoulli and believed to be",
        ),
        ([1, 2], "the arms are [1, 2]: give a list of rw.Arm"),
    ],
)
def test_beliefs_about_other_arms_are_refused(world: World, arms: Any, sentence: str) -> None:
    for call in (world.believe, world.problem.believe):
        with pytest.raises(rw.InputError) as caught:
            call(arms)
        assert sentence in str(caught.value)


def test_arms_are_no_part_of_the_problem_that_can_be_exchanged_in_a_world(world: World) -> None:
    with pytest.raises(rw.InputError, match=r"use world.believe\(arms\), or make another rw.World"):
        world.with_problem(arms=world.arms)


def test_other_budgets_and_horizons_keep_belief_and_truth(world: World) -> None:
    wrong = misled(world)
    other = wrong.with_budget(3.0).with_problem(horizon=7)
    assert other.arms == wrong.arms == world.arms
    assert other.problem.arms == wrong.problem.arms


WALK: dict[str, Any] = {"name": "walk", "rested": 0.6, "wear": 0.5, "half_life": 2, "start": 0.2, "costs": [0.1]}
CALL: dict[str, Any] = {
    "name": "call", "A": 0.2, "B": -0.5, "K": 0.8, "alpha": 0.2, "beta": 0.8, "x0": 0.1, "state": [-2, 2],
    "costs": [0.3],
}  # fmt: skip
DATA: dict[str, Any] = {"horizon": 20, "resource": [{"name": "staff", "budget": 5}], "arm": [WALK, CALL]}


def with_belief(*tables: Any) -> dict[str, Any]:
    return {**DATA, "belief": list(tables)}


def test_a_file_says_only_what_is_believed_to_be_different() -> None:
    world = world_from_data(with_belief({"name": "walk", "half_life": 4}, {"name": "call", "B": -1.0}))
    walk, call = world.problem.arms
    judge = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=4)
    assert (walk.A, walk.B, walk.alpha) == (judge.A, judge.B, judge.alpha)
    assert walk.box[0, 0] <= world.x0[0][0]  # X holds the start, as the true one's does
    assert (call.A, call.B, call.K, call.state) == (0.2, -1.0, 0.8, (-2.0, 2.0))
    assert [arm.A for arm in world.arms] == [arm.A for arm in world_from_data(DATA).arms]
    assert world.misjudged == ("walk", "call")


def test_a_belief_in_other_shifts_inherits_what_is_forbidden_and_cannot_say_otherwise() -> None:
    place = {"name": "place", "values": ["home", "driving", "gym"], "chances": [0.5, 0.3, 0.2]}
    walk = {**WALK, "when": {"gym": 0.8, "driving": False}}

    def world_of(when: Any) -> rw.World:
        tables = [{"name": "walk", "when": when}]
        return world_from_data({**DATA, "idle": True, "context": [place], "arm": [walk, CALL], "belief": tables})

    told: Any = ({"gym": 0.1}, {"gym": 0.1, "driving": False})
    for when in told:
        world = world_of(when)
        assert world.problem.arms[0].when == {"gym": 0.1, "driving": False}
        assert world.arms[0].when == {"gym": 0.8, "driving": False}
        assert world_to_data(world_from_data(world_to_data(world))) == world_to_data(world)
    assert world_of({}).problem.arms[0].when == {"driving": False}
    refused: Any = (({"driving": 0.3}, r"\[\]"), ({"home": False}, r"\['driving', 'home'\]"))
    for when, believed in refused:
        with pytest.raises(rw.InputError, match=rf"is forbidden in \['driving'\] and believed to be in {believed}"):
            world_of(when)


def test_the_same_numbers_believed_are_no_belief_in_the_data() -> None:
    world = world_from_data(with_belief({"name": "walk", "half_life": 2}, {"name": "call"}))
    assert world.misjudged == ()
    assert world_to_data(world) == world_to_data(world_from_data(DATA))
    assert "belief" not in world_to_data(world)


def test_a_belief_of_the_other_form_is_complete_in_itself() -> None:
    full: dict[str, Any] = {"name": "call", "rested": 0.7, "wear": 0.2, "half_life": 3}
    believed = world_from_data(with_belief(full)).problem.arms[1]
    assert (believed.A, believed.K, believed.state) == (
        pytest.approx(0.5 ** (1 / 3)),
        0.0,
        rw.everyday_arm(**full).state,
    )


@pytest.mark.parametrize(
    "tables",
    [
        [{"name": "walk", "half_life": 4}],
        [{"name": "call", "state": [-3, 3]}, {"name": "walk", "wear": 0.1, "state": [-5, 1]}],
        [{"name": "call", "rested": 0.7, "wear": 0.2, "half_life": 3}],
        [
            {
                "name": "call",
                "A": [[0.5, 0.0], [0.1, 0.8]],
                "B": [-1, 0],
                "K": [0, 0],
                "beta": [1, 1],
                "state": [[-3, 3]] * 2,
            }
        ],
    ],
)
def test_a_world_with_beliefs_comes_back_exactly(tables: list[dict[str, Any]]) -> None:
    world = world_from_data(with_belief(*tables))
    data = world_to_data(world)
    assert [set(each) - {"name"} for each in data["belief"]]
    again = world_from_data(json.loads(json.dumps(data)))
    assert world_to_data(again) == data
    for one, other in zip((*world.arms, *world.problem.arms), (*again.arms, *again.problem.arms), strict=True):
        assert np.array_equal(one.box, other.box)
        assert np.array_equal(one.matrix, other.matrix)
        assert one.alpha == other.alpha


BAD: list[tuple[dict[str, Any], str]] = [
    (
        with_belief({"name": "walk", "x0": 1.0}),
        "belief 'walk' has 'x0': leave it out, costs and states are learned and",
    ),
    (with_belief({"name": "walk", "costs": [1]}), "belief 'walk' has 'costs': leave it out"),
    (with_belief({"name": "walk", "start": 0.5}), "belief 'walk' has 'start': leave it out"),
    (with_belief({"name": "wlak", "wear": 1}), "unknown arm of belief 'wlak': 'wlak': did you mean 'walk'?"),
    (with_belief({"wear": 1}), "belief number 1 has no 'name'"),
    (with_belief(3), "belief number 1 is 3"),
    ({**DATA, "belief": 3}, "belief is 3: write each one as a table [[belief]]"),
    (with_belief({"name": "walk"}, {"name": "walk"}), "'walk' is the name of two beliefs"),
    (with_belief({"name": "walk", "A": 0.5}), "belief: arm 'walk' has no 'B'"),
    (with_belief({"name": "call", "wear": 0.5}), "belief: arm 'call' has no 'rested'"),
    (with_belief({"name": "call", "A": 0.5, "wear": 0.5}), "belief: arm 'call' has both 'A' and 'wear'"),
    (with_belief({"name": "call", "A": 1.5}), "belief: A of arm 'call' does not contract"),
    (
        with_belief({"name": "call", "family": "gaussian"}),
        "belief 'call' has another 'family': leave it out",
    ),
    (
        with_belief({"name": "call", "halflife": 1}),
        "unknown key of belief 'call': 'halflife': did you mean 'half_life'?",
    ),
]


@pytest.mark.parametrize(("data", "sentence"), BAD, ids=[sentence[:40] for _, sentence in BAD])
def test_a_mistaken_belief_table_gets_one_sentence(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        world_from_data(data, "world.toml")
    assert str(caught.value).startswith("world.toml: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


FILE = """
horizon = 60

[[resource]]
name = "staff"
budget = 9

[[arm]]
name = "walk"
rested = 0.6
wear = 0.5
half_life = 2
costs = [0.3]

[[arm]]
name = "call"
rested = 0.8
wear = 1.0
half_life = 4
costs = [0.4]
"""


def test_the_command_line_shows_what_a_wrong_belief_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*words: str) -> list[str]:
        assert cli.main([*words, "--idle"]) == 0
        return capsys.readouterr().out.splitlines()

    right, wrong = tmp_path / "right.toml", tmp_path / "wrong.toml"
    right.write_text(FILE)
    wrong.write_text(FILE + '\n[[belief]]\nname = "call"\nhalf_life = 20\n')
    assert printed("bound", str(right)) == printed("bound", str(wrong))
    assert any(line.startswith("K  no       The dynamics are known") for line in printed("check", str(wrong)))
    played = [
        printed("simulate", str(path), "--policies", "clairvoyant", "--replicates", "3") for path in (right, wrong)
    ]
    assert played[0] != played[1]
