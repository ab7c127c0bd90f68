"""Compile functions once and keep the machine code on disk, in a folder named after the sources it came from.

Numba does not notice edits in other files than a function's own, so the folder's name is a hash of all sources.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core import event

from roguewk.kernel.cache import make_sound

Function = TypeVar("Function", bound=Callable[..., Any])
PACKAGE = Path(__file__).parents[1]
COMPILED_FOLDERS = ("kernel", "problem", "world", "part", "relax", "estimate", "allocate", "policy", "engine", "bounds")
MONTH = 30 * 24 * 3600.0  # seconds


def source_hash(package: Path) -> str:
    """A name for the state of the sources that machine code is made from."""
    digest = hashlib.sha256()
    for folder in COMPILED_FOLDERS:
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> str:
    """Where the machine code of these sources is kept; that of older sources is deleted after a month."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("roguewk", appauthor=False)
    root = Path(base) / "compiled"
    folder = root / source_hash(PACKAGE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError:
        # Machine code is loaded from there, so not from a place whose name others can guess.
        private = tempfile.mkdtemp(prefix="roguewk-")
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return private
    for old in root.iterdir():
        with contextlib.suppress(OSError):  # another process may be deleting it as well
            if old.stat().st_mtime < time.time() - MONTH:
                shutil.rmtree(old, ignore_errors=True)
    return str(folder)


def _jit(function: Any, **options: Any) -> Any:
    # Numba reads the folder when the function is decorated; the user's own setting is put back at once.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_folder()
    try:
        dispatcher = numba.njit(function, cache=True, error_model="numpy", _nrt=False, **options)
    finally:
        numba.config.CACHE_DIR = before
    make_sound(dispatcher._cache)
    return dispatcher


def compiled(function: Function) -> Function:
    """A short function of the hot loop; it is inlined wherever compiled code calls it.

    Not inlined, it would be passed a hundred array fields at every call: half the speed.
    """
    result: Function = _jit(function, forceinline=True)
    return result


def compiled_apart(function: Function) -> Function:
    """A function whose own work outweighs the call; it is compiled once instead of at every place of use."""
    result: Function = _jit(function, forceinline=False)  # said outright, or it would inherit its caller's
    return result


def compiled_for_threads(function: Function) -> Function:
    """A function that several Python threads may run at once: it lets go of the interpreter's lock."""
    result: Function = _jit(function, nogil=True)
    return result


class _Notice(event.Listener):  # type: ignore[misc]  # numba has no types
    """Speaks at the first compilation it sees; notices nest, and only the outermost speaks."""

    open_ones = 0

    def __init__(self, what: str) -> None:
        self.what = what
        self.spoke = False

    def on_start(self, event: Any) -> None:
        if not self.spoke and _Notice.open_ones == 1:
            self.spoke = True
            print(f"roguewk: compiling {self.what}, only this once ...", end="", flush=True, file=sys.stderr)

    def on_end(self, event: Any) -> None:
        """Compilations nest, so the end of one says nothing."""


@contextlib.contextmanager
def compiling(what: str) -> Iterator[None]:
    """Tell the person at the terminal why nothing happens, the one time that `what` has to be compiled."""
    notice = _Notice(what)
    started = time.perf_counter()
    _Notice.open_ones += 1
    try:
        with event.install_listener("numba:compile", notice):
            yield
    finally:
        _Notice.open_ones -= 1
        if notice.spoke:
            print(f" {time.perf_counter() - started:.0f} s", file=sys.stderr)
