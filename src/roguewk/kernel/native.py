"""Machine code: made once and kept on disk, in a folder named after the sources it came from.

Numba does not notice edits in other files than a function's own, so the folder's name is a hash of all sources.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numba
import platformdirs

from roguewk.kernel.cache import is_ours, make_sound

PACKAGE = Path(__file__).parents[1]
COMPILED_FOLDERS = (
    "kernel",
    "problem",
    "world",
    "part",
    "relax",
    "estimate",
    "allocate",
    "policy",
    "engine",
    "bounds",
    "learn",
)
OPTIONS = {"error_model": "numpy", "_nrt": False}  # divisions by zero are infinite, and nothing is allocated
NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # for code that neither Python nor C calls
MONTH = 30 * 24 * 3600.0  # seconds
PRIVATE = "roguewk-"  # how the name of a folder begins that is this process's alone


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
        private = tempfile.mkdtemp(prefix=PRIVATE)
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return private
    for old in root.iterdir():
        with contextlib.suppress(OSError):  # another process may be deleting it as well
            if old.stat().st_mtime < time.time() - MONTH:
                shutil.rmtree(old, ignore_errors=True)
    return str(folder)


def is_kept(dispatcher: Any, arguments: Any) -> bool:
    """Whether the machine code of a function for these types of arguments will be there for other processes."""
    cached = getattr(dispatcher, "_cache", None)
    return (
        getattr(cached, "cache_path", None) is not None
        and not Path(cache_folder()).name.startswith(PRIVATE)
        and all(map(is_ours, arguments))
    )


def native(function: Any, **options: Any) -> Any:
    """A function that is machine code, for each kind of arguments as soon as it is called with them."""
    # Numba reads the folder when the function is decorated; the user's own setting is put back at once.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_folder()
    try:
        dispatcher = numba.njit(function, cache=True, **OPTIONS, **options)
    finally:
        numba.config.CACHE_DIR = before
    make_sound(dispatcher._cache)
    return dispatcher
