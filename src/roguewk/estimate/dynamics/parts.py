"""Reward estimates for arms whose dynamics nobody knows: believed on average, drawn from what is believed, bounded.

Parts of policies build them where `dynamics` is "learned".
"""

import math
from typing import Any, NamedTuple

from roguewk.estimate.dynamics.filter import (
    Filter,
    Kind,
    build_filter,
    drawn_along,
    drawn_retention,
    follow,
    learn,
    level,
    level_now,
    unfollow,
)
from roguewk.estimate.dynamics.prior import table_of, table_of_known, table_of_nothing
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import REWARD_DRAW, Now, normal, unit, words
from roguewk.part.desk import SHIFT
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import (
    LEVEL,
    PUSH,
    RESTED,
    RETENTION,
    SPREAD,
    advance,
    believed_dynamics,
    check_state,
    learn_reward,
    retract,
    reward_bounds,
)
from roguewk.problem.arm import Arm
from roguewk.problem.family.compiled import mean_of_level
from roguewk.problem.family.registry import family_code
from roguewk.problem.prior import PriorTable
from roguewk.problem.problem import Problem

# Chosen on worlds of which the docs tell (docs/learning.md).
HOPED_PUSH = 0.6  # standard deviations above what is believed of it
HOPED_HALF_LIFE = 0.4  # quantile


class MeanDynamics(NamedTuple):
    """What is believed on average."""

    filter: Filter


class SampledDynamics(NamedTuple):
    """Mean rewards drawn from what is believed."""

    filter: Filter


class BoundedDynamics(NamedTuple):
    """Upper bounds on mean rewards."""

    filter: Filter
    width: float


def filter_for(problem: Problem) -> Filter:
    """A filter that is told what the priors of the arms say.

    Where no arm has one, nothing is known of any but what kind of rewards it brings; where some have, the others are
    known.
    """
    names, some = [arm.name for arm in problem.arms], bool(problem.unknown)
    kinds = [
        Kind(family_code(arm.family), arm.sigma is not None, 1.0 if arm.sigma is None else arm.sigma)
        for arm in problem.arms
    ]
    of = [a if arm.like is None else names.index(arm.like) for a, arm in enumerate(problem.arms)]
    return build_filter(kinds, [_table(arm, some) for arm in problem.arms], of)


def _table(arm: Arm, some: bool) -> PriorTable:
    if arm.prior is not None:
        return table_of(arm)
    return table_of_known(arm) if some else table_of_nothing(arm)


@reward_bounds.body(MeanDynamics)
def _mean_rewards(part: MeanDynamics, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = mean_of_level(part.filter.arms[a].family, level_now(part.filter, a).mean)


@compiled
def _hoped_dynamics(part: Filter, out: Vector) -> None:
    """What to plan for: an arm is hoped to wear a little less, and to recover a little sooner, than is likeliest.

    A plan that spaces pulls out never learns whether it has to, as evenly spaced pulls bring the same from an arm with
    a high level and much wear as from one with a lower level and none. Hope brings them closer together, until what is
    seen says better. What is believed of the level now stays.
    """
    for a in range(out.shape[0]):
        of, at = part.of[a], level_now(part, a)
        k = drawn_retention(part, a, HOPED_HALF_LIFE)
        m, c = part.means[of, k], part.covariances[of, k]
        start, push = m[1], m[2]
        if c[5] > 0.0:
            hope = HOPED_PUSH * math.sqrt(c[5])
            start, push = start + hope * c[4] / c[5], push + hope
        out[a, RETENTION], out[a, PUSH] = part.retentions[a, k], push
        out[a, RESTED] = at.mean - start * part.fades[a, k] - push * part.wears[a, k]
        out[a, LEVEL], out[a, SPREAD] = at.mean, math.sqrt(at.variance)


@believed_dynamics.body(MeanDynamics)
def _mean_dynamics(part: MeanDynamics, now: Now, out: Vector) -> None:
    _hoped_dynamics(part.filter, out)


@reward_bounds.body(SampledDynamics)
def _sampled_rewards(part: SampledDynamics, now: Now, out: Vector) -> None:
    for a in range(out.size):
        luck = words(now, REWARD_DRAW, a)
        k = drawn_retention(part.filter, a, unit(luck[0]))
        at = level(part.filter, a, k, part.filter.fades[a, k], part.filter.wears[a, k])
        drawn = at.mean + math.sqrt(at.variance) * normal(luck[1], luck[2])
        out[a] = mean_of_level(part.filter.arms[a].family, drawn)


@believed_dynamics.body(SampledDynamics)
def _sampled_dynamics(part: SampledDynamics, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        luck, more = words(now, REWARD_DRAW, a), words(now, REWARD_DRAW, a + out.shape[0])
        k = drawn_retention(part.filter, a, unit(luck[0]))
        of = part.filter.of[a]
        m, c = part.filter.means[of, k], part.filter.covariances[of, k]
        rested, start, push = drawn_along(
            m, c, normal(luck[1], luck[2]), normal(more[0], more[1]), normal(more[2], more[3])
        )
        out[a, RETENTION], out[a, RESTED], out[a, PUSH] = part.filter.retentions[a, k], rested, push
        out[a, LEVEL] = rested + start * part.filter.fades[a, k] + push * part.filter.wears[a, k]
        out[a, SPREAD] = 0.0  # a sample has its doubts in it


@reward_bounds.body(BoundedDynamics)
def _bounded_rewards(part: BoundedDynamics, now: Now, out: Vector) -> None:
    for a in range(out.size):
        at = level_now(part.filter, a)
        width = part.width * math.sqrt(math.log(2.0 + now.t))
        out[a] = mean_of_level(part.filter.arms[a].family, at.mean + width * math.sqrt(at.variance))


@believed_dynamics.body(BoundedDynamics)
def _bounded_dynamics(part: BoundedDynamics, now: Now, out: Vector) -> None:
    _hoped_dynamics(part.filter, out)


@check_state.body(Filter)
def _check_state(part: Filter, room: Room) -> None:
    check_within(part.tracks["elapsed"], room.since, room.since, "the age of a history")
    check_within(part.tracks["seen_at"], -1, room.since - 1, "the round of a pull")
    check_within(part.evidence, -1e6, 1e-6, "a probability")


def _join(kind: type) -> None:
    """All of them follow and learn alike."""

    @advance.body(kind)
    def _advance(part: Any, now: Now, arm: int, memo: Vector) -> None:
        for a in range(part.filter.tracks.size):
            if a == arm:
                memo[0] = part.filter.tracks[a].elapsed
            follow(part.filter, a, 1 if a == arm else 0)

    @retract.body(kind)
    def _retract(part: Any, arm: int, memo: Vector, since: int) -> None:
        unfollow(part.filter, arm, int(memo[0]))

    @learn_reward.body(kind)
    def _learn_reward(part: Any, round_: int, arm: int, memo: Vector, reward: float) -> None:
        learn(part.filter, arm, int(memo[0]), reward, memo[SHIFT])


for _kind in (MeanDynamics, SampledDynamics, BoundedDynamics):
    _join(_kind)
