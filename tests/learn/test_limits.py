"""Problems of fits get limits, and logs are replayed into problems with limits if they kept to them."""

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.world.game import Game


def test_the_problem_of_a_fit_takes_limits() -> None:
    problem = rw.fit(invented_log()).problem(horizon=56, budgets={"minutes": 60.0})
    weekly = rw.Resource("minutes", 14.0, every="7 days")
    limited = problem.with_limits(weekly, rw.at_most(1, "1 day", "call"), rw.Gap("2 days", "call"), rounds_per_day=2)
    assert limited.periods.tolist() == [14, 2]
    assert limited.known_costs is not None
    assert problem.known_costs is not None
    assert [row[0] for row in limited.known_costs] == [row[0] for row in problem.known_costs]
    assert limited.resources[0].largest_cost == problem.resources[0].largest_cost
    assert limited.with_limits(rw.Gap(3)).gaps == (rw.Gap("2 days", "call"), rw.Gap(3))
    assert limited.with_limits(rw.at_most(9)).budgets.tolist() == [14.0, 1.0, 9.0]
    with pytest.raises(rw.InputError, match="unknown resource with a limit: 'hours'"):
        problem.with_limits(rw.Resource("hours", 2.0, every=7))
    with pytest.raises(rw.InputError, match=r"a limit is 3: give an rw.Resource, rw.at_most\(...\) or an rw.Gap"):
        problem.with_limits(3)  # type: ignore[arg-type]


def _world(idle: bool = True) -> rw.World:
    arms = [rw.Arm("call", A=0.7, B=-0.8, alpha=1.0), rw.Arm("text", A=0.5, B=-0.3, alpha=0.3)]
    limits = [rw.Resource("hours", 2.0, every=5), rw.at_most(2, every=6, arms="call")]
    problem = rw.Problem(arms, limits, 30, idle, gaps=[rw.Gap(2, arms="call")])
    return rw.World(problem, [0.0, 0.0], [[rw.Cost.uniform(0.2, 1.0)], [0.4]])


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", ["roguewk-plan", "roguewk-ucb"])
def test_a_policy_that_replays_its_own_log_comes_to_the_very_state_in_which_it_was(name: str, idle: bool) -> None:
    world = _world(idle)
    game, policy = Game(world, seed=2), rw.make_policy(name, world.problem, seed=2)
    rows = []
    for t in range(25):
        decision = policy.select()
        reward, costs = game.play(decision.arm)
        if decision.arm is not None:
            policy.update(decision, reward, costs)
        rows.append({"subject": "a", "round": t, "arm": decision.name, "reward": reward, "cost_hours": costs[0]})
    log = rw.read_log(pd.DataFrame(rows))
    again = rw.replay(rw.make_policy(name, world.problem, seed=2), log)
    np.testing.assert_array_equal(again.learned, policy.learned)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (rw.at_most(2, every=10, arms="call"), "has arm 'call', which 'call per 10 rounds' leaves out there"),
        (rw.Gap(2, arms="call"), "has arm 'call', which a gap leaves out there"),
        (rw.Resource("hours", 1.0, every=10), "has arm 'call', which 'hours' leaves out there"),
    ],
)
def test_a_log_that_did_not_keep_to_limits_is_refused_before_anything_is_told(
    limit: rw.Resource | rw.Gap, sentence: str
) -> None:
    arms = [rw.Arm("call", alpha=0.0), rw.Arm("text", alpha=0.0)]
    problem = rw.Problem(arms, [rw.Resource("hours", 20.0)], 30).with_limits(limit)
    rows = [{"subject": "a", "round": t, "arm": "call", "reward": 1, "cost_hours": 0.3} for t in range(6)]
    policy = rw.make_policy("ucb1", problem)
    with pytest.raises(rw.InputError) as caught:
        rw.replay(policy, rw.read_log(pd.DataFrame(rows)))
    assert sentence in str(caught.value)
    assert "give a problem with limits that the log keeps to" in str(caught.value)
    assert policy.round == 0
