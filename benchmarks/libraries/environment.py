"""A throw-away environment for each library."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.libraries.rivals import Library

ROOT = Path(__file__).parents[2]
KEEP = "ROGUEWK_LIBRARIES"  # an environment variable: the folder to keep them in


class UnavailableError(Exception):
    """Why a library cannot be compared with."""


@contextmanager
def folder_for_all(keep: str | None) -> Iterator[Path]:
    """A folder that is removed afterwards, unless it is to be kept."""
    keep = keep or os.environ.get(KEEP)
    if keep:
        yield Path(keep).resolve()
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _run(what: str, *command: str) -> str:
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)
    except OSError as problem:
        raise UnavailableError(f"{what}: {problem}") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("[notice]")]
        raise UnavailableError(f"{what}: {said[-1].strip() if said else f'exit code {done.returncode}'}")
    return done.stdout


def _python(library: Library, folder: Path) -> str:
    """The interpreter of an environment in which the library is installed."""
    home = folder / library.module
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = home / "ready"
    if not ready.exists():
        _run("cannot make an environment", sys.executable, "-m", "venv", "--clear", str(home))
        for step in library.installs:
            options = ("--quiet", "--disable-pip-version-check", "--retries", "2")
            _run("cannot install it", str(python), "-m", "pip", "install", *options, *step)
        ready.touch()
    return str(python)


def prepare(library: Library, folder: Path) -> None:
    """Install it, if it is not there yet; `UnavailableError` says why it cannot be."""
    _python(library, folder)


def ask(library: Library, folder: Path, task: str) -> dict[str, Any]:
    """What the library's script in this folder answers, in the library's own environment."""
    said = _run("cannot run it", _python(library, folder), "-m", f"benchmarks.libraries.{library.module}", task)
    answer: dict[str, Any] = json.loads(said.splitlines()[-1])
    return answer
