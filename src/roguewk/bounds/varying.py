"""Prices that vary from round to round: they lower the bound where arms at a constant price want the same rounds.

In the long run a constant price is the best: U is convex, shifting the prices by a round changes it only by what
happens at the ends of the game, and the mean of all shifts is constant. So varying prices gain at the start and at the
end of the game: some per cent over dozens of rounds, next to nothing over thousands.

U is lowered by subgradient steps towards a hoped-for value a little below the best so far (Polyak), each step
remembering the ones before it; the hope is halved whenever it fails for a while. Every trial is a bound, and the best
one is kept.
"""

from collections.abc import Callable

import numpy as np

from roguewk.bounds.priced import PricedGame, Trial, try_prices
from roguewk.kernel.arrays import Vector

LAST = 2_000  # rounds with prices of their own
STEPS, PATIENCE = 500, 15
HOPE, LEAST_HOPE = 0.05, 1e-5  # of the bound: first and last
MEMORY = 0.7


def improve(game: PricedGame, start: Trial, tell: Callable[[int, int], None]) -> tuple[Trial, bool]:
    """The best trial found from `start`, which has a constant round price, and whether hope ended before the steps.

    `tell` is called with the steps taken and the most that may be taken.
    """
    own = np.zeros(game.tables[0].own.size)
    scales, least = _scales(game, own.size), _least(game, start.prices[-1], own.size)
    best_place = place = np.append(start.prices[:-1], own) / scales
    best = trial = try_prices(game, start.prices, own)
    hope, last_hope = (each * max(1.0, abs(best.bound)) for each in (HOPE, LEAST_HOPE))
    heading, failures = np.zeros(place.size), 0
    for step in range(STEPS):
        tell(step, STEPS)
        if failures > PATIENCE:
            hope, failures = hope / 2, 0
            place, trial, heading = best_place, best, np.zeros(place.size)
        heading = _slope(game, trial) * scales + MEMORY * heading
        move = np.where((place <= least) & (heading > 0), 0.0, heading)
        if hope < last_hope or not move.any():
            return best, True
        place = np.maximum(place - (trial.bound - best.bound + hope) / (move @ move) * move, least)
        priced, own = np.split(place * scales, [len(game.budgets)])
        trial = try_prices(game, np.append(priced, start.prices[-1]), own)
        failures = 0 if trial.bound < best.bound - 0.1 * hope else failures + 1
        if trial.bound < best.bound:
            best, best_place = trial, place
    return best, False


def _slope(game: PricedGame, trial: Trial) -> Vector:
    """A subgradient of U: budgets less what is spent, and one less the pulls in each round played."""
    played = np.arange(trial.own.size) < trial.rounds
    return np.append(game.budgets - trial.pulls @ game.costs, played - trial.last_pulls)


def _scales(game: PricedGame, size: int) -> Vector:
    """Units in which prices are about as large as their effect: one budget counts as much as many rounds."""
    return np.append(np.sqrt(max(size, 1)) / game.budgets, np.ones(size))


def _least(game: PricedGame, round_price: float, size: int) -> Vector:
    return np.append(np.zeros(len(game.budgets)), np.full(size, -np.inf if game.must_play else -round_price))
