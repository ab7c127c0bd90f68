"""The planner: an allocation that looks ahead.

Each round: the arms' believed states and mean costs, the prices of budgets and rounds for what is left of both, the
worth of every arm alone at the price of its pulls, and the arm that is best some rounds ahead. Prices are found anew on
a growing schedule, and every round when little time or little budget is left.

States are those that are believed, on average, and costs likewise. An arm of which little is known is charged a little
less, by how far its reward and its costs may well be better than believed, as far as finding out is worth while: less
towards the end, with few pulls to come, or with a state that will soon have forgotten its past (`relax/curiosity.py`).
Plain means never return to an arm that was unlucky at first, and never try one that looks worse than another.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.doubts import FOR_EVER, TINY, cost_doubt, state_doubt
from roguewk.allocate.few_pulls import FewPulls, build_few_pulls, charge_few_pulls
from roguewk.allocate.holding_back import hold_back
from roguewk.allocate.notes import CHARGE, LATER, LEARNING, NOW, WEAR, Notes, build_notes
from roguewk.allocate.presence import expect_available, sometimes
from roguewk.allocate.supply import (
    EVER,
    foresee,
    foresee_cycle,
    free_anyway,
    list_costs,
    next_span,
    until_renewal,
    value_savings,
)
from roguewk.allocate.turns import Turns, build_turns, charge_turns
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.handle import Handle, behind, held
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, copy_into
from roguewk.kernel.records import record_type
from roguewk.part.desk import (
    Desk,
    baseline_now,
    baseline_to_come,
    largest,
    rounds_left,
)
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, believed_states, check_state, cost_doubts, dearest, look
from roguewk.problem.constants import arm_constants
from roguewk.problem.dynamics import Dynamics, build_dynamics, shifted_reward
from roguewk.problem.occasions import has_contexts, shift_now
from roguewk.problem.problem import Problem
from roguewk.relax.cycles import Cycle, build_cycle, is_followed
from roguewk.relax.lookahead import DEPTHS, WIDTHS, Beam, Scene, best_depth, build_beam, look_ahead, wear
from roguewk.relax.prices import ABUNDANT, Ahead, PriceProgram, average_prices, build_price_program, find_prices
from roguewk.relax.worth import PRICES, Worth, build_worth, mixtures_of, worth_by_state

# At the price itself the best use of a budget is just not worth while, and would be put off for ever.
SPENDING = 0.99
PATIENCE = 25.0  # prices are found anew after this part of the rounds played, or left
REVIEW = 5.0  # depths are compared anew after this part of the rounds left
HELD_BACK = -2  # in place of an arm: none may be pulled

_STATE = record_type(
    ("round_price", "later_price", "rounds", "pulls", "left", "playable"),
    ("depth", "ahead", "next_prices", "next_review"),
)


class Planner(NamedTuple):
    """The allocation of roguewk-plan and of clairvoyant."""

    worth: Worth
    dynamics: Dynamics
    cycle: Cycle
    program: PriceProgram
    beam: Beam
    plan: Learned[Any]  # (1,) record: the plan in force; `rounds` that the game will last, `left` that it may
    charges: Learned[Vector]  # (row,) price in force
    later: Learned[Vector]  # (row,) what is hard is expected to cost in periods to come
    scarce: Learned[Vector]  # (arm,) price in force of a pull of what is not always available
    notes: Notes
    turns: Turns
    few: FewPulls
    everything: Constant[Any]  # (arm,) as if all were available
    said: Constant[Vector]  # (arm,) how often it is available, 0 where that is not said
    budgets: Constant[Vector]  # (resource,), scaled like costs
    memory: Constant[Vector]  # (arm,) rounds for which what is seen of a state tells of it
    may_idle: bool
    limited: bool  # whether rounds may have to be left idle
    optimism: float


def build_planner(problem: Problem, optimism: float) -> Handle:
    """A fresh planner for this problem, whose dynamics are known."""
    worth, dynamics = build_worth(problem.arms, mixtures_of(problem)), build_dynamics(problem.arms)
    memory = np.array([1.0 / max(1.0 - arm_constants(arm).L_h ** 2, TINY) for arm in problem.arms])
    coordinates, nodes, cycle = dynamics.vectors.shape[1], worth.values.shape[3], build_cycle(problem, worth)
    common = build_common(problem, optimism, coordinates, nodes)
    return Handle(Planner(worth=worth, dynamics=dynamics, cycle=cycle, memory=memory, **common))


def build_common(problem: Problem, optimism: float, coordinates: int, nodes: int) -> dict[str, Any]:
    """The fields of a planner that do not depend on what is known of the dynamics."""
    arms, resources = len(problem.arms), len(problem.resources)
    rows = resources + len(problem.gaps)
    ways = PRICES - 1 if is_followed(problem) else 0
    plan = np.zeros(1, dtype=_STATE)
    plan["rounds"] = problem.horizon
    return {
        "program": build_price_program(arms, rows),
        "beam": build_beam(arms, coordinates),
        "plan": plan,
        "charges": np.zeros(rows),
        "later": np.zeros(rows),
        "scarce": np.full(arms, ABUNDANT),
        "notes": build_notes(arms, resources, rows, coordinates, nodes, ways),
        "turns": build_turns(problem),
        "few": build_few_pulls(problem, coordinates),
        "everything": np.ones(arms, dtype=np.bool_),
        "said": np.array([arm.available or 0.0 for arm in problem.arms]),
        "budgets": problem.budgets / problem.scales,
        "may_idle": problem.idle,
        "limited": problem.limited,
        "optimism": optimism,
    }


@check_state.body(Planner)
def _check_state(part: Planner, room: Room) -> None:
    check_plan(part.plan)


def check_plan(plan: Any) -> None:
    """Refuse a plan that cannot be."""
    check_within(plan["depth"], 0, len(DEPTHS) - 1, "the depth of the plan")
    check_within(plan["ahead"], 0, max(DEPTHS), "what the plan looks ahead")
    check_within(plan["playable"], 0, 1, "what can be played")
    for name in ("rounds", "pulls", "left"):
        check_within(plan[name], -LATEST, LATEST, f"{name!r} of the plan")
    for name in ("next_prices", "next_review"):
        check_within(plan[name], 0, 2 * LATEST, f"{name!r} of the plan")


@compiled
def _scene(part: Planner) -> Scene:
    notes = part.notes
    return Scene(part.worth, part.dynamics, notes.tables, notes.per_pull, notes.states, notes.shifts)


@look.body(behind(Planner))
def _look(handle: Handle, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    part: Planner = held(handle)
    believed_states(rewards, now, part.notes.states, part.notes.spreads)
    think(handle, costs, desk)


@compiled_apart
def think(handle: Handle, costs: Any, desk: Desk) -> None:
    """Everything but the choice itself, for the states that were noted."""
    part: Planner = held(handle)
    cost_doubts(costs, part.notes.doubts, part.notes.noises)
    for a in range(desk.known_costs.shape[0]):
        for j in range(part.notes.doubts.shape[1]):
            if not math.isnan(desk.known_costs[a, j]):
                part.notes.doubts[a, j] = 0.0
    if part.may_idle:
        dearest(costs, part.notes.dearest)
    part.notes.idle[NOW], part.notes.idle[LATER] = baseline_now(desk), baseline_to_come(desk)
    clock = desk.clock[0]
    part.plan[0].playable = expect_available(part, desk)
    forced = part.limited and not part.may_idle  # to play, but in rounds in which limits leave out all arms
    uncertain = sometimes(part) or desk.limits.gaps.size > 0 or has_contexts(desk.occasions) or forced
    for a in range(part.notes.shifts.size):
        part.notes.shifts[a] = shift_now(desk.occasions, a)
    part.plan[0].left = rounds_left(desk)
    list_costs(part, desk)
    if clock.round >= part.plan[0].next_prices:
        _price(part, desk)
        part.plan[0].next_prices = clock.round + 1 + _until_prices(part, desk)
    else:
        part.plan[0].rounds = max(part.plan[0].rounds - 1.0, 1.0)
    _charge(handle, desk)
    if clock.round >= part.plan[0].next_review:
        # What will be available nobody knows: only the next round can be looked at.
        part.plan[0].depth = (
            0
            if uncertain
            else best_depth(part.beam, _scene(part), part.everything, part.may_idle, int(part.plan[0].rounds))
        )
        part.plan[0].next_review = clock.round + max(10, int(part.plan[0].left / REVIEW))
        _charge(handle, desk)  # worth is needed at the new depth
    charge_few_pulls(part, desk)
    if has_contexts(desk.occasions):
        charge_turns(part, desk)


@compiled
def _price(part: Planner, desk: Desk) -> None:
    """Find the prices of what is left, from what lasts longest to what renews soonest.

    Of what is hard there is no more until it renews: what is left for each round until then may be more or less than
    in the periods to come, and so its price. Pulls now pay the one, and what they wear off is worth at the other.
    """
    span = EVER
    while span > 0:
        foresee(part, desk, span)
        foresee_cycle(part, desk, span)
        _find_prices(part, part.notes.idle[LATER] if span == EVER else part.notes.idle[NOW])
        if span == EVER:
            copy_into(part.later, part.charges)
            part.plan[0].later_price = part.plan[0].round_price
        value_savings(part, desk)
        span = next_span(desk, span)


@compiled
def _until_prices(part: Planner, desk: Desk) -> int:
    """For how many rounds prices stay as they are."""
    short = min(float(desk.clock[0].round), part.plan[0].rounds)
    if part.limited:
        short = min(short, until_renewal(desk))
    return int(short / PATIENCE)


@compiled
def _pulls_to_come(part: Planner) -> float:
    """For how many pulls finding out may be of use.

    Where idle rounds bring so much that no arm is planned for, that is as many as could be made, if one were better.
    """
    planned, could = max(part.plan[0].pulls, 0.0), part.plan[0].left
    if planned >= 1.0 or part.notes.idle[LATER] == 0.0:
        return planned
    arms, rows = part.notes.costs.shape
    for j in range(rows):
        mean = 0.0
        for a in range(arms):
            mean += part.notes.costs[a, j] / arms
        could = min(could, part.notes.remaining[j] / max(mean, TINY))
    return could


@compiled
def _give_credit(part: Planner, idle: float) -> None:
    """What finding out about each arm is worth, where it stays found out, less an idle round and what has its price.

    Prices that knew nothing of it would let all arms be pulled too often while all are little known, and a budget be
    spent before they are known. Of an arm that is forgotten soon there is something to find out now and then only.
    """
    to_come = _pulls_to_come(part)
    for a in range(part.notes.credits.size):
        stays = part.memory[a] >= FOR_EVER
        credit = part.optimism * state_doubt(part, a, to_come) if stays else 0.0
        for j in range(part.notes.fixed.size):
            credit -= max(part.notes.fixed[j], 0.0) * part.notes.costs[a, j]
        part.notes.credits[a] = credit - idle


@compiled
def _find_prices(part: Planner, idle: float) -> None:
    plan = part.plan[0]
    must_play = not (part.may_idle or part.limited)
    assumed = min(max(plan.rounds, 1.0), plan.left) if must_play else plan.left
    # The length of the game depends on the prices and they on it: mostly it is known from the round before.
    for _ in range(4):
        _give_credit(part, idle)
        ahead = Ahead(
            part.notes.states,
            part.notes.costs,
            part.notes.remaining,
            assumed,
            plan.left,
            must_play,
            part.notes.chances,
            plan.playable,
            part.notes.noises,
            part.notes.credits,
            part.notes.steps,
            part.notes.hazards,
            part.notes.more_pulls,
            part.notes.more_rewards,
        )
        found = find_prices(part.program, part.worth, ahead, part.charges, part.scarce)
        plan.round_price, plan.pulls = found.round_price, found.pulls
        plan.rounds = max(found.rounds, 1.0)
        if abs(plan.rounds - assumed) <= 0.1 * assumed + 1.0:
            break
        assumed = plan.rounds
    plan.round_price = average_prices(part.program, ahead, found, part.charges)
    for j in range(part.charges.size):
        fixed = part.notes.fixed[j]
        part.charges[j] = fixed if fixed >= 0.0 else part.charges[j] * SPENDING


@compiled
def _retention(part: Planner, a: int) -> float:
    """How much of what a pull leaves behind stays in a round."""
    arm = part.dynamics.arms[a]
    if arm.dimension == 1 and arm.h == 0:
        return abs(arm.A)
    return math.sqrt(max(1.0 - 1.0 / part.memory[a], 0.0))


@compiled_apart
def _charge(handle: Handle, desk: Desk) -> None:
    """What a pull of each arm costs at these prices, and what the arm is worth then."""
    part: Planner = held(handle)
    plan = part.plan[0]
    to_come = _pulls_to_come(part)
    soon = until_renewal(desk) if part.limited else 0.0
    for a in range(part.notes.per_pull.size):
        charge = later = 0.0
        for j in range(part.charges.size):
            charge += part.charges[j] * part.notes.costs[a, j]
            later += part.later[j] * part.notes.costs[a, j]
        doubt = cost_doubt(part, a, charge, to_come)
        free = free_anyway(part, desk, a)
        part.notes.outlook[a, CHARGE] = charge - free
        part.notes.outlook[a, LEARNING] = part.optimism * math.hypot(doubt, state_doubt(part, a, to_come))
        per_pull = charge - free - part.notes.outlook[a, LEARNING] + part.notes.idle[NOW]
        part.notes.per_pull[a] = per_pull
        beyond = max(plan.rounds - DEPTHS[plan.depth], 0.0)
        price = part.notes.per_pull[a] + free + plan.round_price
        if part.limited:  # what a pull leaves behind matters until it has faded, at the prices of these rounds
            stays = _retention(part, a) ** soon
            price += stays * (later - charge + plan.later_price - plan.round_price)
        worth_by_state(part.worth, a, max(price, part.scarce[a]), beyond, part.notes.tables[a])


@compiled
def _note_why(part: Planner) -> None:
    """Reward now and wear of each arm, for those who ask."""
    notes = part.notes
    for a in range(notes.per_pull.size):
        x = notes.states[a]
        notes.outlook[a, NOW] = shifted_reward(part.dynamics, a, x, notes.shifts[a])
        _, notes.outlook[a, WEAR] = wear(part.worth, part.dynamics, a, x, notes.tables[a], part.beam.spare)


@compiled_apart
def _choose(handle: Handle, desk: Desk) -> int:
    part: Planner = held(handle)
    available, prices = desk.available, desk.prices
    if part.may_idle:
        available = part.notes.allowed
        if hold_back(desk, part.notes.dearest, available) == 0:
            return HELD_BACK
    for j in range(prices.size):
        prices[j] = part.charges[j] + (part.few.surcharges[j] if part.few.surcharges.size > 0 else 0.0)
    _note_why(part)
    depth = part.plan[0].depth
    # Where every round must play, the game may end long before the horizon, and rewards after that are none.
    rounds = part.plan[0].left if part.may_idle else min(part.plan[0].left, part.plan[0].rounds + 0.5)
    part.plan[0].ahead = min(DEPTHS[depth], max(int(rounds), 1))
    return look_ahead(part.beam, _scene(part), available, part.may_idle, part.plan[0].ahead, WIDTHS[depth])


@allocate.body(behind(Planner))
def _allocate(handle: Handle, desk: Desk, now: Now) -> int:
    return settle_on(handle, desk)


@compiled
def settle_on(handle: Handle, desk: Desk) -> int:
    """Give the arm that was found to be best all of the chances."""
    desk.shares[:] = 0.0
    if largest(desk.reward_bounds, desk.available) < 0:
        return Status.NOTHING
    arm = _choose(handle, desk)
    if arm == HELD_BACK:
        return Status.UNCOVERED
    if arm < 0:
        return Status.WAITING
    desk.shares[arm] = 1.0
    return Status.PLANNED
