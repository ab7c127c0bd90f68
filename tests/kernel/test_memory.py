"""Memory declared by type, and arenas: what is copied, shared or left out follows from what a field says."""

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from roguewk.kernel.arena import Arena, twin_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.handle import Handle
from roguewk.kernel.memory import Constant, Kind, Learned, Scratch, copy_into, declared, leaves
from roguewk.kernel.records import record_type
from roguewk.part.part import ROLES
from roguewk.policy.registry import all_parts
from roguewk.world.catalog import paper, two_dimensional


class Sum(NamedTuple):
    values: Learned[Vector]


class Tables(NamedTuple):
    values: Constant[Vector]


class Office(NamedTuple):
    tables: Tables
    notes: Scratch[Sum]
    ledger: Sum
    table: Learned[Any]
    label: int


def an_office(number: float) -> Office:
    arrays = np.full((3, 2), number)
    table = np.zeros(2, dtype=record_type(("weight",), ("count",)))
    table["weight"] = number
    return Office(Tables(arrays[0].copy()), Sum(arrays[1].copy()), Sum(arrays[2].copy()), table, 7)


class Head(NamedTuple):
    office: int
    words: Vector


def an_arena(number: float) -> Arena:
    return Arena(an_office(number), lambda office, address, words: Head(address, words))


@numba.njit  # type: ignore[untyped-decorator]
def copy_compiled(part: Any, model: Any) -> None:
    copy_into(part, model)


def test_what_holds_for_a_part_holds_for_all_within_it() -> None:
    found = {leaf.path: leaf.kind for leaf in leaves(an_office(1.0))}
    assert found == {
        "tables.values": Kind.CONSTANT,
        "notes.values": Kind.SCRATCH,
        "ledger.values": Kind.LEARNED,
        "table": Kind.LEARNED,
    }


def test_an_array_of_which_nothing_is_said_is_learned() -> None:
    class Silent(NamedTuple):
        values: Vector

    assert [leaf.kind for leaf in leaves(Silent(np.zeros(1)))] == [Kind.LEARNED]


@pytest.mark.parametrize("copy", [copy_into, copy_compiled])
def test_a_part_takes_what_another_has_learned_and_nothing_else(copy: Any) -> None:
    model, part = an_office(1.0), an_office(2.0)
    copy(part, model)
    assert part.ledger.values.tolist() == [1.0, 1.0]
    assert part.table["weight"].tolist() == [1.0, 1.0]
    assert part.tables.values.tolist() == part.notes.values.tolist() == [2.0, 2.0]


def test_what_is_learned_lies_side_by_side_and_is_the_whole_state() -> None:
    arena = an_arena(3.0)
    assert arena.learned.size == 2 + 2 * 2
    arena.learned[:2] = 8.0, 9.0
    assert arena.part.ledger.values.tolist() == [8.0, 9.0]
    assert arena.part.label == 7


def test_a_clone_shares_constants_and_has_the_rest_to_itself() -> None:
    one = an_arena(1.0)
    other = one.clone()
    assert other.part.tables.values is one.part.tables.values
    other.part.notes.values[0] = other.part.ledger.values[0] = 9.0
    other.part.table["count"] = 5
    assert one.part.notes.values[0] == one.part.ledger.values[0] == 1.0
    assert one.part.table["count"].tolist() == [0, 0]
    assert other.learned[0] == 9.0


def test_a_twin_of_a_part_has_arrays_of_its_own_but_for_constants() -> None:
    one = an_office(1.0)
    other = twin_of(one)
    other.ledger.values[0] = other.notes.values[0] = 5.0
    assert one.ledger.values[0] == one.notes.values[0] == 1.0
    assert other.tables is one.tables or other.tables.values is one.tables.values


def declared_everywhere(part: Any) -> None:
    if isinstance(part, Handle):
        declared_everywhere(part.part)
    elif isinstance(part, tuple):
        said = declared(type(part))
        for name, value in zip(said, part, strict=True):
            assert not isinstance(value, np.ndarray) or said[name] is not None, f"{type(part).__name__}.{name}"
            declared_everywhere(value)


@pytest.mark.parametrize("role", ROLES)
def test_every_array_of_every_part_says_what_it_is(role: str) -> None:
    for part in all_parts(role).values():
        for world in (paper(), two_dimensional()):
            truth = {"x0": [x0.tolist() for x0 in world.x0], "costs": world.mean_costs.tolist()}
            values = {key: truth.get(key, each.default) for key, each in part.parameters.items()}
            try:
                part.check(world.problem)
                built = part.build(world.problem, **values)
            except ValueError:
                continue  # not for this world
            declared_everywhere(built)
