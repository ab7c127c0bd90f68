"""What is lost where nobody knows the dynamics, as files: tables and a picture."""

from typing import TYPE_CHECKING

from roguewk.experiment.hostile.goals import Goal
from roguewk.experiment.unknown.goals import WORST, goals
from roguewk.experiment.unknown.unknown import KNOWN, Unknown
from roguewk.show.style import INK, RULE, SETTINGS, looks_for, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def unknown_files(unknown: Unknown) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib
    import pandas

    with matplotlib.rc_context(SETTINGS):
        pictures = saved({"learned": _figure(unknown)})
    verdicts = pandas.DataFrame(list(goals(unknown)), columns=list(Goal._fields))
    tables = {"shares": unknown.shares, "misled": unknown.misled, "other_forms": unknown.odd, "figures": verdicts}
    return {**{f"{name}.csv": csv_bytes(table) for name, table in tables.items()}, **pictures}


def _figure(unknown: Unknown) -> "Figure":
    """A row per world of the paper and one for all random worlds, each of which is a dot."""
    from matplotlib.figure import Figure

    shares = unknown.shares[unknown.shares["policy"] != KNOWN]
    rows = [name for name in shares["world"].unique() if name.startswith("paper")] + ["random worlds"]
    figure = Figure(figsize=(8.0, 1.2 + 0.32 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for shift, (policy, look) in enumerate(looks_for(tuple(shares["policy"].unique())).items()):
        own = shares[shares["policy"] == policy]
        places = [min(rows.index(name) if name in rows else len(rows) - 1, len(rows) - 1) for name in own["world"]]
        height = [place + 0.18 * (shift - 1) for place in places]
        axes.plot(own["share"], height, linestyle="", marker=look.marker, color=look.colour, label=look.name, alpha=0.8)
    axes.axvline(1.0, color=INK, linewidth=0.8)
    axes.axvline(WORST, color=RULE, linewidth=0.8)
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("share of what the planner earns that knows the dynamics")
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=9)
    return figure
