"""The heat map: one, or small ones side by side, with their numbers in the cells."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.show.colours import contrast
from roguewk.study.figures.panels import add_note, add_title, left_out, name_width, plain
from roguewk.study.views.heat_maps import HeatMap
from roguewk.study.views.rounds import spread_evenly

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_COLUMNS, MOST_ROWS = 40, 150
TITLE_LETTER = 0.085  # inches across a letter of a title
MOST_WIDTH = 9.0  # inches of maps side by side
LEAST_SPAN = 0.1  # between the first and the last colour, as a part of the whole, so that equal digits look alike


class FilledMap(NamedTuple):
    """A grid and its numbers, (row, column)."""

    grid: HeatMap
    values: Vector


class _Panel(NamedTuple):
    """What is shown of a map, in words, the room that it takes in inches, and the letters above a line of cells."""

    rows: list[str]
    columns: list[str]
    values: Vector
    words: dict[tuple[int, int], str]
    turned: bool
    size: tuple[float, float]
    letters: int


def heat_map_figure(
    maps: Sequence[FilledMap], title: str, share: bool, within: str = "", notes: Sequence[str] = ()
) -> "Figure":
    """Maps in one scale of colours, or with all colours `within` every "column" or every "map".

    Numbers are rewards, or shares of the bound, which are shown in per cent.
    """
    from matplotlib.figure import Figure

    panels = [_panel(each, share) for each in maps]
    width, height = (max(each.size[i] for each in panels) for i in range(2))
    across = max(1, min(3, len(panels), int(MOST_WIDTH / width)))
    down = -(-len(panels) // across)
    figure = Figure(figsize=(max(3.0, 0.2 + width * across), 0.6 + height * down))
    places = figure.subplots(down, across, squeeze=False).ravel()
    whole = np.concatenate([each.values.ravel() for each in panels])
    for axes, panel, each in zip(places, panels, maps, strict=False):
        several = panel.values.T if within == "column" else [panel.values if within else whole]
        _draw_map(axes, panel, np.array([_limits(values, share) for values in several]).T)
        axes.set_xlabel(plain(each.grid.column_title))
        axes.set_ylabel("" if each.grid.row_title == "policy" else plain(each.grid.row_title))
        if each.grid.label:
            add_title(axes, each.grid.label, panel.letters)
    for axes in places[len(panels) :]:
        axes.set_visible(False)
    figure.suptitle("\n".join(textwrap.wrap(title, int(figure.get_figwidth() / TITLE_LETTER))), fontsize=10)
    first, grid = panels[0], maps[0].grid
    cut = left_out(len(first.columns), len(grid.columns), "columns"), left_out(len(first.rows), len(grid.rows), "rows")
    add_note(figure, f"colours within each {within}" if within else "", *notes, *cut)
    return figure


def _panel(each: FilledMap, share: bool) -> _Panel:
    grid = each.grid
    across, down = spread_evenly(len(grid.columns), MOST_COLUMNS), spread_evenly(len(grid.rows), MOST_ROWS)
    values = (100 if share else 1) * each.values[np.ix_(down, across)]
    columns, rows = [plain(grid.columns[j]) for j in across], [plain(grid.rows[i]) for i in down]
    words = {(i, j): _told(values[i, j]) for i, j in zip(*np.nonzero(np.isfinite(values)), strict=True)}
    longest = max(len(name) for name in columns)
    turned = longest > 4
    cell = max(0.33, 0.12 + 0.06 * max(map(len, words.values()), default=1))
    beside = max(name_width(rows), 0.8 * name_width(columns) if turned else 0.0)
    below = 0.05 * longest if turned else 0.0
    room = max(cell * len(columns), 1.8)
    letters = int(room / TITLE_LETTER)
    above = 0.16 * len(textwrap.wrap(plain(grid.label), letters))
    size = 0.3 + beside + room, 0.65 + above + 0.22 * len(rows) + below
    return _Panel(rows, columns, values, words, turned, size, letters)


def _draw_map(axes: "Axes", panel: _Panel, limits: Vector) -> None:
    """`limits`: (low or high, column), or with one column for all."""
    from matplotlib.colors import to_hex

    low, high = limits
    shades = (panel.values - low) / (high - low)
    image = axes.imshow(np.ma.masked_invalid(shades), cmap="cividis", aspect="auto", vmin=0, vmax=1)
    for (i, j), words in panel.words.items():
        ground = to_hex(tuple(image.to_rgba(shades[i, j])))
        colour = "white" if contrast("#ffffff", ground) > contrast("#000000", ground) else "black"
        axes.text(j, i, words, ha="center", va="center", fontsize=7, color=colour, in_layout=False)
    style: dict[str, Any] = {"rotation": 40, "ha": "right"} if panel.turned else {}
    axes.set_xticks(range(len(panel.columns)), panel.columns, fontsize=8, **style)
    axes.set_yticks(range(len(panel.rows)), panel.rows, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _told(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2g}"


def _limits(values: Vector, share: bool) -> tuple[float, float]:
    """The values of the first and the last colour: all values, but never less than LEAST_SPAN of the whole apart."""
    given = values[np.isfinite(values)]
    if not len(given):
        return 0.0, 1.0
    low, high = float(given.min()), float(given.max())
    lack = LEAST_SPAN * (100.0 if share else max(abs(low), abs(high), 1e-9)) - (high - low)
    return low - max(0.0, lack) / 2, high + max(0.0, lack) / 2
