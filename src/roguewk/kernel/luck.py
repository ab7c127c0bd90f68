"""Counter-based random numbers: Philox 4x64-10 (Salmon et al. 2011), as in NumPy.

A number is a pure function of (seed, replicate, round, purpose): results do not depend on threads or order, every
policy meets the same luck, and a single decision can be replayed.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from roguewk.kernel.compile import compiled

# Purposes. A round's block holds two words for the reward and one for the policy's draw; costs use blocks of their own.
ROUND, COST, GAMMA = 0, 1, 2
# What reward estimates, cost estimates and allocations draw for themselves.
REWARD_DRAW, COST_DRAW, ALLOCATION_DRAW = (1 << 40), (2 << 40), (3 << 40)
OUTCOME = 4 << 40  # when the world tells what a pull brought
AVAILABLE = 5 << 40  # which arms are possible
CONTEXT = 6 << 40  # what is drawn of the contexts

Word = np.uint64
LARGEST_SEED = 2**64 - 1
_M0, _M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_W0, _W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_TO_UNIT = 1.0 / 9007199254740992.0


class Now(NamedTuple):
    """A round, whose luck it is, and how many rounds have passed: `t` counts from the last restart, `round` never."""

    round: int
    seed: Any  # Word
    replicate: int
    t: int


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _high_word(typing_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of a 64 x 64 bit product."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@compiled
def block(seed: Word, replicate: int | Word, round_: int, purpose: int, part: int) -> tuple[Word, Word, Word, Word]:
    """Four 64-bit words for this key (seed, replicate) and counter (round, purpose, part, 0)."""
    k0, k1 = np.uint64(seed), np.uint64(replicate)
    c0, c1, c2, c3 = np.uint64(round_), np.uint64(purpose), np.uint64(part), np.uint64(0)
    for _ in range(10):
        low0, low1 = c0 * _M0, c2 * _M1
        c0, c1, c2, c3 = _high_word(c2, _M1) ^ c1 ^ k0, low1, _high_word(c0, _M0) ^ c3 ^ k1, low0
        k0 += _W0
        k1 += _W1
    return c0, c1, c2, c3


@compiled
def unit(word: Word) -> float:
    """A 64-bit word as a number in [0, 1) with 53 random bits."""
    return float(np.uint64(word) >> np.uint64(11)) * _TO_UNIT


@compiled
def normal(first: Word, second: Word) -> float:
    """A standard normal number from two words (Box and Muller)."""
    return math.sqrt(-2.0 * math.log(1.0 - unit(first))) * math.cos(2.0 * math.pi * unit(second))


@compiled
def words(now: Now, purpose: int, part: int) -> tuple[Word, Word, Word, Word]:
    """Four words of this round's luck."""
    return block(now.seed, now.replicate, now.round, purpose, part)
