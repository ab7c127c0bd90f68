"""Compiled functions called by their address.

Numba would otherwise optimise all that a function calls anew within every caller: the simulator's loop, which is the
same for every policy, would take seconds to compile for each.
"""

from typing import Any

from numba import typeof, types
from numba.extending import intrinsic


def address_of(function: Any, *arguments: Any) -> int:
    """Where the code of a compiled function for arguments like these begins."""
    signature = tuple(typeof(each) for each in arguments)
    function.compile(signature)
    result = function.overloads[signature]
    address: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    return address


def _call(result: Any, address: Any, arguments: Any) -> Any:
    kinds = tuple(arguments.types)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        convention = context.call_conv
        pointer = convention.get_function_type(result, kinds).as_pointer()
        function = builder.inttoptr(values[0], pointer)
        unpacked = [builder.extract_value(values[1], i) for i in range(len(kinds))]
        _, value = convention.call_function(builder, function, result, kinds, unpacked)
        return context.get_dummy_value() if result == types.void else value

    return result(types.int64, arguments), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def call_for_whole(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call a function that returns a whole number; a handle among the arguments is given by its address."""
    return _call(types.int64, address, arguments)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def call_for_nothing(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call a function that returns nothing."""
    return _call(types.void, address, arguments)
