"""An arm that is pulled every tau rounds for ever: its reward at the pull, H(tau), in the steady state.

Kleinberg and Immorlica 2018. Pulling at rate x = 1 / tau earns H(tau) / tau a round; between such rates, and down to
none at all, ways of use may be mixed, which makes the reward of an arm a concave function of its rate.
"""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.problem.arm import Arm
from roguewk.problem.constants import forgetting_horizon, mean_rewards, next_states

# Every period while they differ much. Rarer pulls than the last period are mixtures of that period and none at all: by
# then most arms have recovered, and those that have not are underrated a little.
PERIODS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64)
PRECISION = 1e-10  # of a state
LONGEST = 20_000  # rounds until it is reached, at the most


def steady_rewards(arm: Arm) -> Vector:
    """(period,) mean reward at a pull, when the arm is pulled every so many rounds of PERIODS."""
    rounds = int(min(forgetting_horizon(arm, PRECISION), LONGEST))
    return mean_rewards(arm, _played(arm, rounds) if arm.h is not None else _squared(arm, rounds))


def _played(arm: Arm, rounds: int) -> Vector:
    """(period, coordinate) the states after so many rounds."""
    taus = np.array(PERIODS)
    states = np.tile(arm.box.mean(axis=1), (taus.size, 1))
    for t in range(rounds):
        pulled = (rounds - t) % taus == 0  # the next pull of each would be in the round after the last
        states = np.where(pulled[:, None], next_states(arm, states, 1.0), next_states(arm, states, 0.0))
    return states


def _squared(arm: Arm, rounds: int) -> Vector:
    """The same where states move linearly: a cycle is a matrix, and thousands of cycles are a dozen of its squares."""
    size = arm.dimension
    rest, pull = np.zeros((2, size + 1, size + 1))
    for move, push in ((rest, 0.0), (pull, 1.0)):
        move[:size, :size], move[:size, size], move[size, size] = arm.matrix, arm.push * push + arm.pull_back, 1.0
    start = np.append(arm.box.mean(axis=1), 1.0)
    cycles = [np.linalg.matrix_power(rest, tau - 1) @ pull for tau in PERIODS]
    often = [-(-rounds // tau) for tau in PERIODS]
    return np.array([(np.linalg.matrix_power(cycle, n) @ start)[:size] for cycle, n in zip(cycles, often, strict=True)])


@compiled
def steady_state(retention: float, push: float, period: int) -> float:
    """The state at a pull of an arm that moves by `x -> A x`, and by `x -> A x + push` when pulled."""
    return push * retention ** (period - 1.0) / (1.0 - retention**period)
