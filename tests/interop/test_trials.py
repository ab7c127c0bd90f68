"""Trials: constant randomisation, the long table, and the effects that are estimated from it."""

import json
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from tests.judge import judge

PAIR = [rw.Arm(name, A=0.5, B=-0.5, state=(-1.0, 1.0)) for name in ("walk", "call")]
IDLING = rw.World(rw.Problem(PAIR, [rw.Resource("money", 7.0)], 20, idle=True), [0.0, 0.5], [[0.5], [0.4]])


def test_the_trial_table_tells_treatment_from_idle_rounds() -> None:
    log = rw.log_runs(IDLING, "rogue/mean/lp", replicates=3)
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
    log = rw.log_runs(IDLING, "rogue/mean/lp", replicates=3)
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
    log = rw.log_runs(rw.catalog.messages(horizon=200), ("rogue-ts-clipped", {"p_idle": 0.2}), replicates=3)
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
        largest = np.array([resource.unit for resource in self.problem.resources])
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
    world = rw.catalog.messages(horizon=300)
    decisions = judge(Constant(world, shares), "randomised", world, 300, seed=3, chances=chances)
    assert len(decisions) == 300
    assert sum(decision.status.startswith("what is left of a budget") for decision in decisions) > 20
    runs = rw.simulate(world, ("randomised", {"chances": chances}), replicates=20)
    assert set(runs.frame()["stopped_by"]) == {"horizon"}


def test_constant_randomisation_goes_on_after_being_saved() -> None:
    problem = rw.catalog.messages(horizon=50).problem
    policy = rw.make_policy("randomised", problem, seed=2, chances={"reminder": 0.3, "personal tip": 0.4})
    for _ in range(4):
        policy.select()
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert [policy.select().arm for _ in range(20)] == [again.select().arm for _ in range(20)]


def test_where_nothing_could_ever_be_pulled_nothing_can_be_told() -> None:
    log = rw.log_runs(rw.catalog.messages(horizon=3), "randomised")
    assert log.overlap == 0
    assert log.micro_randomised()["availability"].tolist() == [0, 0, 0]


def test_pulls_whose_costs_are_late_count_as_dear() -> None:
    problem = rw.Problem([rw.Arm("a", alpha=0.0)], [rw.Resource("r", 3.0)], 50, idle=True)
    policy = rw.make_policy("randomised", problem, chances=1.0)
    decisions = [policy.select() for _ in range(5)]
    assert [decision.arm for decision in decisions] == [0, 0, 0, None, None]
    policy.update(decisions[0], 1, [0.0])
    assert [policy.select().arm for _ in range(2)] == [0, None]


@pytest.mark.parametrize("restart", [False, True])
def test_a_restart_does_not_forget_pulls_whose_costs_are_late(restart: bool) -> None:
    problem = rw.Problem([rw.Arm("a", alpha=0.0)], [rw.Resource("r", 5.0)], 60, idle=True)
    policy = rw.make_policy("randomised", problem, chances=0.9, doubling=4, restart=restart)
    decisions = [policy.select() for _ in range(60)]
    pulled = [decision for decision in decisions if decision.arm == 0]
    assert len(pulled) == 5
    for decision, cost in zip(pulled, (0.0, 1.0, 0.0, 1.0, 1.0), strict=True):
        policy.update(decision, 1, [cost])
    assert policy.spent == [3.0]
    assert [policy.select().arm for _ in range(40)].count(0) == 2


@pytest.mark.parametrize(
    ("idle", "chances", "wanted"),
    [
        (True, [0.5, 0.3, 0.1], [0.0, 0.3, 0.1]),
        (True, [0.6, 0.3, 0.1], [0.0, 0.75, 0.25]),  # nothing is left for idling
        (True, [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        (False, [0.6, 0.3, 0.1], [0.0, 0.75, 0.25]),
        (False, [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]),
    ],
)
def test_arms_that_are_away_leave_their_chance_to_idling_or_to_the_others(
    idle: bool, chances: list[float], wanted: list[float]
) -> None:
    policy = rw.make_policy("randomised", rw.catalog.paper(idle=idle).problem, chances=chances)
    assert policy.select(available=[1, 2]).probabilities == pytest.approx(wanted)


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
    world = rw.catalog.messages(horizon=100)
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
