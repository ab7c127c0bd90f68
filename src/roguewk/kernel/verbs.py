"""Verbs: functions that dispatch on the class of their first argument, in Python and in compiled code.

A part is a NamedTuple of arrays and numbers; it joins a verb with `@verb_name.body(Part)` above an ordinary function.
Dispatchers passed as arguments would not be cached on disk; this is, because Numba only ever sees types.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numba import types
from numba.extending import overload

from roguewk.kernel.handle import Handle, held

Body = TypeVar("Body", bound=Callable[..., Any])


class Verb(Protocol):
    """What `@verb` makes of a stub."""

    def __call__(self, part: Any, *arguments: Any) -> Any:
        """Run the body that belongs to the part's class."""

    __name__: str

    def joined(self, part: Any) -> bool:
        """Whether a part can do this."""

    def body(self, part_class: Any) -> Callable[[Body], Body]:
        """Register the decorated function as the body for a class of parts, or for handles: `behind(part_class)`."""


def verb(stub: Callable[..., Any]) -> Verb:
    """Make `stub` a verb; its own body only documents the arguments."""
    return _make_verb(stub, None)


def optional_verb(stub: Callable[..., Any]) -> Verb:
    """Make `stub` a verb that parts without a body of their own follow by doing nothing."""
    return _make_verb(stub, stub)


def _make_verb(stub: Callable[..., Any], default: Callable[..., Any] | None) -> Verb:
    bodies: dict[Any, Callable[..., Any]] = {}

    def call(part: Any, *arguments: Any) -> Any:
        key = getattr(part, "verb_key", type(part))
        found = bodies.get(key, default)
        if found is None:
            raise TypeError(f"{stub.__name__} has no body for {key}")
        return found(part, *arguments)

    def choose(part: Any, *arguments: Any) -> Any:
        return bodies.get(getattr(part, "verb_key", getattr(part, "instance_class", None)), default)

    def body(part_class: Any) -> Callable[[Body], Body]:
        def join(function: Body) -> Body:
            bodies[part_class] = function
            return function

        return join

    overload(call, strict=False)(choose)
    call.__name__ = stub.__name__
    call.__doc__ = stub.__doc__
    call.body = body  # type: ignore[attr-defined]  # see Verb
    call.joined = lambda part: getattr(part, "verb_key", type(part)) in bodies  # type: ignore[attr-defined]  # see Verb
    return cast(Verb, call)


_SHARED: set[type] = set()
_SCRATCH: set[type] = set()
Part = TypeVar("Part", bound=type)


def shared(part_class: Part) -> Part:
    """Declare that the arrays of these parts never change, so that copies share them."""
    _SHARED.add(part_class)
    return part_class


def scratch(part_class: Part) -> Part:
    """Declare that the contents of these parts are worked out anew before they are used, so need not be copied."""
    _SCRATCH.add(part_class)
    return part_class


def is_shared(part: Any) -> bool:
    """Whether copies have this part in common."""
    return type(part) in _SHARED


def is_scratch(part: Any) -> bool:
    """Whether the contents of this part do not matter."""
    return type(part) in _SCRATCH


def copy_into(part: Any, model: Any) -> None:
    """Give a part the contents of another of the same shape, in Python or compiled; not what is shared or scratch."""
    if isinstance(part, np.ndarray):
        part[...] = model
    elif isinstance(part, Handle):
        copy_into(part.part, model.part)
    elif isinstance(part, tuple) and type(part) not in _SHARED | _SCRATCH:
        for mine, theirs in zip(part, model, strict=True):
            copy_into(mine, theirs)


@overload(copy_into, strict=False)  # type: ignore[untyped-decorator]  # numba has no types
def _copy_into_compiled(part: Any, model: Any) -> Any:
    if isinstance(part, types.Array):
        return _copy_numbers if part.ndim == 1 else _copy_rows
    if hasattr(part, "verb_key"):
        return lambda part, model: copy_into(held(part), held(model))
    part_class = getattr(part, "instance_class", None)
    if part_class in _SHARED | _SCRATCH or not isinstance(part, types.BaseNamedTuple):
        return lambda part, model: None
    # Numba cannot loop over a tuple of mixed types, so the fields are written out.
    lines = [f"    copy_into(part.{name}, model.{name})" for name in part.fields]
    space = {"copy_into": copy_into}
    exec("\n".join(["def copied(part, model):", *lines]), space)
    return space["copied"]


def _copy_numbers(part: Any, model: Any) -> None:
    for index in range(part.size):
        part[index] = model[index]


def _copy_rows(part: Any, model: Any) -> None:
    for index in range(part.shape[0]):
        copy_into(part[index], model[index])
