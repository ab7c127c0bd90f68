"""The game when budgets and rounds have prices: every arm stands alone, and any prices give a bound.

With a price `p_j` for each resource and `q_i` for the round with i rounds to go, a pull costs an arm `theta_a = p.c_a`
and the round's price: `U(p, q) = p.B + sum_i q_i + sum_a V_a(theta_a, q)` for any `p, q >= 0`. Where every round must
play, the game lasts some number `s <= T` of rounds with one pull in each, and with q of either sign
`U(p, q) = p.B + max_s (sum_{i<=s} q_i + sum_a V_a^s(theta_a, q))`. There the prices may be others for every s; counting
rounds from the end of the game, however long it is, lets one backward pass serve all of them.

Budgets are met by realised costs, while prices are paid on mean costs. Up to and with the round that breaks a budget
both sum up to the same on average; before it at most B was spent, and what that round took beyond what was left, r, was
`E[c - r | c > r]` on average, of which its mean is not counted. So counted rounds cost at most B and the largest
residual less the mean of any arm (`world/cost/cost.py`): nothing more, but for costs that are mostly small. B includes
that. (A budget broken by another resource in that round only lowers this, as costs are independent of each other.)
Where all costs are multiples of one amount, as coins are, so is what is spent: the rest of a budget is worth nothing.

Where idle rounds bring b_i, a pull does without that, and what is bounded here are effects: a pull costs b_i besides. A
total is that much more than what idling throughout brings, whatever is pulled.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.dynamics import Dynamics, build_dynamics
from roguewk.problem.ledger import limit_of
from roguewk.problem.problem import Problem, members
from roguewk.relax.lattice import Lattice, build_lattice
from roguewk.relax.schedule import ArmTable, build_table, follow, solve_arm
from roguewk.world.cost import Cost
from roguewk.world.world import World

WORTH_THREADS = 4_000_000  # nodes times rounds iterated: below, handing work to threads takes longer than doing it
FINEST = 20  # parts of the smallest cost that costs may be multiples of
LEAST = 1e-3  # of a budget: prices are found for budgets that are more than nothing
EXACTLY = 1e-9  # rounding of multiples
REPEATING = 0.01  # of the precision: what leaving out rounds that repeat may add


class PricedGame(NamedTuple):
    """Everything that trying prices needs of a world."""

    dynamics: Dynamics
    lattices: list[Lattice]
    tables: list[ArmTable]
    starts: list[Vector]
    costs: Vector  # (arm, row) means; the rows are resources and gaps
    budgets: Vector  # (row,)
    resources: int
    horizon: int
    must_play: bool
    forgone: float  # what a pull does without in every round; where that varies, the tables have it


class Trial(NamedTuple):
    """What a trial of prices found: the bound there, and a schedule for each arm."""

    bound: float
    rounds: int
    pulls: Vector  # (arm,)
    reward: float
    prices: Vector  # (row,), then the round's
    own: Vector  # (last round,): what the price of a round with so many rounds to go differs by
    last_pulls: Vector  # (last round,): pulls of all arms in it


def build_game(world: World, must_play: bool, precision: float) -> PricedGame:
    """The game on grids, with one price for all rounds."""
    problem = world.problem
    lattices = [build_lattice(arm, x0, precision) for arm, x0 in zip(world.arms, world.x0, strict=True)]
    forgone, varying = _forgone(world)
    tolerance = REPEATING * precision
    tables = [build_table(lattice, problem.horizon, tolerance, forgone=varying) for lattice in lattices]
    costs, budgets = counted_budgets(world)
    return PricedGame(
        dynamics=build_dynamics(world.arms),
        lattices=lattices,
        tables=tables,
        starts=list(world.x0),
        costs=costs,
        budgets=budgets,
        resources=len(problem.resources),
        horizon=problem.horizon,
        must_play=must_play,
        forgone=forgone,
    )


def counted_budgets(world: World) -> tuple[Vector, Vector]:
    """What pulls cost on average, (arm, row), and what rounds that count can cost of it in all, (row,)."""
    problem = world.problem
    budgets = [_counted(problem, j, [row[j] for row in world.costs]) for j in range(len(problem.resources))]
    # Rounds are cut into blocks as long as a gap: in each there is one pull of what it keeps apart, at the most.
    blocks = [math.ceil(problem.horizon / problem.gap_rounds(gap)) for gap in problem.gaps]
    kept_apart = np.array([members(problem, gap.arms) for gap in problem.gaps]).reshape(-1, len(world.arms)).T
    return np.hstack([world.mean_costs, kept_apart]), np.array(budgets + blocks, dtype=np.float64)


def _forgone(world: World) -> tuple[float, Vector]:
    """What a pull does without in all rounds, or (round,), so many rounds before the end, where it varies."""
    idle = world.idle_means
    steady = idle[0] == idle[-1]
    return (float(idle[0]), np.zeros(0)) if steady else (0.0, np.ascontiguousarray(idle[::-1]))


def _counted(problem: Problem, j: int, costs: list[Cost]) -> float:
    """What the rounds that count can cost of a resource on average, in all periods."""
    budget = float(problem.budgets[j])
    if not problem.hard[j]:
        return _spendable(budget, costs) + max(cost.residual - cost.mean for cost in costs)
    if not problem.resources[j].carry_over:
        return float(counted_by_period(problem, j, costs).sum())
    before, last = _periods(problem, j, costs)
    return max(min(_within((before + 1) * budget, costs), before * budget + last), LEAST * budget)


def _periods(problem: Problem, j: int, costs: list[Cost]) -> tuple[int, float]:
    """How many periods there are before the last, which may be shorter, and the most that it can cost on average."""
    before = math.ceil(problem.horizon / problem.periods[j]) - 1
    rounds = problem.horizon - before * int(problem.periods[j])
    return before, rounds * max(cost.mean for cost in costs)


def counted_by_period(problem: Problem, j: int, costs: list[Cost]) -> Vector:
    """What pulls can take on average, (period,), of a resource of which nothing is left to the next period."""
    budget = float(problem.budgets[j])
    before, last = _periods(problem, j, costs)
    counted = np.full(before + 1, _within(budget, costs))
    counted[-1] = min(counted[-1], last)
    return np.maximum(counted, LEAST * budget / counted.size)


def _within(budget: float, costs: list[Cost]) -> float:
    """What pulls can take on average of a budget, if each begins with enough left for the most that it may take.

    What is spent before any pull is at most `latest`, and what the pull takes beyond that its residual, on average.
    """
    takes = [cost for cost in costs if cost.largest > 0]
    latest = budget - min((cost.largest for cost in takes), default=0.0)
    return min(_spendable(budget, costs), latest + max((cost.residual for cost in takes), default=0.0))


def _spendable(budget: float, costs: list[Cost]) -> float:
    """What of a budget can be spent without breaking it: all of it, or a multiple of the amount that all costs are."""
    if any(cost.atoms is None for cost in costs):
        return budget
    values = [value for cost in costs for chance, value in cost.atoms or () if chance > 0 and value > 0]
    if not values:
        return budget
    ratios = [Fraction(value / min(values)).limit_denominator(FINEST) for value in values]
    unit = min(values) / math.lcm(*(ratio.denominator for ratio in ratios))
    multiples = all(abs(value / unit - round(value / unit)) < EXACTLY for value in values)
    if not multiples or unit * FINEST < min(values):
        return budget
    multiple = math.floor(limit_of(budget) / unit + EXACTLY) * unit
    return min(budget, max(multiple, LEAST * budget))


def with_own_prices(game: PricedGame, most: int) -> PricedGame:
    """The same game with a price for each of the last rounds, up to `most` of them."""
    last = min(most, game.horizon, *(table.choices.shape[0] - 1 for table in game.tables))
    pairs = zip(game.lattices, game.tables, strict=True)
    return game._replace(
        tables=[build_table(lattice, game.horizon, old.tolerance, last, old.forgone) for lattice, old in pairs]
    )


def try_prices(game: PricedGame, prices: Vector, own: Vector | None = None) -> Trial:
    """The bound at these prices, (resource,) and the round's."""
    own = np.zeros(0) if own is None else own
    per_pull = game.costs @ prices[:-1] + prices[-1] + game.forgone

    def solve(a: int) -> None:
        game.tables[a].own[: own.size] = own
        solve_arm(game.lattices[a], per_pull[a], game.tables[a])

    arms = range(len(per_pull))
    if sum(lattice.rewards.size for lattice in game.lattices) * min(game.horizon, 2_000) < WORTH_THREADS:
        list(map(solve, arms))
    else:
        with ThreadPoolExecutor() as pool:
            list(pool.map(solve, arms))
    totals = np.sum([table.values for table in game.tables], axis=0) + prices[-1] * np.arange(game.horizon + 1)
    totals[1 : own.size + 1] += np.cumsum(own)
    totals[own.size + 1 :] += own.sum()
    rounds = int(totals.argmax()) if game.must_play else game.horizon
    pulls, reward = np.zeros(len(per_pull)), 0.0
    for a, start in enumerate(game.starts):
        state = np.zeros((2, len(start)))
        state[0] = start
        pulls[a], earned = follow(game.lattices[a], game.dynamics, a, game.tables[a], rounds, state)
        reward += earned - game.forgone * pulls[a]
    last_pulls = np.sum([table.last_pulls for table in game.tables], axis=0)
    bound = float(prices[:-1] @ game.budgets + totals[rounds])
    return Trial(bound, rounds, pulls, reward, prices, own, last_pulls)
