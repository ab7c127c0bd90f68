"""A bound on what any policy can earn, by Lagrangian relaxation.

With a price `p_j` for each resource and `q` for a round, every arm stands alone and pays `theta_a = p.c_a + q` a pull:
`U(p, q) = p.B + q T + sum_a V_a(theta_a)` for any `p, q >= 0`. Where every round must play, the game lasts some number
`s <= T` of rounds with one pull in each: `U(p, q) = p.B + max_s (q s + sum_a V_a^s(theta_a))` with q of either sign.

Budgets are met by realised costs, while prices are paid on mean costs: the round that would break a budget is not
counted, so counted rounds may cost more on average than B, by at most the largest cost less the mean. B includes that.

U is convex. It is minimised by cutting planes: a linear program mixes the schedules found so far within the budgets,
and its prices are tried next. Its value and the least U enclose the best bound of this kind.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from roguewk.allocate.lp import solve_lp
from roguewk.kernel.compile import compiling
from roguewk.problem.arms import Vector
from roguewk.problem.dynamics import Dynamics, build_dynamics
from roguewk.problem.errors import positive, truth_value
from roguewk.problem.world import World, check_world
from roguewk.relax.lattice import Lattice, build_lattice
from roguewk.relax.schedule import Table, build_table, follow, solve_arm

PRECISION = 1e-5  # shortfall of an interpolation, in rewards: it adds that much per round
REPEATING = 0.01  # of the precision: what leaving out rounds that repeat may add
BEST, GOOD = 1e-4, 1e-3  # relative gaps: to stop at, and to call converged
TRIES, PATIENCE = 200, 10  # cutting planes at the most, and without progress
SMOOTH = 0.3  # weight of the best prices so far in the next ones: cutting planes alone jump about
CONVERGED = "converged"


@dataclass(frozen=True, eq=False)
class Bound:
    """No policy can expect to earn more than `value` in this world.

    `prices` (resource,) is what one more unit of each budget would add, `round_price` what one more round would; `gap`,
    how much lower the best bound of this kind may be; `status`, a sentence. The value holds whatever the status.

    >>> import roguewk as rw
    >>> rw.upper_bound(rw.catalog.paper(budget=300), idle=True).prices.round(1)  # the second resource is the scarce one
    array([0. , 1.3, 0. ])
    """

    value: float
    prices: Vector
    round_price: float
    gap: float
    status: str


class _Arms(NamedTuple):
    """Everything the price iteration needs of the arms."""

    dynamics: Dynamics
    lattices: list[Lattice]
    tables: list[Table]
    starts: list[Vector]
    costs: Vector  # (arm, resource) means


class _Cut(NamedTuple):
    """What a trial of prices found: the bound there, and a schedule for each arm."""

    bound: float
    rounds: int
    pulls: Vector  # (arm,)
    reward: float
    prices: Vector  # (resource,), then the round's


def upper_bound(world: World, idle: bool | None = None, *, precision: float = PRECISION) -> Bound:
    """A certified bound on the expected reward of every policy, even one that knows the truth.

    `idle` overrides whether a round may be left unplayed. The error of the grid is added to the value.

    >>> import roguewk as rw
    >>> bound = rw.upper_bound(rw.catalog.paper(budget=100), idle=True)
    >>> round(bound.value), bound.status
    (274, 'converged')
    """
    problem = check_world(world).problem
    must_play = not (problem.idle if idle is None else truth_value(idle, "idle"))
    budgets = problem.budgets + np.array(
        [max(row[j].largest - row[j].mean for row in world.costs) for j in range(len(problem.resources))]
    )
    with compiling("the bound"):
        arms = _build_arms(world, positive(precision, "precision"))
        return _minimise(arms, budgets, problem.horizon, must_play)


def _build_arms(world: World, precision: float) -> _Arms:
    problem = world.problem
    lattices = [build_lattice(arm, x0, precision) for arm, x0 in zip(problem.arms, world.x0, strict=True)]
    tables = [build_table(lattice, problem.horizon, REPEATING * precision) for lattice in lattices]
    return _Arms(build_dynamics(problem.arms), lattices, tables, list(world.x0), world.mean_costs)


def _try_prices(arms: _Arms, budgets: Vector, horizon: int, must_play: bool, prices: Vector) -> _Cut:
    per_pull = arms.costs @ prices[:-1] + prices[-1]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda a: solve_arm(arms.lattices[a], per_pull[a], arms.tables[a]), range(len(per_pull))))
    totals = np.sum([table.values for table in arms.tables], axis=0) + prices[-1] * np.arange(horizon + 1)
    rounds = int(totals.argmax()) if must_play else horizon
    pulls, reward = np.zeros(len(per_pull)), 0.0
    for a, start in enumerate(arms.starts):
        state = np.zeros((2, len(start)))
        state[0] = start
        pulls[a], earned = follow(arms.lattices[a], arms.dynamics, a, arms.tables[a], rounds, state)
        reward += earned
    return _Cut(float(prices[:-1] @ budgets + totals[rounds]), rounds, pulls, reward, prices)


def _minimise(arms: _Arms, budgets: Vector, horizon: int, must_play: bool) -> Bound:
    prices = np.zeros(len(budgets) + 1)
    best = _try_prices(arms, budgets, horizon, must_play, prices)
    cuts, floor, idle = [best], 0.0, 0
    for _ in range(TRIES):
        floor, prices = _master(arms, budgets, horizon, must_play, cuts)
        scale = max(1.0, abs(best.bound))
        if best.bound - floor <= BEST * scale or idle == PATIENCE:
            break
        cut = _try_prices(arms, budgets, horizon, must_play, (1 - SMOOTH) * prices + SMOOTH * best.prices)
        cuts.append(cut)
        # Near the end the grid is coarser than the progress to be made.
        idle = 0 if cut.bound < best.bound - 0.01 * BEST * scale else idle + 1
        best = min(best, cut, key=lambda each: each.bound)
    gap = max(best.bound - floor, 0.0)
    far = gap > GOOD * max(1.0, abs(best.bound))
    status = f"not converged: the best bound may be lower by {gap:.3g}" if far else CONVERGED
    return Bound(best.bound, best.prices[:-1], float(best.prices[-1]), gap, status)


def _master(arms: _Arms, budgets: Vector, horizon: int, must_play: bool, cuts: list[_Cut]) -> tuple[float, Vector]:
    """The best mixture of the schedules found so far, and the prices of budgets and rounds in it."""
    spent = np.array([cut.pulls @ arms.costs for cut in cuts]) / budgets
    pulls = np.array([cut.pulls.sum() for cut in cuts])
    rounds = np.array([cut.rounds for cut in cuts])
    balance = (pulls - rounds) / horizon
    extra, rates = ([balance, -balance], [0.0, 0.0]) if must_play else ([pulls / horizon], [1.0])
    table = np.column_stack([spent, *extra])
    plan = solve_lp([cut.reward for cut in cuts], table, [*np.ones(len(budgets)), *rates])
    round_price = plan.prices[len(budgets)] - (plan.prices[-1] if must_play else 0.0)
    return plan.value, np.append(plan.prices[: len(budgets)] / budgets, round_price / horizon)
