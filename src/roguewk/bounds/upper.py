"""A bound on what any policy can earn, by Lagrangian relaxation: the least of the bounds that prices give.

It is convex in the prices (`priced.py`). At one price for all rounds it is minimised by cutting planes: a linear
program mixes the schedules found so far within the budgets, and its prices are tried next. Its value and the least
bound enclose the best bound of this kind. From there on, prices may vary from round to round (`varying.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from roguewk.allocate.lp import solve_lp
from roguewk.bounds.exact import comes_and_goes
from roguewk.bounds.idling import may_be_idle
from roguewk.bounds.in_contexts import (
    ContextGame,
    build_context_game,
    resource_prices_of,
    round_prices_of,
    try_context_prices,
)
from roguewk.bounds.priced import PricedGame, Trial, build_game, try_prices, with_own_prices
from roguewk.bounds.tiny import tiny_value
from roguewk.bounds.varying import LAST, improve
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.problem.arm import Arm
from roguewk.problem.context import shift_range
from roguewk.problem.errors import InputError, known, positive, shown, text
from roguewk.relax.steepness import steepest_rewards
from roguewk.world.world import World, check_world

PRECISION = 1e-5  # shortfall of an interpolation, in rewards: it adds that much per round
BEST, GOOD = 1e-4, 1e-3  # relative gaps: to stop at, and to call converged
TRIES, PATIENCE = 200, 10  # cutting planes at the most, and without progress
SMOOTH = 0.3  # weight of the best prices so far in the next ones: cutting planes alone jump about
CONVERGED, SETTLED, EXACT = "converged", "settled", "exact"
CHEAPEST = "the exact value at the smallest costs that there may be"


@dataclass(frozen=True, eq=False)
class Bound:
    """No policy can expect to earn more than `value` in this world.

    `prices` (resource,) is what one more unit of each budget would add (of one that renews, in one period),
    `round_price` what one more round would;
    `round_prices` (round,) are the rounds' own, the last one that of the last round, and `round_price` is their mean.
    `gap` is how much lower the best bound of this kind may be, nan (not known) where round prices vary; `status`, a
    sentence. The value holds whatever the status, unless that is "not certified": functions of one's own are looked at
    on a grid and along simple schedules, and where they jump no slope bounds them. `baseline` is what idling throughout
    would bring, which is part of the value, and `effect` how much more than that anyone can expect.

    >>> import roguewk as rw
    >>> rw.upper_bound(rw.catalog.paper(budget=300), idle=True).prices.round(1)  # the second resource is the scarce one
    array([0. , 1.3, 0. ])
    """

    value: float
    prices: Vector
    round_price: float
    gap: float
    status: str
    round_prices: Vector
    baseline: float = 0.0

    @property
    def effect(self) -> float:
        """The value less what idling throughout would bring."""
        return self.value - self.baseline


def upper_bound(
    world: World,
    idle: bool | None = None,
    *,
    precision: float = PRECISION,
    round_prices: Literal["constant", "varying"] = "constant",
    progress: Callable[[int, int], None] | None = None,
) -> Bound:
    """A certified bound on the expected reward of every policy, even one that knows the truth.

    `idle` overrides whether a round may be left unplayed. The error of the grid is added to the value. Varying
    `round_prices` (over long horizons, those of the last 2,000 rounds) take some seconds, lower the bound where the
    start and the end of the game count, and never raise it. `progress` is then called with the steps taken and the
    most that there may be.

    >>> import roguewk as rw
    >>> bound = rw.upper_bound(rw.catalog.paper(budget=100), idle=True)
    >>> round(bound.value), bound.status
    (274, 'converged')
    >>> short = rw.catalog.slow_recovery(horizon=60)
    >>> [round(rw.upper_bound(short, round_prices=kind).value, 1) for kind in ("constant", "varying")]
    [19.1, 17.2]
    """
    problem = check_world(world).problem
    may_idle = may_be_idle(world, idle)
    # Where arms come and go or limits leave them out, rounds in which none is there pass idle, so that arms can rest.
    must_play = not (may_idle or comes_and_goes(world) or problem.limited)
    known(text(round_prices, "round_prices"), ("constant", "varying"), "kind of round prices")
    precision = positive(precision, "precision")
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {shown(progress)}: give a function of the steps taken and the most there may be")
    with compiling("the bound"):
        # Limits of a period have prices of their own, of which only the game in contexts knows.
        drifts = problem.limited and world.idle_means[0] != world.idle_means[-1]
        in_contexts = world.contexts or drifts
        game = build_context_game(world, precision) if in_contexts else build_game(world, must_play, precision)
        bound, found = _minimise(game)
        if round_prices == "varying" and isinstance(game, PricedGame):
            bound = _vary(with_own_prices(game, LAST), bound, found, progress or (lambda step, most: None))
        idling = float(world.idle_means.sum())
        bound = replace(bound, value=bound.value + idling, baseline=idling)
        if np.isfinite(bound.value):
            bound = _judged(world, may_idle, bound)
    if not np.isfinite(bound.value):
        raise InputError("the bound of this world is not a number: bring rewards, costs and budgets closer to one")
    return bound


def _judged(world: World, idle: bool, bound: Bound) -> Bound:
    """The bound with the exact value, if that is cheap and lower, and without a certificate where there is none."""
    tiny = tiny_value(world, idle)
    if tiny.value < bound.value:
        bound = replace(bound, value=tiny.value, gap=0.0, status=EXACT if tiny.exact else CHEAPEST)
    if bound.status in (EXACT, CHEAPEST):
        return bound
    own = [(arm, steepest_rewards(arm, x0)) for arm, x0 in zip(world.arms, world.x0, strict=True) if arm.custom]
    jumps = [arm.name for arm, steepness in own if not steepness.settled]
    if not jumps:
        return bound
    what = f"not certified: g of arm {jumps[0]!r} jumps, or is steeper than can be told"
    best = max(*(_largest_mean(arm) for arm in world.arms), float(world.idle_means.max()))
    seen = world.problem.horizon * max(best, *(steepness.largest for _, steepness in own))
    return replace(bound, value=min(bound.value, seen), status=what, gap=np.nan)


def _largest_mean(arm: Arm) -> float:
    """The largest mean reward in X, at a corner of it; those of functions of one's own are seen elsewhere."""
    highest = arm.level_range()[1] + shift_range(arm.when)[1]
    return -np.inf if arm.custom else float(arm.reward_family.mean_of_level(highest))


