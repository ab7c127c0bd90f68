"""The linear program as an allocation, with idle rounds or with a pull in every round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.arrears import settle_arrears
from roguewk.allocate.lp_in_contexts import ProgramInContexts, build_program_in_contexts
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiling
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned, Scratch
from roguewk.part.desk import Desk, baseline_now, largest, rate_left
from roguewk.part.parameter import Parameter, choice, optional, switch, within
from roguewk.part.part import ALLOCATE, CONTEXTS, Part
from roguewk.part.status import BY_CODE, Status
from roguewk.part.verbs import allocate
from roguewk.problem.errors import InputError, known, shown, truth_value
from roguewk.problem.problem import Problem
from roguewk.relax.simplex import SOLVED, Tableau, build_tableau, simplex

IDLE, NORMALISE, LONGEST, IGNORE = range(4)
RULES = {"normalise": NORMALISE, "longest": LONGEST, "ignore": IGNORE}
PUSH = 1e3
MOST = 1e150  # of what a program is given: prices, a reward over a cost, must not overflow
MOST_RESERVED = 0.2
_KEPT = within(0.0, 0.0, 1.0, "part of the budgets that is kept back; None: sqrt(m / B), at most 0.2")


class Solver(NamedTuple):
    """Working memory of the linear program."""

    tableau: Tableau
    pushed: Scratch[Vector]  # (arm,) rewards that make playing itself the first aim
    unwanted: Scratch[Vector]  # (resource,) prices which these rewards would give
    rule: int  # IDLE, or what makes up for rounds that must be played


class LinearProgram(NamedTuple):
    """The allocation of ROGUEwK-UCB and SW-UCB."""

    solver: Solver
    limits: Scratch[Vector]  # (resource,) per round
    effects: Scratch[Vector]  # (arm,) reward bounds less what an idle round brings
    debts: Learned[Vector]  # (arm,) how much less often than it should each arm was played
    resolve: bool  # budgets per round from what is left, not from what there was
    reserve: float  # part of the budgets that is kept back
    diffuse: bool  # the arm most in arrears instead of a draw


def build_solver(arms: int, resources: int, idle: bool, infeasible: str) -> Solver:
    """Working memory for this many arms and resources; `infeasible` is a key of RULES."""
    known(infeasible, RULES, "rule for an infeasible program")
    rule = IDLE if idle else RULES[infeasible]
    return Solver(build_tableau(arms, resources), np.zeros(arms), np.zeros(resources), rule)


def _reserve(problem: Problem) -> float:
    """`sqrt(m / B)` for the smallest budget B, and little enough to leave something of it."""
    smallest = float((problem.rates * problem.horizon).min(initial=np.inf))
    return min(float(np.sqrt(len(problem.arms) / smallest)), MOST_RESERVED)


def _build(
    problem: Problem, infeasible: str, resolve: bool, reserve: float | None, rounding: str
) -> LinearProgram | ProgramInContexts:
    arms, resources = len(problem.arms), len(problem.resources)
    if reserve is None:
        reserve = _reserve(problem)
    if any(effect is False or effect for arm in problem.arms for effect in (arm.when or {}).values()):
        return build_program_in_contexts(problem, resolve, reserve, rounding == "diffuse")
    solver = build_solver(arms, resources, problem.idle, infeasible)
    limits, (effects, debts) = np.zeros(resources), np.zeros((2, arms))
    return LinearProgram(solver, limits, effects, debts, resolve, reserve, rounding == "diffuse")


@compiled
def _affordable(costs: Vector, rates: Vector) -> bool:
    """Whether an arm can be played in every round."""
    excess = 0.0
    for j in range(rates.size):
        excess = max(excess, costs[j] - rates[j])
    return excess <= 0.0


@compiled
def optimise(
    part: Solver, rewards: Vector, costs: Vector, rates: Vector, available: Any, shares: Vector, prices: Vector
) -> int:
    """Write the optimal shares and prices for budgets of `rates` per round; return a Status."""
    best = largest(rewards, available)
    if best >= 0 and rewards[best] > 0.0 and _affordable(costs[best], rates):
        shares[:] = 0.0
        prices[:] = 0.0
        shares[best] = 1.0
        return Status.OPTIMAL
    outcome = simplex(part.tableau, rewards, costs, rates, available, shares, prices)
    if best < 0:
        return Status.NOTHING
    if part.rule in (LONGEST, IGNORE) and outcome == SOLVED:
        for a in range(rewards.size):
            part.pushed[a] = rewards[a] + PUSH
        outcome = simplex(part.tableau, part.pushed, costs, rates, available, shares, part.unwanted)
    total = shares.sum()
    status = Status.OPTIMAL if outcome == SOLVED else Status.UNSOLVED
    if part.rule == IDLE or total > 1.0 - 1e-12:
        return status
    if total < 1e-12 or part.rule == IGNORE:
        shares[:] = 0.0
        shares[best] = 1.0
        if status == Status.OPTIMAL:
            status = Status.IGNORED if part.rule == IGNORE else Status.UNREWARDING
        return status
    for a in range(shares.size):
        shares[a] /= total
    return Status.STRETCHED if status == Status.OPTIMAL else status


@allocate.body(LinearProgram)
def _allocate(part: LinearProgram, desk: Desk, now: Now) -> int:
    for j in range(part.limits.size):
        rate = desk.rates[j]
        if part.resolve:
            rate = rate_left(desk, j)
        part.limits[j] = (1.0 - part.reserve) * rate
    idle = baseline_now(desk)
    for a in range(part.effects.size):
        part.effects[a] = desk.reward_bounds[a] - idle
    code: int = optimise(
        part.solver, part.effects, desk.cost_bounds, part.limits, desk.available, desk.shares, desk.prices
    )
    if part.diffuse and code != Status.NOTHING:
        settle_arrears(part.debts, desk.shares, desk.available, part.solver.rule == IDLE)
        return Status.IN_ARREARS
    return code


@dataclass(frozen=True, eq=False)
class Allocation:
    """How often to play each arm this round.

    `probabilities` (arm,); `value`, their expected reward; `prices` (resource,), what one more unit of each would
    earn; `status`, a sentence.

    >>> import roguewk as rw
    >>> rw.solve_lp([0.9, 0.5], [[0.8], [0.2]], [1.0]).status
    'optimal'
    """

    probabilities: Vector
    value: float
    prices: Vector
    status: str


def solve_lp(
    rewards: Sequence[float] | Vector,
    costs: Sequence[Sequence[float]] | Vector,
    budget_rates: Sequence[float] | Vector,
    idle: bool = True,
    infeasible: str = "normalise",
) -> Allocation:
    """Maximise the expected reward of one round within budgets per round.

    `rewards` (arm,), `costs` (arm, resource), `budget_rates` (resource,). With `idle` the probabilities may sum to
    less than one; without, the optimum is scaled up to one, which is the best reward per unit of the scarce resource
    (`infeasible="longest"` plays whatever lasts longest instead, `"ignore"` the largest reward).

    >>> import roguewk as rw
    >>> plan = rw.solve_lp([0.9, 0.5], [[0.8], [0.2]], [0.4])
    >>> plan.probabilities.round(3), round(plan.value, 3), plan.prices.round(3)
    (array([0.333, 0.667]), 0.633, array([0.667]))
    """
    g = _numbers(rewards, "rewards", 1)
    b = _numbers(budget_rates, "budget_rates", 1)
    c = np.zeros((g.size, 0)) if b.size == 0 else _numbers(costs, "costs", 2)
    if g.size == 0:
        raise InputError("rewards are empty: give one for each arm")
    if c.shape != (g.size, b.size):
        raise InputError(f"costs have shape {c.shape}: give {g.size} x {b.size} numbers, arm by resource")
    if (b < 0).any():
        raise InputError(f"budget_rates are {b.tolist()}: give numbers of at least 0")
    # Rows and rewards are scaled to about one, so that the tolerances inside mean the same for every unit.
    size = np.maximum(np.abs(c).max(axis=0, initial=0.0), 1 / MOST)
    worth = float(np.abs(g).max()) or 1.0
    part = build_solver(g.size, b.size, truth_value(idle, "idle"), infeasible)
    shares, prices = np.zeros(g.size), np.zeros(b.size)
    with compiling("the linear program"):
        code = optimise(part, g / worth, c / size, b / size, np.ones(g.size, dtype=np.bool_), shares, prices)
    return Allocation(shares, float(g @ shares), prices * worth / size, BY_CODE[code].sentence)


def _numbers(values: Any, what: str, axes: int) -> Vector:
    try:
        result = np.array(values, dtype=np.float64)
    except Exception:  # too many digits, or whatever a class of the user's own raises
        raise InputError(f"{what} are {shown(values)}: give numbers") from None
    if result.ndim != axes or not (np.abs(result) < MOST).all():
        shape = "a list" if axes == 1 else "a table, arm by resource,"
        raise InputError(f"{what} are {shown(values)}: give {shape} of numbers below {MOST:g}")
    return result


LP = Part(
    role=ALLOCATE,
    name="lp",
    summary="the linear program of one round within the budgets per round",
    needs=frozenset({"costs"}),
    gives=frozenset({CONTEXTS}),
    build=_build,
    parameters={
        "infeasible": choice("normalise", tuple(RULES), "rule when every round must play"),
        "resolve": switch(False, "budgets per round from what is left of budgets and rounds instead of B / T"),
        "reserve": Parameter(_KEPT.default, _KEPT.meaning, optional(_KEPT).check),
        "rounding": choice("draw", ("draw", "diffuse"), "an arm drawn at random, or the one most in arrears"),
    },
)
PARTS = (LP,)
