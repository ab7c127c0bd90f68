"""Luck: a number is a function of (seed, replicate, round, purpose, part), by NumPy's own Philox 4x64."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.reference.arms import mean_reward
from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.world.cost import Cost

Words = NDArray[np.uint64]
DECISION, COST = 0, 1  # purposes; the words of a decision are: reward, second word of a Gaussian reward, arm


def philox_words(seed: int, replicate: int, round_: int, purpose: int, part: int) -> Words:
    """The four words at key (seed, replicate) and counter (round, purpose, part, 0)."""
    key = np.array([seed, replicate], dtype=np.uint64)
    counter = round_ + (purpose << 64) + (part << 128)
    # NumPy counts up before it generates.
    return np.random.Philox(key=key, counter=(counter - 1) % 2**256).random_raw(4)


def unit(word: np.uint64) -> float:
    return (int(word) >> 11) * 2.0**-53


def draw_reward(arm: Arm, x: Vector, words: Words) -> float:
    u = unit(words[0])
    if arm.sigma is None:
        return float(u < mean_reward(arm, x))
    noise = math.sqrt(-2 * math.log(1 - u)) * math.cos(2 * math.pi * unit(words[1]))
    return float(mean_reward(arm, x)) + arm.sigma * noise


def draw_cost(cost: Cost, u: float) -> float:
    match cost.kind:
        case "fixed":
            return cost.numbers[0]
        case "uniform":
            low, high = cost.numbers
            return low + (high - low) * u
        case "bernoulli":
            chance, amount = cost.numbers
            return 0.0 if u < 1 - chance else amount
        case "choices":
            below = int(np.sum(np.cumsum(cost.weights) <= u))
            return cost.numbers[min(below, len(cost.numbers) - 1)]
    raise NotImplementedError(f"{cost.kind} costs: how their luck is laid out is the engine's own affair")


def draw_costs(costs: Sequence[Cost], seed: int, replicate: int, t: int) -> Vector:
    """(resource,) in the user's units."""
    blocks = [philox_words(seed, replicate, t, COST, part) for part in range(math.ceil(len(costs) / 4))]
    return np.array([draw_cost(cost, unit(blocks[j // 4][j % 4])) for j, cost in enumerate(costs)], dtype=np.float64)
