"""Random numbers of other distributions than the uniform, as pure functions of a round's luck."""

import math

import numpy as np

from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now, Word, block, normal, unit, words

FEW = 10.0  # a mean below which counts are found by going through them


@compiled_apart
def _gamma(shape: float, now: Now, purpose: int) -> tuple[float, float]:
    """A gamma number of shape at least 1, and a uniform one to spare (Marsaglia and Tsang 2000).

    Blocks are tried until one is accepted; nearly all are, and nearly always the quick test says so.
    """
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for attempt in range(1000):
        word = words(now, purpose, attempt)
        z = normal(word[0], word[1])
        v = (1.0 + c * z) ** 3
        if v <= 0.0:
            continue
        chance = 1.0 - unit(word[2])
        if chance < 1.0 - 0.0331 * z**4 or math.log(chance) < 0.5 * z * z + d * (1.0 - v + math.log(v)):
            return d * v, unit(word[3])
    return d, 0.5


@compiled
def _log_gamma(shape: float, now: Now, purpose: int) -> float:
    """The log of a gamma number: with a small shape the number itself is mostly too small for a float."""
    number, spare = _gamma(shape if shape >= 1.0 else shape + 1.0, now, purpose)
    return math.log(number) + (0.0 if shape >= 1.0 else math.log(1.0 - spare) / shape)


@compiled
def beta(a: float, b: float, now: Now, purpose: int) -> float:
    """A beta number; it takes this purpose and the next."""
    if a >= 1.0 and b >= 1.0:
        x, _ = _gamma(a, now, purpose)
        y, _ = _gamma(b, now, purpose + 1)
        return x / (x + y)
    return 1.0 / (1.0 + math.exp(_log_gamma(b, now, purpose + 1) - _log_gamma(a, now, purpose)))


@compiled_apart
def poisson(mean: float, first: Word, second: Word) -> float:
    """A Poisson number from two random words, which for larger means are the key of as many more as it takes.

    By inversion for small means, so that a larger mean never has fewer counts from the same words; for others by
    transformed rejection (Hörmann 1993, PTRS), where one trial in ten is refused at the most.
    """
    if mean < FEW:
        number, chance, count = unit(first), math.exp(-mean), 0.0
        while number >= chance and count < 100.0:  # 53 random bits reach 45 at the most
            number -= chance
            count += 1.0
            chance *= mean / count
        return count
    log_mean = math.log(mean)
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    sure = 0.9277 - 3.6224 / (b - 2.0)
    for attempt in range(1000):
        word = block(first, second, attempt, 0, 0)
        u, v = unit(word[0]) - 0.5, 1.0 - unit(word[1])
        inside = 0.5 - abs(u)
        if inside <= 0.0:
            continue
        count = np.floor((2.0 * a / inside + b) * u + mean + 0.43)
        if inside >= 0.07 and v <= sure:
            return count
        if count < 0.0 or (inside < 0.013 and v > inside):
            continue
        height = math.log(v) + math.log(inverse_alpha) - math.log(a / (inside * inside) + b)
        if height <= count * log_mean - mean - math.lgamma(count + 1.0):
            return count
    return np.floor(mean)


@compiled
def standard_normal(now: Now, purpose: int, part: int) -> float:
    """A standard normal number."""
    word = words(now, purpose, part)
    return normal(word[0], word[1])
