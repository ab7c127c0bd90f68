"""A MAB answers what MABWiser answers, previews for a list of arms, and plays rounds of a problem."""

import copy
import json
import pickle
import random
import statistics
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.interop import mabwiser
from roguewk.interop.mabwiser import MAB, LearningPolicy
from roguewk.interop.wrong_type import InputTypeError
from tests.interop.mabwiser_script import FILE, POLICIES, RECORDED, Script

RECORD = json.loads(FILE.read_text(encoding="utf-8"))
SWITCHED = """
import random
from mabwiser.mab import MAB, LearningPolicy

rng, means = random.Random(7), {1: 20, 2: 50, 3: 80}
mab = MAB(arms=[1, 2, 3], learning_policy=LearningPolicy.%s, seed=5)
mab.fit(decisions=[1, 1, 2, 3], rewards=[15, 30, 40, 90])
pulls = []
for _ in range(300):
    arm = mab.predict()
    mab.partial_fit([arm], [rng.gauss(means[arm], 5)])
    pulls.append(arm)
"""
OF_LIST = ["UCB1", "EpsilonGreedy", "ThompsonSampling", "Random"]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return list(one) == list(other) and _same(list(one.values()), list(other.values()))
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other if isinstance(one, str) else abs(one - other) < 1e-12)


def _learned(policy: Any) -> dict[str, Any]:
    """All but what was available when it was asked to decide, which it is not asked where rounds are followed."""
    return {**policy.state()["learned"], "desk.shown": None}


def _above_ten_times(arm: int, reward: float) -> bool:
    return reward > 10 * arm


def _fitted(policy: str, arms: list[Any] | None = None, **given: Any) -> MAB:
    mab = MAB(arms or [1, 2, 3], getattr(LearningPolicy, policy)(**given))
    mab.fit([1, 1, 2, 3], [0, 1, 1, 0])
    return mab


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", RECORDED)
def test_answers_are_those_that_mabwiser_once_gave(policy: str, seed: int) -> None:
    assert _same(Script(mabwiser, policy, seed).answers(), RECORD[policy][seed])


@pytest.mark.parametrize("policy", POLICIES)
def test_answers_are_those_that_mabwiser_gives_where_it_is_installed(policy: str) -> None:
    theirs = pytest.importorskip("mabwiser.mab", reason="MABWiser is not installed")
    for seed in range(50):
        assert _same(Script(mabwiser, policy, seed).answers(), Script(theirs, policy, seed).answers()), seed


@pytest.mark.parametrize(
    "made", ["UCB1(alpha=10)", "EpsilonGreedy(epsilon=0.1)", "ThompsonSampling(lambda arm, reward: reward > 50)"]
)
def test_a_script_runs_with_one_line_changed_whatever_the_size_of_rewards(made: str) -> None:
    names: dict[str, Any] = {}
    exec((SWITCHED % made).replace("from mabwiser.mab import", "from roguewk.interop.mabwiser import"), names)
    assert names["pulls"].count(3) > 150


@pytest.mark.parametrize("policy", OF_LIST)
def test_predictions_from_a_list_change_nothing_but_random_numbers(policy: str) -> None:
    asked, quiet = _fitted(policy), _fitted(policy)
    for _ in range(5):
        asked.predict()
        asked.predict_expectations([[1.0], [2.0]])
    for mab in (asked, quiet):
        mab.partial_fit([1, 3], [1, 1])
    if policy == "UCB1":
        assert asked.predict_expectations() == quiet.predict_expectations()
    draws = [[mab.predict_expectations()[1] for _ in range(400)] for mab in (asked, quiet)]
    assert statistics.fmean(draws[0]) == pytest.approx(statistics.fmean(draws[1]), abs=0.1)  # four errors at least


def test_an_arm_of_which_nothing_is_known_is_worth_nothing() -> None:
    for policy in (LearningPolicy.UCB1(1.0), LearningPolicy.EpsilonGreedy(0.0)):
        mab = MAB(["bad", "new", "good"], policy)
        mab.fit(["bad", "good"], [-20, 0.5])
        assert mab.predict_expectations()["new"] == 0.0
        assert mab.predict() == "good"
        mab.fit(["bad", "good"], [-20, -20])
        assert mab.predict() == "new"
        assert mab.cold_arms == ["new"]


