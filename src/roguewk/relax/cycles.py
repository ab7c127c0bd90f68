"""How often an arm is used at which time of a cycle and in which context, at any price per pull.

What an arm is worth is tabulated as if every round might be of any time of the day or week (`worth.py`): prices found
so would give away on Friday what Sunday needs. So each arm is also followed through whole cycles at every price, by the
policy that is best for it there, until its use repeats itself. What it is used and earns in the rounds to come, beyond
what the tables have on average, is then added to what the tables say. Where nobody told how often contexts are drawn,
what happens in each counts as often as it is there by what was seen, as the tables are of a first guess.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Constant, copy_into
from roguewk.problem.calendar import calendar_of, shift_table
from roguewk.problem.context import is_certain
from roguewk.problem.problem import Problem
from roguewk.relax.lattice import planning_lattice, shifted_rewards
from roguewk.relax.worth import PRICES, REMEMBERED, Alike, Worth, rounds_needed

LONGEST = 512  # rounds of a cycle: longer ones are taken to go on as they are on average
NEGLIGIBLE = 1e-9  # chance of a state
# Pulls every two days repeat themselves every two weeks: their use is that of several cycles, on average.
AVERAGED = 12


class Cycle(NamedTuple):
    """What happens in the rounds of a cycle before each phase; empty where all rounds are as the tables have them.

    Ways of using an arm are between neighbouring prices.
    """

    pulls: Constant[Vector]  # (arm, way, draw, phase + 1)
    rewards: Constant[Vector]  # (arm, way, draw, phase + 1)
    usual: Constant[Vector]  # (arm, way, 2) pulls and reward of a round, as the tables have them
    chances: Constant[Vector]  # (draw,) for which that was found


class Turning(NamedTuple):
    """An arm on a grid, at every time of a cycle."""

    rest: Any  # (node, corner) the nodes around the next state without a pull
    rest_shares: Vector  # (node, corner)
    pull: Any  # (node, corner) with a pull
    pull_shares: Vector  # (node, corner)
    times: Any  # (phase,)
    chances: Vector  # (time, draw) how often the arm is there then
    rewards: Vector  # (time, draw, node)


class Track(NamedTuple):
    """Working memory."""

    values: Vector  # (2, node)
    choices: Any  # (phase, node) in which draws to pull, a bit each
    masses: Vector  # (2, node) how likely the arm is to be there


def build_track(phases: int, nodes: int) -> Track:
    """Working memory for an arm of so many nodes."""
    return Track(np.zeros((2, nodes)), np.zeros((phases, nodes), dtype=np.uint64), np.zeros((2, nodes)))


def is_followed(problem: Problem) -> bool:
    """Whether rounds differ by where they are in a cycle, or as nobody has told."""
    phases = len(calendar_of(problem.contexts, problem.rounds_per_day).phases)
    return 1 < phases <= LONGEST or (phases == 1 and not is_certain(problem.contexts))


def empty_cycle(problem: Problem) -> tuple[Vector, Vector, Vector, Vector]:
    """Space for the fields of a `Cycle`."""
    arms, calendar = len(problem.arms), calendar_of(problem.contexts, problem.rounds_per_day)
    shape = (calendar.draws, len(calendar.phases) + 1) if is_followed(problem) else (0, 0)
    ways = PRICES - 1 if is_followed(problem) else 0
    return *np.zeros((2, arms, ways, *shape)), np.zeros((arms, ways, 2)), calendar.chances[: shape[0]].copy()


def build_cycle(problem: Problem, worth: Worth) -> Cycle:
    """Follow all arms of a problem through its cycles."""
    cycle, calendar = Cycle(*empty_cycle(problem)), calendar_of(problem.contexts, problem.rounds_per_day)
    if is_followed(problem):
        for a, arm in enumerate(problem.arms):
            shifts, barred = (table[:, a].reshape(-1, calendar.draws) for table in shift_table(problem.arms, calendar))
            there = 1.0 if arm.available is None else arm.available
            chances = np.where(barred, 0.0, calendar.chances * there)
            what = chances, shifts, np.asarray(calendar.phases), worth.prices[a], worth.rates[a]
            cycle.pulls[a], cycle.rewards[a], cycle.usual[a] = _followed(Alike(arm, what))
    return cycle


@functools.lru_cache(REMEMBERED)
def _followed(alike: Alike) -> Any:
    """Pulls, rewards and usual ones of an arm, which other policies want too."""
    chances, shifts, times, prices, rates = alike.mixture
    lattice = planning_lattice(alike.arm)
    rewards = np.stack([shifted_rewards(alike.arm, lattice, row) for row in shifts])
    moves = lattice.rest, lattice.rest_shares, lattice.pull, lattice.pull_shares
    track = build_track(times.size, lattice.rewards.size)
    pulls, earned = np.zeros((2, PRICES - 1, chances.shape[1], times.size + 1))
    usual, turning = np.zeros((PRICES - 1, 2)), Turning(*moves, times, chances, rewards)
    follow_at_all_prices(turning, prices, rates, rounds_needed(alike.arm), 1, track, pulls, earned, usual)
    return pulls, earned, usual


@compiled_apart
def follow_at_all_prices(
    arm: Turning,
    prices: Vector,
    rates: Vector,
    last: int,
    step: int,
    track: Track,
    pulls: Vector,
    rewards: Vector,
    usual: Vector,
) -> None:
    """Write how an arm is used to `pulls`, `rewards` and `usual`, as a `Cycle` has them; `last` rounds tell all.

    Of so many ways in a `step`, the one in the middle stands for all.
    """
    phases, gap = arm.times.size, prices[1] - prices[0]
    cycles = (last + phases - 1) // phases
    for first in range(0, prices.size - 1, step):
        middle, end = first + step // 2, min(first + step, prices.size - 1)
        _decide(arm, prices[middle] + 0.5 * gap, cycles, track)
        _follow(arm, cycles, track, pulls[first], rewards[first])
        for way in range(first, end):
            usual[way, 0] = (rates[middle] - rates[middle + 1]) / gap
            usual[way, 1] = rates[middle] + prices[middle] * usual[way, 0]
            if way > first:
                copy_into(pulls[way], pulls[first])
                copy_into(rewards[way], rewards[first])


@compiled
def _decide(arm: Turning, price: float, cycles: int, track: Track) -> None:
    """When to pull in the first of so many cycles, by value iteration."""
    phases, draws = arm.times.size, arm.chances.shape[1]
    nodes, corners = arm.rest.shape
    now, after = track.values[0], track.values[1]
    now[:] = 0.0
    for done in range(cycles * phases):
        phase = phases - 1 - done % phases
        time = arm.times[phase]
        for i in range(nodes):
            rested = pulled = 0.0
            for c in range(corners):
                rested += arm.rest_shares[i, c] * now[arm.rest[i, c]]
                pulled += arm.pull_shares[i, c] * now[arm.pull[i, c]]
            value, chosen = rested, np.uint64(0)
            for draw in range(draws):
                gain = arm.rewards[time, draw, i] - price + pulled - rested
                if gain > 0.0:
                    value += arm.chances[time, draw] * gain
                    chosen |= np.uint64(1) << np.uint64(draw)
            after[i] = value
            track.choices[phase, i] = chosen
        now, after = after, now


@compiled
def _follow(arm: Turning, cycles: int, track: Track, pulls: Vector, rewards: Vector) -> None:
    """Add up pulls and rewards, (draw, phase + 1), of a cycle after many; states are chances."""
    phases, draws = arm.times.size, arm.chances.shape[1]
    nodes, corners = arm.rest.shape
    here, there = track.masses[0], track.masses[1]
    here[:] = 0.0
    here[nodes - 1] = 1.0
    pulls[:], rewards[:] = 0.0, 0.0
    averaged = min(AVERAGED, 1 + cycles // 3)
    for t in range((cycles + 1) * phases):
        phase = t % phases
        time = arm.times[phase]
        counts = 1.0 / averaged if t // phases > cycles - averaged else 0.0
        there[:] = 0.0
        for i in range(nodes):
            if here[i] < NEGLIGIBLE:
                continue
            used = 0.0
            for draw in range(draws):
                if track.choices[phase, i] >> np.uint64(draw) & np.uint64(1):
                    used += arm.chances[time, draw]
                    pulls[draw, phase + 1] += counts * here[i] * arm.chances[time, draw]
                    rewards[draw, phase + 1] += counts * here[i] * arm.chances[time, draw] * arm.rewards[time, draw, i]
            for c in range(corners):
                there[arm.rest[i, c]] += here[i] * (1.0 - used) * arm.rest_shares[i, c]
                there[arm.pull[i, c]] += here[i] * used * arm.pull_shares[i, c]
        here, there = there, here
    for phase in range(phases):
        for draw in range(draws):
            pulls[draw, phase + 1] += pulls[draw, phase]
            rewards[draw, phase + 1] += rewards[draw, phase]


@compiled
def in_rounds(before: Vector, start: int, rounds: float) -> float:
    """What so many rounds from `start` on have, for each; `before`, (phase + 1,), is what a cycle has before phases."""
    phases = before.size - 1
    cycles, rest = int(rounds) // phases, int(rounds) % phases
    first = start % phases
    end = first + rest
    found = cycles * before[phases] + before[min(end, phases)] - before[first]
    if end > phases:
        found += before[end - phases]
    return found / max(rounds, 1.0)
