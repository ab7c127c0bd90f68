"""Compiled functions called by their address.

Numba would otherwise optimise all that a function calls anew within every caller: the simulator's loop, which is the
same for every policy, would take seconds to compile for each.
"""

from collections.abc import Callable
from typing import Any

from numba import typeof, types
from numba.extending import intrinsic

from roguewk.kernel.native import NO_WRAPPERS, native


class Addressed:
    """A function that compiled code calls by its address, and nothing else does."""

    def __init__(self, function: Callable[..., int]) -> None:
        self._function = native(function, **NO_WRAPPERS)

    def __call__(self, *arguments: Any) -> int:
        """Refused: it has no way in from Python, and calling it would end the process."""
        raise TypeError(f"{self._function.__name__} is called by its address alone: see address_of")

    def address_of(self, *arguments: Any) -> int:
        """Where its code for arguments like these begins."""
        signature = tuple(typeof(each) for each in arguments)
        self._function.compile(signature)
        result = self._function.overloads[signature]
        address: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        return address


def compiled_by_address(function: Callable[..., int]) -> Addressed:
    """Compile a function that is called by its address."""
    return Addressed(function)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def call_by_address(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call a function that returns a whole number; a handle among the arguments is given by its address."""
    kinds = tuple(arguments.types)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        convention = context.call_conv
        pointer = convention.get_function_type(types.int64, kinds).as_pointer()
        function = builder.inttoptr(values[0], pointer)
        unpacked = [builder.extract_value(values[1], i) for i in range(len(kinds))]
        return convention.call_function(builder, function, types.int64, kinds, unpacked)[1]

    return types.int64(types.int64, arguments), generate