def test_one_row_of_contexts_has_one_answer_and_several_a_list() -> None:
    mab = _fitted("UCB1")
    assert mab.predict([[7, 7]]) == mab.predict() == mab.predict(pd.DataFrame({"a": [7]})) == 2
    assert mab.predict([[]] * 3) == mab.predict(np.zeros((3, 2))) == mab.predict(pd.Series([1, 2, 3])) == [2, 2, 2]
    assert mab.predict_expectations([[0], [1]]) == [mab.predict_expectations()] * 2
    named = MAB([1, 2], "ucb1")
    assert named.predict([[0]]) == 1
    assert named.predict([[0], [0]]) == [1, 1]


def test_arms_come_with_a_binarizer_and_go() -> None:
    mab = MAB([1, 2], LearningPolicy.ThompsonSampling(_above_ten_times))
    mab.fit([1, 2], [15, 15])
    mab.add_arm(3, binarizer=lambda arm, reward: reward < 0)
    assert mab.learning_policy.binarizer(3, -1)
    mab.partial_fit([3] * 200 + [1, 2] * 100, [-5] * 200 + [5] * 200)  # 5 is no success any more
    assert mab.predict() == 3
    mab.remove_arm(3)
    assert mab.arms == [1, 2]
    assert set(mab.predict([[]] * 100)) == {1, 2}
    with pytest.raises(rw.InputError, match="there is no arm 3: the arms are 1, 2"):
        mab.partial_fit([3], [1])


def test_a_removed_arm_goes_on_counting_as_decisions_and_a_new_one_of_its_name_knows_nothing() -> None:
    mab = _fitted("UCB1", alpha=1)
    mab.remove_arm(1)
    assert mab.predict_expectations()[2] == pytest.approx(1 + np.sqrt(2 * np.log(4)))
    mab.add_arm(1)
    assert mab.predict_expectations()[1] == 0.0


def test_cold_arms_are_taken_for_like_the_nearest_that_are_near_enough() -> None:
    def mab() -> MAB:
        made = MAB(["up", "right", "nearly up", "between", "nowhere"], LearningPolicy.EpsilonGreedy(0.0))
        made.fit(["up", "up", "right"], [4, 6, 1])
        return made

    features = {"up": [0, 1], "right": [1, 0], "nearly up": [0.1, 1], "between": [1, 0.9], "nowhere": [0, 0]}
    some, every, none = mab(), mab(), MAB(["up", "right"], LearningPolicy.UCB1())
    some.warm_start(features, 0.3)
    assert some.predict_expectations() == {"up": 5, "right": 1, "nearly up": 5, "between": 0, "nowhere": 0}
    assert some.cold_arms == ["between", "nowhere"]
    every.warm_start(features, 1.0)
    assert every.predict_expectations() == {"up": 5, "right": 1, "nearly up": 5, "between": 1, "nowhere": 0}
    every.partial_fit(["between"], [3])
    assert every.predict_expectations()["between"] == 2
    every.fit(["right"], [2])
    assert every.cold_arms == ["up", "nearly up", "between", "nowhere"]
    none.warm_start({"up": [0, 1], "right": [1, 0]}, 1.0)  # of nothing, nothing is copied
    assert none.cold_arms == ["up", "right"]


def test_a_mab_can_be_copied_and_pickled_and_goes_on_alike() -> None:
    mab = MAB([1, 2, 3], LearningPolicy.ThompsonSampling(_above_ten_times))
    mab.fit([1, 2, 3], [20, 15, 15])
    twins = [copy.deepcopy(mab), pickle.loads(pickle.dumps(mab))]
    answer = mab.predict([[]] * 50)
    assert [twin.predict([[]] * 50) for twin in twins] == [answer, answer]


@pytest.mark.parametrize("name", ["ucb1", "exp3", "thompson-beta", "mean/none/explore"])
def test_a_named_policy_previews_and_its_rounds_pass_when_they_are_fitted(name: str) -> None:
    arms = ["A", "B", "C"]
    given: dict[str, Any] = {"explore": 0.5} if "explore" in name else {}
    policy = rw.make_policy(name, rw.Problem([rw.Arm(arm, alpha=0.0) for arm in arms], [], 100), seed=8, **given)
    mab, rng, others = MAB(arms, name, seed=8, horizon=100, **given), random.Random(3), set()
    for round_ in range(60):
        decision, reward = policy.select(), rng.randrange(2)
        policy.update(decision, reward)
        expected = mab.predict_expectations()
        assert mab.predict() == decision.name
        assert list(expected.values()) == pytest.approx(decision.reward_bounds, nan_ok=True)
        others |= set(mab.predict([[]] * 4)) if round_ >= len(arms) else set()
        assert mab.policy.round == round_
        mab.partial_fit([decision.name], [reward])
    assert _learned(mab.policy) == _learned(policy)
    assert len(others) > 1
    assert mab.policy.pending == {}


