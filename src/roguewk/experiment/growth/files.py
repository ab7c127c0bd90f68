"""The growth study as files: two tables and a picture."""

from typing import TYPE_CHECKING

import numpy as np

from roguewk.experiment.growth.growth import Growth, theorem_shape
from roguewk.show.style import INK, RULE, SETTINGS, line_style, looks_for, name_lines, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def growth_files(growth: Growth) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        pictures = saved({"growth": _figure(growth)})
    return {"growth.csv": csv_bytes(growth.table), "exponents.csv": csv_bytes(exponents_frame(growth)), **pictures}


def exponents_frame(growth: Growth) -> "pd.DataFrame":
    """A row per policy, and one for the theorem's shape, whose exponents have no error."""
    import pandas

    columns = ["policy", "exponent", "standard_error", "low", "high", "last_decade"]
    return pandas.DataFrame([*growth.exponents, growth.theorem], columns=columns)


def _figure(growth: Growth) -> "Figure":
    """Regret over the horizon, both on a logarithmic scale, so that a power of T is a straight line."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 3.8), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xscale("log")
    axes.set_yscale("log")
    ends = _draw_policies(axes, growth) | _draw_theorem(axes, growth)
    axes.set_xlabel("horizon T, budgets growing alike")
    axes.set_ylabel("regret against the bound")
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    if ends:
        name_lines(axes, ends)
    return figure


def _draw_policies(axes: "Axes", growth: Growth) -> dict[str, tuple[float, str]]:
    looks = looks_for([each.policy for each in growth.exponents])
    ends = {}
    for exponent in growth.exponents:
        look = looks[exponent.policy]
        rows = growth.table[growth.table["policy"] == exponent.policy]
        rows = rows[rows["regret_upper"] > 0]  # what a logarithm can show
        if rows.empty:
            continue
        regret, spread = rows["regret_upper"].to_numpy(), 2 * rows["standard_error"].fillna(0.0).to_numpy()
        low = np.maximum(regret - spread, regret / 10)
        axes.fill_between(rows["horizon"], low, regret + spread, color=look.colour, alpha=0.2, linewidth=0)
        axes.plot(rows["horizon"], regret, **line_style(look, 1))
        power = f"  $T^{{\\,{exponent.value:.2f}}}$" if np.isfinite(exponent.value) else ""
        ends[look.name.replace("$", r"\$") + power] = float(regret[-1]), look.text
    return ends


def _draw_theorem(axes: "Axes", growth: Growth) -> dict[str, tuple[float, str]]:
    """The theorem gives a shape; it is drawn through the first point of the first policy."""
    first = float(growth.table["regret_upper"].iloc[0])
    if first <= 0:
        return {}
    shape = theorem_shape(growth.horizons)
    curve = shape * (first / shape[0])
    axes.plot(growth.horizons, curve, color=INK, linestyle=(0, (1, 1.5)), linewidth=1.2, zorder=1.5)
    return {r"$\sqrt{T}\,\log T$": (float(curve[-1]), INK)}
