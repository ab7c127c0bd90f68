import numpy as np

import roguewk as rw
from roguewk.part.desk import build_desk
from roguewk.problem.ledger import (
    WITHIN,
    Ledger,
    book,
    covers,
    first_over,
    first_uncovered,
    is_covered,
    keep_within_most,
    limit_of,
)


def test_rounding_alone_puts_no_budget_over() -> None:
    budgets = np.array([3.0, 1e9])
    spent = np.zeros(2)
    for _ in range(30):
        book(spent, np.array([0.1, 1e9 / 30]))
    assert spent[0] > 3.0  # thirty times a tenth
    assert first_over(spent, budgets) == WITHIN
    assert (spent <= limit_of(budgets)).all()


def test_the_first_budget_that_is_over_is_named() -> None:
    budgets = np.array([1.0, 2.0, 3.0])
    assert first_over(np.array([1.0, 2.1, 3.1]), budgets) == 1
    assert first_over(np.array([0.0, 0.0, 3.0001]), budgets) == 2
    assert first_over(np.zeros(0), np.zeros(0)) == WITHIN


def test_what_is_paid_covers_what_is_wanted_rounding_aside() -> None:
    assert covers(1 - 1e-10, 1.0)
    assert not covers(1 - 1e-8, 1.0)


def ledger_of(**said: object) -> Ledger:
    arms = [rw.Arm("message", alpha=0.0), rw.Arm("voucher", alpha=0.0)]
    resources = [rw.Resource("minutes", 10.0, 2.0), rw.Resource("vouchers", 3.0)]
    problem = rw.Problem(arms, resources, 30, **said)  # type: ignore[arg-type]
    return build_desk(problem, False, 0, False).ledger


def test_no_more_is_reserved_than_pulls_of_their_arms_may_take() -> None:
    ledger = ledger_of(largest_costs=[[0.5, 0.0], [2.0, 1.0]])
    ledger.open[:] = 4, 1
    ledger.reserved[:] = 5.0
    keep_within_most(ledger)
    np.testing.assert_array_equal(ledger.reserved, [4 * 0.25 + 1.0, 1.0])


def test_a_mean_cost_of_nothing_is_known_to_be_nothing_and_other_means_leave_the_largest_cost() -> None:
    assert ledger_of(known_costs=[[1.5, 0.0], [None, 1.0]]).most.tolist() == [[1.0, 0.0], [1.0, 1.0]]
    assert ledger_of().most.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_an_arm_that_takes_nothing_of_a_resource_is_not_kept_out_by_it() -> None:
    ledger = ledger_of(largest_costs=[[0.5, 0.0], [2.0, 1.0]])
    ledger.spent[:] = 0.0, 2.5
    ledger.reserved[:] = 0.0, 1.0
    assert (is_covered(ledger, 0), is_covered(ledger, 1)) == (True, False)
    assert first_uncovered(ledger) == 1
    ledger.reserved[1] = 0.0
    ledger.spent[1] = 2.0
    assert first_uncovered(ledger) == WITHIN
