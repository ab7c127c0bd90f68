"""Logs hold the engine's decisions with the probabilities they were really drawn with."""

import inspect
import json
import sys
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from judge import coins, judge
from roguewk.policy.registry import all_parts, all_recipes
from roguewk.problem.arms import Vector
from roguewk.problem.part import ROLES

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
        (rw.catalog.mobile_health(horizon=60), "randomised", {"chances": 0.6}),
        (rw.catalog.mobile_health(horizon=60), "rogue-ts-clipped", {"p_idle": 0.4}),
        (SPENDING, "roguewk-ucb", {}),
        (SPENDING, "rogue-ts-clipped", {"p_min": 0.1}),
        (SPENDING, "exp3", {}),
        (rw.catalog.mobile_health(horizon=60), "roguewk-ucb", {"cost_scale": 0.1}),
        (rw.catalog.mobile_health(horizon=60), "roguewk-plan", {}),
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


def test_the_trial_table_tells_treatment_from_idle_rounds() -> None:
    log = rw.log_runs(_idling(horizon=20), "rogue/mean/lp", replicates=3)
    table = log.micro_randomised()
    idle = (log.actions == 2).tolist()
    assert 0 < sum(idle) < len(idle)
    assert table["treatment"].tolist() == [int(not each) for each in idle]
    assert table["arm"].isna().tolist() == idle
    assert table["prob_treatment"].to_numpy() == pytest.approx(1 - log.probabilities[:, 2])
    assert table["prob_arm"].tolist() == log.propensities.tolist()
    assert set(table["availability"]) == {1}
    assert len(table) == 60
    assert table.groupby("id")["decision_point"].is_monotonic_increasing.all()
    assert set(table["id"]) == {0, 1, 2}


def test_a_trial_may_be_about_one_arm() -> None:
    log = rw.log_runs(_idling(horizon=20), "rogue/mean/lp", replicates=3)
    table = log.micro_randomised(treatment="call")
    assert table["treatment"].tolist() == (table["arm"] == "call").astype(int).tolist()
    assert table["prob_treatment"].tolist() == log.probabilities[:, 1].tolist()
    assert log.micro_randomised(treatment=1).equals(table)
    assert log.micro_randomised(treatment=["call"]).equals(table)
    assert log.micro_randomised(treatment=["walk", "call"]).equals(log.micro_randomised())
    with pytest.raises(rw.InputError, match="there is no arm 'run'"):
        log.micro_randomised(treatment="run")
    with pytest.raises(rw.InputError, match="at least one arm, or leave it out for any pull"):
        log.micro_randomised(treatment=[])


def test_after_a_broken_budget_people_are_unavailable_until_the_last_decision_point() -> None:
    log = rw.log_runs(rw.catalog.mobile_health(horizon=200), ("rogue-ts-clipped", {"p_idle": 0.2}), replicates=3)
    table, played = log.micro_randomised(), log.micro_randomised(complete=False)
    assert table.groupby("id")["decision_point"].apply(list).tolist() == [list(range(200))] * 3
    assert len(played) == len(log.rounds) < 600
    assert played.equals(table[table["availability"] == 1].reset_index(drop=True))
    over = table[table["availability"] == 0]
    assert over.groupby("id")["decision_point"].max().tolist() == [199] * 3
    for column, value in (("prob_treatment", 0.0), ("treatment", 0), ("outcome", 0.0), ("prob_arm", 1.0)):
        assert set(over[column]) == {value}
    assert over["arm"].isna().all()
    assert not table.drop(columns="arm").isna().any().any()


class Constant:
    """Constant randomisation, written down: no pull that might break a budget of what is certain to be spent."""

    def __init__(self, world: rw.World, shares: list[float]) -> None:
        self.problem, self.given = world.problem, np.array(shares)
        self.left = world.problem.budgets.copy()

    def shares(self, t: int) -> Vector:
        largest = np.array([resource.largest_cost for resource in self.problem.resources])
        return self.given * bool((self.left >= largest).all() or not self.problem.idle)

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        self.left -= costs


@pytest.mark.parametrize(
    ("chances", "shares"),
    [
        (None, [0.25, 0.25, 0.25]),
        (0.6, [0.2, 0.2, 0.2]),
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
        ({"call from a coach": 0.1, "reminder": 0.5}, [0.5, 0.0, 0.1]),
    ],
)
def test_constant_randomisation_has_the_given_chances_and_breaks_no_budget(chances: Any, shares: list[float]) -> None:
    world = rw.catalog.mobile_health(horizon=300)
    decisions = judge(Constant(world, shares), "randomised", world, 300, seed=3, chances=chances)
    assert len(decisions) == 300
    assert sum(decision.status.startswith("what is left of a budget") for decision in decisions) > 20
    runs = rw.simulate(world, ("randomised", {"chances": chances}), replicates=20)
    assert set(runs.frame()["stopped_by"]) == {"horizon"}


def test_constant_randomisation_goes_on_after_being_saved() -> None:
    problem = rw.catalog.mobile_health(horizon=50).problem
    policy = rw.make_policy("randomised", problem, seed=2, chances={"reminder": 0.3, "personal tip": 0.4})
    for _ in range(4):
        policy.select()
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert [policy.select().arm for _ in range(20)] == [again.select().arm for _ in range(20)]


def test_where_nothing_could_ever_be_pulled_nothing_can_be_told() -> None:
    log = rw.log_runs(rw.catalog.mobile_health(horizon=3), "randomised")
    assert log.overlap == 0
    assert log.micro_randomised()["availability"].tolist() == [0, 0, 0]