def test_once_each_arm_is_known_ucb1_of_roguewk_predicts_what_that_of_mabwiser_predicts() -> None:
    rng, means = random.Random(1), {1: 0.2, 2: 0.5, 3: 0.8}
    mabs = MAB([1, 2, 3], LearningPolicy.UCB1(1.5)), MAB([1, 2, 3], "ucb1", scale=1.5)
    for mab in mabs:
        mab.fit([1, 2, 3], [0, 0, 1])
    for _ in range(200):
        assert mabs[0].predict_expectations() == pytest.approx(mabs[1].predict_expectations(), abs=1e-12)
        arm = mabs[0].predict()
        assert mabs[1].predict() == arm
        reward = int(rng.random() < means[arm])
        for mab in mabs:
            mab.partial_fit([arm], [reward])


def test_rewards_are_weighed_by_the_chance_of_their_prediction_also_in_batches() -> None:
    mab = MAB(["A", "B"], "exp3", seed=1, horizon=100, gamma=0.5)
    mab.fit(["B"] * 10, [1] * 10)  # someone else chose
    assert mab.policy.parts.rewards.sums.tolist() == [0, 10]
    chance = mab.policy.preview().probabilities[1]
    batch = mab.predict([[]] * 20)
    mab.partial_fit(batch, [1] * 20)
    assert mab.policy.parts.rewards.sums[1] == pytest.approx(10 + batch.count("B") / chance)
    assert mab.policy.parts.rewards.sums[0] == pytest.approx(batch.count("A") / (1 - chance))


def test_rounds_of_a_problem_pass_with_its_predictions() -> None:
    arms = [rw.Arm("tip", A=0.9, B=-0.5), rw.Arm("call", A=0.5, B=-0.5)]
    mab = MAB(rw.Problem(arms, [], 20), "rogue-ucb")
    assert mab.predict([[]] * 3) == ["tip", "call", "tip"]
    assert mab.policy.round == 3
    mab.partial_fit(["tip", "tip", "tip"], [1, 0, 1])  # two that were predicted, one that was not
    assert mab.policy.round == 4
    assert list(mab.policy.pending) == [1]


def test_a_batch_of_predictions_is_so_many_rounds_of_a_problem_and_its_rewards_come_together() -> None:
    problem = rw.Problem([rw.Arm(name, alpha=0.0) for name in "ABC"], [], 50)
    policy, mab = rw.make_policy("ucb1", problem, seed=0), MAB(problem, "ucb1")
    for batch in range(4):
        decisions = [policy.select() for _ in range(5)]
        chosen = mab.predict(contexts=[[0]] * 5)
        assert chosen == [decision.name for decision in decisions]
        rewards = [(batch + i) % 2 for i in range(5)]
        for decision, reward in zip(decisions, rewards, strict=True):
            policy.update(decision, reward)
        mab.partial_fit(np.array(chosen), pd.Series(rewards))
        assert mab.policy.pending == {}
    assert mab.policy.state()["learned"] == policy.state()["learned"]


def test_history_is_learned_from_as_rounds_in_which_someone_else_decided() -> None:
    problem = rw.Problem([rw.Arm(name, alpha=0.0) for name in "ABC"], [], 50)
    policy = rw.make_policy("ucb1", problem)
    for arm, reward in zip("ABA", (1, 0, 1), strict=True):
        policy.update(policy.select(available=[arm]), reward)
    for mab in (MAB(problem, "ucb1", seed=0), MAB(list("ABC"), "ucb1", seed=0, horizon=50)):
        mab.fit(["C"], [1])
        mab.fit(["A", "B", "A"], [1, 0, 1])  # begins anew
        assert _learned(mab.policy) == _learned(policy)
        assert mab.predict() == "C"


def test_expectations_do_not_let_a_round_of_a_problem_pass() -> None:
    mab = MAB(rw.Problem([rw.Arm(name, alpha=0.0) for name in "ABC"], [], 50), "ucb1", seed=0)
    mab.fit(["A", "B", "C"], [1, 0, 1])
    first = mab.predict_expectations()
    assert mab.predict_expectations() == first
    assert mab.predict_expectations([[0], [1]]) == [first, first]
    assert mab.policy.round == 3
    assert first["A"] == pytest.approx(1 + np.sqrt(2 * np.log(3)))
    assert mab.predict() == max(first, key=lambda arm: first[arm])


