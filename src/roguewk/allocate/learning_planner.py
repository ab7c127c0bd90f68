"""The planner where nobody knows how arms wear off and recover.

It plans with the dynamics that are likely by what was seen so far, and tabulates what arms are worth anew at growing
intervals, within the compiled loop. What it does not know of an arm's level is preferred as what it does not know of
its costs, by how often it can still be used; that a level is known is not forgotten when the state moves on.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.believed_arms import PlannedArms, build_planned_arms, is_built, plan_for, state_now, to_build
from roguewk.allocate.doubts import FOR_EVER
from roguewk.allocate.few_pulls import FewPulls
from roguewk.allocate.notes import Notes
from roguewk.allocate.own_cycle import OwnCycle, RoundTrip, build_round_trip, turn
from roguewk.allocate.planner import build_common, check_plan, settle_on, think
from roguewk.allocate.turns import Turns
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.handle import Handle, behind, held
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.part.desk import Desk
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import SPREAD, allocate, check_state, look
from roguewk.problem.dynamics import ARM
from roguewk.problem.occasions import Occasions, calendar_of, odds_of
from roguewk.problem.problem import Problem
from roguewk.relax.cycles import empty_cycle
from roguewk.relax.lookahead import Beam
from roguewk.relax.prices import PriceProgram
from roguewk.relax.retabulate import (
    NODES,
    Bench,
    OwnWorth,
    build_bench,
    build_own_worth,
    lowest_state,
    retabulate,
)


class OwnDynamics(NamedTuple):
    """The arms as they are believed to be, in the form of `Dynamics`."""

    arms: Scratch[Any]  # (arm,) records
    vectors: Scratch[Vector]  # (arm, 1, column)


class LearningPlanner(NamedTuple):
    """The fields of `Planner`, of which some are filled anew, and what they are filled from."""

    worth: OwnWorth
    dynamics: OwnDynamics
    cycle: OwnCycle
    program: PriceProgram
    beam: Beam
    plan: Learned[Any]
    charges: Learned[Vector]
    later: Learned[Vector]
    scarce: Learned[Vector]
    notes: Notes
    turns: Turns
    few: FewPulls
    everything: Constant[Any]
    said: Constant[Vector]
    budgets: Constant[Vector]
    memory: Constant[Vector]
    may_idle: bool
    limited: bool
    optimism: float
    planned: PlannedArms
    bench: Bench
    round_trip: RoundTrip
    odds: Learned[Vector]  # (occasion,) planned for; none where there are no contexts
    built_odds: Scratch[Vector]  # (arm, occasion) what the tables are of


def build_learning_planner(problem: Problem, optimism: float) -> Handle:
    """A fresh planner for this problem, whose dynamics are not looked at."""
    arms = len(problem.arms)
    occasions = len(calendar_of(problem.contexts, problem.rounds_per_day).occasions)
    planner = LearningPlanner(
        worth=build_own_worth(arms),
        dynamics=OwnDynamics(np.zeros(arms, dtype=ARM), np.zeros((arms, 1, 6))),
        cycle=OwnCycle(*empty_cycle(problem)),
        memory=np.full(arms, FOR_EVER),
        planned=build_planned_arms(problem),
        bench=build_bench(occasions),
        round_trip=build_round_trip(problem),
        odds=np.zeros(occasions if problem.contexts else 0),
        built_odds=np.zeros((arms, occasions if problem.contexts else 0)),
        **build_common(problem, optimism, 1, NODES),
    )
    return Handle(planner)


@check_state.body(LearningPlanner)
def _check_state(part: LearningPlanner, room: Room) -> None:
    check_plan(part.plan)
    check_within(part.odds, 0.0, 1.0, "a chance that is planned for")


@compiled
def _are_built(part: LearningPlanner, a: int) -> bool:
    """Whether the tables of an arm are those of what is planned for."""
    same = is_built(part.planned, a)
    for k in range(part.odds.size):
        same = same and part.built_odds[a, k] == part.odds[k]
    return same


@compiled
def _lay_out_ways(part: LearningPlanner, occasions: Occasions, a: int) -> None:
    """Write in which ways an arm is there: occasions that do the same to it are one."""
    bench, ways = part.bench, 0
    for k in range(part.odds.size):
        part.built_odds[a, k] = part.odds[k]
        if occasions.barred[k, a]:
            continue
        way = 0
        while way < ways and bench.shifts[way] != occasions.shifts[k, a]:
            way += 1
        if way == ways:
            bench.shifts[way], bench.chances[way] = occasions.shifts[k, a], 0.0
            ways += 1
        bench.chances[way] += part.odds[k]
    if part.odds.size > 0:
        bench.ways[0] = ways


@compiled
def _build_tables(part: LearningPlanner, occasions: Occasions, a: int) -> None:
    _lay_out_ways(part, occasions, a)
    believed, arm = to_build(part.planned, a), part.dynamics.arms[a]
    arm.A, arm.B, arm.K, arm.alpha, arm.beta = believed.retention, believed.push, 0.0, believed.rested, 1.0
    arm.low, arm.high = lowest_state(believed), believed.highest
    arm.dimension, arm.family, arm.sigma, arm.h, arm.g = 1, believed.family, part.planned.arms.sigmas[a], 0, 0
    retabulate(part.worth, part.bench, a, believed)
    if part.cycle.chances.size > 0:
        turn(part.cycle, part.round_trip, part.worth, part.bench, occasions, part.odds, a, believed)


@look.body(behind(LearningPlanner))
def _look(handle: Handle, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    part: LearningPlanner = held(handle)
    anew = desk.clock[0].round >= part.planned.next_tables[0]
    plan_for(part.planned, rewards, now, desk.clock[0].round)
    for k in range(part.odds.size if anew else 0):
        part.odds[k] = odds_of(desk.occasions, k)
    for a in range(part.dynamics.arms.size):
        if not _are_built(part, a):
            _build_tables(part, desk.occasions, a)
        x = state_now(part.planned, a)
        part.notes.states[a, 0] = min(max(x, part.dynamics.arms[a].low), part.dynamics.arms[a].high)
        part.notes.spreads[a, 0] = part.planned.arms.now[a, SPREAD]
    think(handle, costs, desk)


@allocate.body(behind(LearningPlanner))
def _allocate(handle: Handle, desk: Desk, now: Now) -> int:
    return settle_on(handle, desk)
