"""Arms as they are believed to be where nobody knows how they wear off and recover, for allocations that plan.

Tables are made anew at growing intervals: what they are made of is kept, so that a policy that was saved goes on with
the same ones.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.verbs import LEVEL, PUSH, RESTED, RETENTION, SPREAD, believed_dynamics, check_state
from roguewk.problem.family.compiled import dispersion, mean_of_level, variance
from roguewk.problem.family.registry import family_code
from roguewk.problem.problem import Problem
from roguewk.relax.curiosity import worth_finding_out
from roguewk.relax.retabulate import Believed

HIGHEST, LOWEST = 3, 4  # columns beside retention, rested level and push: the states that tables are made for
# In units of level: log-odds, log-rates, standard deviations of measurements.
ROOM_ABOVE = 0.25  # that a state may rise above what it is now, or above that of a rested arm
LEAST_PUSH = 1e-3  # plans are for arms that wear off
MOST_RETENTION = 1.0 - 1e-5
LEVELS = 1e60  # no level is farther away
SOONEST, PATIENCE = 2, 24  # rounds between tables at least, and as part of the rounds played


class BelievedArms(NamedTuple):
    """What is known of the arms, and what is believed of them now."""

    families: Constant[Any]  # (arm,) codes
    bounded: Constant[Any]  # (arm,) whether rewards have a lowest mean
    sigmas: Constant[Vector]  # (arm,) 1 but for measurements
    now: Scratch[Vector]  # (arm, 5) as `believed_dynamics` writes it


class PlannedArms(NamedTuple):
    """The arms that tables are made for."""

    arms: BelievedArms
    wanted: Learned[Vector]  # (arm, 5) what is planned for: retention, rested level, push, highest and lowest state
    next_tables: Learned[Any]  # (1,) the round in which that is found anew
    built: Scratch[Vector]  # (arm, 5) what the tables are of


def build_believed_arms(problem: Problem) -> BelievedArms:
    """Arms whose dynamics are not looked at."""
    families = [arm.reward_family for arm in problem.arms]
    return BelievedArms(
        families=np.array([family_code(family.name) for family in families]),
        bounded=np.array([np.isfinite(family.means[0]) for family in families]),
        sigmas=np.array([1.0 if arm.sigma is None else arm.sigma for arm in problem.arms]),
        now=np.zeros((len(problem.arms), 5)),
    )


def build_planned_arms(problem: Problem) -> PlannedArms:
    """The same, planned for in the first round."""
    wanted, built = np.zeros((2, len(problem.arms), 5))
    return PlannedArms(build_believed_arms(problem), wanted, np.zeros(1, dtype=np.int64), built)


@check_state.body(PlannedArms)
def _check_state(part: PlannedArms, room: Room) -> None:
    check_within(part.next_tables, 0, 2 * LATEST, "the round of the next tables")
    if part.next_tables[0] > 0:
        sigmas = part.arms.sigmas
        check_within(part.wanted[:, RETENTION], 0.0, MOST_RETENTION, "a retention that is planned for")
        pushes = part.wanted[:, PUSH] / sigmas
        check_within(pushes, -LEVELS, -LEAST_PUSH * (1.0 - 1e-9), "a push that is planned for")
        check_within(part.wanted[:, RESTED], -LEVELS, LEVELS, "a level that is planned for")
        check_within(part.wanted[:, HIGHEST] / sigmas, 0.0, LEVELS, "a state that is planned for")
        check_within(part.wanted[:, LOWEST], -LEVELS, 0.0, "a state that is planned for")


@compiled
def believe(arms: BelievedArms, rewards: Any, now: Now) -> None:
    """Note what is believed now; an arm that gets better with use is taken to stay as it is."""
    believed_dynamics(rewards, now, arms.now)
    for a in range(arms.now.shape[0]):
        believed = arms.now[a]
        believed[RETENTION] = min(max(believed[RETENTION], 0.0), MOST_RETENTION)
        believed[PUSH] = min(believed[PUSH], -LEAST_PUSH * arms.sigmas[a])


@compiled
def credit(arms: BelievedArms, a: int, uses: float) -> float:
    """How much more a pull may well bring than is believed, as far as finding out is worth while for so many uses."""
    family, level, spread = arms.families[a], arms.now[a, LEVEL], arms.now[a, SPREAD]
    doubt = (0.5 * (mean_of_level(family, level + spread) - mean_of_level(family, level - spread))) ** 2
    noise = variance(family, mean_of_level(family, level)) * dispersion(family, arms.sigmas[a])
    return worth_finding_out(doubt, noise, uses)


@compiled
def plan_for(part: PlannedArms, rewards: Any, now: Now, round_: int) -> None:
    """Note what is believed now, and from time to time plan for that from now on."""
    believe(part.arms, rewards, now)
    if round_ < part.next_tables[0]:
        return
    part.next_tables[0] = round_ + max(SOONEST, round_ // PATIENCE)
    for a in range(part.wanted.shape[0]):
        believed, wanted = part.arms.now[a], part.wanted[a]
        away = believed[LEVEL] - believed[RESTED]
        wanted[RETENTION], wanted[RESTED], wanted[PUSH] = believed[RETENTION], believed[RESTED], believed[PUSH]
        wanted[HIGHEST] = max(away, 0.0) + ROOM_ABOVE * part.arms.sigmas[a]
        wanted[LOWEST] = min(away, 0.0)


@compiled
def is_built(part: PlannedArms, a: int) -> bool:
    """Whether the tables of an arm are those of what is planned for."""
    same = True
    for i in range(part.wanted.shape[1]):
        same = same and part.built[a, i] == part.wanted[a, i]
    return same


@compiled
def to_build(part: PlannedArms, a: int) -> Believed:
    """What the tables of an arm are to be made of, which is thereby taken to be done."""
    wanted = part.wanted[a]
    for i in range(wanted.size):
        part.built[a, i] = wanted[i]
    return Believed(
        part.arms.families[a],
        part.arms.bounded[a],
        wanted[RETENTION],
        wanted[RESTED],
        wanted[PUSH],
        wanted[HIGHEST],
        wanted[LOWEST],
    )


@compiled
def state_now(part: PlannedArms, a: int) -> float:
    """How far the level of an arm lies from that of the rested arm which is planned for."""
    return part.arms.now[a, LEVEL] - part.wanted[a, RESTED]
