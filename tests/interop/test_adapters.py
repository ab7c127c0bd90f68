"""Code written for river or MABWiser runs with another import line, and gets the decisions of rw.make_policy."""

import inspect
import random
import statistics
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.interop import mabwiser, river

FOR_RIVER = """
import random
from river import bandit

rng, means = random.Random(7), {"A": 0.2, "B": 0.5, "C": 0.8}
policy = bandit.%s
pulls = []
for _ in range(300):
    arm = policy.pull(list(means))
    policy.update(arm, rng.random() < means[arm])
    pulls.append(arm)
best = policy.ranking[0]
"""
# What river 0.26.1 pulls with UCB(delta=0.5, reward_scaler=preprocessing.TargetStandardScaler(None), burn_in=1) where
# rewards are random.Random(7).gauss(mean, 5) with means of 20, 23 and 26.
SCALED = "ABCBCABBBBBBBCCCCCBCCCCCCCCCCCCCCCCCCCCCCCCCCBBCCCCCCACCCCCC"
# The parameters that river 0.26 and MABWiser 2.7 have, in their order.
THEIRS: list[tuple[Any, list[str]]] = [
    (river.Bandit.pull, ["self", "arm_ids"]),
    (river.Bandit.update, ["self", "arm_id", "reward_args", "reward_kwargs"]),
    (river.UCB, ["delta", "reward_obj", "reward_scaler", "burn_in", "seed"]),
    (river.EpsilonGreedy, ["epsilon", "decay", "reward_obj", "burn_in", "seed"]),
    (river.RandomPolicy, ["reward_obj", "burn_in", "seed"]),
    (river.ThompsonSampling, ["reward_obj", "burn_in", "seed"]),
    (river.Exp3, ["gamma", "reward_obj", "reward_scaler", "burn_in", "seed"]),
    (mabwiser.MAB, ["arms", "learning_policy", "neighborhood_policy", "seed", "n_jobs", "backend"]),
    (mabwiser.MAB.fit, ["self", "decisions", "rewards", "contexts"]),
    (mabwiser.MAB.partial_fit, ["self", "decisions", "rewards", "contexts"]),
    (mabwiser.MAB.predict, ["self", "contexts"]),
    (mabwiser.MAB.predict_expectations, ["self", "contexts"]),
    (mabwiser.MAB.add_arm, ["self", "arm", "binarizer"]),
    (mabwiser.MAB.remove_arm, ["self", "arm"]),
    (mabwiser.MAB.warm_start, ["self", "arm_to_features", "distance_quantile"]),
]


class Mean:
    """As river's stats.Mean."""

    def __init__(self, n: int = 0) -> None:
        self.n = n


class Beta:
    """As river's proba.Beta."""

    def __init__(self, alpha: int = 1, beta: int = 1) -> None:
        self.alpha, self.beta = alpha, beta


class Scaler:
    """As river's preprocessing.TargetStandardScaler(None)."""

    seen: tuple[float, ...] = ()

    def _update(self, y: float) -> None:
        self.seen = (*self.seen, y)

    def func(self, y: float) -> float:
        spread = statistics.stdev(self.seen) if len(self.seen) > 1 else 0.0
        return (y - statistics.fmean(self.seen)) / spread if spread else 0.0


def _run(script: str, old: str, new: str) -> dict[str, Any]:
    assert old in script
    names: dict[str, Any] = {}
    exec(script.replace(old, new), names)
    return names


@pytest.mark.parametrize(
    "made", ["UCB(delta=1, seed=3)", "EpsilonGreedy(0.1, seed=3)", "ThompsonSampling(seed=3)", "Exp3(0.3, seed=3)"]
)
def test_a_script_for_river_runs_with_one_line_changed(made: str) -> None:
    names = _run(FOR_RIVER % made, "from river import bandit", "from roguewk.interop import river as bandit")
    assert names["pulls"].count("C") > 150
    assert names["best"] == "C"


def test_a_random_policy_pulls_all_arms_alike() -> None:
    bandit = river.RandomPolicy(seed=1)
    assert 70 < [bandit.pull("AB") for _ in range(200)].count("A") < 130  # four standard deviations


def test_scaled_rewards_are_learned_from_as_river_does() -> None:
    bandit = river.UCB(delta=0.5, reward_scaler=Scaler(), burn_in=1, seed=1)
    for policy in (bandit, bandit.clone()):
        rng, means, pulls = random.Random(7), {"A": 20, "B": 23, "C": 26}, ""
        for _ in SCALED:
            pulls += policy.pull(list(means))
            policy.update(pulls[-1], rng.gauss(means[pulls[-1]], 5))
        assert pulls == SCALED
        assert policy.ranking == ["C", "B", "A"]


