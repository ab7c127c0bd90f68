"""The compiled loop: replicate after replicate, round after round; nothing is allocated within a round."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.engine.truth import Truth, draw_costs, draw_reward
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.kernel.luck import ROUND, Word, block, unit
from roguewk.kernel.records import record_type
from roguewk.kernel.verbs import clone, copy_into
from roguewk.policy.parts import SLACK, Parts, choose, learn, pass_round
from roguewk.problem.arms import Vector
from roguewk.problem.dynamics import mean_reward, move_all

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
    """A thread's own working memory."""

    parts: Parts
    states: Vector  # (arm, coordinate)
    spare: Vector  # (coordinate,)
    costs: Vector  # (resource,) in the user's units
    scaled: Vector  # (resource,) in [0, 1]
    available: Any  # (arm,)


def build_bench(truth: Truth, parts: Parts) -> Bench:
    """Working memory for playing `parts` in this world."""
    costs, scaled = np.zeros((2, truth.budgets.size))
    available = np.ones(truth.x0.shape[0], dtype=np.bool_)
    return Bench(clone(parts), truth.x0.copy(), np.zeros(truth.x0.shape[1]), costs, scaled, available)


@compiled_for_threads
def rollout(
    truth: Truth,
    parts: Parts,
    bench: Bench,
    begin: int,
    end: int,
    seed: Word,
    first: int,
    totals: Any,
    spent: Vector,
    curves: Curves,
) -> None:
    """Play replicates `first`, `first + 1`, ... and fill `totals` (replicate,) and `spent` (replicate, resource).

    A single long replicate may be played in stretches of rounds from `begin` to `end`, one call after the other.
    """
    for r in range(totals.size):
        if begin == 0:
            copy_into(bench.parts, parts)
            copy_into(bench.states, truth.x0)
            totals[r].stopped_by = HORIZON
        _play(truth, bench, begin, end, seed, first + r, totals[r : r + 1], spent[r], curves, r)


@compiled
def _play(
    truth: Truth,
    bench: Bench,
    begin: int,
    end: int,
    seed: Word,
    replicate: int,
    totals: Any,
    spent: Vector,
    curves: Curves,
    row: int,
) -> None:
    parts, states, costs = bench.parts, bench.states, bench.costs
    total = totals[0]
    for t in range(begin, end):
        word = block(seed, replicate, t, ROUND, 0)
        arm = choose(parts, bench.available, unit(word[2]))
        total.rounds += 1
        mean = reward = 0.0
        over = HORIZON
        if arm >= 0:
            mean = mean_reward(truth.dynamics, arm, states[arm])
            reward = draw_reward(truth, arm, mean, word[0], word[1])
            draw_costs(truth, arm, seed, replicate, t, costs)
            over = _spend(truth, costs, spent, bench.scaled)
        if over != HORIZON:
            mean = reward = 0.0  # the round that breaks a budget does not count
        if curves.arms.size > 0:
            _record(curves, row, t, arm, reward, mean, costs, states)
        if over != HORIZON:
            total.stopped_by = over
            break
        round_ = parts.desk.clock[0].round
        pass_round(parts, arm)
        if arm >= 0:
            total.plays += 1
            total.reward += reward
            total.expected += mean
            learn(parts, round_, arm, parts.desk.memo, reward, bench.scaled)
        move_all(truth.dynamics, states, arm, bench.spare)


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
