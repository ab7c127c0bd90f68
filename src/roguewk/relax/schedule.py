"""One arm alone at a price per pull: the most it can bring over any number of rounds, and a schedule that brings it."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.compile import compiled_for_threads
from roguewk.problem.arms import Vector
from roguewk.problem.dynamics import Dynamics, mean_reward, move_one
from roguewk.relax.lattice import Lattice


class Table(NamedTuple):
    """Working memory and results of the dynamic program of one arm."""

    values: Vector  # (rounds + 1,): value from the initial state with so many rounds to go
    choices: Any  # (rounds, node): whether to pull with one more round to go than the row's number
    now: Vector  # (node,)
    after: Vector  # (node,)


def build_table(lattice: Lattice, rounds: int) -> Table:
    """Space for this many rounds."""
    nodes = lattice.rewards.size
    now, after = np.zeros((2, nodes))
    return Table(np.zeros(rounds + 1), np.zeros((rounds, nodes), dtype=np.bool_), now, after)


@compiled_for_threads
def solve_arm(lattice: Lattice, price: float, table: Table) -> None:
    """Value iteration: `V <- max(g - price + V(pulled), V(rested))`, an upper bound at every step."""
    now, after = table.now, table.after
    nodes, corners = lattice.rest.shape
    for i in range(nodes):
        now[i] = 0.0
    for s in range(table.choices.shape[0]):
        for i in range(nodes):
            rested = pulled = 0.0
            for k in range(corners):
                rested += lattice.rest_shares[i, k] * now[lattice.rest[i, k]]
                pulled += lattice.pull_shares[i, k] * now[lattice.pull[i, k]]
            pulled += lattice.rewards[i] - price
            table.choices[s, i] = pulled > rested
            after[i] = max(pulled, rested) + lattice.slack
        now, after = after, now
        value = lattice.slack
        for k in range(corners):
            value += lattice.start_shares[k] * now[lattice.start[k]]
        table.values[s + 1] = value


@compiled_for_threads
def follow(lattice: Lattice, dynamics: Dynamics, a: int, table: Table, rounds: int, state: Vector) -> tuple[int, float]:
    """Pulls and reward of the schedule that the choices make of the last `rounds` rounds, from row 0 of `state`."""
    pulls, reward = 0, 0.0
    for s in range(rounds - 1, -1, -1):
        node = 0
        for i in range(lattice.counts.size):
            place = int((state[0, i] - lattice.low[i]) / lattice.gaps[i] + 0.5)
            node = node * lattice.counts[i] + min(max(place, 0), lattice.counts[i] - 1)
        pulled = 0.0
        if table.choices[s, node]:
            pulled = 1.0
            pulls += 1
            reward += mean_reward(dynamics, a, state[0])
        move_one(dynamics, a, state[0], pulled, state[1])
    return pulls, reward
