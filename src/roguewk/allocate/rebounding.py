"""Look some rounds ahead among arms that satiate and rebound, as if the estimates were true (Leqi et al. 2021).

Every `lookahead` rounds the sequence of arms with the largest sum of `base - slope s` is found by trying all of them,
and played. What comes after it is not weighed, budgets are ignored, and every round is played, idle or not.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.sequence import BETTER, Sequence, build_sequence, first_changed, must_plan, sequenced, take
from roguewk.estimate.rewards.rebounding import BASE, RETENTION, SATIATION, SLOPE, rebounds
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Scratch
from roguewk.part.desk import Desk, rounds_left
from roguewk.part.parameter import counted
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.verbs import look
from roguewk.problem.problem import Problem


class Attempt(NamedTuple):
    """Working memory."""

    model: Scratch[Vector]  # (arm, 4) what `rebounds` writes
    states: Scratch[Vector]  # (round + 1, arm) s along the sequence at hand
    earned: Scratch[Vector]  # (round + 1,)


@sequenced
class Lookahead(NamedTuple):
    """The planner of explore-estimate-plan."""

    sequence: Sequence
    spare: Attempt


def _build(problem: Problem, lookahead: int) -> Lookahead:
    arms = len(problem.arms)
    trial = Attempt(np.zeros((arms, 4)), np.zeros((lookahead + 1, arms)), np.zeros(lookahead + 1))
    return Lookahead(build_sequence(arms, lookahead, "lookahead"), trial)


@look.body(Lookahead)
def _look(part: Lookahead, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    if must_plan(part.sequence, desk):
        rebounds(rewards, part.spare.model)
        _plan(part, desk.available, min(part.sequence.plan.size, rounds_left(desk)))


@compiled_apart
def _plan(part: Lookahead, available: Any, rounds: int) -> None:
    """The best sequence of so many rounds whose first arm is available."""
    arms, changed, best = available.size, 0, -np.inf
    part.sequence.spare[:] = 0
    for a in range(arms):
        part.spare.states[0, a] = part.spare.model[a, SATIATION]
    while changed >= 0:
        for h in range(changed, rounds):
            _step(part.spare, h, part.sequence.spare[h])
        earned = part.spare.earned[rounds]
        if available[part.sequence.spare[0]] and (best == -np.inf or earned > best + BETTER):
            best = earned
            take(part.sequence, rounds)
        changed = first_changed(part.sequence, rounds, arms)


@compiled
def _step(trial: Attempt, h: int, arm: int) -> None:
    model = trial.model
    trial.earned[h + 1] = trial.earned[h] + model[arm, BASE] - model[arm, SLOPE] * trial.states[h, arm]
    for a in range(model.shape[0]):
        trial.states[h + 1, a] = model[a, RETENTION] * (trial.states[h, a] + (1.0 if a == arm else 0.0))


LOOKAHEAD = Part(
    role=ALLOCATE,
    name="lookahead",
    summary="the best sequence of the next rounds among arms that satiate, whatever it costs",
    build=_build,
    parameters={"lookahead": counted(3, 1, 12, "rounds that are planned at a time")},
    needs=frozenset({"rebounds"}),
)
PARTS = (LOOKAHEAD,)
