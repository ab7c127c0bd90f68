"""Results on disk: no folder left behind by a failure."""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from roguewk.problem.errors import InputError
from roguewk.show.lock import locked

LEFTOVER = 3600.0  # seconds


@contextlib.contextmanager
def results_folder(where: str) -> Iterator[Path]:
    """A folder that exists, can be written to and is nobody else's; if the work fails, folders made here go again."""
    folder = Path(where)
    if not where or "\0" in where:
        raise InputError(f"--out is {where!r}: give the name of a folder")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {where!r} is a file: give the name of a folder")
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise InputError(f"--out {where!r} cannot be written ({error.strerror}): give another folder") from None
        with locked(folder):
            yield folder
    except BaseException:
        for each in made:
            with contextlib.suppress(OSError):
                each.rmdir()  # only if empty
        raise


def check_file(where: str, endings: tuple[str, ...]) -> Path:
    """A path that a file of one of these kinds can be written to."""
    if "\0" in where or Path(where).suffix.lower() not in endings:
        raise InputError(f"--out is {where!r}: give a file name that ends in {' or '.join(endings)}")
    path = Path(os.path.realpath(where))
    if path.is_dir():
        raise InputError(f"--out {where!r} is a folder: give the name of a file")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InputError(f"--out {where!r} cannot be written ({error.strerror}): give another folder") from None
    return path


def remove_leftovers(folder: Path) -> None:
    """Delete what processes that were killed while writing have left; younger files may be another's at work."""
    for path in folder.glob(".*.tmp"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - LEFTOVER:
                path.unlink()
