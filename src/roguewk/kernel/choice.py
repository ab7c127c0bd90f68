"""One of several bodies by its number, in Python and in compiled code."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from numba.extending import overload

from roguewk.kernel.compile import compiled
from roguewk.kernel.material import AS_MATERIAL


def by_code(bodies: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """A function `f(code, ...)` that runs `bodies[code](...)`; the bodies are plain functions of the same arguments.

    In compiled code it is a chain of ifs. A table of addresses would keep the bodies from being inlined, and functions
    passed as arguments the callers from being cached on disk; these are inlined into callers, which are.
    """
    names = ", ".join(inspect.signature(bodies[0]).parameters)
    lines = [f"def chosen(code, {names}):"]
    for code in range(len(bodies) - 1):
        lines += [f"    if code == {code}:", f"        return body_{code}({names})"]
    lines.append(f"    return body_{len(bodies) - 1}({names})")
    space: dict[str, Any] = {f"body_{code}": compiled(body) for code, body in enumerate(bodies)}
    exec("\n".join(lines), space)
    chain = space["chosen"]

    def call(code: int, *arguments: Any) -> Any:
        return bodies[code](*arguments)

    overload(call, strict=False, jit_options={**AS_MATERIAL, "forceinline": True})(lambda *types: chain)
    return call
