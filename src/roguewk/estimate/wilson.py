"""Wilson score intervals: `(n p + z^2/2 -+ z sqrt(n p (1 - p) + z^2/4)) / (n + z^2)` for a mean p.

It is the mean of n numbers in [0, 1]. Omega-UCB takes `z^2 = 2 rho log(t + 1)`; omega*-UCB multiplies it by `variance
/ (p (1 - p))`, the share of the largest possible variance that is seen, once there are enough numbers to tell (Heyden,
Arzamasov, Fouche and Boehm 2024).
"""

import math

from roguewk.kernel.compile import compiled

ENOUGH = 30.0  # numbers that a variance is trusted from
LOWER, UPPER = -1.0, 1.0


@compiled
def wilson_end(mean: float, n: float, z2: float, side: float) -> float:
    """The LOWER or the UPPER end for the mean of n > 0 numbers."""
    half = math.sqrt(z2 * (n * max(mean * (1.0 - mean), 0.0) + 0.25 * z2))
    return min(max((n * mean + 0.5 * z2 + side * half) / (n + z2), 0.0), 1.0)


@compiled
def variance_share(mean: float, variance: float, n: float) -> float:
    """The variance, which is divided by n, as a part of the largest that this mean allows; 1 as long as n is small."""
    most = mean * (1.0 - mean)
    return min(variance / most, 1.0) if n >= ENOUGH and most > 0.0 else 1.0
