"""A sign of life now and then while something takes its time, where no spinner turns."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

POLL = 0.25  # seconds
# Who waits for minutes is told less often: a log of hours would be nothing but signs of life.
PAUSES = ((60.0, 1.7), (600.0, 30.0), (float("inf"), 120.0))  # so long, silence lasts no longer than so many seconds


class Unended:
    """Whether a line about compiling stands unended on stderr, which says itself that it goes on."""

    there = False


class Beat:
    """Calls `tell`, `within` such a line or outside, with the seconds since its start after a silence."""

    def __init__(self, tell: Callable[[float], None], within: bool) -> None:
        self.tell, self.within = tell, within
        self.start = self.last = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def said(self) -> None:
        """Something was said just now."""
        self.last = time.monotonic()

    def _beat(self) -> None:
        while not self._over.wait(POLL):
            now = time.monotonic()
            if Unended.there != self.within:
                self.last = now
            elif now - self.last >= next(pause for end, pause in PAUSES if now - self.start < end):
                self.last = now
                with contextlib.suppress(OSError, ValueError):  # nobody may be there to be told
                    self.tell(now - self.start)


@contextlib.contextmanager
def beating(tell: Callable[[float], None], within: bool = False) -> Iterator[Beat]:
    """Give signs of life in here: `within` a line that is not ended, or else outside of it."""
    beat = Beat(tell, within)
    beat._thread.start()
    try:
        yield beat
    finally:
        beat._over.set()
        beat._thread.join()
