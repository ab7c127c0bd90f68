"""Arms the way people think of them."""

from typing import Any

from roguewk.problem.arm import Arm, link, unlink
from roguewk.problem.context import When
from roguewk.problem.duration import rounds_alone
from roguewk.problem.errors import LARGEST, InputError, number, positive, shown, text
from roguewk.problem.family.registry import family_named
from roguewk.problem.prior import Prior


def everyday_arm(
    name: str,
    *,
    rested: float,
    wear: float | None = None,
    worn: float | None = None,
    half_life: float,
    family: str = "bernoulli",
    sigma: float | None = None,
    state: Any = None,
    known_start: Any = None,
    available: float | None = None,
    prior: Prior | None = None,
    like: str | None = None,
    when: When | None = None,
) -> Arm:
    """An arm the way people think: mean reward when rested, drop per use, rounds to recover half of it.

    The drop is in log-odds for rewards that are coins or shares, in log-rate for counts and in reward for Gaussian
    rewards. In its place, `worn` may be given, the mean reward when it is used all the time. The state is the distance
    from rested, so `K = 0` and `beta = 1`; `known_start` is "rested", or such a distance.

    >>> import roguewk as rw
    >>> arm = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2)
    >>> round(arm.A, 4), arm.B
    (0.7071, -0.5)
    """
    arm = f"arm {text(name, 'name of an arm')!r}"
    family_named(family, f" of {arm}")
    if (wear is None) == (worn is None):
        found = "neither 'wear' nor" if wear is None else "both 'wear' and"
        raise InputError(f"{arm} has {found} 'worn': give one of them")
    span = f"half_life of {arm}"
    retention = 0.5 ** (1 / positive(rounds_alone(half_life, span), span))
    if retention >= 1:
        raise InputError(f"half_life of {arm} is {shown(half_life)}: give a shorter one, this one never recovers")
    level = link(rested, family, f"rested of {arm}")
    # Used all the time, the state comes to -drop / (1 - A).
    drop = number(wear, f"wear of {arm}") if worn is None else _drop(level, worn, family, retention, arm)
    if state is None:
        _check_worn(level, level - drop / (1 - retention), family, arm, wear is not None, prior is not None)
    numbers = {"A": retention, "B": -drop, "K": 0.0, "alpha": level, "beta": 1.0, "state": state}
    told = {"known_start": known_start, "available": available, "prior": prior, "like": like, "when": when}
    return Arm(name, **numbers, family=family, sigma=sigma, **told)


def _drop(level: float, worn: float, family: str, retention: float, arm: str) -> float:
    return (level - link(worn, family, f"worn of {arm}")) * (1 - retention)


def _check_worn(rested: float, worn: float, family: str, arm: str, wears: bool, learned: bool) -> None:
    """Refuse levels, rested and used all the time, that are too far apart for the family."""
    if not family_named(family).refusal(min(rested, worn), max(rested, worn)):
        return
    means = [f"{unlink(max(min(level, LARGEST), -LARGEST), family):.3g}" for level in (rested, worn)]
    said = "wear and half_life" if wears else "worn"
    what = f"{arm} comes by its {said} from a mean reward of {means[0]} to {means[1]} when it is used all the time"
    remedy = "give less wear, or a shorter half-life" if learned else "give less wear, or `worn`, that mean reward"
    remedy = remedy if wears else "give a `worn` nearer to it"
    raise InputError(f"{what}, which is too far for family {family!r}: {remedy}")
