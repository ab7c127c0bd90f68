"""How policies fare in a suite of worlds, as files: two tables and a picture."""

from typing import TYPE_CHECKING, Any

from roguewk.experiment.hostile.goals import Goal, goals
from roguewk.experiment.hostile.hostile import Hostile
from roguewk.show.style import INK, RULE, SETTINGS, looks_for, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def hostile_files(hostile: Hostile) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib
    import pandas

    with matplotlib.rc_context(SETTINGS):
        pictures = saved({hostile.settings.suite: _figure(hostile)})
    verdicts = pandas.DataFrame(list(goals(hostile)), columns=list(Goal._fields))
    return {"worlds.csv": csv_bytes(hostile.shares), "figures.csv": csv_bytes(verdicts), **pictures}


def _figure(hostile: Hostile) -> "Figure":
    """A row per family: the average of each policy, and for the judged one from its worst world to its best."""
    from matplotlib.figure import Figure

    suite, families = hostile.settings.chosen, list(hostile.settings.families or ())
    figure = Figure(figsize=(8.0, 1.6 + 0.26 * len(families)), layout="constrained")
    axes = figure.subplots()
    looks, grouped = looks_for(hostile.policies), hostile.shares.groupby(["policy", "family"])["share"]
    places = range(len(families))
    for policy, look in reversed(looks.items()):
        averages = [grouped.get_group((policy, family)).mean() for family in families]
        front = policy == hostile.judged
        size: dict[str, Any] = {"markersize": 7 if front else 4.5, "zorder": 4 if front else 3}
        axes.plot(averages, places, linestyle="", marker=look.marker, color=look.colour, label=look.name, **size)
    judged = [grouped.get_group((hostile.judged, family)) for family in families]
    style: dict[str, Any] = {"color": looks[hostile.judged].colour, "linewidth": 1.4, "zorder": 2}
    axes.hlines(places, [each.min() for each in judged], [each.max() for each in judged], **style)
    axes.axvline(suite.average_goal, color=INK, linewidth=0.8)
    axes.set_yticks(list(places), [f"{family}: {suite.families[family]}" for family in families], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(f"share of the bound (line: goal {suite.average_goal:g} for the average)")
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=9)
    return figure
