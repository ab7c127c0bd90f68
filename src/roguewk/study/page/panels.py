"""Statistics along a swept setting, or by world where no number is swept: lines with bands, or dots with intervals."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.study.page.rounds import spread_evenly
from roguewk.study.page.views import Group, View
from roguewk.study.style import GREY, INK, RULE, WIDTH, Look, line_style, name_lines

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 6
MOST_WORLDS = 24  # of a figure without an axis
MOST_NAMES = 12  # beside the ends of lines; more policies get a legend
LONGEST_NAME = 36


class Statistic(NamedTuple):
    """Columns of a frame with a row per world and policy, and what they are called."""

    frame: "pd.DataFrame"
    middle: str
    low: str
    high: str
    label: str
    bounds: Mapping[str, float] = {}  # by world
    zero: bool = False
    verdict: str = ""  # the column that says what is decided; hollow marks are not


def plain(label: str) -> str:
    """A name that is not too long, in which a dollar is a dollar."""
    short = label if len(label) <= LONGEST_NAME else f"{label[: LONGEST_NAME - 1]}\N{HORIZONTAL ELLIPSIS}"
    return short.replace("$", r"\$")


def statistic_figure(what: Statistic, views: Sequence[View], worlds: Sequence[str], looks: dict[str, Look]) -> "Figure":
    """Lines against the first view, a panel for each group; without a view a row for each world and policy."""
    seen = set(what.frame["policy"])
    looks = {policy: look for policy, look in looks.items() if policy in seen}
    return _lines(what, views[0], worlds, looks) if views else _rows(what, worlds, looks)


def tidy(axes: "Axes", axis: Any = "both") -> None:
    """A light grid behind everything."""
    axes.grid(axis=axis, color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)


def add_legend(figure: "Figure", axes: "Axes") -> None:
    """All policies below the panels."""
    handles, labels = axes.get_legend_handles_labels()
    columns = max(1, min(4, len(labels), int(figure.get_figwidth() * 11 / (8 + max(map(len, labels), default=1)))))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)


def _lines(what: Statistic, view: View, worlds: Sequence[str], looks: dict[str, Look]) -> "Figure":
    from matplotlib.figure import Figure

    groups = [view.groups[i] for i in spread_evenly(len(view.groups), MOST_PANELS)]
    without = len(worlds) - sum(len(group.worlds) for group in view.groups)
    columns = min(3, len(groups))
    lines = -(-len(groups) // columns)
    width = WIDTH + 0.4 if columns == 1 else 2.9 * columns
    figure = Figure(figsize=(width, 3.2 if columns == 1 else 2.5 * lines + 0.5), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False, sharey=True).ravel()
    rows = what.frame.set_index(["world", "policy"])
    for axes, group in zip(panels, groups, strict=False):
        ends = _draw_group(axes, what, rows, group, worlds, looks)
        axes.set_xlabel(plain(view.key) + (f" (not shown: {without} worlds without it)" if without else ""))
        if view.log:
            axes.set_xscale("log")
        if len(groups) > 1:
            axes.set_title(plain(group.label), fontsize=9, loc="left")
    for axes in panels[len(groups) :]:
        axes.set_visible(False)
    for axes in panels[::columns]:
        axes.set_ylabel(what.label)
    if len(groups) == 1 and len(looks) <= MOST_NAMES:
        name_lines(panels[0], ends, within=True)
    else:
        add_legend(figure, panels[0])
    return figure


def _draw_group(
    axes: "Axes", what: Statistic, rows: "pd.DataFrame", group: Group, worlds: Sequence[str], looks: dict[str, Look]
) -> dict[str, tuple[float, str]]:
    labels, x = [worlds[i] for i in group.worlds], np.array(group.values)
    ends = {}
    for policy, look in looks.items():
        own = rows.reindex([(label, policy) for label in labels])
        middle = own[what.middle].to_numpy(dtype=np.float64)
        low, high = (own[name].to_numpy(dtype=np.float64) for name in (what.low, what.high))
        axes.fill_between(x, low, high, color=look.colour, alpha=0.2, linewidth=0)
        axes.plot(x, middle, label=plain(policy), **line_style(look, max(1, len(x) // 8)))
        if what.verdict:
            open_ = (own[what.verdict] == "undecided").to_numpy()
            axes.plot(x[open_], middle[open_], look.marker, color=look.colour, mfc="white", markersize=4.5)
        if np.isfinite(middle).any():
            ends[plain(policy)] = float(middle[np.isfinite(middle)][-1]), look.text
    limits = np.array([what.bounds.get(label, np.nan) for label in labels])
    if np.isfinite(limits).any():
        axes.plot(x, limits, color=INK, linewidth=1.2, zorder=1.5, label="certified bound")
        ends["bound"] = float(limits[np.isfinite(limits)][-1]), INK
    if what.zero:
        axes.axhline(0, color=GREY, linewidth=0.8)
    axes.margins(y=0.04)
    tidy(axes)
    return ends


def _rows(what: Statistic, worlds: Sequence[str], looks: dict[str, Look]) -> "Figure":
    """A row for each policy under the name of its world."""
    from matplotlib.figure import Figure

    chosen = [worlds[i] for i in spread_evenly(len(worlds), MOST_WORLDS)]
    step = len(looks) + (1.6 if len(chosen) > 1 else 0)
    figure = Figure(figsize=(WIDTH + 0.6, 0.9 + 0.19 * step * len(chosen)), layout="constrained")
    axes = figure.subplots()
    rows = what.frame.set_index(["world", "policy"])
    places: list[float] = []
    names: list[str] = []
    for w, world in enumerate(chosen):
        if len(chosen) > 1:
            places, names = [*places, w * step - 1.1], [*names, plain(world)]
        for p, (policy, look) in enumerate(looks.items()):
            height = w * step + p
            places, names = [*places, height], [*names, plain(policy)]
            if (world, policy) in rows.index:
                _draw_row(axes, what, rows.loc[(world, policy)], height, look)
        limit = what.bounds.get(world, np.nan)
        axes.plot([limit, limit], [w * step - 0.5, w * step + len(looks) - 0.5], color=INK, linewidth=1.2)
    axes.set_yticks(places, names, fontsize=8)
    for text, name in zip(axes.get_yticklabels(), names, strict=True):
        text.set_fontweight("bold" if len(chosen) > 1 and name in {plain(world) for world in chosen} else "normal")
    axes.set_ylim(step * (len(chosen) - 1) + len(looks) - 0.4, -0.6 if len(chosen) == 1 else -1.7)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(what.label + ("; black: certified bound" if what.bounds else ""))
    if what.zero:
        axes.axvline(0, color=GREY, linewidth=0.8)
    tidy(axes, "x")
    return figure


def _draw_row(axes: "Axes", what: Statistic, row: Any, height: float, look: Look) -> None:
    face = "white" if what.verdict and row[what.verdict] == "undecided" else look.colour
    axes.plot([row[what.low], row[what.high]], [height, height], color=look.colour, linewidth=1.6)
    axes.plot(row[what.middle], height, look.marker, color=look.colour, mfc=face, markersize=5)