def _try(game: PricedGame | ContextGame, prices: Vector) -> Trial:
    return try_prices(game, prices) if isinstance(game, PricedGame) else try_context_prices(game, prices)


def _minimise(game: PricedGame | ContextGame) -> tuple[Bound, Trial]:
    best = _try(game, np.zeros(len(game.budgets) + 1))
    cuts, floor, idle = [best], 0.0, 0
    # Occasions have prices of their own, and so many more directions to try.
    patience = PATIENCE + (len(game.weights) * game.odds.shape[1] if isinstance(game, ContextGame) else 0)
    for _ in range(TRIES):
        floor, prices = _master(game, cuts)
        scale = max(1.0, abs(best.bound))
        if best.bound - floor <= BEST * scale or idle == patience:
            break
        cut = _try(game, (1 - SMOOTH) * prices + SMOOTH * best.prices)
        cuts.append(cut)
        # Near the end the grid is coarser than the progress to be made.
        idle = 0 if cut.bound < best.bound - 0.01 * BEST * scale else idle + 1
        best = min(best, cut, key=lambda each: each.bound)
    gap = max(best.bound - floor, 0.0)
    far = gap > GOOD * max(1.0, abs(best.bound))
    status = f"not converged: the best bound may be lower by {gap:.3g}" if far else CONVERGED
    return _bound(game, best, gap, status), best


def _bound(game: PricedGame | ContextGame, trial: Trial, gap: float, status: str) -> Bound:
    if isinstance(game, ContextGame):
        prices, round_prices = resource_prices_of(game, trial.prices), round_prices_of(game, trial.prices)
    else:
        prices, round_prices = trial.prices[: game.resources], np.full(game.horizon, trial.prices[-1])
        round_prices[game.horizon - trial.own.size :] += trial.own[::-1]
    return Bound(trial.bound, prices, float(round_prices.mean()), gap, status, round_prices)


def _master(game: PricedGame | ContextGame, cuts: list[Trial]) -> tuple[float, Vector]:
    """The best mixture of the schedules found so far, and the prices of budgets and rounds in it."""
    budgets, horizon = game.budgets, game.horizon
    spent = np.array([cut.pulls @ game.costs for cut in cuts]) / budgets
    pulls = np.array([cut.pulls.sum() for cut in cuts])
    rounds = np.array([cut.rounds for cut in cuts])
    balance = (pulls - rounds) / horizon
    extra, rates = ([balance, -balance], [0.0, 0.0]) if game.must_play else ([pulls / horizon], [1.0])
    table = np.column_stack([spent, *extra])
    plan = solve_lp([cut.reward for cut in cuts], table, [*np.ones(len(budgets)), *rates])
    round_price = plan.prices[len(budgets)] - (plan.prices[-1] if game.must_play else 0.0)
    return plan.value, np.append(plan.prices[: len(budgets)] / budgets, round_price / horizon)


def _vary(game: PricedGame, constant: Bound, start: Trial, tell: Callable[[int, int], None]) -> Bound:
    found, settled = improve(game, start, tell)
    if found.bound >= constant.value:
        return constant
    return _bound(game, found, np.nan, SETTLED if settled else "not settled: more steps may lower the bound")
