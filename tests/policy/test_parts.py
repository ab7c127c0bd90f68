"""Parts that combine: by name, with their parameters, and what is said when they do not fit."""

import json
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

import roguewk as rw
from roguewk.estimate.costs.none import NONE
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.desk import Desk
from roguewk.part.part import ROLES
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, settle
from roguewk.policy.registry import all_parts, all_recipes
from roguewk.world.game import Game
from tests.judge import coins

PAPER = rw.catalog.paper(budget=100)
HEALTH = rw.catalog.messages(horizon=200)
TRIO = {"rewards": "rogue", "costs": "wilson", "allocate": "lp"}


def test_every_policy_is_made_of_parts_that_have_names() -> None:
    for recipe in all_recipes().values():
        for role, part in zip(ROLES, recipe.trio, strict=True):
            assert part.role == role
            assert all_parts(role)[part.name] is part
        assert recipe.reference, recipe.name
        assert set(recipe.defaults) <= set(recipe.parameters), recipe.name
        assert set(recipe.fixed) <= {key for part in recipe.trio for key in part.parameters}, recipe.name
        assert not recipe.allocate.needs - recipe.rewards.gives - recipe.costs.gives


def test_a_combination_is_what_a_policy_of_the_same_parts_is() -> None:
    parts = {"rewards": "rogue", "costs": "hoeffding", "allocate": "lp"}
    runs = rw.simulate(PAPER, {"named": "roguewk-ucb", "combined": parts, "typed": "rogue/hoeffding/lp"}, curves=True)
    first = runs.curves["named"].arms.tolist()
    assert first == runs.curves["combined"].arms.tolist() == runs.curves["typed"].arms.tolist()


def test_parameters_stand_beside_the_parts() -> None:
    spec = {**TRIO, "radius_scale": 0.1, "resolve": True}
    runs = rw.simulate(PAPER, [spec, "ucb1"], replicates=2)
    assert runs.policies == ("rogue/wilson/lp radius_scale=0.1, resolve=True", "ucb1")
    assert rw.simulate(PAPER, spec, replicates=2).frame()["reward"].tolist() == runs.frame()["reward"].tolist()[:2]


def test_a_combination_is_saved_and_restored() -> None:
    policy = rw.make_policy(TRIO, PAPER.problem, seed=3, cost_rho=0.5)
    for t in range(20):
        policy.update(policy.select(), t % 2, [0.1, 0.2, 0.3])
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert repr(again) == "<policy 'rogue/wilson/lp' for 3 arms, round 20>"
    assert again.parameters == policy.parameters
    assert again.select().probabilities.tolist() == policy.select().probabilities.tolist()


@pytest.mark.parametrize(
    "name",
    [
        *("ucb1/betting/ratio", "kl-ucb/omega-star/lp", "thompson-gauss/beta-sample/kube", "believed/bernstein/plan"),
        *("known/wilson/plan", "rogue-sample/mean/primal-dual", "d-ucb/rad/softmax", "gittins/hoeffding/lp"),
    ],
)
def test_parts_of_different_papers_play_together(name: str) -> None:
    runs = rw.simulate(PAPER, name, replicates=3)
    assert (runs.frame()["plays"] > 50).all()
    assert runs.summary(bound=True)["fraction"][0] > 0.4


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({**TRIO, "rewards": "rouge"}, "unknown part for rewards: 'rouge': did you mean 'rogue'?"),
        ({**TRIO, "costs": "zzz"}, "unknown part for costs: 'zzz': known are "),
        ({"rewards": "rogue", "costs": "wilson"}, "lack allocate: name one each"),
        ({**TRIO, "reward": "rogue"}, "unknown parameter of policy 'rogue/wilson/lp': 'reward'"),
        ({**TRIO, "rewards": 3}, "rewards of a policy is 3: give a non-empty text"),
        (
            "ucb1/hoeffding/plan",
            "'plan' needs an estimate that gives beliefs: take rewards 'believed' or 'known' or 'rogue-sample'",
        ),
        ("believed/none/plan", "'plan' needs an estimate that gives doubts: take costs 'bernstein' or "),
        ("ucb1/none/clipped", "'clipped' needs an estimate that gives posterior: take rewards 'rogue-sample'"),
        ("ucb1/none/ratio", "'ratio' needs an estimate that gives costs: take costs 'bernstein' or "),
        ("shown/none/argmax", "rewards 'shown' are no use to 'argmax': take them with 'dual-descent' or 'given' or "),
        ("rogue/wilson", "'rogue/wilson' is not three parts: write them as rewards/costs/allocate"),
        ({1: "rogue"}, "part of a policy is 1: give a non-empty text"),
    ],
)
def test_parts_that_do_not_fit_get_a_sentence(parts: Any, sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.make_policy(parts, PAPER.problem)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("policy", "world", "sentence"),
    [
        ("thompson-beta", rw.catalog.gaussian(), "'thompson-beta' needs rewards of 0 or 1"),
        ("exp3", rw.catalog.gaussian(), "take 'd-ucb' or 'sw-ucb-gm'"),
        ("omega-ucb", coins(0.4, 0.6), "weighs rewards against costs and the problem has no resource: take"),
        ("kube", coins(0.4, 0.6), "the problem has no resource: take"),
    ],
)
def test_policies_that_do_not_fit_a_world_name_what_would(policy: str, world: rw.World, sentence: str) -> None:
    for call in (lambda: rw.make_policy(policy, world.problem), lambda: rw.simulate(world, policy)):
        with pytest.raises(rw.InputError) as caught:
            call()
        assert sentence in str(caught.value)


