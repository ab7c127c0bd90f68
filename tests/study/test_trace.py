import roguewk as rw
from roguewk.study.run.trace import trace_table


def test_the_states_of_a_trace_are_the_true_ones_whatever_is_believed() -> None:
    world = rw.catalog.two_dimensional(horizon=10)
    scalar = world.believe([rw.Arm(arm.name, A=0.5, B=-0.5) for arm in world.arms])
    one, other = (trace_table(rw.simulate(each, "ucb1", 1, curves=True)) for each in (world, scalar))
    assert "state_sprint[1]" in one.column_names
    assert one.equals(other)
