"""The families of rewards. A new one is a file beside this and its place at the end of this list."""

from roguewk.problem.errors import known, text
from roguewk.problem.family.bernoulli import BERNOULLI
from roguewk.problem.family.bounded import BOUNDED
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.gaussian import GAUSSIAN
from roguewk.problem.family.poisson import POISSON

FAMILIES: tuple[RewardFamily, ...] = (BERNOULLI, GAUSSIAN, POISSON, BOUNDED)  # a place is the code in compiled code
NAMES = tuple(family.name for family in FAMILIES)
_CODES = {name: code for code, name in enumerate(NAMES)}


def family_code(name: str) -> int:
    """The place of a family that there is."""
    return _CODES[name]


def family_named(name: str, what: str = "") -> RewardFamily:
    """The family of this name; `what` says whose it is in errors.

    >>> family_named("poisson").unit
    'log-rate'
    """
    known(text(name, f"family{what}"), NAMES, f"family{what}:")
    return FAMILIES[family_code(name)]
