"""Adapters where rounds may be idle: what is asked for, what the policy would do, and what someone else did."""

from typing import Any

import pytest
from scipy import stats

import roguewk as rw
from roguewk.interop import mabwiser, river


def _generous(horizon: int = 200) -> rw.Problem:
    """Rounds may be idle, and nothing runs out."""
    return rw.catalog.messages(horizon=horizon).problem.with_budget(1e4)


def test_a_random_policy_pulls_all_arms_alike_also_where_rounds_may_be_idle() -> None:
    problem = _generous()
    names = [arm.name for arm in problem.arms]
    mab, bandit = mabwiser.MAB(problem, mabwiser.LearningPolicy.Random()), river.RandomPolicy(problem=problem, seed=1)
    for pulls in (mab.predict([[]] * 200), [bandit.pull(names) for _ in range(200)]):
        assert stats.chisquare([pulls.count(name) for name in names]).pvalue > 0.001
        assert None not in pulls
    some = river.RandomPolicy(problem=problem, seed=1)
    assert {some.pull(names[1:]) for _ in range(100)} == set(names[1:])


def test_a_burn_in_leaves_no_round_idle_by_chance() -> None:
    problem = _generous()
    names, pulls = [arm.name for arm in problem.arms], []
    bandit = river.RandomPolicy(problem=problem, burn_in=2, seed=1)
    for _ in range(6):
        pulls.append(bandit.pull(names))
        bandit.update(pulls[-1], 1, costs=[0, 0])
    assert pulls == [name for name in names for _ in range(2)]


@pytest.mark.parametrize(
    ("policy", "parameters"),
    [
        (mabwiser.LearningPolicy.Random(), {}),
        ("randomised", {"chances": 0.1}),
        ("rogue-ts-clipped", {"p_idle": 0.9}),
        ("roguewk-plan", {}),  # which idles when it thinks fit
    ],
)
def test_what_someone_else_pulled_was_pulled_even_if_the_policy_would_idle(
    policy: Any, parameters: dict[str, Any]
) -> None:
    problem = rw.catalog.messages(horizon=50).problem
    mab = mabwiser.MAB(problem, policy, **parameters)
    mab.fit(["reminder"] * 30 + ["personal tip"] * 10, [1, 0] * 20, costs=[[0.1, 0]] * 40)
    assert mab.policy.round == 40
    assert mab.policy.parts.desk.pulls.tolist() == [30, 10, 0]
    assert mab.policy.spent == pytest.approx([4, 0])
    assert mab.policy.pending == {}
    again = rw.restore_policy(mab.policy.state())
    assert mab.predict_expectations().keys() == {arm.name for arm in problem.arms}
    assert mab.predict() == again.select().name


def test_a_pull_of_someone_else_is_learned_from_as_one_that_was_certain() -> None:
    problem = _generous()
    policy, bandit = rw.make_policy("rogue-ts-clipped", problem, 3), river.Bandit("rogue-ts-clipped", problem, seed=3)
    idler = river.Bandit("rogue-ts-clipped", problem, seed=3, p_idle=0.9)
    for t, arm in enumerate(["reminder", "personal tip", "reminder", "call from a coach"] * 3):
        policy.update(policy.select(available=[arm]), t % 2, [1, 0])
        for each in (bandit, idler):
            each.update(arm, t % 2, costs=[1, 0])
    saved = policy.state()
    for each in (bandit, idler):
        found = each.policy.state()
        assert found["learned"].keys() == saved["learned"].keys()
        for path in (path for path in saved["learned"] if path.startswith(("rewards", "costs"))):
            assert found["learned"][path] == saved["learned"][path], path


def test_after_the_end_of_a_game_nobody_pulls_and_no_round_passes() -> None:
    mab = mabwiser.MAB(rw.catalog.messages(horizon=5).problem, mabwiser.LearningPolicy.Random())
    mab.fit(["reminder"] * 5, [1] * 5, costs=[[0, 0]] * 5)
    with pytest.raises(rw.InputError, match=r"'reminder' cannot have been pulled \(the horizon of 5 rounds is over"):
        mab.partial_fit(["reminder"], [1], costs=[[0, 0]])
    assert mab.policy.round == 5
    assert mab.predict() is None
    assert mab.predict_expectations() == mab.predict_expectations()


def test_expectations_of_a_random_policy_are_draws_also_when_it_would_idle() -> None:
    mab = mabwiser.MAB(_generous(), mabwiser.LearningPolicy.Random(), seed=4, chances=0.3)
    values = []
    for _ in range(150):
        values.append(list(mab.predict_expectations().values()))
        mab.predict()
    assert len({value for row in values for value in row}) == 450