def test_parameters_of_no_part_and_fixed_ones_are_refused() -> None:
    with pytest.raises(rw.InputError, match="did you mean 'cost_rho'"):
        rw.make_policy(TRIO, PAPER.problem, cost_roh=1.0)
    with pytest.raises(rw.InputError, match="unknown parameter of policy 'ucb1': 'explore'"):
        rw.make_policy("ucb1", PAPER.problem, explore=0.1)
    with pytest.raises(rw.InputError, match="unknown parameter of policy 'roguewk-plan': 'radius_scale'"):
        rw.make_policy("roguewk-plan", PAPER.problem, radius_scale=0.1)


class Turns(NamedTuple):
    """An allocation from outside the package, with names of fields that the package's own parts do not save."""

    arms: Any  # (1,) whose turn it is
    grid: Vector  # (arm,) turns taken
    spare: Vector  # (arm,) working memory


def _build_turns(problem: rw.Problem) -> Turns:
    arms = len(problem.arms)
    return Turns(np.zeros(1, dtype=np.int64), np.zeros(arms), np.zeros(arms))


@allocate.body(Turns)
def _allocate_turns(part: Turns, desk: Desk, now: Now) -> int:
    desk.prices[:] = 0.0
    desk.shares[:] = 0.0
    desk.shares[part.arms[0]] = 1.0
    return Status.SCHEDULED


