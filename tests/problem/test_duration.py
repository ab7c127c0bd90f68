"""How long a round is, and how many rounds a duration is."""

import contextlib

import pytest

import roguewk as rw
from roguewk.problem.duration import FEWEST_A_DAY, MOST_A_DAY

ARM = rw.Arm("call", alpha=0.0)


@pytest.mark.parametrize("per_day", [1e-308, 1e-9, 1e-7, 1.1e9, 1e308])
@pytest.mark.parametrize("horizon", [10, "1 day", "999999999.999999999 weeks"])
def test_rounds_of_which_a_day_has_next_to_none_or_no_end_are_refused(per_day: float, horizon: int | str) -> None:
    sentence = r"rounds_per_day is .*: give a number from 1e-05 to 1e\+09, or all durations in rounds"
    with pytest.raises(rw.InputError, match=sentence):
        rw.Problem([ARM], [rw.at_most(1, 3)], horizon, rounds_per_day=per_day)


@pytest.mark.parametrize("per_day", [FEWEST_A_DAY, 1 / 365, 1 / 7, 0.1, 3, 1440, MOST_A_DAY])
def test_every_other_length_of_a_round_is_told_in_words_or_refused_in_a_sentence(per_day: float) -> None:
    problem = rw.Problem([ARM], [rw.at_most(1, 3)], 10, rounds_per_day=per_day)
    assert "'pulls per 3 rounds' 1 every" in repr(problem)
    for horizon in ("0.000000001 hours", "1 day", "999999999.999999999 weeks"):
        with contextlib.suppress(rw.InputError):
            rw.Problem([ARM], [], horizon, rounds_per_day=per_day)


def test_a_round_a_week_is_a_seventh_of_one_a_day() -> None:
    assert rw.Problem([ARM], [], "52 weeks", rounds_per_day=1 / 7).horizon == 52
