"""Logs hold the engine's decisions with the probabilities they were really drawn with."""

import inspect
import sys
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.part.part import ROLES
from roguewk.policy.registry import all_parts, all_recipes
from roguewk.policy.templates import template
from tests.judge import coins

SPENDING = rw.catalog.paper(budget=15)


def _idling(horizon: int = 4) -> rw.World:
    """Two arms with fixed costs, more than the budget grants every round."""
    arms = [rw.Arm(name, A=0.5, B=-0.5, state=(-1.0, 1.0)) for name in ("walk", "call")]
    problem = rw.Problem(arms, [rw.Resource("money", 0.35 * horizon)], horizon, idle=True)
    return rw.World(problem, [0.0, 0.5], [[0.5], [0.4]])


class Unsure:
    """Says its chances in every round: the arm with the most rewards half of the time, a tenth is idle."""

    def __init__(self, problem: rw.Problem, seed: int, best: float = 0.5) -> None:
        self.sums, self.best = np.zeros(len(problem.arms)), best

    def select(self) -> Vector:
        shares = np.full(self.sums.size, (0.9 - self.best) / self.sums.size)
        shares[np.argmax(self.sums)] += self.best
        return shares

    def update(self, decision: int, reward: float, costs: Vector) -> None:
        self.sums[decision] += reward


class Sure:
    """Tells nothing of how it chose."""

    said: Any = 1

    def __init__(self, problem: rw.Problem, seed: int) -> None:
        pass

    def select(self) -> Any:
        return self.said

    def update(self, decision: int, reward: float, costs: Vector) -> None:
        pass


class Short(Sure):
    """Leaves rounds idle."""

    said = (0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    ("world", "policy", "parameters"),
    [
        (_idling(horizon=40), Unsure, {"best": 0.7}),
        (rw.catalog.messages(horizon=60), "randomised", {"chances": 0.6}),
        (rw.catalog.messages(horizon=60), "rogue-ts-clipped", {"p_idle": 0.4}),
        (SPENDING, "roguewk-ucb", {}),
        (SPENDING, "rogue-ts-clipped", {"p_min": 0.1}),
        (SPENDING, "exp3", {}),
        (rw.catalog.messages(horizon=60), "roguewk-ucb", {"cost_scale": 0.1}),
        (rw.catalog.messages(horizon=60), "roguewk-plan", {}),
        (rw.catalog.paper(budget=15), "clairvoyant", {}),
        (coins(0.3, 0.6, rounds=40), "ucb1", {}),
    ],
)
def test_a_log_has_the_decisions_of_the_simulator(world: rw.World, policy: Any, parameters: dict[str, Any]) -> None:
    log = rw.log_runs(world, (policy, parameters), replicates=3, seed=5)
    runs = rw.simulate(world, {"it": (policy, parameters)}, replicates=3, seed=5, curves=True)
    curves, arms = runs.curves["it"], len(world.problem.arms)
    played = curves.arms > -2
    assert np.array_equal(log.actions, np.where(curves.arms[played] < 0, arms, curves.arms[played]))
    assert np.array_equal(log.rewards, curves.rewards[played])
    assert np.array_equal(log.costs, curves.costs[played])
    assert np.array_equal(log.replicates, np.nonzero(played)[0])
    assert np.array_equal(log.rounds, np.nonzero(played)[1])
    told = log.mean_rewards[np.arange(log.actions.size), log.actions]
    counted = curves.expected[played]
    assert np.array_equal(told[counted > 0], counted[counted > 0])


@pytest.mark.parametrize("policy", ["exp3", ("rogue-ts-clipped", {"candidates": 8}), "rogue/mean/lp", Unsure])
def test_the_frequency_of_arms_after_the_same_history_is_the_logged_probability(policy: Any) -> None:
    log = rw.log_runs(_idling(), policy, replicates=1000, seed=1)
    groups: dict[Any, list[int]] = defaultdict(list)
    past: tuple[Any, ...] = ()
    for i, (t, action, reward) in enumerate(zip(log.rounds, log.actions, log.rewards, strict=True)):
        past = past if t else ()
        groups[past].append(i)
        past = (*past, action, reward)
    surprises, random = [], 0
    for rows in groups.values():
        shares = log.probabilities[rows]
        assert (shares == shares[0]).all()  # nothing but the history decides them
        assert shares[0].sum() == pytest.approx(1, abs=1e-12)
        counts, possible = np.bincount(log.actions[rows], minlength=3), shares[0] > 0
        assert counts[~possible].sum() == 0
        if len(rows) >= 50 and possible.sum() > 1:
            random += 1
            expected = shares[0][possible] / shares[0][possible].sum() * len(rows)
            surprises.append(stats.chisquare(counts[possible], expected).pvalue)
    assert random >= 3
    assert min(surprises) > 0.001 / random


def test_inverse_propensities_tell_what_another_policy_would_earn() -> None:
    log = rw.log_runs(coins(0.3, 0.6, rounds=40), ("exp3", {"gamma": 0.3}), replicates=300, seed=2)
    feedback = log.obp()
    target = np.array([0.2, 0.8])
    weights = target[feedback["action"]] / feedback["pscore"]
    for values, truth in ((weights * feedback["reward"], 0.2 * 0.3 + 0.8 * 0.6), (weights, 1.0)):
        means = values.reshape(300, 40).mean(axis=1)
        assert abs(means.mean() - truth) < 4 * means.std(ddof=1) / np.sqrt(300)
    assert log.rewards.mean() < 0.53  # its own policy earns less: the weights matter


