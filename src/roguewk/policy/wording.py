"""Sentences, amounts and small tables in lines of at most 80 characters."""

import math
import textwrap
from collections.abc import Sequence

WIDTH = 80
ROWS = 8  # of a table
NARROWEST = 8  # name of an arm
IDLE = "(idle round)"


def paragraph(text: str) -> str:
    """The text in lines."""
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)


def amount(value: float) -> str:
    """A number for a sentence.

    >>> amount(0.12345), amount(-0.0), amount(1e-14), amount(12345.6)
    ('0.123', '0', '0', '12,346')
    """
    size = abs(float(value))
    if not math.isfinite(size):
        return "without limit"
    if size < 1e-12:
        return "0"
    return f"{value:,.0f}" if 1000 <= size < 1e9 else f"{value:.3g}"


def listing(parts: Sequence[str]) -> str:
    """The parts as in a sentence.

    >>> listing(["a"]), listing(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[-1] if len(parts) < 2 else f"{', '.join(parts[:-1])} and {parts[-1]}"


class Columns:
    """Arms and numbers, aligned.

    >>> table = Columns(["now", "sum"])
    >>> table.add("walk", [0.5, 0.25], "played")
    >>> print(table)
      arm     now    sum
      walk  0.500  0.250  played
    """

    def __init__(self, head: Sequence[str]) -> None:
        self.head = list(head)
        self.rows: list[tuple[str, list[float | None], str]] = []

    def add(self, name: str, numbers: Sequence[float | None], note: str) -> None:
        """A row; a number that is None is left out."""
        self.rows.append((name, list(numbers), note))

    def __str__(self) -> str:
        kept = [row for i, row in enumerate(self.rows) if i < ROWS or row[0] == IDLE or row[2] == "played"]
        numbers = [x for _, row, _ in self.rows for x in row if x is not None and math.isfinite(x)]
        size = max(map(abs, numbers), default=0.0)
        lines = [["arm", *self.head, ""]]
        lines += [[name, *(_aligned(x, size) for x in numbers), note] for name, numbers, note in kept]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        widths[0] = min(widths[0], max(WIDTH - sum(widths[1:]) - 2 * len(widths), NARROWEST))
        text = [_line(line, widths) for line in lines]
        left_out = len(self.rows) - len(kept)
        if left_out:
            text.append(f"  and {left_out} more arm{'' if left_out == 1 else 's'}")
        return "\n".join(text)


def _line(cells: list[str], widths: list[int]) -> str:
    name = cells[0] if len(cells[0]) <= widths[0] else f"{cells[0][: widths[0] - 1]}\N{HORIZONTAL ELLIPSIS}"
    numbers = (cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:-1], strict=True))
    return "  ".join(["", name.ljust(widths[0]), *numbers, cells[-1]]).rstrip()


def _aligned(value: float | None, size: float) -> str:
    """A number beside others of up to this size."""
    if value is None:
        return ""
    if not math.isfinite(value):
        return "untried"
    digits = (3 if size >= 1 else 2) - math.floor(math.log10(size)) if size > 0 else 3
    if not -3 <= digits <= 6:
        return f"{value + 0.0:.3g}"
    digits = max(digits, 0)
    return f"{round(value, digits) + 0.0:.{digits}f}"  # never -0
