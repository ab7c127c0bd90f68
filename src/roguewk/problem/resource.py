"""Something limited, and how often pulls may follow each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from roguewk.problem.duration import Duration, check_duration
from roguewk.problem.errors import LARGEST, InputError, positive, shown, text, truth_value, whole

ALL: tuple[str, ...] = ()  # arms, where none is named


@dataclass(frozen=True)
class Resource:
    """Something limited: its budget and the largest cost one pull can have, in your units.

    The budget is for the whole horizon, or for `every` so many rounds or "7 days", counted from the first round: then
    what is left at the end of a period is lost, unless it is carried over. If the largest cost is not said, a world
    takes the largest that its costs can be, and a problem alone takes 1. What `counts` pulls of the arms it names, of
    all arms if it names none, is told no costs: see `rw.at_most`.

    >>> import roguewk as rw
    >>> rw.Resource("euros", budget=500.0, largest_cost=20.0).budget
    500.0
    >>> rw.Resource("hours of the nurse", budget=20, every="7 days").every
    '7 days'
    """

    name: str
    budget: float
    largest_cost: float | None = None
    every: Duration | None = None
    carry_over: bool = False
    counts: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        text(self.name, "name of a resource")
        what = f"of resource {self.name!r}"
        object.__setattr__(self, "budget", positive(self.budget, f"budget {what}"))
        if self.largest_cost is not None:
            object.__setattr__(self, "largest_cost", positive(self.largest_cost, f"largest_cost {what}"))
        for key, value in (("budget", self.budget), ("largest_cost", self.unit)):
            if not 1 / LARGEST < value < LARGEST:
                raise InputError(
                    f"{key} {what} is {value:g}: choose a unit in which it is between {1 / LARGEST:g} and {LARGEST:g}"
                )
        if self.every is not None:
            object.__setattr__(self, "every", check_duration(self.every, f"every {what}"))
        object.__setattr__(self, "carry_over", truth_value(self.carry_over, f"carry_over {what}"))
        if self.carry_over and self.every is None:
            raise InputError(f"carry_over {what} is true and its budget never renews: say `every` so many rounds")
        if self.counts is not None:
            object.__setattr__(self, "counts", listed_arms(self.counts, f"counts {what}"))
            object.__setattr__(self, "largest_cost", 1.0)

    @property
    def unit(self) -> float:
        """The cost that counts as 1 inside."""
        return 1.0 if self.largest_cost is None else self.largest_cost

    @property
    def hard(self) -> bool:
        """Whether no pull is made that might take more than is left; else one that does ends the game."""
        return self.every is not None or self.counts is not None


def listed_arms(arms: Any, what: str) -> tuple[str, ...]:
    """Names of arms, from one name or several."""
    names = [arms] if isinstance(arms, str) else list(arms) if isinstance(arms, Sequence) else None
    if names is None:
        raise InputError(f"{what} is {shown(arms)}: give a list of names of arms")
    found = tuple(text(name, f"an arm in {what}") for name in names)
    for name in found:
        if found.count(name) > 1:
            raise InputError(f"{what} has {name!r} twice: name each arm once")
    return found


def _limited_arms(arms: Any, what: str) -> tuple[str, ...]:
    """The arms that a limit is about; a list that was made and came out empty is not meant to be all of them."""
    names = ALL if arms is None else listed_arms(arms, what)
    if arms is not None and not names:
        raise InputError(f"{what} is {shown(arms)}: name an arm, or leave `arms` out if all are meant")
    return names


def at_most(
    count: int,
    every: Duration | None = None,
    arms: str | Sequence[str] | None = None,
    *,
    carry_over: bool = False,
    name: str | None = None,
) -> Resource:
    """A cap: these arms, all if none is named, are pulled at most so often in every period, or in the whole game.

    It is a resource of which each of these pulls takes one, so that it has a price like any other.

    >>> import roguewk as rw
    >>> rw.at_most(2, every="7 days", arms=["call", "visit"]).name
    'call or visit per 7 days'
    """
    counted = _limited_arms(arms, "arms of a cap")
    if name is None:
        length = None if every is None else check_duration(every, "every of a cap")
        period = "" if length is None else f" per {length}" + " rounds" * (not isinstance(length, str))
        name = (" or ".join(counted) or "pulls") + period
    name = text(name, "name of a cap")
    budget = whole(count, f"at_most of {name!r}", 1)
    return Resource(name, budget, every=every, carry_over=carry_over, counts=counted)


@dataclass(frozen=True)
class Gap:
    """From one pull of these arms to the next, all if none is named, pass at least so many rounds.

    >>> import roguewk as rw
    >>> rw.Gap("2 days", arms="call").arms
    ('call',)
    """

    least: Duration
    arms: tuple[str, ...] | None = None

    def __init__(self, least: Duration, arms: str | Sequence[str] | None = None) -> None:
        object.__setattr__(self, "least", check_duration(least, "gap"))
        object.__setattr__(self, "arms", _limited_arms(arms, "arms of a gap") or None)
