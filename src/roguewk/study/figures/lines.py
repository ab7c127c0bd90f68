"""Statistics along an axis: lines with bands, a panel for each group."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from roguewk.show.style import GREY, INK, PALE, WIDTH, Look, line_style, name_lines
from roguewk.study.figures.panels import (
    LETTER,
    MOST_PANELS,
    Statistic,
    add_legend,
    add_note,
    add_title,
    left_out,
    plain,
    plot_line,
    tidy,
)
from roguewk.study.stats.compare import DECIDED
from roguewk.study.views.axes import Curve, Group, View, curves
from roguewk.study.views.colours import leader
from roguewk.study.views.rounds import spread_evenly
from roguewk.study.views.scales import far_apart
from roguewk.study.views.words import in_words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BESIDE = 13  # names at the ends of lines; more get a legend

Ends = dict[str, tuple[float, str]]  # by name, the height at which a line ends, and the colour of its letters


def lines_figure(what: Statistic, view: View, worlds: Sequence[str], looks: Mapping[str, Look]) -> "Figure":
    """Lines along a view; `looks` are those of the study's policies."""
    from matplotlib.figure import Figure

    policies, seen = list(looks), set(what.frame["policy"])
    own = list(looks.values())
    looks = {line.label: own[leader(line, own)] for line in view.lines} or looks
    groups = [view.groups[i] for i in spread_evenly(len(view.groups), MOST_PANELS)]
    columns = min(3, len(groups))
    lines = -(-len(groups) // columns)
    figure = Figure(figsize=(WIDTH + 0.4, 3.2) if columns == 1 else (2.9 * columns, 2.5 * lines + 0.5))
    apart = far_apart(max(what.sizes.get(worlds[w], 0.0) for w in group.worlds) for group in groups)
    panels = figure.subplots(lines, columns, squeeze=False, sharey=not apart).ravel()
    rows = what.frame.set_index(["world", "policy"])
    for axes, group in zip(panels, groups, strict=False):
        drawn = curves(view, group, policies)
        ends: Ends = {}
        for curve in drawn:
            along = rows.reindex([(worlds[w], policies[p]) for w, p in curve.pairs])
            ends |= _draw_curve(axes, what, along, curve, looks[curve.label])
        ends |= _draw_limits(axes, what, drawn, group, worlds)
        axes.set_xlabel(plain(in_words(view.key)))
        if view.log:
            axes.set_xscale("log")
        elif view.whole:
            axes.xaxis.get_major_locator().set_params(integer=True)
        if len(groups) > 1:
            add_title(axes, group.label)
    for axes in panels[len(groups) :]:
        axes.set_visible(False)
    for axes in panels[::columns]:
        axes.set_ylabel(textwrap.fill(what.label, 28))
    notes = (
        what.note,
        view.note,
        "each panel has its own scale" if apart else "",
        left_out(len(groups), len(view.groups), "panels"),
    )
    pale = sum(look is PALE and (bool(view.lines) or name in seen) for name, look in looks.items())
    if len(groups) == 1 and not pale and len(ends) <= MOST_BESIDE:
        _name_ends(figure, panels[0], ends)
        add_note(figure, *notes)
    else:
        add_legend(figure, panels, pale, *notes)
    return figure


def _name_ends(figure: "Figure", axes: "Axes", ends: Ends) -> None:
    width, height = figure.get_size_inches()
    figure.set_size_inches(width + max(0.0, LETTER * max(map(len, ends), default=0) - 1.0), height)
    name_lines(axes, ends, within=True, weight="normal")


def _draw_curve(axes: "Axes", what: Statistic, own: "pd.DataFrame", curve: Curve, look: Look) -> Ends:
    """A line with its band; the height of its end and its colour, by its name."""
    x = np.array(curve.values)
    middle, low, high = (own[name].to_numpy(dtype=np.float64) for name in (what.middle, what.low, what.high))
    there = np.isfinite(middle)
    if not there.any():
        return {}
    every = max(1, len(x) // 8)
    plot_line(axes, x, middle, curve.label, look, **line_style(look, every))
    if look is PALE:
        return {}
    axes.fill_between(x, low, high, color=look.colour, alpha=0.2, linewidth=0)
    if what.verdict:
        hollow = (~own[what.verdict].isin(DECIDED)).to_numpy() & (np.arange(len(x)) % every == 0)
        style = line_style(look, 1) | {"linestyle": "", "markerfacecolor": "white"}
        axes.plot(x[hollow], middle[hollow], **style)
    return {plain(curve.label): (float(middle[there][-1]), look.text)}


def _draw_limits(axes: "Axes", what: Statistic, own: Sequence[Curve], group: Group, worlds: Sequence[str]) -> Ends:
    """The certified bound and what doing nothing brings: along a parameter of policies, one number each."""
    x = np.array(group.values)
    if what.zero:
        axes.axhline(0, color=GREY, linewidth=0.8)
    axes.margins(y=0.04)
    tidy(axes)
    ends: Ends = {}
    for by_world, name, label, line in (
        (what.bounds, "bound", "certified bound", "-"),
        (what.idle, "doing nothing", "doing nothing", ":"),
    ):
        limits = np.array([by_world.get(worlds[w], np.nan) for w in group.worlds])
        places = x
        if not len(x):
            every = [value for curve in own for value in curve.values]
            places, limits = np.array([min(every), max(every)]), np.repeat(limits, 2)
        if np.isfinite(limits).any():
            axes.plot(places, limits, color=INK, linewidth=1.2, linestyle=line, zorder=1.5, label=label)
            ends[name] = float(limits[np.isfinite(limits)][-1]), INK
    return ends