def test_a_burn_in_pulls_every_arm_until_its_rewards_have_come() -> None:
    bandit = river.RandomPolicy(burn_in=3, seed=1)
    assert [bandit.pull("AB") for _ in range(4)] == list("AAAA")
    for _ in range(3):
        bandit.update("A", 1)
    assert bandit.pull("AB") == "B"


def test_a_reward_that_is_refused_does_not_move_the_scaler() -> None:
    problem = rw.Problem(
        [rw.Arm(name, alpha=0.0, family="gaussian", sigma=1.0) for name in "AB"], [rw.Resource("r", 9.0)], 9
    )
    scaler = Scaler()
    bandit = river.UCB(1.0, reward_scaler=scaler, problem=problem, seed=1)
    bandit.update(bandit.pull("AB"), 3.0, costs=[0.5])
    for arm, costs in (("typo", [0.5]), ("A", [7.0]), ("A", None)):
        with pytest.raises(rw.InputError):
            bandit.update(arm, 50.0, costs=costs)
    assert list(scaler.seen) == [3.0]
    bandit.update("A", 5.0, costs=[0.5])
    assert list(scaler.seen) == [3.0, 5.0]


@pytest.mark.parametrize(
    ("made", "same", "given"),
    [
        (river.ThompsonSampling(reward_obj=Beta(), seed=1), "thompson-beta", {}),
        (river.ThompsonSampling(Beta(3, 2), seed=1), "thompson-beta", {"prior_ones": 3.0, "prior_zeros": 2.0}),
        (river.EpsilonGreedy(0.3, reward_obj=Mean(), seed=1), "mean/none/explore", {"explore": 0.3}),
        (river.UCB(0.5, Mean(), None, 0, 1), "ucb1", {"scale": 0.5}),
        (river.Exp3(0.2, Mean(), seed=1), "exp3", {"gamma": 0.2}),
    ],
)
def test_arguments_of_river_mean_what_they_mean_there(made: river.Bandit, same: str, given: dict[str, Any]) -> None:
    policy = river.Bandit(same, seed=1, **given)
    rng, pulls = random.Random(3), []
    for _ in range(60):
        pulls.append((made.pull("ABC"), policy.pull("ABC")))
        reward = int(rng.random() < 0.4)
        made.update(pulls[-1][0], reward)
        policy.update(pulls[-1][1], reward)
    assert all(one == other for one, other in pulls)
    assert len(set(pulls)) > 1


@pytest.mark.parametrize(("ours", "theirs"), THEIRS)
def test_calls_may_be_written_as_for_the_other_library(ours: Any, theirs: list[str]) -> None:
    parameters = inspect.signature(ours).parameters.values()
    assert [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY][: len(theirs)] == theirs


def _plain_problem(horizon: int) -> rw.Problem:
    return rw.Problem([rw.Arm(name, alpha=0.0) for name in "ABC"], [], horizon)


@pytest.mark.parametrize("name", ["ucb1", "exp3", "thompson-beta"])
def test_decisions_are_those_of_the_policy_itself(name: str) -> None:
    rng = np.random.default_rng(0)
    policy = rw.make_policy(name, _plain_problem(100), seed=8)
    bandit, mab = river.Bandit(name, horizon=100, seed=8), mabwiser.MAB(["A", "B", "C"], name, seed=8, horizon=100)
    for _ in range(100):
        decision, reward = policy.select(), int(rng.integers(2))
        assert decision.name is not None
        assert bandit.pull(["A", "B", "C"]) == decision.name == mab.predict()
        policy.update(decision, reward)
        bandit.update(decision.name, reward)
        mab.partial_fit([decision.name], [reward])
    assert bandit.pull(["A", "B", "C"]) is None
    assert mab.predict() is None  # the horizon is over


