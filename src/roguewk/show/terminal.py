"""What the command line shows: tables that fit 80 columns, a progress bar, plain lines where nobody watches."""

import contextlib
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.table import Table

    from roguewk.kernel.beat import Beat

WIDTH = 80
UNBROKEN = "\N{NO-BREAK SPACE}"


def show(text: str, indent: str = "", hanging: str | None = None) -> None:
    """A paragraph, wrapped."""
    more = indent if hanging is None else hanging
    kept = text.replace(" %", f"{UNBROKEN}%")
    lines = textwrap.wrap(kept, WIDTH, initial_indent=indent, subsequent_indent=more, break_on_hyphens=False)
    print("\n".join(lines).replace(UNBROKEN, " "), flush=True)


def complain(sentence: str) -> None:
    """A sentence on stderr, in lines as wide as the terminal if it is one; otherwise in one, for programs that read."""
    if sys.stderr is None:
        return
    words = " ".join(sentence.split())
    if sys.stderr.isatty():
        words = textwrap.fill(words, _width_of(sys.stderr), break_long_words=False, break_on_hyphens=False)
    print(words, file=sys.stderr)


def _width_of(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH
    except (OSError, ValueError):  # what says that it is a terminal may not know how wide it is
        return WIDTH


def show_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = (), lines: bool = False
) -> None:
    """A table; `numbers` are the columns to set to the right, `lines` rules off the rows."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_lines=lines, pad_edge=False, header_style="bold")
    for i, each in enumerate(head):
        # The first column names the row: it is broken only where it would fill the line.
        fixed = i == 0 and max((len(row[0]) for row in rows), default=0) <= WIDTH // 3
        # Other columns are broken between words only, as long as that is possible, and "86.3 ± 0.3" is one word.
        cells = [line for row in rows for line in (row[i].splitlines() if i in numbers else row[i].split())]
        words = [*each.split(), *cells]
        longest = max(map(len, words), default=0)
        least = longest if i and longest <= WIDTH // 3 else None
        table.add_column(
            each, justify="right" if i in numbers else "left", overflow="fold", no_wrap=fixed, min_width=least
        )
    for row in rows:
        table.add_row(*row)
    _print(table)


def _print(table: "Table") -> None:
    from rich.console import Console

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:  # rich would end the process; the command has its own way
            raise BrokenPipeError

    # Without markup and emoji, a name like "[b]" or ":walk:" is shown as it is.
    console = PlainConsole(markup=False, emoji=False, highlight=False)
    console.width = min(console.width, 100) if console.is_terminal else WIDTH
    console.print(table)


@contextlib.contextmanager
def progress_bar(what: str, quiet: bool = False, always: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A function to call with the work done and to do; it draws only where someone watches.

    Until the first call it says what is under way, as nobody knows yet how much of it there is; `always`, where nobody
    watches, in a line.
    """
    if not _watched(what, quiet, always):
        with _lines(what, quiet, always):
            yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    task: Any = None
    console = Console(stderr=True)
    bar, before = Progress(console=console, transient=True), console.status(what)

    def tell(done: int, total: int) -> None:
        nonlocal task
        if task is None:
            before.stop()
            bar.start()
            task = bar.add_task(what, total=total)
        bar.update(task, completed=done)

    before.start()
    try:
        yield tell
    finally:
        before.stop()
        bar.stop()


@contextlib.contextmanager
def busy(what: str, quiet: bool = False, always: bool = False) -> Iterator[None]:
    """Say that something is under way where someone watches, or `always`: as a line where nobody does."""
    if not _watched(what, quiet, always):
        with _lines(what, quiet, always):
            yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _lines(what: str, quiet: bool, always: bool) -> contextlib.AbstractContextManager[Any]:
    """Where nobody watches what is `always` said, a line now and then for as long as it is under way."""
    if quiet or not always or sys.stderr is None:
        return contextlib.nullcontext()
    return _telling(lambda seconds: f"{what}: {duration(seconds)} so far")


