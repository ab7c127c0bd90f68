"""What a saved state may hold. Anyone can write one, so nothing in it is believed that could lead out of an array."""

from typing import Any, NamedTuple

from roguewk.problem.errors import InputError

LATEST = 2**53  # rounds: what is exact as a real number


class Room(NamedTuple):
    """What the numbers of a state are checked against."""

    arms: int
    round: int  # the next to be decided, so that all that was seen lies before
    since: int  # rounds that have passed since the last restart


def damaged(what: str) -> InputError:
    """The error for a state that cannot be."""
    return InputError(f"the state is damaged, {what}: restore an undamaged copy")


def check_within(values: Any, low: float, high: float, what: str) -> None:
    """All numbers lie in [low, high]."""
    if values.size and not (values.min() >= low and values.max() <= high):
        raise damaged(f"{what} is not between {low:g} and {high:g}")
