"""Which rounds of a game are told."""

import roguewk as rw
from roguewk.experiment.explain.explain import tell


def test_an_idle_round_that_was_chosen_is_told_rather_than_one_in_which_nothing_was_possible() -> None:
    arm = rw.Arm("call", A=0.5, B=-1.0, alpha=1.0)
    problem = rw.Problem([arm], [rw.Resource("hours", 6.0)], 24, idle=True, gaps=[rw.Gap(2)])
    story = tell(rw.World(problem, [0.0], [[rw.Cost.fixed(1.0)]]), rounds=24)
    idle = [decision for decision in story.decisions if decision.arm is None]
    chosen = [decision for decision in idle if not decision.left_out]
    assert chosen
    assert len(chosen) < len(idle)
    (told,) = [decision for decision in story.telling() if decision.arm is None]
    assert told.round == chosen[-1].round


def test_where_limits_leave_every_idle_round_nothing_the_last_of_these_is_told() -> None:
    problem = rw.Problem([rw.Arm("call", alpha=1.0)], [], 9, idle=True, gaps=[rw.Gap(3)])
    story = tell(rw.World(problem, [0.0], [[]]), rounds=8)
    idle = [decision for decision in story.decisions if decision.arm is None]
    assert all(decision.left_out for decision in idle)
    (told,) = [decision for decision in story.telling() if decision.arm is None]
    assert told.round == idle[-1].round