def test_a_binarizer_serves_a_problem_too() -> None:
    problem = rw.Problem([rw.Arm("A", alpha=0.0), rw.Arm("B", alpha=0.0)], [], 50)
    binary = MAB(problem, LearningPolicy.ThompsonSampling(lambda arm, reward: reward > 10))
    plain = MAB(problem, "thompson-beta")
    binary.fit(["A", "A", "B"], [10, 20, 25])
    plain.fit(["A", "A", "B"], [0, 1, 1])
    assert binary.policy.state()["learned"] == plain.policy.state()["learned"]


@pytest.mark.parametrize(
    "made",
    [
        lambda: MAB(["A", "B"], LearningPolicy.UCB1()),
        lambda: MAB(["A", "B"], "ucb1", sigma=5.0),
        lambda: MAB(rw.Problem([rw.Arm("A", alpha=0.0), rw.Arm("B", alpha=0.0)], [], 9), "ucb1"),
    ],
)
def test_nothing_is_learned_where_one_row_is_refused(made: Any) -> None:
    mab = made()
    mab.fit(["A", "B"], [1, 0])
    before = mab.predict_expectations()
    for tell in (mab.fit, mab.partial_fit):
        for decisions, rewards in ((["B", "C"], [1, 1]), (["B", "B"], [1, None]), (["B", "B"], [1, float("nan")])):
            with pytest.raises(rw.InputError):
                tell(decisions, rewards)
    assert mab.predict_expectations() == before


