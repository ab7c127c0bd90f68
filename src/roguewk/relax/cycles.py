"""How often an arm is used at which time of a cycle, at any price per pull.

What an arm is worth is tabulated as if every round might be of any time of the day or week (`worth.py`): prices found
so would give away on Friday what Sunday needs. So each arm is also followed through whole cycles at every price, by the
policy that is best for it there, until its use repeats itself. What it is used and earns in the rounds to come, beyond
what the tables have on average, is then added to what the tables say.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.kernel.memory import Constant
from roguewk.problem.calendar import Calendar, calendar_of, shift_table
from roguewk.problem.problem import Problem
from roguewk.relax.lattice import planning_lattice, shifted_rewards
from roguewk.relax.worth import PRICES, REMEMBERED, Alike, Worth, mixture_of, rounds_needed

LONGEST = 512  # rounds of a cycle: longer ones are taken to go on as they are on average
NEGLIGIBLE = 1e-9  # chance of a state


class Cycle(NamedTuple):
    """What there is in the rounds of a cycle before each phase, beyond so many average ones; empty without cycles."""

    pulls: Constant[Vector]  # (arm, way, phase + 1), of the ways between neighbouring prices
    rewards: Constant[Vector]  # (arm, way, phase + 1)


class Turning(NamedTuple):
    """An arm on a grid, at every time of a cycle."""

    rest: Any  # (node, corner) the nodes around the next state without a pull
    rest_shares: Vector  # (node, corner)
    pull: Any  # (node, corner) with a pull
    pull_shares: Vector  # (node, corner)
    times: Any  # (phase,)
    chances: Vector  # (time, way) how often the arm is there in each way
    rewards: Vector  # (time, way, node)


class Track(NamedTuple):
    """Working memory."""

    values: Vector  # (2, node)
    choices: Any  # (phase, node) in which ways to pull, a bit each
    masses: Vector  # (2, node) how likely the arm is to be there


def build_track(phases: int, nodes: int) -> Track:
    """Working memory for an arm of so many nodes."""
    return Track(np.zeros((2, nodes)), np.zeros((phases, nodes), dtype=np.uint64), np.zeros((2, nodes)))


def build_cycle(problem: Problem, worth: Worth) -> Cycle:
    """Follow all arms of a problem through its cycles."""
    calendar, arms = calendar_of(problem.contexts, problem.rounds_per_day), range(len(problem.arms))
    if not goes_round(calendar):
        return Cycle(*np.zeros((2, len(arms), PRICES - 1, 0)))
    found = [_follow_through(problem, worth, a, calendar) for a in arms]
    return Cycle(np.stack([pulls for pulls, _ in found]), np.stack([rewards for _, rewards in found]))


def goes_round(calendar: Calendar) -> bool:
    """Whether rounds differ by where they are in a cycle that can be followed."""
    return 1 < len(calendar.phases) <= LONGEST


def _follow_through(problem: Problem, worth: Worth, a: int, calendar: Calendar) -> Any:
    """The pulls and rewards of one arm, (2, way, phase + 1)."""
    shifts, barred = shift_table(problem.arms, calendar)
    there = np.where(barred[:, a], np.nan, shifts[:, a]).reshape(-1, calendar.draws)
    mixtures = [mixture_of(problem.arms[a], row, calendar.chances) for row in there]
    chances, levels = np.zeros((2, len(mixtures), max(mixture.chances.size for mixture in mixtures)))
    for time, mixture in enumerate(mixtures):
        chances[time, : mixture.chances.size], levels[time, : mixture.shifts.size] = mixture
    what = chances, levels, np.asarray(calendar.phases), worth.prices[a], worth.rates[a]
    return _followed(Alike(problem.arms[a], what))


@functools.lru_cache(REMEMBERED)
def _followed(alike: Alike) -> Any:
    """The same, which other policies want too."""
    chances, levels, times, prices, rates = alike.mixture
    lattice = planning_lattice(alike.arm)
    rewards = np.stack([shifted_rewards(alike.arm, lattice, row) for row in levels])
    moves = lattice.rest, lattice.rest_shares, lattice.pull, lattice.pull_shares
    track, found = build_track(times.size, lattice.rewards.size), np.zeros((2, PRICES - 1, times.size + 1))
    follow_at_all_prices(
        Turning(*moves, times, chances, rewards), prices, rates, rounds_needed(alike.arm), track, found[0], found[1]
    )
    return found


@compiled_for_threads
def follow_at_all_prices(
    arm: Turning, prices: Vector, rates: Vector, last: int, track: Track, pulls: Vector, rewards: Vector
) -> None:
    """Write what an arm is used and earns to `pulls` and `rewards`, (way, phase + 1); `last` rounds tell all."""
    phases, gap = arm.times.size, prices[1] - prices[0]
    cycles = (last + phases - 1) // phases
    for way in range(prices.size - 1):
        _decide(arm, prices[way] + 0.5 * gap, cycles, track)
        _follow(arm, cycles, track, pulls[way], rewards[way])
        usual = (rates[way] - rates[way + 1]) / gap
        earned = rates[way] + prices[way] * usual
        for phase in range(phases):
            pulls[way, phase + 1] += pulls[way, phase] - usual
            rewards[way, phase + 1] += rewards[way, phase] - earned


@compiled
def _decide(arm: Turning, price: float, cycles: int, track: Track) -> None:
    """When to pull in the first of so many cycles, by value iteration."""
    phases, ways = arm.times.size, arm.chances.shape[1]
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
            for way in range(ways):
                gain = arm.rewards[time, way, i] - price + pulled - rested
                if gain > 0.0:
                    value += arm.chances[time, way] * gain
                    chosen |= np.uint64(1) << np.uint64(way)
            after[i] = value
            track.choices[phase, i] = chosen
        now, after = after, now


@compiled
def _follow(arm: Turning, cycles: int, track: Track, pulls: Vector, rewards: Vector) -> None:
    """Count pulls and rewards, (phase + 1,), the first being none, in the cycle after so many; states are chances."""
    phases, ways = arm.times.size, arm.chances.shape[1]
    nodes, corners = arm.rest.shape
    here, there = track.masses[0], track.masses[1]
    here[:] = 0.0
    here[nodes - 1] = 1.0
    pulls[:] = 0.0
    rewards[:] = 0.0
    for t in range((cycles + 1) * phases):
        phase = t % phases
        time = arm.times[phase]
        there[:] = 0.0
        for i in range(nodes):
            if here[i] < NEGLIGIBLE:
                continue
            used = 0.0
            for way in range(ways):
                if track.choices[phase, i] >> np.uint64(way) & np.uint64(1):
                    used += arm.chances[time, way]
                    if t >= cycles * phases:
                        rewards[phase + 1] += here[i] * arm.chances[time, way] * arm.rewards[time, way, i]
            if t >= cycles * phases:
                pulls[phase + 1] += here[i] * used
            for c in range(corners):
                there[arm.rest[i, c]] += here[i] * (1.0 - used) * arm.rest_shares[i, c]
                there[arm.pull[i, c]] += here[i] * used * arm.pull_shares[i, c]
        here, there = there, here


@compiled
def beyond_usual(before: Vector, start: int, rounds: float) -> float:
    """What so many rounds from `start` on have beyond average ones, for each; `before` is a row of a `Cycle`."""
    phases = before.size - 1
    cycles, rest = int(rounds) // phases, int(rounds) % phases
    first = start % phases
    end = first + rest
    more = cycles * before[phases] + before[min(end, phases)] - before[first]
    if end > phases:
        more += before[end - phases]
    return more / max(rounds, 1.0)
