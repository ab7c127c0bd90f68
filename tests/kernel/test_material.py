"""Functions that become part of others have no machine code of their own, until Python calls them."""

import pickle
from typing import Any

import cloudpickle  # type: ignore[import-untyped]  # it has no types
import numba
import numpy as np
import pytest

from roguewk.kernel.address import compiled_by_address
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart, compiled_for_python
from roguewk.kernel.draws import beta
from roguewk.kernel.luck import Now


def functions() -> tuple[Any, Any, Any]:
    """One that is inlined, one that is not and uses it, and one that Python calls and uses both."""

    @compiled
    def square(x: float) -> float:
        return x * x

    @compiled_apart
    def squares(values: Vector) -> float:
        total = 0.0
        for value in values:
            total += square(value)
        return total

    @compiled_for_python
    def distance(values: Vector) -> float:
        return (squares(values) + square(0.0)) ** 0.5

    return square, squares, distance


def test_material_is_machine_code_only_once_python_calls_it() -> None:
    square, squares, distance = functions()
    assert distance(np.array([3.0, 4.0])) == 5.0
    for inner in (square, squares):
        (result,) = inner.overloads.values()
        assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0
        assert "_machine_code" not in vars(inner)
    assert (square(3.0), squares(np.array([1.0, 2.0]))) == (9.0, 5.0)
    assert "_machine_code" in vars(square)


def test_what_is_called_by_address_cannot_be_called_by_mistake() -> None:
    @compiled_by_address
    def double(x: int) -> int:
        return 2 * x

    with pytest.raises(TypeError, match="by its address"):
        double(2)


def test_material_can_be_sent_to_another_process() -> None:
    square, squares, _ = functions()
    for function, argument in ((square, 3.0), (squares, np.array([1.0, 2.0]))):
        copy = pickle.loads(cloudpickle.dumps(function))
        assert copy(argument) == function(argument)


def test_material_from_the_package_serves_functions_of_ones_own() -> None:
    @numba.njit  # type: ignore[untyped-decorator]  # numba has no types
    def own(now: Now) -> float:
        return beta(2.0, 3.0, now, 7)

    now = Now(3, np.uint64(5), 2, 3)
    assert own(now) == beta(2.0, 3.0, now, 7)
