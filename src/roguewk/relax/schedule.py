"""One arm alone at a price per pull: the most it can bring over any number of rounds, and a schedule that brings it.

Value iteration `V_{s+1} = T V_s` soon repeats itself, and need not go through every round of a long horizon. T is
monotone, and adding a constant to V adds it to T V. So if `V_{s+k} <= V_s + rise` at every node, then applying T to
both sides again and again gives `V_t <= V_{t-k} + rise` for all t >= s + k: a bound for every later round, whatever the
period k. In the same way the least increment bounds V from below. The iteration ends when the largest and the least
increment per round, each over its best period, are so close that the rounds left can add no more than the tolerance.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.problem.dynamics import Dynamics, mean_reward, move_one
from roguewk.relax.lattice import Lattice

# An arm used regularly has a period. Steady use whose period is longer than these is almost as good at a shorter one.
PERIODS = 64
FIRST_LOOK = 12  # rounds before the increments are first looked at; later looks are a third further on each time
MOST_CHOICES = 20_000_000  # bytes


class ArmTable(NamedTuple):
    """Working memory and results of the dynamic program of one arm."""

    values: Vector  # (rounds + 1,): value from the initial state with so many rounds to go
    choices: Any  # (row + 1, node): whether to pull with one more round to go than the row's number; the last is scrap
    recent: Vector  # (PERIODS + 1, node): V_s in row s modulo their number
    repeat: NDArray[np.int64]  # rows of choices in use, and how many of the last ones stand for all later rounds
    tolerance: float  # added to a value per round at the most
    own: Vector  # (last,): what a pull costs on top of the price with one more round to go than the number
    last_pulls: Vector  # (last,): whether the schedule followed pulls there
    forgone: Vector  # (rounds,): what a pull does without, so many rounds before the end; none where that is nothing


def build_table(
    lattice: Lattice, rounds: int, tolerance: float = 0.0, last: int = 0, forgone: Vector | None = None
) -> ArmTable:
    """Space for this many rounds; without a tolerance, the iteration goes through nearly all of them.

    The `last` rounds may have prices of their own. What is `forgone` in a round is a price too, which no reward of a
    schedule counts; the iteration then goes through all rounds.
    """
    nodes = lattice.rewards.size
    rows = min(rounds, max(MOST_CHOICES // nodes, PERIODS))
    choices = np.zeros((rows + 1, nodes), dtype=np.bool_)
    recent = np.zeros((PERIODS + 1, nodes))
    own, last_pulls = np.zeros((2, min(last, rows)))
    forgone = np.zeros(0) if forgone is None else forgone
    return ArmTable(
        np.zeros(rounds + 1), choices, recent, np.zeros(2, dtype=np.int64), tolerance, own, last_pulls, forgone
    )


@compiled_for_threads
def solve_arm(lattice: Lattice, price: float, table: ArmTable) -> None:
    """Value iteration: `V <- max(g - price + V(pulled), V(rested))`, an upper bound at every step."""
    rounds, rows, ring = table.values.size - 1, table.choices.shape[0] - 1, table.recent.shape[0]
    table.recent[0, :] = 0.0
    last = table.own.size
    done, look, period, rise = 0, FIRST_LOOK, 1, 0.0
    while done < rounds:
        before, now = table.recent[done % ring], table.recent[(done + 1) % ring]
        own = table.own[done] if done < last else 0.0
        own += table.forgone[done] if done < table.forgone.size else 0.0
        step(lattice, price + own, before, now, table.choices[min(done, rows)])
        done += 1
        value = lattice.slack
        for k in range(lattice.start.size):
            value += lattice.start_shares[k] * now[lattice.start[k]]
        table.values[done] = value
        if done == rounds or (done == last + look and table.forgone.size == 0):
            look += look // 3
            period, rise, spread = _periodic(table.recent, done, done - last)
            if spread * (rounds - done) <= table.tolerance * rounds:
                break
    for s in range(done + 1, rounds + 1):
        table.values[s] = table.values[s - period] + rise
    table.repeat[0] = min(done, rows)
    table.repeat[1] = min(period, table.repeat[0])


@compiled
def step(lattice: Lattice, price: float, now: Vector, after: Vector, choices: Any) -> None:
    """One round of value iteration."""
    nodes, corners = lattice.rest.shape
    for i in range(nodes):
        rested = pulled = 0.0
        for k in range(corners):
            rested += lattice.rest_shares[i, k] * now[lattice.rest[i, k]]
            pulled += lattice.pull_shares[i, k] * now[lattice.pull[i, k]]
        pulled += lattice.rewards[i] - price
        choices[i] = pulled > rested
        after[i] = max(pulled, rested) + lattice.slack


@compiled
def _periodic(recent: Vector, done: int, steady: int) -> tuple[int, float, float]:
    """The period of the least rise per round, that rise, and how far the true rate per round may lie below.

    Only the `steady` latest rounds had the price of all later ones.
    """
    ring, nodes = recent.shape
    now = recent[done % ring]
    period, rise, fastest, slowest = 1, np.inf, np.inf, -np.inf
    for k in range(1, min(ring - 1, steady) + 1):
        before = recent[(done - k) % ring]
        most, least = -np.inf, np.inf
        for i in range(nodes):
            increment = now[i] - before[i]
            most = max(most, increment)
            least = min(least, increment)
        if most / k < fastest:
            period, rise, fastest = k, most, most / k
        slowest = max(slowest, least / k)
    return period, rise, fastest - slowest


@compiled_for_threads
def follow(
    lattice: Lattice, dynamics: Dynamics, a: int, table: ArmTable, rounds: int, state: Vector
) -> tuple[int, float]:
    """Pulls and reward of the schedule that the choices make of the last `rounds` rounds, from row 0 of `state`."""
    pulls, reward = 0, 0.0
    rows, period = table.repeat
    table.last_pulls[:] = 0.0
    for s in range(rounds - 1, -1, -1):
        row = s if s < rows else rows - period + (s - rows) % period
        node = 0
        for i in range(lattice.counts.size):
            place = int((state[0, i] - lattice.low[i]) / lattice.gaps[i] + 0.5)
            node = node * lattice.counts[i] + min(max(place, 0), lattice.counts[i] - 1)
        pulled = 0.0
        if table.choices[row, node]:
            pulled = 1.0
            pulls += 1
            reward += mean_reward(dynamics, a, state[0]) - (table.forgone[s] if s < table.forgone.size else 0.0)
        if s < table.last_pulls.size:
            table.last_pulls[s] = pulled
        move_one(dynamics, a, state[0], pulled, state[1])
    return pulls, reward
