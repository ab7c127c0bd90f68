import numpy as np

from roguewk.problem.ledger import WITHIN, book, covers, first_over, limit_of


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
