"""Random numbers of other distributions than the uniform, as pure functions of a round's luck."""

import math

from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now, Word, block, normal, unit, words


@compiled_apart
def log_gamma(shape: float, seed: Word, replicate: int, round_: int, purpose: int) -> float:
    """The log of a gamma number (Marsaglia and Tsang 2000), trying block after block of its own until one is accepted.

    With a small shape the number itself is mostly too small for a float.
    """
    boost = shape if shape >= 1.0 else shape + 1.0
    d = boost - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for attempt in range(1000):
        word = block(seed, replicate, round_, purpose, attempt)
        z = normal(word[0], word[1])
        v = (1.0 + c * z) ** 3
        if v > 0.0 and math.log(1.0 - unit(word[2])) < 0.5 * z * z + d * (1.0 - v + math.log(v)):
            spread = 0.0 if shape >= 1.0 else math.log(1.0 - unit(word[3])) / shape
            return math.log(d * v) + spread
    return math.log(d)


@compiled
def beta(a: float, b: float, now: Now, purpose: int) -> float:
    """A beta number; it takes this purpose and the next."""
    x = log_gamma(a, now.seed, now.replicate, now.round, purpose)
    y = log_gamma(b, now.seed, now.replicate, now.round, purpose + 1)
    return 1.0 / (1.0 + math.exp(y - x))


@compiled
def standard_normal(now: Now, purpose: int, part: int) -> float:
    """A standard normal number."""
    word = words(now, purpose, part)
    return normal(word[0], word[1])
