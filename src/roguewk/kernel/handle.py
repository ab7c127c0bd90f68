"""A part kept in native form and passed around as one address instead of dozens of arrays.

Taking a part's arrays apart for a call from Python costs more than a decision does. And a part of many arrays within
another one would make all the code that merely passes it on slow to compile.
"""

import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core.registry import cpu_target
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from roguewk.kernel.compile import compiled

WORD = 8  # bytes


def behind(part_class: type) -> tuple[str, type]:
    """What verbs know a handle by that holds a part of this class."""
    return "behind", part_class


class _HandleType(types.Type):  # type: ignore[misc]  # numba has no types
    def __init__(self, part: Any) -> None:
        self.part = part
        self.verb_key = behind(part.instance_class)
        super().__init__(name=f"Handle({part})")


@register_model(_HandleType)
class _HandleModel(models.PrimitiveModel):  # type: ignore[misc]  # numba has no types
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(64))


@unbox(_HandleType)  # type: ignore[untyped-decorator]  # numba has no types
def _take_address(kind: Any, handle: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(handle, "address")
    value = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(value)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _store(typing_context: Any, part: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[0], builder.inttoptr(arguments[1], arguments[0].type.as_pointer()))
        return context.get_dummy_value()

    return types.void(part, types.int64), generate


def _load(builder: Any, pointer: Any, kind: Any) -> Any:
    """Number by number: the compiler leaves out those that are not used, which it does not of one large load."""
    if not isinstance(kind, ir.LiteralStructType | ir.ArrayType):
        return builder.load(pointer)
    inner = kind.elements if isinstance(kind, ir.LiteralStructType) else [kind.element] * kind.count
    whole = ir.Constant(kind, ir.Undefined)
    zero = ir.Constant(ir.IntType(32), 0)
    for i, each in enumerate(inner):
        place = builder.gep(pointer, [zero, ir.Constant(ir.IntType(32), i)])
        whole = builder.insert_value(whole, _load(builder, place, each), i)
    return whole


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def held(typing_context: Any, handle: Any) -> Any:
    """The part behind a handle, in compiled code."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(handle.part)
        return _load(builder, builder.inttoptr(arguments[0], kind.as_pointer()), kind)

    return handle.part(handle), generate


@compiled
def _keep(part: Any, address: int) -> None:
    _store(part, address)


_TYPES: dict[Any, Any] = {}


def _key(part: Any) -> Any:
    """What the type of a part depends on, found much faster than the type."""
    if isinstance(part, np.ndarray):
        flags = part.flags
        return part.dtype, part.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned
    if isinstance(part, tuple):
        return type(part), tuple(map(_key, part))
    return part._numba_type_ if isinstance(part, Handle) else type(part)


def _type_of(part: Any) -> Any:
    """The type of a part in compiled code; working it out for dozens of arrays takes a millisecond."""
    key = _key(part)
    if key not in _TYPES:
        _TYPES[key] = typeof(part)
    return _TYPES[key]


@functools.cache
def _size_of(kind: Any) -> int:
    """Bytes of a value of this type; working that out asks LLVM, every time."""
    context = cpu_target.target_context
    return int(context.get_abi_sizeof(context.get_value_type(kind)))


def words_of(part: Any) -> int:
    """How many words of memory a part takes in native form, the contents of its arrays not counted."""
    return -(-_size_of(_type_of(part)) // WORD)


class Handle:
    """Holds a part, in `room` if that is given; its arrays may change in place but are never replaced."""

    __slots__ = ("_memory", "_numba_type_", "address", "part", "verb_key")

    def __init__(self, part: Any, room: Any = None) -> None:
        kind = _type_of(part)
        self.part = part  # keeps the arrays alive
        self.verb_key = behind(type(part))
        self._memory = np.zeros(words_of(part)) if room is None else room
        self.address = int(self._memory.ctypes.data)
        self._numba_type_ = _HandleType(kind)
        _keep(part, self.address)
