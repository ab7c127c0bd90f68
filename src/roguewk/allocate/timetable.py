"""A timetable: how often each arm is pulled in the long run, and its turns evenly spread over the rounds.

Kleinberg and Immorlica 2018, with budgets. With y the share of time in which an arm is pulled every tau rounds and
H(tau) its reward then, from the dynamics alone,

    max  sum H(tau) y / tau   s.t.   sum c y / tau <= b,   sum y / tau <= 1,   sum of each arm's y <= 1,

gives the rates x, the sum of y / tau of each arm. Then an arm has its turns at the times (U + k) / x, k = 0, 1, ...,
with U drawn once, and turns are taken in their order, at most one a round. Where a round may be left idle, no turn is
taken before its time. Where every round must play, the game lasts only as many rounds as there are pulls, so an arm's y
sum to at most that, `sum y / tau` over all arms, instead of 1; and the next turn always comes at once. Mean costs are
learned: the program is solved anew on a growing schedule, for what is left of the budgets. An arm that is not available
misses turns, but for one.

Where dynamics are learned, H is that of what is believed when the program is solved. Like the planner's, its pulls of
an arm whose level is little known are credited by how often that can still be used (`relax/curiosity.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.believed_arms import BelievedArms, believe, build_believed_arms, credit
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import ALLOCATION_DRAW, Now, unit, words
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.part.desk import Desk, baseline_to_come, largest, rate_left, rounds_left
from roguewk.part.parameter import DYNAMICS, KNOWN, LEARNED
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.status import Status
from roguewk.part.verbs import PUSH, RESTED, RETENTION, allocate, check_state, look, settle
from roguewk.problem.family.compiled import mean_of_level
from roguewk.problem.problem import Problem
from roguewk.relax.periodic import PERIODS, steady_rewards, steady_state
from roguewk.relax.simplex import Tableau, build_tableau, simplex

PATIENCE = 8  # the program is solved anew after this part of the rounds played, or left
SELDOM = 1e-9  # pulls a round: less is never


class Ways(NamedTuple):
    """What can be done with each arm: pull it every tau rounds."""

    rewards: Constant[Vector]  # (way,) a round, the largest being about 1
    frequencies: Constant[Vector]  # (way,) 1 / tau; an arm has as many ways as there are PERIODS
    unit: Constant[Vector]  # (1,) what the rewards are divided by


class OwnWays(NamedTuple):
    """The same where dynamics are learned, filled anew for every program."""

    rewards: Scratch[Vector]  # (way,)
    frequencies: Constant[Vector]  # (way,)
    unit: Scratch[Vector]  # (1,)


class Program(NamedTuple):
    """Working memory."""

    tableau: Tableau
    effects: Scratch[Vector]  # (way,) rewards less what idle rounds bring
    costs: Scratch[Vector]  # (way, row): resources, round, arms
    limits: Scratch[Vector]  # (row,)
    usable: Scratch[Any]  # (way,)
    shares: Scratch[Vector]  # (way,)
    duals: Scratch[Vector]  # (row,)


class Timetable(NamedTuple):
    """The allocation of recharging."""

    grid: Ways
    spare: Program
    pace: Learned[Vector]  # (arm,) pulls a round
    credits: Learned[Vector]  # (arm,) turns not taken yet; one is due at 1
    charges: Learned[Vector]  # (resource,) prices of the last program
    next_program: Learned[Any]  # (1,) the round when it is solved anew
    may_idle: bool


class LearningTimetable(NamedTuple):
    """The same where dynamics are learned."""

    grid: OwnWays
    spare: Program
    pace: Learned[Vector]
    credits: Learned[Vector]
    charges: Learned[Vector]
    next_program: Learned[Any]
    may_idle: bool
    arms: BelievedArms


def _known_ways(problem: Problem, tau: Vector) -> Ways:
    rewards = np.concatenate([steady_rewards(arm) for arm in problem.arms])
    size = float(np.abs(rewards).max()) or 1.0
    return Ways(rewards / tau / size, 1.0 / tau, np.array([size]))


def build_timetable(problem: Problem, dynamics: str = KNOWN) -> Timetable | LearningTimetable:
    """No turns yet."""
    arms, resources = len(problem.arms), len(problem.resources)
    tau = np.tile(PERIODS, arms).astype(np.float64)
    ways, rows = tau.size, resources + 1 + arms
    program = Program(
        build_tableau(ways, rows),
        np.zeros(ways),
        np.zeros((ways, rows)),
        np.zeros(rows),
        np.ones(ways, dtype=np.bool_),
        np.zeros(ways),
        np.zeros(rows),
    )
    pace, due = np.zeros((2, arms))
    charges, again = np.zeros(resources), np.full(1, -1)
    if dynamics == LEARNED:
        own = OwnWays(np.zeros(ways), 1.0 / tau, np.ones(1))
        believed = build_believed_arms(problem)
        return LearningTimetable(own, program, pace, due, charges, again, problem.idle, believed)
    return Timetable(_known_ways(problem, tau), program, pace, due, charges, again, problem.idle)


@compiled_apart
def _solve(part: Any, costs: Vector, limits: Vector, idle: float) -> None:
    """Write the pace of each arm and the prices; `limits`, (row,), begins with the budgets per round.

    An `idle` round brings that much, which a pull does without.
    """
    ways, program = part.grid, part.spare
    arms, resources = costs.shape
    # The simplex method also keeps the sum of all shares below one, which must not bind: each arm has one to itself.
    scale = 1.0 / (arms + 1.0)
    for row in range(resources, limits.size):
        limits[row] = 1.0 if part.may_idle or row == resources else 0.0
    for row in range(limits.size):
        limits[row] *= scale
    for way in range(ways.rewards.size):
        a = way // len(PERIODS)
        program.effects[way] = ways.rewards[way] - idle * ways.frequencies[way] / ways.unit[0]
        program.costs[way, :] = 0.0
        program.usable[way] = True
        for j in range(resources):
            program.costs[way, j] = costs[a, j] * ways.frequencies[way]
        program.costs[way, resources] = ways.frequencies[way]
        if not part.may_idle:
            program.costs[way, resources + 1 :] = -ways.frequencies[way]
        program.costs[way, resources + 1 + a] += 1.0
    simplex(program.tableau, program.effects, program.costs, limits, program.usable, program.shares, program.duals)
    part.pace[:] = 0.0
    for way in range(ways.rewards.size):
        part.pace[way // len(PERIODS)] += program.shares[way] / scale * ways.frequencies[way]
    for j in range(resources):
        part.charges[j] = program.duals[j] * ways.unit[0]


@compiled
def _renew(part: Any, desk: Desk, now: Now) -> None:
    """Solve the program if it is time to; before the first, give every arm the beginning of its timetable."""
    if now.round < part.next_program[0]:
        return
    if part.next_program[0] < 0:
        for a in range(part.credits.size):
            part.credits[a] += 1.0 - unit(words(Now(0, now.seed, now.replicate, 0), ALLOCATION_DRAW, a)[0])
    for j in range(part.charges.size):
        part.spare.limits[j] = rate_left(desk, j)
    _solve(part, desk.cost_bounds, part.spare.limits, baseline_to_come(desk))
    part.next_program[0] = now.round + 1 + min(now.round, rounds_left(desk)) // PATIENCE


@compiled
def _first_due(part: Any, available: Any) -> tuple[int, float]:
    """The available arm whose turn comes first, -1 for none, and in how many rounds; less than 0 when overdue."""
    first, wait = -1, np.inf
    for a in range(part.pace.size):
        if available[a] and part.pace[a] > SELDOM and (1.0 - part.credits[a]) / part.pace[a] < wait:
            first, wait = a, (1.0 - part.credits[a]) / part.pace[a]
    return first, wait


@compiled
def _pass_time(part: Any, rounds: float, available: Any) -> None:
    for a in range(part.pace.size):
        more = part.pace[a] * rounds
        part.credits[a] += more if available[a] else min(more, max(1.0 - part.credits[a], 0.0))


@compiled
def fill_ways(ways: OwnWays, arms: BelievedArms, uses: float) -> None:
    """What can be done with arms that are as they are believed to be, and credited for what is not known of them."""
    periods = len(PERIODS)
    ways.unit[0] = 0.0
    for way in range(ways.rewards.size):
        a, period = way // periods, PERIODS[way % periods]
        state = steady_state(arms.now[a, RETENTION], arms.now[a, PUSH], period)
        reward = mean_of_level(arms.families[a], arms.now[a, RESTED] + state) + credit(arms, a, uses)
        ways.rewards[way] = reward
        ways.unit[0] = max(ways.unit[0], abs(reward))
    if ways.unit[0] == 0.0:
        ways.unit[0] = 1.0
    for way in range(ways.rewards.size):
        ways.rewards[way] *= ways.frequencies[way] / ways.unit[0]


@look.body(LearningTimetable)
def _look(part: LearningTimetable, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    if now.round >= part.next_program[0]:
        believe(part.arms, rewards, now)
        fill_ways(part.grid, part.arms, rounds_left(desk) / part.pace.size)


@compiled
def _take_turns(part: Any, desk: Desk, now: Now) -> int:
    _renew(part, desk, now)
    desk.shares[:] = 0.0
    for j in range(desk.prices.size):
        desk.prices[j] = part.charges[j]
    best = largest(desk.reward_bounds, desk.available)
    if part.may_idle:
        _pass_time(part, 1.0, desk.available)
    arm, wait = _first_due(part, desk.available)
    if best < 0:
        return Status.NOTHING
    if part.may_idle and (arm < 0 or wait > 0.0):
        return Status.WAITING
    if arm < 0:
        desk.shares[best] = 1.0
        return Status.UNREWARDING
    if wait > 0.0:
        _pass_time(part, wait, desk.available)
    desk.shares[arm] = 1.0
    return Status.SCHEDULED


def _join(kind: type) -> None:
    """Turns are taken alike, whatever they were made from."""

    @check_state.body(kind)
    def _check_state(part: Any, room: Room) -> None:
        check_within(part.next_program, -1, 2 * LATEST, "the round of the next program")

    @allocate.body(kind)
    def _allocate(part: Any, desk: Desk, now: Now) -> int:
        return _take_turns(part, desk, now)

    @settle.body(kind)
    def _settle(part: Any, desk: Desk, arm: int) -> None:
        if arm >= 0:
            # Pulls without a turn are not held against it for long.
            part.credits[arm] = max(part.credits[arm] - 1.0, -1.0)


for _kind in (Timetable, LearningTimetable):
    _join(_kind)


TIMETABLE = Part(
    role=ALLOCATE,
    name="timetable",
    summary="turns at the best rates in the long run within the budgets",
    build=build_timetable,
    parameters={"dynamics": DYNAMICS},
    draws=True,
)
PARTS = (TIMETABLE,)
