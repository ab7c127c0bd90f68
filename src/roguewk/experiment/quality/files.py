"""The quality study as files: four tables and a picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.experiment.quality.goals import AVERAGE_GOAL, PAPER_GOALS, WORST_GOAL, spread, verdicts
from roguewk.experiment.quality.quality import JUDGED_BUDGETS, MODES, Quality
from roguewk.kernel.arrays import Vector
from roguewk.show.style import INK, RULE, SETTINGS, Look, looks_for, name_lines, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 1.0)
NAMES = {True: "idle rounds allowed", False: "every round plays"}
BEYOND = 1.01  # luck may lift a share a little above one


def quality_files(quality: Quality) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        pictures = saved({"quality": _figure(quality)})
    return {
        "figures.csv": csv_bytes(_figures_frame(quality)),
        "paper.csv": csv_bytes(quality.paper),
        "worlds.csv": csv_bytes(quality.worlds),
        "times.csv": csv_bytes(_times_frame(quality)),
        **pictures,
    }


def _figures_frame(quality: Quality) -> "pd.DataFrame":
    import pandas

    rows = [(quality.judged, *each, each.reached) for each in verdicts(quality)]
    return pandas.DataFrame(rows, columns=["policy", "figure", "value", "standard_error", "unit", "goal", "reached"])


def _times_frame(quality: Quality) -> "pd.DataFrame":
    import pandas

    return pandas.DataFrame(quality.timings)


def _figure(quality: Quality) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.4, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    looks = looks_for(quality.policies)
    lowest = min(quality.paper["fraction"].min(), quality.worlds["fraction"].min())
    _scale(left, lowest)
    _draw_paper(left, quality, looks)
    _draw_worlds(right, quality, looks)
    return figure


def _scale(axes: "Axes", lowest: float) -> None:
    """What is missing to the bound on a logarithmic scale: half of it missing counts alike everywhere."""
    from matplotlib.ticker import NullLocator

    axes.set_yscale("function", functions=(_stretched, _shrunk))
    bottom = min(lowest - 0.06, 0.9)
    axes.set_ylim(bottom, 1.004)
    ticks = [tick for tick in TICKS if tick >= bottom]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.yaxis.set_minor_locator(NullLocator())


def _stretched(share: Vector) -> Vector:
    return np.asarray(-np.log(np.maximum(BEYOND - np.asarray(share), 1e-3)))


def _shrunk(place: Vector) -> Vector:
    return np.asarray(BEYOND - np.exp(-np.asarray(place)))


def _draw_paper(axes: "Axes", quality: Quality, looks: dict[str, Look]) -> None:
    """Filled marks where rounds may be idle, hollow ones where every round plays."""
    for idle, goal in PAPER_GOALS.items():
        line: Any = "solid" if idle else (0, (4, 2))
        first, last = JUDGED_BUDGETS[0], JUDGED_BUDGETS[-1]
        axes.plot([first, last], [goal, goal], color=INK, linewidth=0.8, linestyle=line)
        _tell_goal(axes, last, goal, f"goal {goal:g}, {MODES[idle]}")
        axes.plot([], [], color=INK, linestyle=line, marker="o", mfc=INK if idle else "white", label=NAMES[idle])
        for policy, look in looks.items():
            rows = quality.paper[(quality.paper["policy"] == policy) & (quality.paper["idle"] == idle)]
            error = 2 * rows["standard_error"].fillna(0.0)
            mark: dict[str, Any] = {"marker": look.marker, "markersize": 4.5, "mfc": look.colour if idle else "white"}
            style = {"color": look.colour, "linestyle": line, "linewidth": 1.4, "elinewidth": 0.8}
            axes.errorbar(rows["budget"], rows["fraction"], error, **style, **mark)
    axes.legend(loc="lower right", frameon=False, fontsize=9)
    axes.set_xlabel("budget of each resource")
    axes.set_ylabel("share of the bound")
    _finish(axes, "The paper's world")


def _draw_worlds(axes: "Axes", quality: Quality, looks: dict[str, Look]) -> None:
    """A dot for each world; those with coins are hollow, and have no part in the averages."""
    count = quality.settings.worlds
    edge = 1 + 1.08 * count
    axes.set_xlim(0, edge)
    for goal, what in ((AVERAGE_GOAL, "average"), (WORST_GOAL, "worst")):
        axes.axhline(goal, color=INK, linewidth=0.8)
        _tell_goal(axes, 0.8 * count, goal, f"goal {goal:g}, {what}")
    ends = {}
    for policy, look in looks.items():
        for kind in quality.settings.kinds:
            rows = quality.worlds[(quality.worlds["policy"] == policy) & (quality.worlds["kind"] == kind)]
            shares = np.sort(rows["fraction"].to_numpy())
            face = look.colour if kind == "plain" else "white"
            dots: dict[str, Any] = {"marker": look.marker, "linestyle": "", "markersize": 4}
            axes.plot(1 + np.arange(count), shares, color=look.colour, mfc=face, **dots)
            if kind == "plain":
                found = spread(rows)
                axes.plot([edge - 0.05 * count, edge], [found.average] * 2, color=look.colour, linewidth=3)
                worst = f"worst {found.worst:.3f} ({found.worst_world})"
                ends[f"{look.name}\naverage {found.average:.3f}\n{worst}"] = found.average, look.text
    axes.set_xlabel("worlds, each policy's worst first")
    coins = ", hollow: costs may be coins" if quality.settings.coins else ""
    _finish(axes, f"{count} random worlds{coins}")
    name_lines(axes, ends, 0.19)


def _tell_goal(axes: "Axes", x: float, goal: float, words: str) -> None:
    place: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "center", "fontsize": 8}
    axes.annotate(words, (x, goal), xytext=(0, -6), color=INK, **place)


def _finish(axes: "Axes", title: str) -> None:
    axes.set_title(title, fontsize=10, fontweight="bold", loc="left")
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
