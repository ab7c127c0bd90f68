"""What every policy does in every world of the catalogue."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.engine.simulate import told_problem, told_truth
from roguewk.policy.registry import all_recipes
from roguewk.problem.errors import InputError
from roguewk.world.game import Game

ROUNDS = 90
WORLDS = rw.catalog.names()
POLICIES = list(all_recipes())
# Policies that may learn the dynamics, where doing so takes another way.
LEARNING = {f"{name}, learned": name for name in ("whittle", "recharging")}
PAIRS = [(policy, world) for policy in (*POLICIES, *LEARNING) for world in WORLDS]


@cache
def world_of(name: str) -> rw.World:
    """A world with budgets that a few dozen pulls use up."""
    world = rw.catalog.get(name, horizon=ROUNDS)
    return world.with_budget([0.6 * resource.budget for resource in world.problem.told])


def drawn(game: Game) -> dict[str, str] | None:
    """What is said of the contexts of a round: of cycles nothing."""
    said = {context.name: game.context[context.name] for context in game.world.contexts if context.drawn}
    return said or None


def asked(policy: str) -> tuple[str, dict[str, Any]]:
    """A policy's own name, and what it is asked for."""
    return (LEARNING[policy], {"dynamics": "learned"}) if policy in LEARNING else (policy, {})


def made(policy: str, world: rw.World, seed: int) -> rw.Policy:
    name, own = asked(policy)
    recipe = all_recipes()[name]
    return rw.make_policy(name, told_problem(world, recipe), seed, **told_truth(world, recipe.complete(own)))


def refusal(policy: str, world: rw.World) -> str:
    """Why a policy does not fit a world; empty if it does."""
    recipe = all_recipes()[asked(policy)[0]]
    try:
        for part in recipe.trio:
            part.check(world.problem)
    except InputError as error:
        return str(error)
    return ""


def tell(player: rw.Policy, decision: rw.Decision, reward: float, costs: Any) -> None:
    """What a round brought, an idle one too if that is anything."""
    if decision.arm is not None:
        player.update(decision, reward, costs)
    elif player.problem.baseline is not None and not player.problem.baseline.known:
        player.update(decision, reward)


