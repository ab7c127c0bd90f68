"""How arms are used in cycles, worked out anew when their dynamics are believed to be others."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled_apart
from roguewk.kernel.memory import Constant, Scratch
from roguewk.problem.calendar import calendar_of
from roguewk.problem.family.compiled import mean_of_level
from roguewk.problem.occasions import Occasions
from roguewk.problem.problem import Problem
from roguewk.relax.cycles import Track, Turning, build_track, follow_at_all_prices, is_followed
from roguewk.relax.retabulate import NODES, Believed, Bench, OwnWorth, rounds_to_iterate

STEP = 6  # ways of using an arm, of PRICES - 1, one of which is followed for all


class OwnCycle(NamedTuple):
    """How arms are used in cycles, in the form of `Cycle`."""

    pulls: Scratch[Vector]  # (arm, way, draw, phase + 1)
    rewards: Scratch[Vector]  # (arm, way, draw, phase + 1)
    usual: Scratch[Vector]  # (arm, way, 2)
    chances: Scratch[Vector]  # (draw,)


class RoundTrip(NamedTuple):
    """An arm at every time of a cycle, and working memory; empty without cycles."""

    times: Constant[Any]  # (phase,)
    chances: Scratch[Vector]  # (time, draw)
    rewards: Scratch[Vector]  # (time, draw, node)
    track: Scratch[Track]


def build_round_trip(problem: Problem) -> RoundTrip:
    """Space for arms of this problem."""
    calendar, some = calendar_of(problem.contexts, problem.rounds_per_day), is_followed(problem)
    times = np.array(calendar.phases if some else (), dtype=np.int64)
    shape = (times.max() + 1, calendar.draws) if some else (0, 0)
    return RoundTrip(times, np.zeros(shape), np.zeros((*shape, NODES)), build_track(times.size, NODES))


@compiled_apart
def turn(
    cycle: OwnCycle,
    trip: RoundTrip,
    worth: OwnWorth,
    bench: Bench,
    occasions: Occasions,
    odds: Vector,
    a: int,
    believed: Believed,
) -> None:
    """Fill the rows of arm `a`, whose tables have just been made for these odds, (occasion,)."""
    times, draws = trip.chances.shape
    grid = worth.grids[a]
    for time in range(times):
        for draw in range(draws):
            k = time * draws + draw
            cycle.chances[draw] = odds[k] / occasions.paces[time]
            trip.chances[time, draw] = 0.0 if occasions.barred[k, a] else cycle.chances[draw]
            for i in range(NODES):
                level = believed.rested + occasions.shifts[k, a] + grid.low + grid.gap * i
                trip.rewards[time, draw, i] = mean_of_level(believed.family, level)
    arm = Turning(bench.rest, bench.rest_shares, bench.pull, bench.pull_shares, trip.times, trip.chances, trip.rewards)
    last = rounds_to_iterate(worth, believed.retention)
    follow_at_all_prices(
        arm, worth.prices[a], worth.rates[a], last, STEP, trip.track, cycle.pulls[a], cycle.rewards[a], cycle.usual[a]
    )
