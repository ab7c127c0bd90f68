"""Memory, declared by type: each field of a part says whether it is learned, constant or scratch.

A part is a NamedTuple of arrays, numbers and other parts. Its arrays are

- `Learned[...]`: what the past has left behind. This is the part's state: it is saved, restored and copied.
- `Constant[...]`: made from the problem and never changed, so that everything made from the same problem shares it.
- `Scratch[...]`: worked out anew before it is used, so its contents do not matter.

Said of a part within a part, it holds for all of that part. An array of which nothing is said is learned.
"""

import functools
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
from numba import types
from numba.extending import overload

from roguewk.kernel.handle import Handle, held
from roguewk.kernel.material import AS_MATERIAL

Field = TypeVar("Field")


class Kind(Enum):
    """What becomes of a field."""

    LEARNED = "learned"
    CONSTANT = "constant"
    SCRATCH = "scratch"


Learned = Annotated[Field, Kind.LEARNED]
Constant = Annotated[Field, Kind.CONSTANT]
Scratch = Annotated[Field, Kind.SCRATCH]


@functools.cache
def declared(part_class: type) -> dict[str, Kind | None]:
    """What a class of parts says of each of its fields."""
    try:
        hints = typing.get_type_hints(part_class, include_extras=True)
    except NameError:  # annotations as texts, of names that only another scope knows
        hints = {}
    fields: tuple[str, ...] = part_class._fields  # type: ignore[attr-defined]  # a NamedTuple
    return {name: _kind(hints.get(name)) for name in fields}


def _kind(hint: Any) -> Kind | None:
    return next((said for said in getattr(hint, "__metadata__", ()) if isinstance(said, Kind)), None)


class Leaf(NamedTuple):
    """An array in a part, by the names of the fields that lead to it."""

    path: str
    array: Any
    kind: Kind


def leaves(part: Any, path: str = "", kind: Kind | None = None) -> Iterator[Leaf]:
    """Every array in a part, in order; those behind handles too."""
    if isinstance(part, Handle):
        yield from leaves(part.part, path, kind)
    elif isinstance(part, np.ndarray):
        yield Leaf(path, part, kind or Kind.LEARNED)
    elif isinstance(part, tuple):
        said = declared(type(part))
        for name, value in zip(said, part, strict=True):
            yield from leaves(value, f"{path}.{name}" if path else name, kind or said[name])


def copy_into(part: Any, model: Any) -> None:
    """Give an array the contents of another, or a part what another of its class has learned; Python or compiled."""
    if isinstance(part, np.ndarray):
        part[...] = model
    elif isinstance(part, Handle):
        copy_into(part.part, model.part)
    elif isinstance(part, tuple):
        for name, kind in declared(type(part)).items():
            if kind in (None, Kind.LEARNED):
                copy_into(getattr(part, name), getattr(model, name))


@overload(copy_into, strict=False, jit_options=AS_MATERIAL)  # type: ignore[untyped-decorator]  # numba has no types
def _copy_into_compiled(part: Any, model: Any) -> Any:
    if isinstance(part, types.Array):
        return _copy_numbers if part.ndim == 1 else _copy_rows
    if hasattr(part, "verb_key"):
        return lambda part, model: copy_into(held(part), held(model))
    if not isinstance(part, types.BaseNamedTuple):
        return lambda part, model: None
    said = declared(part.instance_class)
    # Numba cannot loop over a tuple of mixed types, so the fields are written out.
    lines = [f"    copy_into(part.{name}, model.{name})" for name in said if said[name] in (None, Kind.LEARNED)]
    space = {"copy_into": copy_into}
    exec("\n".join(["def copied(part, model):", *(lines or ["    pass"])]), space)
    return space["copied"]


def _copy_numbers(part: Any, model: Any) -> None:
    for index in range(part.size):
        part[index] = model[index]


def _copy_rows(part: Any, model: Any) -> None:
    for index in range(part.shape[0]):
        copy_into(part[index], model[index])
