"""How much better than believed an arm should be taken to be, because trying it tells.

The Gittins index of a normal arm in the approximation of Chick and Gans (2009): its mean plus its standard deviation
times `b(s) / sqrt(s)`, with `s = uses deviation^2 / noise^2`: how often what is learned can be used, times how much of
what is seen is not noise. Nothing to be used, nothing to be curious about.
"""

import math

from roguewk.kernel.compile import compiled

LITTLE, MUCH = 1.0 / 7.0, 100.0
TINY = 1e-12


@compiled
def boundary(s: float) -> float:
    """The function b of Chick and Gans, as commonly quoted."""
    if s <= LITTLE:
        return s / math.sqrt(2.0)
    log = math.log(min(s, MUCH))
    between = math.exp(-0.02645 * log * log + 0.89106 * log - 0.4873)
    if s <= MUCH:
        return between
    log = math.log(s)
    # As quoted the last piece begins a tenth lower than the one before ends, and more uses never make less curious.
    return math.sqrt(s) * max(
        math.sqrt(2.0 * log - math.log(log) - math.log(16.0 * math.pi)), between / math.sqrt(MUCH)
    )


@compiled
def curiosity(s: float) -> float:
    """Standard deviations to be added."""
    return boundary(s) / math.sqrt(s) if s > 0.0 else 0.0


@compiled
def worth_finding_out(doubt: float, noise: float, uses: float) -> float:
    """How much more something may well bring than is believed, as far as finding out is worth while.

    `doubt` is the variance of what is believed, `noise` that of what is seen.
    """
    return math.sqrt(doubt) * curiosity(uses * doubt / max(noise, TINY))
