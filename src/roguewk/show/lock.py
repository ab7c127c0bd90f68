"""A folder is one command's at a time: a lock that the system lets go when its process ends, however that ends."""

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from roguewk.problem.errors import InputError

NAME = ".roguewk.lock"
FAR = 1 << 30  # where Windows locks a byte: what is locked cannot be read by others, and they want to know whose it is


@dataclass
class _Hold:
    """A lock of this process, and how many times its thread has asked for it."""

    process: int  # a forked child has a copy of this, and not the lock
    thread: int
    descriptor: int
    times: int = 0


_HOLDS: dict[tuple[int, int], _Hold] = {}  # by the identity of the folder, whatever it is called
_GUARD = threading.Lock()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a folder from other processes and threads; one of these hears in a sentence who has it."""
    identity = os.stat(folder)
    key = identity.st_dev, identity.st_ino
    with _GUARD:
        hold = _HOLDS.get(key)
        if hold is None or hold.process != os.getpid():
            hold = _HOLDS[key] = _Hold(os.getpid(), threading.get_ident(), _acquired(folder))
        elif hold.thread != threading.get_ident():
            raise _taken(folder, "another thread of this process")
        hold.times += 1
    try:
        yield
    finally:
        with _GUARD:
            hold.times -= 1
            if not hold.times:
                del _HOLDS[key]
                _release(folder / NAME, hold.descriptor)


def _acquired(folder: Path) -> int:
    """The descriptor of the lock file, locked."""
    path = folder / NAME
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(descriptor)
        except (BlockingIOError, PermissionError):
            holder = os.read(descriptor, 1000).decode(errors="replace").strip()
            os.close(descriptor)
            raise _taken(folder, holder or "another process") from None
        except OSError:
            return descriptor  # some file systems have no locks; results matter more than company
        if _is_there(path, descriptor):
            with contextlib.suppress(OSError):  # on a full disk, others hear less
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
            return descriptor
        os.close(descriptor)  # the holder removed it in this moment: others would lock another file


def _taken(folder: Path, holder: str) -> InputError:
    return InputError(f"'{folder}' is in use by {holder}: wait until that is done, or give another folder")


def _is_there(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _release(path: Path, descriptor: int) -> None:
    # Removed while locked, so that nobody locks it in between; where that is not possible, afterwards.
    with contextlib.suppress(OSError):
        path.unlink()
    os.close(descriptor)
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            path.unlink()


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # Of this process alone: a lock that forked children share would outlive it.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