@settle.body(Turns)
def _settle_turns(part: Turns, desk: Desk, arm: int) -> None:
    part.grid[arm] += 1.0
    part.arms[0] = (part.arms[0] + 1 + int(part.grid[0]) // 3) % desk.shares.size


def test_a_policy_from_outside_plays_combines_and_is_restored_exactly() -> None:
    turns = rw.Part("allocate", "turns", "each arm in its turn", _build_turns)
    rw.add_policy(
        rw.Recipe("in-turn", "all arms in turn", all_parts("rewards")["mean"], NONE, turns, reference="this test")
    )
    policy = rw.make_policy("in-turn", PAPER.problem)
    for t in range(17):
        policy.update(policy.select(), t % 2, [0.1, 0.2, 0.3])
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert [again.select().arm for _ in range(9)] == [policy.select().arm for _ in range(9)]
    runs = rw.simulate(PAPER, ["in-turn", "ucb1/wilson/turns"], replicates=2, curves=True)
    assert runs.curves["in-turn"].arms[0, 3:9].tolist() == runs.curves["ucb1/wilson/turns"].arms[0, 3:9].tolist()
    with pytest.raises(rw.InputError, match="'ucb1' is the name of a policy that roguewk brings"):
        rw.add_policy(rw.Recipe("ucb1", "mine", *all_recipes()["in-turn"].trio))


def decided(world: rw.World, rounds: int, **parameters: Any) -> tuple[list[rw.Decision], list[list[float]]]:
    """Decisions of ROGUEwK-UCB, and what was spent before each."""
    game, policy = Game(world, 6), rw.make_policy("roguewk-ucb", world.problem, 6, cost_scale=0.05, **parameters)
    decisions, spent = [], []
    for _ in range(rounds):
        spent.append(list(policy.spent))
        decision = policy.select()
        reward, costs = game.play(decision.arm)
        if decision.arm is not None:
            policy.update(decision, reward, costs)
        decisions.append(decision)
    return decisions, spent


@pytest.mark.parametrize("reserve", [0.0, 0.3])
def test_re_solved_budgets_are_what_is_left_per_round_left(reserve: float) -> None:
    problem = HEALTH.problem
    decisions, spent = decided(HEALTH, 120, resolve=True, reserve=reserve)
    binding = 0
    for t, (decision, gone) in enumerate(zip(decisions, spent, strict=True)):
        if t < len(problem.arms):
            continue
        rates = (1 - reserve) * np.maximum(problem.budgets - gone, 0) / (problem.horizon - t)
        best = linprog(
            -decision.reward_bounds,
            np.vstack([decision.cost_bounds.T, np.ones(len(problem.arms))]),
            np.append(rates, 1.0),
            method="highs",
        )
        assert decision.probabilities @ decision.reward_bounds == pytest.approx(-float(best.fun or 0.0), abs=1e-8)
        assert (decision.cost_bounds.T @ decision.probabilities <= rates + 1e-9).all()
        binding += int(decision.probabilities.sum() < 0.99)
    assert binding > 20


@pytest.mark.parametrize("world", [HEALTH, PAPER])
def test_error_diffusion_plays_what_the_program_promises_within_a_few_rounds(world: rw.World) -> None:
    problem = world.problem
    decisions, _ = decided(world, 150, rounding="diffuse")
    promised, played = np.zeros((2, len(problem.arms)))
    for t, decision in enumerate(decisions):
        assert set(decision.probabilities) <= {0.0, 1.0}
        if t < len(problem.arms):
            continue
        plan = rw.solve_lp(decision.reward_bounds, decision.cost_bounds, problem.rates * problem.scales, problem.idle)
        promised += plan.probabilities
        if decision.arm is not None:
            played[decision.arm] += 1
        assert np.abs(promised - played).max() < len(problem.arms)
    assert played.sum() > 20


@pytest.mark.parametrize("policy", ["ucb1", "kl-ucb", "omega-ucb", "rogue-ucb-tuned", "sw-ucb-gm", "ucb-bv2"])
def test_after_a_restart_rounds_are_counted_from_there(policy: str) -> None:
    problem = rw.catalog.paper(budget=1e6).problem
    restarted = rw.make_policy(policy, problem, doubling=20, restart=True)
    for t in range(20):
        restarted.update(restarted.select(), t % 2, [0.2, 0.3, 0.1])
    fresh = rw.make_policy(policy, problem, doubling=20)
    for t in range(15):
        one, other = restarted.select(), fresh.select()
        assert one.reward_bounds.tolist() == other.reward_bounds.tolist()
        assert one.arm == other.arm
        for each, decision in ((restarted, one), (fresh, other)):
            each.update(decision, t % 2, [0.2, 0.3, 0.1])


BAD_RECIPES: list[tuple[dict[str, Any], str]] = [
    ({"name": "a/b/c"}, "has a '/' in its name"),
    ({"rewards": NONE}, "rewards of policy 'mine' is Part"),
    ({"defaults": {"skale": 1.0}}, "unknown parameter of policy 'mine': 'skale': did you mean 'scale'?"),
    ({"defaults": {"scale": -5.0}}, "scale of policy 'mine' is -5.0: give a number of at least 0"),
    ({"setting": "calm"}, "unknown setting of policy 'mine': 'calm'"),
    ({"budget": "none"}, "unknown budget of policy 'mine': 'none'"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD_RECIPES)
def test_a_recipe_that_cannot_be_is_refused(change: dict[str, Any], sentence: str) -> None:
    rewards, costs, allocation = all_recipes()["ucb1"].trio
    given = {"name": "mine", "summary": "my own", "rewards": rewards, "costs": costs, "allocate": allocation, **change}
    with pytest.raises(rw.InputError) as caught:
        rw.Recipe(**given)
    assert sentence in str(caught.value)


class Mute(NamedTuple):
    """A part that joined no verb."""

    numbers: Vector


def test_a_part_without_the_body_it_needs_is_refused_in_a_sentence() -> None:
    _, costs, allocation = all_recipes()["ucb1"].trio
    for build in (lambda problem: Mute(np.zeros(1)), lambda problem: None):
        part = rw.Part("rewards", "mute", "says nothing", build)
        recipe = rw.Recipe("mute", "says nothing", part, costs, allocation)
        with pytest.raises(rw.InputError, match="without reward_bounds: build a NamedTuple and give it a body"):
            recipe.parts(PAPER.problem, recipe.complete({}))


def test_what_would_do_nothing_or_mislead_is_refused() -> None:
    with pytest.raises(rw.InputError, match="restart of policy 'ucb1' is true without doubling"):
        rw.make_policy("ucb1", PAPER.problem, restart=True)
    with pytest.raises(rw.InputError, match="give a list of arms"):
        rw.make_policy("ucb1", PAPER.problem).select(available={"arm 0": False})  # type: ignore[arg-type]  # on purpose
    x0 = [x.tolist() for x in PAPER.x0]
    with pytest.raises(rw.InputError, match="mean costs are below 0 or above a largest_cost"):
        rw.make_policy("clairvoyant", PAPER.problem, x0=x0, costs=[[-0.1, 0, 0]] * 3)
    with pytest.raises(rw.InputError, match="cost_bound of policy 'roguewk-ucb' is"):
        rw.make_policy("roguewk-ucb", PAPER.problem, cost_bound=np.array(["wilson", "x"]))
    assert rw.make_policy({**TRIO, "resolve": True}, PAPER.problem).parameters["resolve"]
