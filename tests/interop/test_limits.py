"""Other libraries' interfaces in problems with limits."""

import roguewk as rw
from roguewk.interop.mabwiser import MAB
from roguewk.interop.river import Bandit

PROBLEM = rw.Problem(
    [rw.Arm("call", alpha=0.0), rw.Arm("text", alpha=0.0)], [rw.at_most(1, every=4), rw.at_most(2, arms="call")], 12
)


def test_a_bandit_of_river_pulls_nothing_that_limits_leave_out() -> None:
    bandit = Bandit("ucb1", PROBLEM, seed=1)
    pulled = []
    for t in range(8):
        arm = bandit.pull(["call", "text"])
        pulled.append(arm)
        if arm is not None:
            bandit.update(arm, t % 2)
    assert pulled[1:4] == pulled[5:8] == [None] * 3
    assert None not in (pulled[0], pulled[4])
    bandit.update(bandit.pull(["call", "text"]), 1)
    bandit.update("text", 1)  # pulled without asking: it counts, and the period has no more
    assert bandit.pull(["call", "text"]) is None


def test_a_bandit_of_mabwiser_says_that_no_arm_is_possible() -> None:
    mab = MAB(PROBLEM, "ucb1", seed=1)
    arms = []
    for _ in range(6):
        arms.append(mab.predict())
    assert [arm is None for arm in arms] == [False, True, True, True, False, True]
