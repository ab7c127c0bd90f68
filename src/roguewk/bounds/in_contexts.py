"""The game at prices where rounds differ by their contexts.

An arm alone sees which occasion it is before it is pulled. With o_k(t) the chance of occasion k in round t, and
theta_k(t) the price of all that a pull takes then,

    V_t(x) = sum_k o_k(t) max(g_k(x) - theta_k(t) + V_{t+1}(pulled), V_{t+1}(rested)),

and `U = p.B + sum_a V_a` is a bound for all prices of at least 0, where B counts what can be had of everything at most:

- Turns: in an occasion there are as many pulls as rounds of it. Each occasion has a price of its own.
- Gaps: of arms that are kept g rounds apart, one can be pulled in occasion k only if none was in the g - 1 rounds
  before. What is drawn now is independent of those, so `P(pulled in t | k) + E(pulls in the g - 1 rounds before) <= 1`.
  Times o_k(t) and added up over all rounds t, each pull takes a turn of its occasion, and of every other one as likely
  as that comes within the gap. (The gap of a last pull reaches beyond the end: that much is allowed for.)

Occasions that do the same to all arms are one. Those of different rounds of a cycle are told apart while they are few.

Where what idle rounds bring drifts, so do the effects of pulls, and prices of what is there anew, period for period or
round for round, follow them: they are sums of a few weights, (season, round), that are the same within a period. The
sum over rounds of a weight times what is there then takes the place of what there is in all. A pull pays its turns
within a gap at the weight of its own round; that is too much where the weight has fallen by then, of which a turn for
each gap is allowed for, as at the end.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from roguewk.bounds.priced import REPEATING, Trial, counted_budgets, counted_by_period
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.problem.occasions import calendar_of, shift_table
from roguewk.problem.problem import Problem, members
from roguewk.relax.lattice import Lattice, build_lattice, shifted_rewards
from roguewk.world.world import World

FEWEST = 8  # cycles before they are first compared
MOST_CELLS = 24  # rounds of a cycle times occasions that have prices of their own
MOST_ROWS = 20_000  # rounds of which it is kept when to pull
SEASONS = 2  # of drifts: the start and the end of the game; more did not lower bounds by a thousandth
NEGLIGIBLE = 1e-14  # chance of a state


class ContextGame(NamedTuple):
    """Everything that trying prices needs of such a world; a column is an arm in a season, a phase and an occasion."""

    lattices: list[Lattice]
    rewards: list[Vector]  # of each arm, (occasion, node)
    allowed: list[Vector]  # of each arm, (occasion,) how often it is there then
    odds: Vector  # (phase, occasion)
    costs: Vector  # (column, row): resources, turns of occasions, turns within gaps; seasons of the same side by side
    budgets: Vector  # (row,)
    shares: Vector  # (resource, row) of the price of a row in that of a resource, on average over periods
    groups: Vector  # (phase and occasion, group) whether they are of a group that has a price of its own
    weights: Vector  # (season, round) of the prices of a season
    horizon: int
    tolerance: float
    forgone: Vector  # (round,) what an idle round would have brought
    must_play: bool  # never: who must play may be left without an arm that is allowed


class Course(NamedTuple):
    """What an arm alone is worth from its initial state, and how often it is pulled."""

    value: float
    pulls: Vector  # (season, phase and occasion)


def build_context_game(world: World, precision: float) -> ContextGame:
    """The game on grids."""
    problem = world.problem
    calendar = calendar_of(world.contexts, problem.rounds_per_day)
    shifts, barred = shift_table(world.arms, calendar)
    kept, kinds = np.unique(np.hstack([shifts, barred]), axis=0, return_inverse=True)
    odds = np.stack([calendar.odds[:, kinds.ravel() == kind].sum(axis=1) for kind in range(len(kept))], axis=1)
    shifts, barred = kept[:, : len(world.arms)], kept[:, len(world.arms) :] > 0
    lattices: list[Any] = []
    rewards: list[Any] = []
    allowed: list[Any] = []
    for a, (arm, x0) in enumerate(zip(world.arms, world.x0, strict=True)):
        lattices.append(build_lattice(arm, x0, precision, shifts[:, a]))
        rewards.append(shifted_rewards(arm, lattices[a], shifts[:, a]))
        there = 1.0 if arm.available is None else arm.available
        allowed.append(np.where(barred[:, a], 0.0, there).astype(np.float64))
    groups, weights = _groups(odds), _weights(world)
    rows = _rows(world, odds, groups, weights)
    return ContextGame(
        lattices,
        rewards,
        allowed,
        odds,
        costs=np.hstack([row.costs for row in rows]),
        budgets=np.concatenate([row.budgets for row in rows]),
        shares=np.hstack([row.shares for row in rows]),
        groups=groups,
        weights=weights,
        horizon=problem.horizon,
        tolerance=REPEATING * precision,
        forgone=world.idle_means,
        must_play=False,
    )


def _groups(odds: Vector) -> Vector:
    """(phase and occasion, group): each is one of its own while they are few, else those of all phases are one."""
    phases, occasions = odds.shape
    if odds.size <= MOST_CELLS:
        return np.eye(odds.size)[:, odds.ravel() > 0]
    return np.tile(np.eye(occasions), (phases, 1))


def _weights(world: World) -> Vector:
    """(season, round): hats over the game, if what idle rounds bring drifts; what is left to later periods has none."""
    problem, idle = world.problem, world.idle_means
    if idle[0] == idle[-1]:
        return np.ones((1, problem.horizon))
    period = max((int(problem.periods[j]) for j in _there_anew(problem)), default=1)
    number = np.arange(problem.horizon) // period
    knots = np.linspace(0, max(number[-1], 1), SEASONS)
    return np.stack([np.interp(number, knots, hat) for hat in np.eye(SEASONS)])


def _there_anew(problem: Problem) -> list[int]:
    """The resources of which every period has its own, whatever was left in the one before.

    One of which a period is the whole game never renews: its price is one number, as that of any other budget.
    """
    renewed = problem.periods < problem.horizon
    return [j for j, resource in enumerate(problem.resources) if renewed[j] and not resource.carry_over]


class Rows(NamedTuple):
    """Rows of the program: what pulls take of something, what there is of it, and whose price theirs is."""

    costs: Vector  # (column, row)
    budgets: Vector  # (row,)
    shares: Vector  # (resource, row)


def _rows(world: World, odds: Vector, groups: Vector, weights: Vector) -> list[Rows]:
    """What a pull takes of resources, of the turns of occasions, and of those within gaps."""
    problem, (phases, occasions) = world.problem, odds.shape
    arms, resources, seasons = len(problem.arms), len(problem.resources), np.eye(len(weights))
    none, anew = np.zeros((resources, seasons.shape[0] * groups.shape[1])), _there_anew(problem)
    of_arms, counted = counted_budgets(world)
    rows = []
    for j in range(resources):
        own = np.eye(resources)[:, [j]]
        if j not in anew:
            costs = np.repeat(of_arms[:, j], seasons.shape[0] * odds.size)[:, None]
            rows.append(Rows(costs, counted[[j]], own))
            continue
        by_period = counted_by_period(problem, j, [row[j] for row in world.costs])
        starts = np.arange(by_period.size) * int(problem.periods[j])
        largest = np.maximum.reduceat(weights, starts, axis=1)  # (season, period)
        costs = np.kron(of_arms[:, [j]], np.kron(seasons, np.ones((odds.size, 1))))
        rows.append(Rows(costs, largest @ by_period, own * largest.mean(axis=1)))
    by_phase = np.stack([weights[:, phase::phases].sum(axis=1) for phase in range(phases)], axis=1)
    turns = np.maximum((by_phase[:, :, None] * odds).reshape(-1, odds.size) @ groups, REPEATING)  # (season, group)
    rows.append(Rows(np.kron(np.ones((arms, 1)), np.kron(seasons, groups)), turns.ravel(), none))
    falls = np.maximum(-np.diff(weights, axis=1, append=0.0), 0.0).sum(axis=1)  # (season,)
    for gap in problem.gaps:
        blocked = _blocked(problem.gap_rounds(gap), odds, groups)
        belongs = np.array(members(problem, gap.arms), dtype=np.float64)
        taken = groups + np.repeat(blocked, occasions, axis=0)
        there = turns + falls[:, None] * blocked.max(axis=0)
        rows.append(Rows(np.kron(belongs[:, None], np.kron(seasons, taken)), there.ravel(), none))
    return rows


def _blocked(rounds: int, odds: Vector, groups: Vector) -> Vector:
    """(phase, group) how many turns of each group a pull in a phase blocks on average, besides its own."""
    phases, occasions = odds.shape
    by_phase = (odds.ravel()[:, None] * groups).reshape(phases, occasions, -1).sum(axis=1)
    later = [np.roll(by_phase, -step % phases, axis=0) for step in range(1, min(rounds, 1 + 100 * phases))]
    return np.sum(later, axis=0) if later else np.zeros_like(by_phase)


def resource_prices_of(game: ContextGame, prices: Vector) -> Vector:
    """(resource,) what one more unit of it would add, in a period if it is there anew in every one."""
    return game.shares @ prices[:-1]


def round_prices_of(game: ContextGame, prices: Vector) -> Vector:
    """(round,) what a round more would add, on average over its occasions."""
    seasons, (phases, occasions) = len(game.weights), game.odds.shape
    turns = game.shares.shape[1] - _after_resources(game)
    own = prices[turns : turns + seasons * game.groups.shape[1]].reshape(seasons, -1) @ game.groups.T
    by_phase = (game.odds * own.reshape(seasons, phases, occasions)).sum(axis=2)  # (season, phase)
    rounds = np.arange(game.horizon)
    return np.asarray((game.weights * by_phase[:, rounds % phases]).sum(axis=0) + prices[-1])


def _after_resources(game: ContextGame) -> int:
    """How many rows come after those of the resources."""
    return int((game.shares.any(axis=0) == 0).sum())


def try_context_prices(game: ContextGame, prices: Vector) -> Trial:
    """The bound at these prices, (row,) and that of all rounds."""
    seasons, odds = len(game.weights), game.odds
    charges = (game.costs @ prices[:-1] + prices[-1]).reshape(len(game.lattices), seasons, *odds.shape)

    def solve(a: int) -> Course:
        lattice, pulls = game.lattices[a], np.zeros((seasons, *odds.shape))
        alone = Alone(game.rewards[a], game.allowed[a], odds, charges[a], game.weights, game.forgone)
        desk = _build_desk(lattice.rewards.size, game.horizon, odds.shape[1])
        return Course(_solve(lattice, alone, desk, game.horizon, game.tolerance, pulls), pulls.ravel())

    with ThreadPoolExecutor() as pool:
        courses = list(pool.map(solve, range(len(game.lattices))))
    pulls = np.concatenate([course.pulls for course in courses])
    value = sum(course.value for course in courses)
    bound = value + float(prices[:-1] @ game.budgets) + prices[-1] * game.horizon
    reward = value + float(charges.ravel() @ pulls)  # beyond what idle rounds would have brought
    return Trial(bound, game.horizon, pulls, reward, prices, np.zeros(0), np.zeros(0))


class Alone(NamedTuple):
    """One arm at its prices."""

    rewards: Vector  # (occasion, node)
    allowed: Vector  # (occasion,)
    odds: Vector  # (phase, occasion)
    charges: Vector  # (season, phase, occasion) of a pull
    weights: Vector  # (season, round) of these
    forgone: Vector  # (round,) what an idle round would have brought


class Desk(NamedTuple):
    """Working memory."""

    values: Vector  # (2, node) before and after a round of value iteration
    cycle_ago: Vector  # (node,)
    charges: Vector  # (occasion,) of a pull in a round
    choices: Any  # (row, node) in which occasions to pull, a bit each, with so many rounds to go
    masses: Vector  # (2, node) how likely the arm is to be there


def _build_desk(nodes: int, rounds: int, occasions: int) -> Desk:
    choices = np.zeros((min(rounds, MOST_ROWS) + 1, nodes), dtype=np.uint64)
    return Desk(np.zeros((2, nodes)), np.zeros(nodes), np.zeros(occasions), choices, np.zeros((2, nodes)))


@compiled_for_threads
def _solve(lattice: Lattice, alone: Alone, desk: Desk, rounds: int, tolerance: float, pulls: Vector) -> float:
    """The value of an arm from its initial state; how often it is pulled is written to `pulls`.

    These are (season, phase, occasion), by the weights of the seasons.
    Rounds repeat themselves after whole cycles. Value iteration is monotone, so that no later cycle adds more than the
    largest rise, over all states, of the last one: see `relax/schedule.py`.
    """
    cycle = alone.odds.shape[0]
    # What idle rounds bring may drift: then no cycle is like the last one.
    look = FEWEST * cycle if alone.forgone[0] == alone.forgone[rounds - 1] else rounds
    last, value = rounds, 0.0
    for done in range(1, rounds + 1):
        side = done % 2
        _step(lattice, alone, rounds - done, desk, done)
        if (rounds - done) % cycle == 0 and done < rounds:
            most, least = _rise(desk, side)
            left = (rounds - done) // cycle
            if done > look and (most - least) * left <= tolerance * rounds:
                last, value = done, most * left
                break
    value += lattice.slack
    for c in range(lattice.start.size):
        value += lattice.start_shares[c] * desk.values[last % 2, lattice.start[c]]
    _follow(lattice, alone, desk, rounds, min(last, desk.choices.shape[0] - 1), pulls)
    return value


@compiled
def _step(lattice: Lattice, alone: Alone, round_: int, desk: Desk, done: int) -> None:
    """The round of value iteration after which so many are done."""
    phase = round_ % alone.odds.shape[0]
    for k in range(alone.allowed.size):
        desk.charges[k] = alone.forgone[round_]
        for season in range(alone.weights.shape[0]):
            desk.charges[k] += alone.weights[season, round_] * alone.charges[season, phase, k]
    now, after = desk.values[1 - done % 2], desk.values[done % 2]
    nodes, corners = lattice.rest.shape
    row = min(done, desk.choices.shape[0] - 1)
    for i in range(nodes):
        rested = pulled = 0.0
        for c in range(corners):
            rested += lattice.rest_shares[i, c] * now[lattice.rest[i, c]]
            pulled += lattice.pull_shares[i, c] * now[lattice.pull[i, c]]
        value, chosen = rested, np.uint64(0)
        for k in range(alone.allowed.size):
            chance = alone.odds[phase, k] * alone.allowed[k]
            gain = alone.rewards[k, i] - desk.charges[k] + pulled - rested
            if chance > 0.0 and gain > 0.0:
                value += chance * gain
                chosen |= np.uint64(1) << np.uint64(k)
        after[i] = value + lattice.slack
        desk.choices[row, i] = chosen


@compiled
def _rise(desk: Desk, side: int) -> tuple[float, float]:
    """The most and the least that any state's value rose since it was last asked."""
    most, least = -np.inf, np.inf
    for i in range(desk.cycle_ago.size):
        rise = desk.values[side, i] - desk.cycle_ago[i]
        most, least = max(most, rise), min(least, rise)
        desk.cycle_ago[i] = desk.values[side, i]
    return most, least


