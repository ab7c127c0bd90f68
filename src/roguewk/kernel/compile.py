"""Declare functions as compiled, and tell the person at the terminal while that takes its time."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from numba.core import event

from roguewk.kernel.beat import Unended, beating
from roguewk.kernel.material import Material
from roguewk.kernel.native import is_kept, native

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """A short function of the hot loop; it is inlined wherever compiled code calls it.

    Not inlined, it would be passed a hundred array fields at every call: half the speed.
    """
    result: Function = Material(function, targetoptions={"forceinline": True})
    return result


def compiled_apart(function: Function) -> Function:
    """A function whose own work outweighs the call; its code is there once instead of at every place of use."""
    # Said outright, or it would inherit its caller's.
    result: Function = Material(function, targetoptions={"forceinline": False})
    return result


def compiled_for_python(function: Function) -> Function:
    """A function that Python calls so often that the way to it counts."""
    result: Function = native(function)
    return result


def compiled_for_threads(function: Function) -> Function:
    """A function that several Python threads may run at once: it lets go of the interpreter's lock."""
    result: Function = native(function, nogil=True)
    return result


class _Notice(event.Listener):  # type: ignore[misc]  # numba has no types
    """Speaks at the first compilation it sees; notices nest, and only the outermost speaks."""

    open_ones = 0

    def __init__(self, what: str) -> None:
        self.what = what
        self.outermost = _Notice.open_ones == 0
        self.promised: bool | None = None  # that this is the only time, once it spoke
        self.depth = 0
        self.lost = False  # some of the code
        self.alive = contextlib.ExitStack()  # holds the dots, once it spoke: most often nothing is compiled

    def on_start(self, event: Any) -> None:
        # What is compiled within something else becomes a part of that, and is kept with it.
        if self.depth == 0:
            kept = is_kept(event.data["dispatcher"], event.data["args"])
            self.lost = self.lost or not kept
            self._speak(kept)
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1

    def _speak(self, kept: bool) -> None:
        if self.outermost and self.promised is None:
            self.promised = kept
            often = "only this once" if kept else "in every process anew"
            print(f"roguewk: compiling {self.what}, {often} ...", end="", flush=True, file=sys.stderr)
            Unended.there = True
            self.alive.enter_context(beating(_dot, within=True))


def _dot(seconds: float) -> None:
    if sys.stderr is not None and not sys.stderr.isatty():
        print(".", end="", flush=True, file=sys.stderr)


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Tell the person at the terminal why nothing happens when `what` has to be compiled, mostly once and for all."""
    notice = _Notice(what)
    started = time.perf_counter()
    _Notice.open_ones += 1
    try:
        with notice.alive, event.install_listener("numba:compile", notice):
            yield
    finally:
        _Notice.open_ones -= 1
        if notice.promised is not None:
            Unended.there = False
            more = ", some of it in every process anew" if notice.promised and notice.lost else ""
            print(f" {time.perf_counter() - started:.0f} s{more}", file=sys.stderr)
