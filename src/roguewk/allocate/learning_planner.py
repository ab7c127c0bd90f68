"""The planner where nobody knows how arms wear off and recover.

It plans with the dynamics that are likely by what was seen so far, and tabulates what arms are worth anew at growing
intervals, within the compiled loop. What it does not know of an arm's level is preferred as what it does not know of
its costs, by how often it can still be used; that a level is known is not forgotten when the state moves on.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.planner import FOR_EVER, Notes, build_common, check_plan, settle_on, think
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.handle import Handle, behind, held
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.part.desk import Desk
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.verbs import LEVEL, PUSH, RESTED, RETENTION, SPREAD, allocate, believed_dynamics, check_state, look
from roguewk.problem.dynamics import ARM
from roguewk.problem.family.registry import family_code
from roguewk.problem.problem import Problem
from roguewk.relax.lookahead import Beam
from roguewk.relax.prices import PriceProgram
from roguewk.relax.retabulate import (
    NODES,
    Believed,
    Bench,
    OwnWorth,
    build_bench,
    build_own_worth,
    lowest_state,
    retabulate,
)

HIGHEST, LOWEST = 3, 4  # columns beside retention, rested level and push: the states that tables are made for
# In units of level: log-odds, log-rates, standard deviations of measurements.
ROOM_ABOVE = 0.25  # that a state may rise above what it is now, or above that of a rested arm
LEAST_PUSH = 1e-3  # plans are for arms that wear off
MOST_RETENTION = 1.0 - 1e-5
LEVELS = 1e60  # no level is farther away
SOONEST, PATIENCE = 4, 12  # rounds between tables at least, and as part of the rounds played


class OwnDynamics(NamedTuple):
    """The arms as they are believed to be, in the form of `Dynamics`."""

    arms: Scratch[Any]  # (arm,) records
    vectors: Scratch[Vector]  # (arm, 1, column)


class Kinds(NamedTuple):
    """What is known of the arms."""

    families: Constant[Any]  # (arm,) codes
    bounded: Constant[Any]  # (arm,) whether rewards have a lowest mean
    sigmas: Constant[Vector]  # (arm,)


class LearningPlanner(NamedTuple):
    """The fields of `Planner`, of which some are filled anew, and what they are filled from."""

    worth: OwnWorth
    dynamics: OwnDynamics
    program: PriceProgram
    beam: Beam
    plan: Learned[Any]
    charges: Learned[Vector]
    scarce: Learned[Vector]
    notes: Notes
    everything: Constant[Any]
    said: Constant[Vector]
    budgets: Constant[Vector]
    memory: Constant[Vector]
    may_idle: bool
    optimism: float
    kinds: Kinds
    bench: Bench
    wanted: Learned[Vector]  # (arm, 5) what is planned for: retention, rested level, push, highest and lowest state
    next_tables: Learned[Any]  # (1,) the round in which that is found anew
    built: Scratch[Vector]  # (arm, 5) what the tables are of
    believed: Scratch[Vector]  # (arm, 5) as `believed_dynamics` writes it


def build_learning_planner(problem: Problem, optimism: float) -> Handle:
    """A fresh planner for this problem, whose dynamics are not looked at."""
    arms = len(problem.arms)
    families = [arm.reward_family for arm in problem.arms]
    kinds = Kinds(
        np.array([family_code(family.name) for family in families]),
        np.array([np.isfinite(family.means[0]) for family in families]),
        np.array([1.0 if arm.sigma is None else arm.sigma for arm in problem.arms]),
    )
    planner = LearningPlanner(
        worth=build_own_worth(arms),
        dynamics=OwnDynamics(np.zeros(arms, dtype=ARM), np.zeros((arms, 1, 6))),
        memory=np.full(arms, FOR_EVER),
        kinds=kinds,
        bench=build_bench(),
        wanted=np.zeros((arms, 5)),
        next_tables=np.zeros(1, dtype=np.int64),
        built=np.zeros((arms, 5)),
        believed=np.zeros((arms, 5)),
        **build_common(problem, optimism, 1, NODES),
    )
    return Handle(planner)


@check_state.body(LearningPlanner)
def _check_state(part: LearningPlanner, room: Room) -> None:
    check_plan(part.plan)
    check_within(part.next_tables, 0, 2 * LATEST, "the round of the next tables")
    if room.round > 0:
        check_within(part.wanted[:, RETENTION], 0.0, MOST_RETENTION, "a retention that is planned for")
        pushes = part.wanted[:, PUSH] / part.kinds.sigmas
        check_within(pushes, -LEVELS, -LEAST_PUSH * (1.0 - 1e-9), "a push that is planned for")
        check_within(part.wanted[:, RESTED], -LEVELS, LEVELS, "a level that is planned for")
        check_within(part.wanted[:, HIGHEST] / part.kinds.sigmas, 0.0, LEVELS, "a state that is planned for")
        check_within(part.wanted[:, LOWEST], -LEVELS, 0.0, "a state that is planned for")


@compiled
def _want(part: LearningPlanner) -> None:
    """Plan from now on for what is believed now."""
    for a in range(part.wanted.shape[0]):
        now, wanted = part.believed[a], part.wanted[a]
        wanted[RETENTION] = min(max(now[RETENTION], 0.0), MOST_RETENTION)
        wanted[RESTED] = now[RESTED]
        unit = part.kinds.sigmas[a]  # 1 but for measurements
        wanted[PUSH] = min(now[PUSH], -LEAST_PUSH * unit)
        wanted[HIGHEST] = max(now[LEVEL] - now[RESTED], 0.0) + ROOM_ABOVE * unit
        wanted[LOWEST] = min(now[LEVEL] - now[RESTED], 0.0)


@compiled
def _is_built(part: LearningPlanner, a: int) -> bool:
    same = True
    for i in range(part.wanted.shape[1]):
        same = same and part.built[a, i] == part.wanted[a, i]
    return same


@compiled
def _build_tables(part: LearningPlanner, a: int) -> None:
    wanted, arm = part.wanted[a], part.dynamics.arms[a]
    believed = Believed(
        part.kinds.families[a],
        part.kinds.bounded[a],
        wanted[RETENTION],
        wanted[RESTED],
        wanted[PUSH],
        wanted[HIGHEST],
        wanted[LOWEST],
    )
    arm.A, arm.B, arm.K, arm.alpha, arm.beta = wanted[RETENTION], wanted[PUSH], 0.0, wanted[RESTED], 1.0
    arm.low, arm.high = lowest_state(believed), wanted[HIGHEST]
    arm.dimension, arm.family, arm.sigma, arm.h, arm.g = 1, part.kinds.families[a], part.kinds.sigmas[a], 0, 0
    retabulate(part.worth, part.bench, a, believed)
    for i in range(wanted.size):
        part.built[a, i] = wanted[i]


@look.body(behind(LearningPlanner))
def _look(handle: Handle, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    part: LearningPlanner = held(handle)
    believed_dynamics(rewards, now, part.believed)
    round_ = desk.clock[0].round
    if round_ >= part.next_tables[0]:
        _want(part)
        part.next_tables[0] = round_ + max(SOONEST, round_ // PATIENCE)
    for a in range(part.wanted.shape[0]):
        if not _is_built(part, a):
            _build_tables(part, a)
        x = part.believed[a, LEVEL] - part.wanted[a, RESTED]
        part.notes.states[a, 0] = min(max(x, part.dynamics.arms[a].low), part.dynamics.arms[a].high)
        part.notes.spreads[a, 0] = part.believed[a, SPREAD]
    think(handle, costs, desk)


@allocate.body(behind(LearningPlanner))
def _allocate(handle: Handle, desk: Desk, now: Now) -> int:
    return settle_on(handle, desk)
