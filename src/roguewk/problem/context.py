"""Contexts: what is known of a round when deciding, and nobody decides, such as the weekday, or where somebody is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roguewk.problem.duration import Duration, check_duration
from roguewk.problem.errors import LARGEST, InputError, known, number, shown, text, unique

ROUNDING = 1e-9  # by which chances may miss 1 in sum
When = Mapping[str, float | bool]  # by value of a context: the shift of an arm's level, or False where it is forbidden


@dataclass(frozen=True)
class Context:
    """Something about a round that is known when deciding: one of its `values`, which are named.

    It is drawn anew in every round with these `chances`, which have to be learned if none are given; or it goes round
    in a `cycle`, of which each entry lasts `each` so many rounds or "1 day", from the first round on. What a context
    does to an arm, the arm says in its `when`.

    >>> import roguewk as rw
    >>> rw.Context("place", ["home", "driving"], chances=[0.9, 0.1]).values
    ('home', 'driving')
    >>> rw.Context("weekday", cycle=["workday"] * 5 + ["weekend"] * 2, each="1 day").values
    ('workday', 'weekend')
    """

    name: str
    values: tuple[str, ...]
    chances: tuple[float, ...] | None
    cycle: tuple[str, ...] | None
    each: Duration

    def __init__(
        self,
        name: str,
        values: Sequence[str] | None = None,
        chances: Sequence[float] | None = None,
        cycle: Sequence[str] | None = None,
        each: Duration = 1,
    ) -> None:
        what = f"context {text(name, 'name of a context')!r}"
        if (values is None) == (cycle is None) or (cycle is not None and chances is not None):
            found = "neither values nor" if values is None and cycle is None else "both values or chances and"
            raise InputError(f"{what} has {found} a cycle: give values, drawn by their chances, or a cycle")
        if cycle is None and each != 1:
            raise InputError(f"{what} has 'each' and no cycle: give the cycle, of which each entry lasts that long")
        listed = _texts(values if cycle is None else cycle, what)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", tuple(dict.fromkeys(listed)))
        object.__setattr__(self, "cycle", None if cycle is None else listed)
        object.__setattr__(self, "each", check_duration(each, f"each of {what}"))
        if cycle is None:
            unique(listed, f"values of {what}")
        object.__setattr__(self, "chances", None if chances is None else _chances(chances, len(listed), what))

    @property
    def drawn(self) -> bool:
        """Whether it is drawn in every round, and does not go round."""
        return self.cycle is None


def _texts(listed: Any, what: str) -> tuple[str, ...]:
    if isinstance(listed, str) or not isinstance(listed, Sequence) or not listed:
        raise InputError(f"values of {what} are {shown(listed)}: give a list of names")
    return tuple(text(value, f"a value of {what}") for value in listed)


def _chances(chances: Any, count: int, what: str) -> tuple[float, ...]:
    if isinstance(chances, str) or not isinstance(chances, Sequence) or len(chances) != count:
        raise InputError(f"chances of {what} are {shown(chances)}: give {count} numbers, one for each value")
    numbers = tuple(number(chance, f"a chance of {what}") for chance in chances)
    if min(numbers) < 0 or abs(sum(numbers) - 1) > ROUNDING:
        raise InputError(f"chances of {what} are {shown(chances)}: give numbers of at least 0 that add up to 1")
    return numbers


def check_when(when: Any, what: str) -> dict[str, float | bool] | None:
    """What contexts do to an arm, checked as far as that is possible without knowing them."""
    if when is None:
        return None
    example = '{"weekend": 0.3, "driving": False}'
    if not isinstance(when, Mapping):
        raise InputError(f"{what} is {shown(when)}: give a dict such as {example}")
    found: dict[str, float | bool] = {}
    for value, effect in when.items():
        text(value, f"a value in {what}")
        if isinstance(effect, bool):
            if effect:
                raise InputError(f"{what} has true for {value!r}: leave it out, or give what it adds to the level")
            found[value] = False
            continue
        found[value] = number(effect, f"what {value!r} adds in {what}")
        if abs(found[value]) > LARGEST:
            raise InputError(f"{what} adds {found[value]:g}: choose a unit in which it stays below {LARGEST:g}")
    return found or None


def forbidden_in(when: When | None) -> tuple[str, ...]:
    """The values of contexts in which an arm is forbidden, in the order of their names.

    >>> forbidden_in({"night": False, "rain": -0.5, "icy": False})
    ('icy', 'night')
    """
    return tuple(sorted(value for value, effect in (when or {}).items() if effect is False))


def shift_range(when: When | None) -> tuple[float, float]:
    """How far contexts may shift the level of an arm down and up.

    >>> shift_range({"night": False, "rain": -0.5, "weekend": 0.25})
    (-0.5, 0.25)
    """
    shifts = [float(effect) for effect in (when or {}).values()]
    return sum(min(shift, 0.0) for shift in shifts), sum(max(shift, 0.0) for shift in shifts)


def check_contexts(contexts: Sequence[Context], whens: Mapping[str, When | None]) -> None:
    """Names and values are told apart, and arms speak of values that there are; `whens` are by arm."""
    unique((context.name for context in contexts), "contexts")
    values = [value for context in contexts for value in context.values]
    unique(values, "values of contexts")
    for arm, when in whens.items():
        for value in when or ():
            if not values:
                raise InputError(f"`when` of {arm} names {value!r} and there are no contexts: add a context")
            known(value, values, f"value of a context in `when` of {arm}:")


def is_certain(contexts: Sequence[Context]) -> bool:
    """Whether all chances are said."""
    return all(context.chances is not None for context in contexts if context.drawn)


def joint_chances(contexts: Sequence[Context]) -> list[float]:
    """The chance of every combination of values of the contexts that are drawn, the last one changing soonest."""
    joint = [1.0]
    for context in contexts:
        if context.drawn:
            even = (1 / len(context.values),) * len(context.values)
            joint = [before * chance for before in joint for chance in context.chances or even]
    return joint


def draw_of(drawn: Sequence[Context], every: Sequence[Context], said: Any, call: str = "select({})") -> int:
    """The number of a combination of values of the contexts that are drawn, as `joint_chances` counts them.

    It is said as one value, a list of values or a dict by name; of cycles nothing is said: they follow from the round.
    Refusals show how the `call` is written.

    >>> place, mood = Context("place", ["home", "out"]), Context("mood", ["good", "bad"])
    >>> draw_of([place, mood], [place, mood], {"mood": "bad", "place": "out"}), draw_of([place], [place], "home")
    (3, 0)
    """
    values = _values_said(drawn, every, said)
    place = 0
    for context in drawn:
        if context.name not in values:
            example = call.format(f"context={context.values[0]!r}" if len(drawn) == 1 else "context={...}")
            raise InputError(f"nothing is said of context {context.name!r}: write {example}")
        place = place * len(context.values) + context.values.index(values[context.name])
    return place


def _values_said(drawn: Sequence[Context], every: Sequence[Context], said: Any) -> dict[str, str]:
    """By name of a context, its value."""
    if said is None:
        return {}
    whose = {value: context.name for context in drawn for value in context.values}
    if isinstance(said, Mapping):
        for name, value in said.items():
            known(name, [context.name for context in every], "context")
            if any(context.name == name and not context.drawn for context in every):
                raise InputError(f"context {name!r} goes round in a cycle, which follows from the round: leave it out")
            known(value, [each for each in whose if whose[each] == name], f"value of context {name!r}:")
        return dict(said)
    listed = [said] if isinstance(said, str) else list(said) if isinstance(said, Sequence) else [said]
    if not whose:
        raise InputError(f"context is {shown(said)}, and no context of this problem is drawn: leave it out")
    found: dict[str, str] = {}
    for value in listed:
        known(value, whose, "value of a context")
        if found.setdefault(whose[value], value) != value:
            raise InputError(f"context {whose[value]!r} is said to be {found[whose[value]]!r} and {value!r}: give one")
    return found
