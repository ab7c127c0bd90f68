"""What a study is."""

import roguewk as rw


def test_a_study_is_printed_in_a_line() -> None:
    assert (
        repr(rw.load_study("paper")) == 'Study("The paper\'s experiment": 30 worlds, 3 policies, 10 replicates, seed 0)'
    )
