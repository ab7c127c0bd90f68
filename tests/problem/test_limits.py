"""The accounts of what is hard, against a referee that goes through all pulls at every question."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.problem.limits import (
    FOREVER,
    FREE,
    build_limits,
    correct_held,
    forget_all,
    has_limits,
    hold,
    keeps_out,
    kept_until,
    left_in_period,
    let_go,
    renew,
    settle_costs,
)
from tests.problem.limited import HORIZON, problems
from tests.problem.rules import Pull, Rules

COSTS = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0])  # of the most that a pull may take


class Accounts:
    """The compiled accounts and the sheet, side by side: what happens is told to both."""

    def __init__(self, problem: rw.Problem) -> None:
        self.problem, self.rules, self.limits = problem, Rules(problem), build_limits(problem)
        self.names = [arm.name for arm in problem.arms]

    def compare(self, t: int) -> list[int]:
        """What both take to be free in this round."""
        renew(self.limits, t)
        free = [a for a in range(len(self.names)) if keeps_out(self.limits, a, t) == FREE]
        assert [self.names[a] for a in free] == self.rules.free(t)
        rows = range(self.limits.most.shape[1] + len(self.problem.gaps))
        for a, name in enumerate(self.names):
            until = max((kept_until(self.limits, a, row) for row in rows), default=0)
            first = self.rules.first_free(name, t, within=3 * HORIZON)
            assert max(until, t) == first if first is not None else until > t
        for j, resource in enumerate(self.problem.resources):
            if resource.hard:
                assert left_in_period(self.limits, j) * resource.unit == pytest.approx(
                    float(self.rules.left(resource, t)), abs=1e-9
                )
        return free

    def pull(self, a: int, t: int) -> None:
        hold(self.limits, a, t)
        self.rules.pulls[t] = Pull(self.names[a])

    def _scaled(self, t: int, costs: list[float]) -> Any:
        """(resource,) with the pulls that are counted, as policies book them."""
        arm = self.names.index(self.rules.pulls[t].arm)
        told = len(self.problem.told)
        return np.array([*(costs / self.problem.scales[:told]), *self.problem.scaled_most[arm, told:]])

    def tell(self, t: int, costs: list[float]) -> None:
        settle_costs(self.limits, self.names.index(self.rules.pulls[t].arm), t, self._scaled(t, costs))
        self.rules.tell(t, costs)

    def amend(self, t: int, before: list[float], costs: list[float]) -> None:
        correct_held(self.limits, t, self._scaled(t, costs) - self._scaled(t, before))
        self.rules.tell(t, costs)

    def cancel(self, t: int) -> None:
        let_go(self.limits, self.names.index(self.rules.pulls[t].arm), t)
        del self.rules.pulls[t]


def some_costs(problem: rw.Problem, data: st.DataObject) -> list[float]:
    return [data.draw(COSTS) * resource.unit for resource in problem.told]


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(problem=problems(), data=st.data())
def test_accounts_agree_with_a_referee_whatever_is_pulled_told_late_corrected_or_cancelled(
    problem: rw.Problem, data: st.DataObject
) -> None:
    accounts = Accounts(problem)
    open_: list[int] = []
    told: dict[int, list[float]] = {}
    for t in range(HORIZON):
        free = accounts.compare(t)
        if data.draw(st.integers(0, 3)) and free:
            accounts.pull(data.draw(st.sampled_from(free)), t)
            open_.append(t)
        elif not free and data.draw(st.booleans()):  # somebody else does what no policy may
            accounts.pull(data.draw(st.integers(0, len(problem.arms) - 1)), t)
            open_.append(t)
        if open_ and accounts.limits.periods.size:
            happens = data.draw(st.sampled_from(["nothing", "costs", "costs", "cancel"]))
            round_ = data.draw(st.sampled_from(open_))
            if happens == "costs":
                told[round_] = some_costs(problem, data)
                accounts.tell(round_, told[round_])
            if happens == "cancel" and not accounts.rules.hurried():
                accounts.cancel(round_)
            elif happens == "cancel":
                happens = "nothing"
            if happens != "nothing":
                open_.remove(round_)
        if told and not data.draw(st.integers(0, 3)):
            round_ = data.draw(st.sampled_from(sorted(told)))
            costs = some_costs(problem, data)
            accounts.amend(round_, told[round_], costs)
            told[round_] = costs
    forget_all(accounts.limits)
    accounts.rules.pulls.clear()
    accounts.compare(0)


def limits_of(*limits: rw.Resource, gaps: Any = (), largest: Any = None) -> Any:
    arms = [rw.Arm("call", alpha=0.0), rw.Arm("text", alpha=0.0)]
    return build_limits(rw.Problem(arms, limits, 30, gaps=gaps, largest_costs=largest))


def test_where_nothing_is_hard_there_are_no_accounts() -> None:
    limits = limits_of(rw.Resource("staff", 3.0))
    assert not has_limits(limits)
    assert limits.held.size == 0
    assert has_limits(limits_of(gaps=[rw.Gap(2)]))


def test_a_pull_of_a_period_that_is_over_costs_nothing_of_the_next() -> None:
    limits = limits_of(rw.Resource("staff", 2.0, every=5))
    hold(limits, 0, 4)
    assert left_in_period(limits, 0) == 1.0
    renew(limits, 5)
    assert left_in_period(limits, 0) == 2.0
    settle_costs(limits, 0, 4, np.array([0.5]))  # late
    assert left_in_period(limits, 0) == 2.0


def test_what_carries_over_is_held_until_costs_are_told_however_late() -> None:
    limits = limits_of(rw.Resource("staff", 1.0, every=5, carry_over=True))
    hold(limits, 0, 4)
    renew(limits, 5)
    assert left_in_period(limits, 0) == 1.0
    settle_costs(limits, 0, 4, np.array([0.25]))
    assert left_in_period(limits, 0) == 1.75


def test_an_arm_that_may_take_more_than_a_period_brings_is_never_free_unless_budgets_carry_over() -> None:
    largest = [[3.0], [1.0]]
    never = limits_of(rw.Resource("staff", 2.0, 4.0, every=5), largest=largest)
    assert [kept_until(never, a, 0) for a in (0, 1)] == [FOREVER, 0]
    later = limits_of(rw.Resource("staff", 2.0, 4.0, every=5, carry_over=True), largest=largest)
    assert [kept_until(later, a, 0) for a in (0, 1)] == [5, 0]


def test_a_tenth_taken_ten_times_leaves_nothing_and_breaks_nothing() -> None:
    limits = limits_of(rw.Resource("staff", 1.0, every=30), largest=[[0.1], [0.1]])
    for t in range(10):
        assert keeps_out(limits, 0, t) == FREE
        hold(limits, 0, t)
        settle_costs(limits, 0, t, np.array([0.1]))
    assert keeps_out(limits, 0, 10) == 0


def test_of_two_pulls_that_a_gap_keeps_apart_only_the_last_one_can_be_undone() -> None:
    limits = limits_of(gaps=[rw.Gap(3)])
    hold(limits, 0, 0)
    hold(limits, 1, 3)
    let_go(limits, 0, 0)
    assert [keeps_out(limits, 0, t) for t in (4, 5, 6)] == [0, 0, FREE]
    let_go(limits, 1, 3)
    assert keeps_out(limits, 0, 4) == FREE


def test_pulls_that_were_made_too_soon_are_undone_without_freeing_an_arm_that_is_kept_apart() -> None:
    limits = limits_of(gaps=[rw.Gap(5)])
    hold(limits, 0, 3)
    hold(limits, 1, 5)  # by somebody else
    assert [keeps_out(limits, 0, t) for t in (9, 10)] == [0, FREE]
    let_go(limits, 1, 5)
    assert [keeps_out(limits, 0, t) for t in (6, 7, 8)] == [0, 0, FREE]


def test_what_somebody_else_takes_beyond_a_limit_is_held_until_it_renews() -> None:
    once, kept = (rw.Resource(name, 1.0, every=5, carry_over=name == "kept") for name in ("once", "kept"))
    limits = limits_of(once, kept, rw.at_most(1))
    for t in (0, 1, 2):
        hold(limits, 0, t)
    assert [left_in_period(limits, j) for j in range(3)] == [-2.0, -2.0, -2.0]
    assert [kept_until(limits, 0, j) for j in range(3)] == [5, 15, FOREVER]


def test_an_arm_that_takes_nothing_of_a_resource_is_never_kept_out_however_much_somebody_else_took_of_it() -> None:
    once, kept = (rw.Resource(name, 1.0, every=5, carry_over=name == "kept") for name in ("once", "kept"))
    limits = limits_of(once, kept, rw.at_most(1, arms="call"), largest=[[1.0, 1.0], [0.0, 0.0]])
    for t in (0, 1, 2):
        hold(limits, 0, t)
    assert [kept_until(limits, 0, j) for j in range(3)] == [5, 15, FOREVER]
    assert [kept_until(limits, 1, j) for j in range(3)] == [0, 0, 0]
    assert keeps_out(limits, 1, 3) == FREE


def test_a_cap_for_the_whole_game_never_renews_where_the_horizon_doubles() -> None:
    problem = rw.Problem([rw.Arm("call", alpha=0.0)], [rw.at_most(2)], horizon=4)
    policy = rw.make_policy("ucb1", problem, doubling=4)
    pulled = [policy.select().arm for _ in range(40)]
    assert pulled == [0, 0] + [None] * 38


def test_a_list_of_arms_that_came_out_empty_does_not_mean_all_of_them() -> None:
    for make in (lambda: rw.at_most(1, every=3, arms=[]), lambda: rw.Gap(2, arms=[])):
        with pytest.raises(rw.InputError, match=r"is \[\]: name an arm, or leave `arms` out if all are meant"):
            make()
    assert rw.at_most(1, every=3).counts == ()
    assert rw.Gap(2).arms is None


def test_an_arm_that_is_named_twice_in_a_limit_is_surely_a_slip_and_refused() -> None:
    twice: Any = ["chat", "call", "chat"]
    for make, what in (
        (lambda: rw.at_most(1, every=3, arms=twice), "arms of a cap"),
        (lambda: rw.Gap(2, arms=twice), "arms of a gap"),
        (lambda: rw.Resource("chats", 2.0, counts=twice), "counts of resource 'chats'"),
    ):
        with pytest.raises(rw.InputError, match=f"{what} has 'chat' twice: name each arm once"):
            make()


def test_a_gap_beyond_the_horizon_is_refused_and_one_as_long_allows_one_pull() -> None:
    with pytest.raises(rw.InputError, match="gap is 31 rounds, and the horizon 30: give a gap within the horizon, or"):
        limits_of(gaps=[rw.Gap(31)])
    limits = limits_of(gaps=[rw.Gap(30)])
    hold(limits, 0, 0)
    assert keeps_out(limits, 1, 29) == 0


def test_an_arm_of_a_limit_that_is_not_there_and_a_unit_that_is_none_are_told() -> None:
    with pytest.raises(rw.InputError, match="unknown arm of limit 'calls': 'cal': did you mean 'call'"):
        limits_of(rw.at_most(1, arms="cal", name="calls"))
    with pytest.raises(rw.InputError, match="in rounds, hours, days or weeks"):
        rw.at_most(1, every="1 month")


def test_what_takes_nothing_of_a_budget_is_known_to_take_nothing() -> None:
    arms = [rw.Arm(name, alpha=0.0) for name in ("call", "nudge")]
    problem = rw.Problem(arms, [rw.Resource("minutes", 40.0, 20.0, every=7)], 70, True, largest_costs=[[20.0], [0.0]])
    costs = problem.scaled_costs
    assert np.isnan(costs[0, 0])
    assert costs[1, 0] == 0.0
    assert rw.Problem(arms, [rw.Resource("minutes", 40.0, 20.0)], 70).scaled_costs.shape == (0, 1)


def test_the_line_about_a_problem_names_every_gap() -> None:
    arms = [rw.Arm(name, alpha=0.0) for name in ("call", "nudge")]
    gaps = [rw.Gap("36 hours", ["call"]), rw.Gap(2)]
    problem = rw.Problem(arms, [], 40, True, rounds_per_day=4, gaps=gaps)
    assert ", 6 rounds and 2 rounds apart, and budgets none" in problem.outline()
