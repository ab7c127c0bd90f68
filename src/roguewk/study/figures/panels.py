"""What panels share: names, widths, grids, legends and notes."""

import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from roguewk.show.style import GREY, PALE, RULE, Look
from roguewk.show.words import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 6
LONGEST_NAME = 36
LETTER = 0.07  # inches across a letter of 8 points


class Statistic(NamedTuple):
    """Columns of a frame with a row per world and policy, and what they are called."""

    frame: "pd.DataFrame"
    middle: str
    low: str
    high: str
    label: str
    bounds: Mapping[str, float] = {}  # by world
    idle: Mapping[str, float] = {}  # by world, what doing nothing brings
    zero: bool = False
    verdict: str = ""  # the column that says what is decided; hollow marks are not
    sizes: Mapping[str, float] = {}  # by world, its scale
    apart: bool = False  # whether each world has an axis of its own
    note: str = ""


def plain(label: str) -> str:
    """A name that is not too long, in which a dollar is a dollar."""
    kept = LONGEST_NAME // 2
    short = label if len(label) <= LONGEST_NAME else f"{label[:kept]}\N{HORIZONTAL ELLIPSIS}{label[1 - kept :]}"
    return short.replace("$", r"\$")


def name_width(names: Iterable[str]) -> float:
    """Inches that names of 8 points need."""
    return LETTER * max((len(plain(name)) for name in names), default=0)


def add_title(axes: "Axes", label: str, letters: int = 28) -> None:
    """The name of a panel, in several lines if need be."""
    axes.set_title(textwrap.fill(plain(label), letters), fontsize=9, loc="left")


def tidy(axes: "Axes", axis: Any = "both") -> None:
    """A light grid behind everything."""
    axes.grid(axis=axis, color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)


def plot_line(axes: "Axes", x: Any, y: Any, label: str, look: Look, **style: Any) -> None:
    """A line in the look of its policy, or a thin one behind the others."""
    if look is PALE:
        axes.plot(x, y, color=look.colour, linewidth=0.7, zorder=1.2)
    else:
        axes.plot(x, y, label=plain(label), **style)


def add_legend(figure: "Figure", panels: Iterable["Axes"], pale: int, *notes: str) -> None:
    """All lines that have a name, and how many have none, in room of their own below the panels, under any notes."""
    from matplotlib.lines import Line2D

    lines = {label: line for axes in panels for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if pale:
        lines[count(pale, "other")] = Line2D([], [], color=PALE.colour, linewidth=0.7)
    columns = max(1, min(4, len(lines), int(figure.get_figwidth() * 11 / (8 + max(map(len, lines), default=1)))))
    _grow(figure, 0.19 * -(-len(lines) // columns))
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "frameon": False, "fontsize": 9}
    told = _told(figure, notes)
    legend = figure.legend(lines.values(), lines.keys(), title=told or None, title_fontsize=8, **place)
    legend.get_title().set_color(GREY)


def add_note(figure: "Figure", *notes: str) -> None:
    """Notes in room of their own below the panels."""
    if told := _told(figure, notes):
        figure.supxlabel(told, fontsize=8, color=GREY)


def _told(figure: "Figure", notes: Iterable[str]) -> str:
    """The notes in lines that fit the figure, which grows by them."""
    told = [line for note in notes for line in textwrap.wrap(note, int(figure.get_figwidth() / LETTER))]
    _grow(figure, 0.15 * len(told))
    return "\n".join(told)


def _grow(figure: "Figure", inches: float) -> None:
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + inches)


def left_out(shown: int, number: int, what: str) -> str:
    """A note on what there are too many of."""
    return f"shown: {shown} of {number} {what}" if shown < number else ""
