"""The compiled loop: replicate after replicate, round after round; nothing is allocated within a round."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arena import Arena
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.luck import ROUND, Word, block
from roguewk.kernel.memory import copy_into
from roguewk.kernel.records import record_type
from roguewk.policy.machine import BEFORE, Machine, turn
from roguewk.problem.dynamics import mean_reward, move_all
from roguewk.problem.ledger import SLACK
from roguewk.world.truth import Truth, draw_costs, draw_reward

HORIZON = -1  # stopped by no resource

TOTAL = record_type(("reward", "expected"), ("plays", "rounds", "stopped_by"))


class Curves(NamedTuple):
    """What happened in every round; rounds after the end hold arm -2 and zeros. Empty when not recorded."""

    arms: Any  # (replicate, round), -1 for an idle round
    rewards: Vector  # (replicate, round)
    expected: Vector  # (replicate, round)
    costs: Vector  # (replicate, round, resource) in the user's units
    states: Vector  # (replicate, round, arm, coordinate) before the pull acts


def build_curves(truth: Truth, replicates: int, rounds: int) -> Curves:
    """Space for this many rounds."""
    shape = (replicates, rounds)
    arms = np.full(shape, -2, dtype=np.int16)
    costs, states = np.zeros((*shape, truth.budgets.size)), np.zeros((*shape, *truth.x0.shape))
    return Curves(arms, np.zeros(shape), np.zeros(shape), costs, states)


class Bench(NamedTuple):
    """A thread's own copy of a world in motion."""

    truth: Truth
    states: Vector  # (arm, coordinate)
    spare: Vector  # (coordinate,)
    costs: Vector  # (resource,) in the user's units
    scaled: Vector  # (resource,) in [0, 1]
    pull: Any  # (1,) record: what the round brought


_PULL = record_type(("reward", "mean"), ("arm", "over"))


def build_bench(truth: Truth, scaled: Vector) -> Bench:
    """Working memory for playing in this world; a policy finds the costs of a round in `scaled`, (resource,)."""
    states, pull = truth.x0.copy(), np.zeros(1, dtype=_PULL)
    return Bench(truth, states, np.zeros(states.shape[1]), np.zeros(truth.budgets.size), scaled, pull)


@compiled_for_threads
def rollout(
    policy: Arena,
    world: Handle,
    recorded: Handle,
    begin: int,
    end: int,
    seed: Word,
    first: int,
    totals: Any,
    spent: Vector,
) -> None:
    """Play replicates `first`, `first + 1`, ... and fill `totals` (replicate,) and `spent` (replicate, resource).

    A single long replicate may be played in stretches of rounds from `begin` to `end`, one call after the other.
    """
    for r in range(totals.size):
        if begin == 0:
            bench: Bench = held(world)
            machine: Machine = held(policy)
            copy_into(machine.learned, machine.start)
            copy_into(bench.states, bench.truth.x0)
            bench.pull[0].arm = BEFORE
            totals[r].stopped_by = HORIZON
        _play(policy, world, recorded, begin, end, seed, first + r, totals[r : r + 1], spent[r], r)


@compiled
def _play(
    policy: Arena,
    world: Handle,
    recorded: Handle,
    begin: int,
    end: int,
    seed: Word,
    replicate: int,
    totals: Any,
    spent: Vector,
    row: int,
) -> None:
    machine: Machine = held(policy)
    bench: Bench = held(world)
    curves: Curves = held(recorded)
    total, pull = totals[0], bench.pull[0]
    for t in range(begin, end):
        pull.arm = turn(machine, pull.arm, pull.reward, seed, replicate)
        total.rounds += 1
        _pull(bench, pull.arm, seed, replicate, t, spent, curves, row)
        if pull.over != HORIZON:
            total.stopped_by = pull.over
            break
        if pull.arm >= 0:
            total.plays += 1
            total.reward += pull.reward
            total.expected += pull.mean


@compiled
def _pull(bench: Bench, arm: int, seed: Word, replicate: int, t: int, spent: Vector, curves: Curves, row: int) -> None:
    """Let the world answer: reward, costs and whether a budget is broken; then its states move."""
    truth, pull = bench.truth, bench.pull[0]
    pull.mean = pull.reward = 0.0
    pull.over = HORIZON
    if arm >= 0:
        word = block(seed, replicate, t, ROUND, 0)
        pull.mean = mean_reward(truth.dynamics, arm, bench.states[arm])
        pull.reward = draw_reward(truth, arm, pull.mean, word[0], word[1])
        draw_costs(truth, arm, seed, replicate, t, bench.costs)
        pull.over = _spend(truth, bench.costs, spent, bench.scaled)
    if pull.over != HORIZON:
        pull.mean = pull.reward = 0.0  # the round that breaks a budget does not count
    if curves.arms.size > 0:
        _record(curves, row, t, arm, pull.reward, pull.mean, bench.costs, bench.states)
    if pull.over == HORIZON:
        move_all(truth.dynamics, bench.states, arm, bench.spare)


@compiled
def _spend(truth: Truth, costs: Vector, spent: Vector, scaled: Vector) -> int:
    """Book the costs; the first resource that is overdrawn, or HORIZON."""
    over = HORIZON
    for j in range(costs.size):
        spent[j] += costs[j]
        scaled[j] = costs[j] / truth.scales[j]
        if over == HORIZON and spent[j] > truth.budgets[j] * (1.0 + SLACK):
            over = j
    return over


@compiled
def _record(
    curves: Curves, row: int, t: int, arm: int, reward: float, mean: float, costs: Vector, states: Vector
) -> None:
    curves.arms[row, t] = arm
    curves.rewards[row, t] = reward
    curves.expected[row, t] = mean
    if arm >= 0:
        copy_into(curves.costs[row, t], costs)
    copy_into(curves.states[row, t], states)
