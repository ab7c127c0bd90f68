"""Verbs: functions that dispatch on the class of their first argument, in Python and in compiled code.

A part is a NamedTuple of arrays and numbers; it joins a verb with `@verb_name.body(Part)` above an ordinary function.
Dispatchers passed as arguments would not be cached on disk; this is, because Numba only ever sees types.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from numba.extending import overload

from roguewk.kernel.material import AS_MATERIAL

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

    overload(call, strict=False, jit_options=AS_MATERIAL)(choose)
    call.__name__ = stub.__name__
    call.__doc__ = stub.__doc__
    call.body = body  # type: ignore[attr-defined]  # see Verb
    call.joined = lambda part: getattr(part, "verb_key", type(part)) in bodies  # type: ignore[attr-defined]  # see Verb
    return cast(Verb, call)
