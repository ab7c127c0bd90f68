"""What a pull takes of a resource, and what a distribution of costs has to say about itself."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from roguewk.problem.errors import InputError, known, number, shown, text, truth_value

Data = dict[str, Any]
KNOWN = "known"  # key of a cost's table, whatever its kind


DISTRIBUTIONS: dict[str, "Distribution"] = {}  # by kind, as found in this folder


class _Makers(type):
    """Tells type checkers of `Cost.uniform` and all the others, which are found in their files."""

    def __getattr__(cls, kind: str) -> Callable[..., "Cost"]:
        # Python itself asks for attributes that may be missing, and takes no other error.
        raise AttributeError(f"there is no rw.Cost.{kind}: the kinds are {', '.join(DISTRIBUTIONS)}")


@dataclass(frozen=True)
class Cost(metaclass=_Makers):
    """How much of a resource a pull takes, in the user's units; made by `fixed`, `uniform`, `bernoulli`, and so on.

    >>> import roguewk as rw
    >>> rw.Cost.uniform(0.1, 0.2).mean
    0.15000000000000002
    """

    kind: str
    numbers: tuple[float, ...]
    weights: tuple[float, ...] = ()
    known: bool = False  # whether policies are told its mean

    def __post_init__(self) -> None:
        known(text(self.kind, "kind of a cost"), DISTRIBUTIONS, "kind of cost")
        if not isinstance(self.numbers, tuple) or not isinstance(self.weights, tuple):
            raise InputError(f"the numbers or weights of a cost are no tuple: make it with rw.Cost.{self.kind}(...)")
        numbers = [not_negative(value, f"a number of a {self.kind} cost") for value in self.numbers]
        size = self.distribution.size
        if len(numbers) != (len(self.weights) if size is None else size):
            raise InputError(f"a {self.kind} cost has {len(numbers)} numbers: make it with rw.Cost.{self.kind}(...)")

    def told(self) -> "Cost":
        """The same cost, of which policies are told the mean instead of having to learn it.

        >>> import roguewk as rw
        >>> rw.Cost.fixed(1.0).told().known
        True
        """
        return replace(self, known=True)

    @property
    def distribution(self) -> "Distribution":
        """What its file says of its kind.

        :meta private:
        """
        return DISTRIBUTIONS[self.kind]

    @property
    def mean(self) -> float:
        """The expected cost."""
        return self.distribution.mean(self)

    @property
    def largest(self) -> float:
        """The largest cost possible."""
        return self.distribution.largest(self)

    @property
    def smallest(self) -> float:
        """The smallest cost possible, or what costs come arbitrarily close to."""
        return self.distribution.smallest(self)

    @property
    def residual(self) -> float:
        """The most that a cost exceeds an amount by on average, if it does, whatever the amount: `E[c - r | c > r]`.

        That is the mean if a cost is the less likely to go on the larger it already is, as most are; not so coins.

        >>> import roguewk as rw
        >>> rw.Cost.uniform(0.0, 0.5).residual, rw.Cost.bernoulli(0.1).residual
        (0.25, 1.0)
        """
        return self.distribution.residual(self)

    @property
    def atoms(self) -> Sequence[tuple[float, float]] | None:
        """Chances and values, if there are finitely many."""
        return self.distribution.atoms(self)


@dataclass(frozen=True, eq=False)
class Distribution:
    """A kind of cost. Nothing has a default, so that nothing is forgotten."""

    make: Callable[..., Cost]  # checks what it is given; its name is the kind
    size: int | None  # how many numbers a cost has; None: as many as weights
    mean: Callable[[Cost], float]
    smallest: Callable[[Cost], float]
    largest: Callable[[Cost], float]
    residual: Callable[[Cost], float]
    atoms: Callable[[Cost], Sequence[tuple[float, float]] | None]  # chances and values; None if there are too many
    # Makes what is compiled, `draw(cost, rows, number, now, purpose)`: `cost.x`, `cost.y` and `cost.z` are the numbers;
    # those with weights are the rows from `cost.first` to `cost.last`, value and cumulative weight. `number` is
    # uniform; with `now` there are more for this purpose and the next.
    drawing: Callable[[], Callable[..., float]]
    keys: tuple[str, ...]  # what files may have beside the kind
    read: Callable[[Data], Cost]  # from its table in a file
    write: Callable[[Cost], Data]


def not_negative(value: Any, what: str) -> float:
    """`value` as a finite float of at least zero."""
    result = number(value, what)
    if result < 0:
        raise InputError(f"{what} is {shown(value)}: give a number of at least 0")
    return result


def residual_of_atoms(cost: Cost) -> float:
    """The residual of costs of finitely many values: largest just above one of them, or above nothing."""
    atoms = [(chance, value) for chance, value in cost.atoms or () if chance > 0]
    found = 0.0
    for amount in (0.0, *(value for _, value in atoms)):
        beyond = [(chance, value - amount) for chance, value in atoms if value > amount]
        if beyond:
            found = max(found, math.fsum(c * v for c, v in beyond) / math.fsum(c for c, _ in beyond))
    return found


def no_atoms(cost: Cost) -> None:
    """There are too many values to list."""


def read_numbers(make: Callable[..., Cost]) -> Callable[[Data], Cost]:
    """Read `{ kind = [number, ...] }`, the numbers being what `make` takes; one alone needs no list."""
    takes = inspect.signature(make).parameters.values()
    least, most = sum(each.default is each.empty for each in takes), len(takes)

    def read(table: Data) -> Cost:
        kind = make.__name__
        numbers = table[kind] if isinstance(table[kind], list) else [table[kind]]
        if not least <= len(numbers) <= most:
            sizes = " or ".join(map(str, range(least, most + 1)))
            raise InputError(f"{kind} has {len(numbers)} numbers: give {sizes}")
        return make(*numbers)

    return read


def write_numbers(cost: Cost) -> Data:
    """The table that `read_numbers` reads."""
    return {cost.kind: list(cost.numbers)}


def cost_from_data(table: Mapping[str, Any]) -> Cost:
    """A cost from its table in a file.

    >>> from roguewk.world.cost import cost_from_data
    >>> cost_from_data({"triangular": [0, 1, 5]}).mean
    2.0
    """
    if KNOWN in table:
        rest = {key: value for key, value in table.items() if key != KNOWN}
        return replace(cost_from_data(rest), known=truth_value(table[KNOWN], KNOWN))
    kinds = [key for key in table if key in DISTRIBUTIONS]
    if len(kinds) != 1 or set(table) - {kinds[0], *DISTRIBUTIONS[kinds[0]].keys}:
        raise InputError(f"found {', '.join(table) or 'nothing'}: give exactly one of {', '.join(DISTRIBUTIONS)}")
    return DISTRIBUTIONS[kinds[0]].read(dict(table))


def cost_to_data(cost: Cost) -> Data:
    """A cost as its table in a file."""
    data = cost.distribution.write(cost)
    return {**data, KNOWN: True} if cost.known else data


def cost_keys() -> tuple[str, ...]:
    """Every key that the table of a cost may have."""
    extra = dict.fromkeys(key for each in DISTRIBUTIONS.values() for key in each.keys)
    return (*DISTRIBUTIONS, *extra, KNOWN)