def _telling(words: Callable[[float], str]) -> "contextlib.AbstractContextManager[Beat]":
    from roguewk.kernel.beat import beating

    def tell(seconds: float) -> None:
        print(f"roguewk: {words(seconds)}", file=sys.stderr, flush=True)

    return beating(tell)


def _watched(what: str, quiet: bool, always: bool) -> bool:
    """Whether anyone watches and wants to; where nobody does, what is `always` said is a line."""
    if quiet or sys.stderr is None:
        return False
    if always and not sys.stderr.isatty():
        print(f"roguewk: {what} ...", file=sys.stderr, flush=True)
    return sys.stderr.isatty()


@contextlib.contextmanager
def cell_progress(quiet: bool = False) -> Iterator[Callable[[int, int, float], None] | None]:
    """A function to call with the cells done, the cells in all and the share of the work that is done.

    It draws a bar with the rate and the time left, and prints a line for every tenth where it cannot.
    """
    if quiet or sys.stderr is None:
        yield None
        return
    if not sys.stderr.isatty():
        lines = _CellLines()
        with _telling(lines.words) as lines.beat:
            yield lines.tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    words = TextColumn("{task.fields[words]}")
    clock = _Clock()
    with Progress(BarColumn(30), words, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0, words="starting the workers")

        def tell(done: int, total: int, share: float) -> None:
            bar.update(task, completed=share, words=clock.words(done, total, share))

        yield tell


class _Clock:
    """When the work began, and how many cells there were already."""

    def __init__(self) -> None:
        self.start, self.before = time.monotonic(), -1

    def words(self, done: int, total: int, share: float) -> str:
        if self.before < 0:
            self.before = done - 1
        return _rate(done, total, share, done - self.before, time.monotonic() - self.start)


class _CellLines:
    """Progress as plain lines, one for every tenth of the cells, and more where that takes long."""

    beat: "Beat"

    def __init__(self) -> None:
        self.clock, self.told = _Clock(), -1
        self.now: tuple[int, int, float] | None = None

    def words(self, seconds: float) -> str:
        """What to say if there is nothing new."""
        if self.now is None:
            return f"starting the workers, and their first cells: {duration(seconds)} so far"
        return self.clock.words(*self.now)

    def tell(self, done: int, total: int, share: float) -> None:
        words, self.now = self.clock.words(done, total, share), (done, total, share)
        tenth = 10 * done // total
        if tenth > max(self.told, 10 * self.clock.before // total):
            self.told = tenth
            self.beat.said()
            print(f"roguewk: {words}", file=sys.stderr, flush=True)


def _rate(done: int, total: int, share: float, fresh: int, seconds: float) -> str:
    """Cells, rate and time left.

    >>> _rate(30, 100, 0.25, 30, 60.0)
    '30 of 100 cells, 0.5 a second, about 3 min left'
    """
    left = seconds * (1 - share) / share if share > 0 else 0.0
    ending = f", about {duration(left)} left" if done < total else ""
    return f"{done:,} of {total:,} cells{_speed(fresh / max(seconds, 1e-9))}{ending}"


def _speed(rate: float) -> str:
    """How many a second, or a minute; nothing where that says nothing.

    >>> _speed(12.3), _speed(0.5), _speed(0.05), _speed(0.001)
    (', 12 a second', ', 0.5 a second', ', 3.0 a minute', '')
    """
    if rate >= 0.1:
        return f", {rate:.{0 if rate >= 10 else 1}f} a second"
    return f", {60 * rate:.1f} a minute" if 60 * rate >= 0.1 else ""


def duration(seconds: float) -> str:
    """Seconds in words.

    >>> duration(0.4), duration(75), duration(7300)
    ('1 s', '75 s', '2 h 2 min')
    """
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def in_parts(policies: Sequence[str]) -> list[Sequence[str]]:
    """Three policies fit beside each other."""
    return [policies[i : i + 3] for i in range(0, len(policies), 3)]