def test_pulls_whose_costs_are_late_count_as_dear() -> None:
    problem = rw.Problem([rw.Arm("a")], [rw.Resource("r", 3.0)], 50, idle=True)
    policy = rw.make_policy("randomised", problem, chances=1.0)
    decisions = [policy.select() for _ in range(5)]
    assert [decision.arm for decision in decisions] == [0, 0, 0, None, None]
    policy.update(decisions[0], 1, [0.0])
    assert [policy.select().arm for _ in range(2)] == [0, None]


def test_arms_that_are_away_leave_their_chance_to_idling_or_to_the_others() -> None:
    for idle, wanted in ((True, [0.0, 0.3, 0.1]), (False, [0.0, 0.75, 0.25])):
        problem = rw.catalog.paper(idle=idle).problem
        policy = rw.make_policy("randomised", problem, chances=[0.6, 0.3, 0.1])
        assert policy.select(available=[1, 2]).probabilities == pytest.approx(wanted)
    only = rw.make_policy("randomised", rw.catalog.paper().problem, chances=[1.0, 0.0, 0.0])
    assert only.select(available=[1, 2]).probabilities == pytest.approx([0.0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        (0.6, "sum to 0.6, and this problem has no idle rounds: let them sum to 1"),
        ([0.5, 0.5], "2 chances are given for 3 arms"),
        ([0.5, 0.5, 0.5], "sum to 1.5: let them sum to at most 1"),
        ({"arm 7": 1.0}, "there is no arm 'arm 7'"),
        ({"arm 1": -0.1}, "chances of policy 'randomised' for arm 'arm 1' is -0.1: give a number from 0 to 1"),
        ("half", "is 'half': give a number"),
    ],
)
def test_chances_that_cannot_be_are_refused(chances: Any, message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        rw.make_policy("randomised", rw.catalog.paper().problem, chances=chances)


def wcls(table: Any, numerator: float) -> tuple[float, float]:
    """The marginal effect by weighted and centred least squares (Boruvka et al. 2018), and its sandwich error."""
    p, a, y = (table[name].to_numpy(float) for name in ("prob_treatment", "treatment", "outcome"))
    weight = table["availability"].to_numpy() * (numerator / np.where(a == 1, p, 1.0)) ** a
    weight *= ((1 - numerator) / np.where(a == 0, 1 - p, 1.0)) ** (1 - a)
    x = np.column_stack([np.ones(len(a)), a - numerator])
    bread = np.linalg.inv((x * weight[:, None]).T @ x)
    effect = bread @ (x * weight[:, None]).T @ y
    scores = x * (weight * (y - x @ effect))[:, None]
    sums = np.array([scores[table["id"].to_numpy() == each].sum(axis=0) for each in table["id"].unique()])
    return float(effect[1]), float(np.sqrt((bread @ sums.T @ sums @ bread)[1, 1]))


def true_effect(log: rw.Log, arms: list[int]) -> float:
    """What treatment adds in the rounds where an arm could be pulled, from the world's own mean rewards."""
    p, means = log.probabilities[log.available], log.mean_rewards[log.available]
    others = [a for a in range(p.shape[1]) if a not in arms]
    gains = [(p[:, each] * means[:, each]).sum(axis=1) / p[:, each].sum(axis=1) for each in (arms, others)]
    return float((gains[0] - gains[1]).mean())


@pytest.mark.parametrize(
    ("policy", "treatment", "arms"),
    [
        (("randomised", {"chances": 0.6}), None, [0, 1, 2]),
        (("randomised", {"chances": {"reminder": 0.3, "call from a coach": 0.1}}), "call from a coach", [2]),
        (("rogue-ts-clipped", {"p_min": 0.05, "p_idle": 0.4}), "call from a coach", [2]),
        (("rogue-ts-clipped", {"p_min": 0.05, "p_idle": 0.4}), ["reminder", "personal tip"], [0, 1]),
    ],
)
def test_weighted_and_centred_least_squares_recover_the_true_effect(
    policy: Any, treatment: Any, arms: list[int]
) -> None:
    world = rw.catalog.mobile_health(horizon=100)
    if policy[0] != "randomised":  # whose rounds that break a budget would earn less than the truth says
        world = rw.World(world.problem.with_budget(1e4), world.x0, world.costs)
    log = rw.log_runs(world, policy, replicates=80, seed=4)
    table = log.micro_randomised(treatment)
    effect, error = wcls(table, 0.5)
    truth = true_effect(log, arms)
    assert error < 0.03
    assert abs(effect - truth) < 3 * error
    assert truth > 6 * error  # so that the test could fail
    if policy[0] != "randomised" and treatment == "call from a coach":  # without weights the estimate is biased
        by_treatment = table.groupby("treatment")["outcome"].mean()
        assert by_treatment[1] - by_treatment[0] - truth > 2 * error
    assert (table["availability"] == 0).any() == (policy[0] == "randomised")


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
        *("replicate", "round", "arm", "reward", "probability"),
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
    from roguewk.policy.online import Policy

    how = all_recipes()["exp3"]
    policy = Policy(how, SPENDING.problem, 3, how.complete({}), replicate=4)
    again = rw.restore_policy(policy.state())
    assert again.replicate == 4
    assert [policy.select().arm for _ in range(20)] == [again.select().arm for _ in range(20)]