def played(policy: str, world: rw.World, seed: int) -> tuple[list[rw.Decision], list[dict[str, Any]]]:
    """Decisions round by round until the game is over, and the policy's state after each third of the rounds."""
    game, player = Game(world, seed), made(policy, world, seed)
    decisions, states = [], []
    for t in range(ROUNDS):
        if t % (ROUNDS // 3) == 0:
            states.append(player.state())
        decision = player.select(context=drawn(game))
        if player.round == t:
            break
        tell(player, decision, *game.play(decision.arm))
        decisions.append(decision)
    return decisions, states


@pytest.mark.parametrize(("policy", "name"), PAIRS)
def test_every_policy_follows_the_protocol_in_every_world(policy: str, name: str) -> None:
    world = world_of(name)
    problem, sentence = world.problem, refusal(policy, world)
    if sentence:
        assert ": take " in sentence
        with pytest.raises(InputError) as caught:
            rw.simulate(world, {policy: asked(policy)}, replicates=1)
        assert str(caught.value) == f"policy {asked(policy)[0]!r} does not fit: {sentence}"
        return
    runs = rw.simulate(world, {policy: asked(policy)}, replicates=3, seed=5, curves=True, threads=2)
    curves, frame = runs.curves[policy], runs.frame()
    budgets = np.where(problem.hard, np.inf, problem.budgets * (1 + 1e-9))  # tests/problem has what renews
    for r in range(3):
        rounds = int(frame["rounds"][r])
        spent = curves.costs[r, :rounds].cumsum(axis=0)
        assert (spent[:-1] <= budgets).all()
        assert (frame["stopped_by"][r] == "horizon") == bool((spent[-1] <= budgets).all())
        if not problem.idle:
            assert (curves.arms[r, :rounds] >= 0).all()
    decisions, states = played(policy, world, seed=5)
    arms = [-1 if decision.arm is None else decision.arm for decision in decisions]
    assert arms == curves.arms[0, : len(arms)].tolist()
    _check_probabilities(decisions, problem)
    _check_restoring(states, decisions, world, seed=5)


def _check_probabilities(decisions: list[rw.Decision], problem: rw.Problem) -> None:
    shares = np.array([decision.probabilities for decision in decisions])
    assert (shares >= 0).all()
    totals = shares.sum(axis=1)
    assert (totals <= 1 + 1e-9).all()
    if not problem.idle:
        assert totals == pytest.approx(np.ones(len(decisions)), abs=1e-9)
    pulled = np.array([[a == decision.arm for a in range(len(problem.arms))] for decision in decisions])
    assert not (pulled & (shares <= 0)).any()
    spread = np.sqrt((shares * (1 - shares)).sum(axis=0))
    surprise = np.abs((pulled - shares).sum(axis=0))
    assert (surprise <= 4.5 * spread + 1.5).all()  # and one that was most unlikely


def _check_restoring(states: list[dict[str, Any]], decisions: list[rw.Decision], world: rw.World, seed: int) -> None:
    """Every saved state goes on exactly as the policy did."""
    for i, state in enumerate(states):
        player = rw.restore_policy(json.loads(json.dumps(state)))
        game = Game(world, seed)
        begin = i * (ROUNDS // 3)
        for decision in decisions[:begin]:
            game.play(decision.arm)
        for decision in decisions[begin : begin + 12]:
            again = player.select(context=drawn(game))
            assert (again.arm, again.status) == (decision.arm, decision.status)
            assert again.probabilities.tolist() == decision.probabilities.tolist()
            assert again.reward_bounds.tolist() == decision.reward_bounds.tolist()
            tell(player, again, *game.play(again.arm))


@pytest.mark.parametrize("policy", [*POLICIES, *LEARNING])
def test_every_policy_keeps_to_the_arms_that_are_available(policy: str) -> None:
    world = world_of("messages" if refusal(policy, world_of("paper")) else "paper")
    player, names = made(policy, world, 3), [arm.name for arm in world.problem.arms]
    rng = np.random.default_rng(1)
    for _ in range(40):
        available = [name for name in names if rng.random() < 0.5]
        decision = player.select(available=available)
        assert decision.name is None or decision.name in available
        if not world.problem.idle and available and "is spent" not in decision.status:
            assert decision.name is not None
            assert decision.probabilities.sum() == pytest.approx(1.0, abs=1e-9)
        if decision.arm is not None:
            player.update(decision, float(rng.integers(0, 2)), rng.uniform(0, 0.3, len(world.problem.resources)))


@pytest.mark.parametrize("policy", [*POLICIES, *LEARNING])
def test_every_policy_bears_rewards_that_come_late_or_never(policy: str) -> None:
    world = world_of("paper")
    player = made(policy, world, 2)
    rng, waiting = np.random.default_rng(2), []
    for _ in range(60):
        decision = player.select()
        if decision.arm is not None:
            waiting.append(decision)
        if rng.random() < 0.4 and waiting:
            late = waiting.pop(int(rng.integers(len(waiting))))
            player.update(late, float(rng.integers(0, 2)), rng.uniform(0, 0.3, 3))
        assert np.isfinite(decision.probabilities).all()
        assert not np.isnan(decision.reward_bounds).any()
        assert np.isfinite(decision.cost_bounds).all()
    assert player.round == 60


@pytest.mark.parametrize("policy", [*POLICIES, *LEARNING])
def test_every_policy_runs_with_an_unknown_horizon(policy: str) -> None:
    world = world_of("paper")
    runs = rw.simulate(world, (asked(policy)[0], {"doubling": 10, **asked(policy)[1]}), replicates=2)
    assert (runs.frame()["plays"] > 0).all()


@pytest.mark.parametrize(
    "policy", ["bob", "exp3", "lagrange-bwk", "primal-dual-bwk", "recovering", "rogue-ts", "ucb-bwk"]
)
def test_a_restart_returns_to_the_beginning(policy: str) -> None:
    """With rewards that do not depend on the past, each epoch begins like a fresh policy."""
    problem = world_of("paper").problem.with_budget(1e6)
    player = rw.make_policy(policy, problem, 4, doubling=10, restart=True)
    fresh = rw.make_policy(policy, problem, 4, doubling=10)
    first = fresh.select()
    for t in range(41):
        decision = player.select()
        if t in (10, 20, 40):
            if policy not in ("bob", "rogue-ts"):  # which draw what they value
                assert decision.reward_bounds.tolist() == first.reward_bounds.tolist()
            assert decision.cost_bounds.tolist() == first.cost_bounds.tolist()
            assert player.parts.desk.pulls.sum() == 1
        player.update(decision, t % 2, [0.2, 0.3, 0.1])
