"""Arms whose dynamics nobody knows."""

from typing import Any

from roguewk.problem.arm import Arm, link
from roguewk.problem.context import When
from roguewk.problem.errors import InputError, positive, shown, text
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.family.registry import family_named
from roguewk.problem.prior import Prior

# Best guesses where nothing is said, in the units below.
HALF_LIFE, WEAR, LEVEL = 3.0, 0.4, 0.0
OF_SIGMA = 2.0


def level_unit(sigma: float | None) -> float:
    """How large a unit of level is, where nothing else says how large levels are."""
    return 1.0 if sigma is None else OF_SIGMA * sigma


def wear_unit(sigma: float | None) -> float:
    """How large a unit of wear is: what uses take off measurements is mostly less than these lie apart."""
    return 1.0 if sigma is None else sigma


def unknown_arm(
    name: str,
    *,
    half_life: Any = None,
    wear: Any = None,
    rested: Any = None,
    prior: Prior | None = None,
    family: str = "bernoulli",
    sigma: float | None = None,
    known_start: Any = None,
    available: float | None = None,
    like: str | None = None,
    when: When | None = None,
) -> Arm:
    """An arm of which nobody knows how it wears off and recovers: policies that can, learn it.

    What is guessed of half-life, wear and mean reward when rested may be said, as for `rw.Prior`; or give that whole.
    An arm that is `like` another one has the same half-life, wear and mean reward, whatever they are, and a state of
    its own: what is learned of one is learned of both.

    >>> import roguewk as rw
    >>> tip = rw.unknown_arm("tip", half_life={"about": 5, "between": [1, 30]})
    >>> problem = rw.Problem([tip, rw.unknown_arm("hint", like="tip")], [], horizon=100)
    >>> rw.make_policy("roguewk-plan", problem).select().name
    'tip'
    """
    text(name, "name of an arm")
    given = Prior(half_life, wear, rested) if prior is None else prior
    if not isinstance(given, Prior):
        raise InputError(f"prior of arm {name!r} is {shown(given)}: give an rw.Prior")
    said, kind = given.said, family_named(family, f" of arm {name!r}")
    noise = None if sigma is None else positive(sigma, f"sigma of arm {name!r}")
    numbers = {"half_life": HALF_LIFE, "wear": WEAR * wear_unit(noise), "rested": kind.mean_of_level(LEVEL)}
    numbers |= {key: guess.about for key, guess in said.items()}
    for end in (said["rested"].low, said["rested"].high) if "rested" in said else ():
        link(end, family, f"rested of arm {name!r}")
    return everyday_arm(
        name,
        **numbers,
        family=family,
        sigma=sigma,
        known_start=known_start,
        available=available,
        prior=given,
        like=like,
        when=when,
    )
