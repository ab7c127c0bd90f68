"""How near fits come to the truth, as files: tables and a picture."""

from typing import TYPE_CHECKING

from roguewk.experiment.hostile.goals import Goal
from roguewk.experiment.recovered.goals import DRAWN, goals
from roguewk.experiment.recovered.recovered import Recovered
from roguewk.show.style import GREY, INK, RULE, SETTINGS, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {"rested": "rested effect", "wear": "wear (log-odds)", "half_life": "half-life (rounds)"}
HELD, MISSED = "#0072B2", "#D55E00"


def recovered_files(recovered: Recovered) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib
    import pandas

    with matplotlib.rc_context(SETTINGS):
        pictures = saved({"recovered": _figure(recovered)})
    verdicts = pandas.DataFrame(list(goals(recovered)), columns=list(Goal._fields))
    return {"fits.csv": csv_bytes(recovered.found), "figures.csv": csv_bytes(verdicts), **pictures}


def _figure(recovered: Recovered) -> "Figure":
    """Estimates against the truth, with intervals; those that miss it stand out."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, NullLocator

    figure = Figure(figsize=(9.0, 6.0), layout="constrained")
    panels = figure.subplots(len(DRAWN), len(NAMES), squeeze=False)
    found = recovered.found
    for row, kind in zip(panels, DRAWN, strict=True):
        for axes, (number, name) in zip(row, NAMES.items(), strict=True):
            own = found[(found["kind"] == kind) & (found["number"] == number)]
            scale = "log" if number == "half_life" else "linear"
            axes.set(xscale=scale, yscale=scale, xlabel="truth", ylabel="estimate")
            axes.set_title(f"{name}\n{kind}", fontsize=9)
            if scale == "log":
                for axis in (axes.xaxis, axes.yaxis):
                    axis.set_major_locator(FixedLocator([1, 2, 5, 10, 20, 50]))
                    axis.set_major_formatter("{x:g}")
                    axis.set_minor_locator(NullLocator())
            low, high = own["truth"].min(), own["truth"].max()
            room = (low / 2, high * 2) if scale == "log" else (low - 0.5 * (high - low), high + 0.5 * (high - low))
            axes.set(xlim=(low, high), ylim=room)
            for held, colour in ((True, HELD), (False, MISSED)):
                some = own[(own["held"] == held) & own["value"].notna()]
                ends = some["low"].clip(*room), some["high"].clip(*room)
                axes.vlines(some["truth"], *ends, color=colour if not held else GREY, linewidth=0.5, alpha=0.5)
                label = "interval holds the truth" if held else "misses it"
                axes.plot(some["truth"], some["value"], ".", markersize=3, color=colour, label=label)
            axes.axline((low, low), (high, high), color=INK, linewidth=0.8)
            axes.grid(color=RULE, linewidth=0.6)
            axes.set_axisbelow(True)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, frameon=False, markerscale=4)
    return figure
