"""What the command line shows: tables that fit 80 columns, a progress bar, plain lines where nobody watches."""

import contextlib
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 80
UNBROKEN = "\N{NO-BREAK SPACE}"


def show(text: str, indent: str = "", hanging: str | None = None) -> None:
    """A paragraph, wrapped."""
    more = indent if hanging is None else hanging
    kept = text.replace(" %", f"{UNBROKEN}%")
    lines = textwrap.wrap(kept, WIDTH, initial_indent=indent, subsequent_indent=more, break_on_hyphens=False)
    print("\n".join(lines).replace(UNBROKEN, " "))


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
        table.add_column(each, justify="right" if i in numbers else "left", overflow="fold", no_wrap=fixed)
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
def progress_bar(what: str, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A function to call with the work done and to do; it draws only where someone watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    task: Any = None
    # The bar starts with the first news, after the engine has said whatever it has to say about compiling.
    bar = Progress(console=Console(stderr=True), transient=True)

    def tell(done: int, total: int) -> None:
        nonlocal task
        if task is None:
            bar.start()
            task = bar.add_task(what, total=total)
        bar.update(task, completed=done)

    try:
        yield tell
    finally:
        bar.stop()