UCB1 = LearningPolicy.UCB1()
WRONG_TYPES: list[tuple[Any, str]] = [
    (lambda: MAB(1, UCB1), "the arms are 1: give a list or an rw.Problem"),  # type: ignore[arg-type]
    (lambda: MAB([[1]], UCB1), r"\[1\] is no arm, as it may change"),
    (lambda: MAB(["A"], UCB1, seed=[0, 1]), r"seed is \[0, 1\]: give a whole number"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], UCB1, n_jobs="2"), "n_jobs is '2': give a whole number"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], UCB1, backend=3), "backend is 3: give a name"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], 7), "learning_policy is 7: give one of LearningPolicy or the name"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], UCB1, neighborhood_policy=3), "no policy here uses contexts"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], LearningPolicy.UCB1("one")), "alpha of MABWiser's UCB1 is 'one': give a number"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], LearningPolicy.EpsilonGreedy(None)), "epsilon of MABWiser's EpsilonGreedy is None"),  # type: ignore[arg-type]
    (lambda: MAB(["A"], LearningPolicy.ThompsonSampling({"A": 1})), "binarizer of .* is {'A': 1}: give a function"),  # type: ignore[arg-type]
    (lambda: _fitted("UCB1").fit("1", [1]), "the decisions are '1': give a list"),
    (lambda: _fitted("UCB1").fit({1: 1}, [1]), "the decisions are {1: 1}: give a list"),
    (lambda: _fitted("UCB1").fit([1], np.ones((1, 1))), "the rewards are .*: give a list"),
    (lambda: _fitted("UCB1").fit([1, 1], [1, None]), "reward 1 is None: give a number"),
    (lambda: _fitted("UCB1").fit([1, 1], ["1", 0]), "reward 0 is '1': give a number"),
    (lambda: _fitted("UCB1").fit([1], pd.Series([np.inf])), "reward 0 is inf: give a finite number"),
    (lambda: _fitted("UCB1").fit([1], [1], [[2]]), "contexts are given, and no policy here uses them"),  # type: ignore[arg-type]
    (lambda: _fitted("UCB1").predict(5), "contexts are 5: give a row of numbers for each"),
    (lambda: _fitted("UCB1").predict([1, 2]), r"contexts are \[1, 2\]: give a row"),
    (lambda: _fitted("UCB1").predict(np.ones(3)), "contexts are .*: give a row"),
    (lambda: _fitted("ThompsonSampling").add_arm(4, binarizer=7), "binarizer of .* is 7: give a function"),
    (lambda: _fitted("UCB1").warm_start([1], 0.5), r"arm_to_features is \[1\]: give a dict"),
    (lambda: _fitted("UCB1").warm_start({}, None), "distance_quantile is None: give a number"),  # type: ignore[arg-type]
]
WRONG_VALUES: list[tuple[Any, str]] = [
    (lambda: MAB([None], UCB1), "None is no arm"),
    (lambda: MAB([1.0, np.nan], UCB1), "nan is no arm"),
    (lambda: MAB([1, 2, 1], UCB1), r"the arms \[1, 2, 1\] have one twice"),
    (lambda: MAB(["A"], UCB1, seed=-1), "seed is -1: give a whole number of at least 0"),
    (lambda: MAB(["A"], UCB1, n_jobs=0), "n_jobs is 0: give 1"),
    (lambda: MAB(["A"], UCB1, sigma=2.0), "sigma is given beside MABWiser's UCB1: leave it out, or .* 'ucb1'"),
    (lambda: MAB(["A"], "ucb1 ", sigma=2.0), "did you mean 'ucb1'"),
    (lambda: MAB(["A"], LearningPolicy.EpsilonGreedy(2)), "epsilon of MABWiser's EpsilonGreedy is 2: give"),
    (lambda: MAB(["A"], LearningPolicy.UCB1(-1)), "alpha of MABWiser's UCB1 is -1: give"),
    (lambda: MAB(rw.catalog.paper().problem, "ucb1", horizon=5), "which has its own: leave them out"),
    (lambda: MAB(["A"], UCB1).predict(), "nothing is fitted yet: call fit first"),
    (lambda: MAB(["A"], UCB1).predict_expectations(), "nothing is fitted yet"),
    (lambda: _fitted("UCB1").fit([1], [1, 0]), "1 decisions have 2 rewards"),
    (lambda: _fitted("UCB1").fit([7], [1]), "there is no arm 7: the arms are 1, 2, 3"),
    (lambda: _fitted("UCB1").fit([1], [1], costs=[[1]]), "costs are given, and a list of arms has no budgets"),
    (lambda: MAB(["A"], "ucb1").fit(["A"], [1], costs=[]), "1 decisions have 0 rows of costs"),
    (lambda: MAB([1, 2], "ucb1").fit([1], [20]), "reward 20 of arm 1 is not 0 or 1: give sigma"),
    (
        lambda: _fitted("ThompsonSampling").fit([1], [20]),
        "reward 20 .* is not 0 or 1: give ThompsonSampling",
    ),
    (
        lambda: _fitted("ThompsonSampling", binarizer=lambda arm, reward: None if reward > 5 else 1).fit([2], [7]),
        "the binarizer makes None of reward 7 of arm 2",
    ),
    (lambda: _fitted("UCB1").add_arm(3), "there is an arm 3 already"),
    (lambda: _fitted("UCB1").add_arm(np.inf), "inf is no arm"),
    (lambda: _fitted("UCB1").add_arm(4, binarizer=_above_ten_times), "only ThompsonSampling uses one"),
    (lambda: _fitted("UCB1").remove_arm(4), "there is no arm 4"),
    (lambda: _fitted("UCB1").warm_start({1: [0], 2: [0]}, 0.5), r"has the arms \[1, 2\]: give those of the MAB"),
    (lambda: _fitted("UCB1").warm_start({1: [0], 2: [0], 3: [0, 1]}, 0.5), "as many numbers as the others"),
    (lambda: _fitted("UCB1").warm_start({1: [0], 2: [0], 3: [np.nan]}, 0.5), "arm_to_features is .*: give finite"),
    (lambda: _fitted("UCB1").warm_start({1: [0], 2: [0], 3: [0]}, 50.0), "distance_quantile is 50.0: give a number"),
    (lambda: MAB(["A"], "ucb1").add_arm("B"), "add_arm is for MABWiser's policies on a list of arms.* make a new MAB"),
    (lambda: MAB(["A"], "ucb1").remove_arm("A"), "remove_arm is for .* make a new MAB with the arms there are now"),
    (lambda: MAB(rw.catalog.paper().problem, UCB1).warm_start({}, 0.5), "warm_start is for .* fit what was decided so"),
]


@pytest.mark.parametrize(("call", "message"), WRONG_TYPES)
def test_what_is_of_the_wrong_type_is_refused_as_mabwiser_refuses_it(call: Any, message: str) -> None:
    with pytest.raises(InputTypeError, match=message):
        call()


@pytest.mark.parametrize(("call", "message"), WRONG_VALUES)
def test_what_has_the_wrong_value_is_refused_in_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(rw.InputError, match=message) as caught:
        call()
    assert not isinstance(caught.value, TypeError)


def test_the_last_arm_may_go_but_then_nothing_can_be_predicted() -> None:
    mab = MAB(["A"], LearningPolicy.Random())
    mab.fit(["A"], [1])
    mab.remove_arm("A")
    with pytest.raises(rw.InputError, match="no arm is left: add one"):
        mab.predict()