@compiled
def _follow(lattice: Lattice, alone: Alone, desk: Desk, rounds: int, kept: int, pulls: Vector) -> None:
    """Count pulls from the initial state on; rounds before the last `kept` are as those of the first cycle among these.

    An interpolation is taken as chances of being at the nodes around, as value iteration does.
    """
    cycle, corners = alone.odds.shape[0], lattice.rest.shape[1]
    desk.masses[:] = 0.0
    for c in range(lattice.start.size):
        desk.masses[0, lattice.start[c]] += lattice.start_shares[c]
    for t in range(rounds):
        here, there, phase = desk.masses[t % 2], desk.masses[1 - t % 2], t % cycle
        row = rounds - t
        if row > kept:
            row = max(kept - (kept - row) % cycle, 1)
        there[:] = 0.0
        for i in range(here.size):
            if here[i] < NEGLIGIBLE:
                continue
            share = 0.0
            for k in range(alone.allowed.size):
                if desk.choices[row, i] >> np.uint64(k) & np.uint64(1):
                    chance = alone.odds[phase, k] * alone.allowed[k]
                    share += chance
                    for season in range(alone.weights.shape[0]):
                        pulls[season, phase, k] += alone.weights[season, t] * here[i] * chance
            for c in range(corners):
                there[lattice.rest[i, c]] += here[i] * (1.0 - share) * lattice.rest_shares[i, c]
                there[lattice.pull[i, c]] += here[i] * share * lattice.pull_shares[i, c]