def test_the_open_bandit_pipeline_finds_the_shapes_it_wants() -> None:
    log = rw.log_runs(_idling(horizon=20), "exp3", replicates=2)
    feedback = log.obp()
    rows = feedback["n_rounds"]
    assert list(feedback) == [
        *("n_rounds", "n_actions", "context", "action_context", "action", "position", "reward"),
        *("expected_reward", "pi_b", "pscore"),
    ]
    assert feedback["n_actions"] == 3
    assert feedback["context"].shape == (rows, 1 + 1 + 2 + 2)
    assert feedback["action_context"].tolist() == np.eye(3).tolist()
    for key in ("action", "position", "reward", "pscore"):
        assert feedback[key].shape == (rows,)
    assert feedback["action"].dtype.kind == feedback["position"].dtype.kind == "i"
    assert feedback["expected_reward"].shape == (rows, 3)
    assert feedback["pi_b"].shape == (rows, 3, 1)
    assert feedback["pi_b"].sum(axis=1) == pytest.approx(1.0)
    assert (feedback["pi_b"][np.arange(rows), feedback["action"], 0] == feedback["pscore"]).all()
    assert (feedback["expected_reward"][:, 2] == 0).all()
    assert ((feedback["context"] >= 0) & (feedback["context"] <= 1)).all()


@pytest.mark.parametrize("kind", ["pandas", "arrow", "polars"])
def test_tables_come_in_three_kinds_with_the_same_content(kind: str) -> None:
    log = rw.log_runs(_idling(), "rogue/mean/lp", replicates=2)
    for table, again in ((log.frame(kind), log.frame()), (log.micro_randomised(kind=kind), log.micro_randomised())):
        content = table.to_pylist() if kind == "arrow" else None if kind == "pandas" else table.to_dicts()
        wanted = [
            {key: None if value != value else value for key, value in row.items()} for row in again.to_dict("records")
        ]
        assert content is None or content == wanted
    assert list(log.frame().columns) == [
        *("subject", "round", "arm", "reward", "propensity", "available"),
        *("probability_walk", "probability_call", "probability_idle", "cost_money"),
    ]


def test_overlap_tells_whether_everything_had_a_chance() -> None:
    assert rw.log_runs(SPENDING, ("rogue-ts-clipped", {"p_min": 0.15})).overlap == pytest.approx(0.15)
    assert rw.log_runs(SPENDING, "ucb1").overlap == 0


def test_every_part_that_draws_says_so() -> None:
    for role in ROLES:
        for name, part in all_parts(role).items():
            module = part.build.__module__
            if module in sys.modules and module.startswith("roguewk."):  # other tests add parts of their own
                assert part.draws == ("_DRAW" in inspect.getsource(sys.modules[module])), name


@pytest.mark.parametrize("name", [name for name, recipe in all_recipes().items() if not recipe.exact])
def test_policies_with_hidden_draws_are_refused(name: str) -> None:
    with pytest.raises(rw.InputError, match=f"'{name}' draws random numbers besides the arm.*'rogue-ts-clipped'"):
        rw.log_runs(SPENDING, name)


@pytest.mark.parametrize(("name", "exact"), [("rogue-ts", False), ("rogue-ts-clipped", True)])
def test_only_hidden_draws_make_probabilities_depend_on_luck(name: str, exact: bool) -> None:
    assert all_recipes()[name].exact == exact
    found = set()
    for seed in range(10):
        policy = rw.make_policy(name, SPENDING.problem, seed=seed)
        for arm in (0, 1, 2, 1):
            policy.update(policy.select(available=[arm]), reward=1, costs=[0.2, 0.3, 0.3])
        found.add(tuple(policy.select().probabilities))
    assert (len(found) == 1) == exact


@pytest.mark.parametrize(
    ("policy", "given", "message"),
    [
        (["ucb1", "exp3"], {}, "2 policies are given: give one"),
        (Sure, {}, "'Sure' selected 1, and a log needs to know how probable that was: .* in every round"),
        (Short, {}, "'Short' selected probabilities that sum to 0.6, and this problem has no idle rounds"),
        (dict, {}, "'dict' has no method select|'dict' cannot be made"),
        (
            lambda problem, seed: rw.make_policy("rogue-ts", problem, seed),
            {},
            "'<lambda>' selected an rw.Decision, and a log needs to know how probable",
        ),
        ("ucb", {}, "did you mean 'ucb1'"),
        ("ucb1", {"replicates": 0}, "replicates is 0"),
        ("ucb1", {"seed": -1}, "seed is -1"),
    ],
)
def test_bad_requests_are_refused(policy: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        rw.log_runs(SPENDING, policy, **given)


def test_a_problem_is_no_world() -> None:
    with pytest.raises(rw.InputError, match="the world is a Problem"):
        rw.log_runs(SPENDING.problem, "ucb1")  # type: ignore[arg-type]  # wrong on purpose


def test_a_replicate_goes_on_after_being_saved() -> None:
    how = all_recipes()["exp3"]
    policy = rw.Policy(template(how, SPENDING.problem, how.complete({})), 3, replicate=4)
    again = rw.restore_policy(policy.state())
    assert again.replicate == 4
    assert [policy.select().arm for _ in range(20)] == [again.select().arm for _ in range(20)]
