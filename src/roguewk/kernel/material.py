"""Functions as material: what compiled code calls becomes part of it, and has no machine code of its own.

Numba makes machine code of every function, three times: for compiled code, for Python and for C. Nearly all of ours
are only ever inlined into others, so a policy would be optimised anew at every level of calls: most of what compiling
takes. As material, a function is typed and written down, and optimised only as part of what it ends up in.
"""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NoPythonSupportedFeatureValidation

from roguewk.kernel.native import NO_WRAPPERS, OPTIONS, native


class _NoEnvironment:
    """Stands in where Numba tells machine code of the Python objects it needs: ours needs none."""

    def set_env(self, name: str, environment: Any) -> None:
        pass


class _Material(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a function before it is optimised."""

    codegen = _NoEnvironment()

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # as for what a library lacks


@register_pass(mutates_CFG=False, analysis_only=False)
class _AsMaterial(FunctionPass):  # type: ignore[misc]  # numba has no types
    _name = "as_material"

    def __init__(self) -> None:
        super().__init__()  # abstract in the base

    def run_pass(self, state: Any) -> bool:
        state.library = _Material(state.targetctx.codegen(), state.func_id.func_qualname)
        return True


class _Pipeline(CompilerBase):  # type: ignore[misc]  # numba has no types
    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_AsMaterial, NoPythonSupportedFeatureValidation)
        passes.finalize()
        return [passes]


# Options of bodies that are chosen by the types of their arguments, which Python never calls.
AS_MATERIAL = MappingProxyType({"pipeline_class": _Pipeline, "no_cfunc_wrapper": True})


class Material(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A function of compiled code; Python may call it as well, and it becomes machine code then."""

    # The names and places of the arguments are Numba's, which makes copies of functions that are sent elsewhere.
    def __init__(
        self,
        py_func: Any,
        locals: Mapping[str, Any] = MappingProxyType({}),  # noqa: A002  # Numba's name
        targetoptions: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        options = {**OPTIONS, "nopython": True, **targetoptions, **NO_WRAPPERS}
        super().__init__(py_func=py_func, locals=locals, targetoptions=options, pipeline_class=_Pipeline)

    @cached_property
    def _machine_code(self) -> Any:
        return native(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        """Run its machine code."""
        return self._machine_code(*arguments)