def test_a_problem_brings_its_dynamics_and_budgets() -> None:
    problem = rw.catalog.paper(budget=3).problem
    policy, bandit = rw.make_policy("roguewk-ucb", problem, seed=1), river.Bandit("roguewk-ucb", problem, seed=1)
    mab, names = mabwiser.MAB(problem, "roguewk-ucb", seed=1), [arm.name for arm in problem.arms]
    while (decision := policy.select()).name is not None:
        assert bandit.pull(names) == decision.name == mab.predict()
        policy.update(decision, 1, [0.2, 0.6, 0.3])
        bandit.update(decision.name, 1, costs={"resource 1": 0.2, "resource 2": 0.6, "resource 3": 0.3})
        mab.partial_fit([decision.name], [1], costs=[[0.2, 0.6, 0.3]])
    assert policy.round == 6
    assert bandit.pull(names) is None
    assert mab.predict() is None
    with pytest.raises(rw.InputError, match=r"'arm 0' cannot have been pulled \(the budget .* is spent"):
        mab.partial_fit(["arm 0"], [1], costs=[[0.2, 0.6, 0.3]])


def test_rewards_go_to_the_oldest_pull_of_their_arm() -> None:
    problem = rw.Problem([rw.Arm("a", A=0.9, B=-0.5), rw.Arm("b", A=0.5, B=-0.5)], [], 20)
    policy, bandit = rw.make_policy("rogue-ucb", problem), river.Bandit("rogue-ucb", problem, seed=0)
    rounds = [policy.select(available=["a"]).round for _ in range(3)]
    assert [bandit.pull(["a"]) for _ in range(3)] == ["a"] * 3
    for round_, reward in zip(rounds, (1, 0, 1), strict=True):
        policy.update(round_, reward)
        bandit.update("a", reward)
    assert bandit.policy.state()["learned"] == policy.state()["learned"]


def test_without_a_horizon_a_policy_never_ends() -> None:
    bandit = river.UCB(1.0, seed=0)
    for _ in range(1100):
        arm = bandit.pull(range(2))
        bandit.update(arm, arm)
    assert bandit.pull(range(2)) == 1
    assert bandit.policy.parameters["doubling"] == 1000


def test_arms_may_be_anything_hashable_and_some_may_be_missing_today() -> None:
    arms = [("a", 1), None, 3.5]
    bandit = river.UCB(1.0, seed=0)
    assert bandit.pull(arms) == ("a", 1)
    assert bandit.pull([3.5]) == 3.5
    assert bandit.pull(arms) is None  # the arm of that name
    with pytest.raises(rw.InputError, match="there is no arm 'new': the arms are"):
        bandit.pull(["new"])


def test_a_clone_has_seen_nothing() -> None:
    bandit = river.Bandit("exp3", seed=3, gamma=0.2)
    first = [bandit.pull("ABC") for _ in range(20)]
    twin = bandit.clone()
    assert twin.policy is None
    assert [twin.pull("ABC") for _ in range(20)] == first
    assert repr(twin) == "<river-style 'exp3', 0 rewards seen>"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: river.Bandit("ucb"), "did you mean 'ucb1'"),
        (lambda: river.UCB(1.0, burnin=3), "unknown argument of river's UCB: 'burnin'"),
        (lambda: river.UCB(-1.0), "delta of river's UCB is -1.0: give a number of at least 0"),
        (
            lambda: river.UCB(1.0, Mean(7)),
            "reward_obj of river's UCB is a Mean: .* give a new stats.Mean",
        ),
        (lambda: river.UCB(1.0, reward_scaler=3), "reward_scaler of UCB is a int: give one of river's scalers"),
        (lambda: river.UCB(1.0, burn_in=-1), "burn_in of UCB is -1"),
        (lambda: river.Exp3(0.1, reward_scaler=Scaler()), "reward_scaler of river's Exp3 is given"),
        (lambda: river.Exp3(2), "gamma of river's Exp3 is 2: give a number from 0 to 1"),
        (lambda: river.EpsilonGreedy(1.5), "epsilon of river's EpsilonGreedy is 1.5: give a number from 0 to 1"),
        (lambda: river.EpsilonGreedy(0.1, decay=0.5), "decay of river's EpsilonGreedy is 0.5, and epsilon does not"),
        (lambda: river.EpsilonGreedy(0.1, reward_obj=Beta()), "reward_obj of river's EpsilonGreedy is a Beta: means"),
        (lambda: river.ThompsonSampling(Mean()), "reward_obj of river's ThompsonSampling is a Mean: give a proba.Beta"),
        (lambda: river.Bandit("roguewk-ucb"), "needs to know how arms wear off and recover: give an rw.Problem"),
        (lambda: river.UCB(1.0).update("A", 1), "the arms are not known yet: call pull first"),
        (lambda: river.UCB(1.0).update("A", 1, 2), "2 rewards are given for a pull of arm 'A': give one"),
        (lambda: river.UCB(1.0).pull([1, "1"]), "'1' is the name of two arms"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        call()
