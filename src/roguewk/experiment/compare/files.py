"""The comparison as files: a table and two pictures."""

from typing import TYPE_CHECKING

import numpy as np

from roguewk.experiment.compare.compare import PAPER, PAPER_IDLE, Comparison
from roguewk.experiment.compare.digest import in_per_cent
from roguewk.policy.recipe import DRIFTING, HABITUATION, STATIONARY
from roguewk.show.style import GREY, INK, RULE, SETTINGS, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEARNED = "dynamics=learned"  # in a policy's label
MADE_FOR = {
    HABITUATION: ("made for habituation", "#0072B2", "o"),
    DRIFTING: ("made for drift", "#D55E00", "s"),
    STATIONARY: ("made for stationary arms", "#009E73", "^"),
}


def compare_files(comparison: Comparison) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        figures = {"compare": _heat_map(comparison) if len(comparison.worlds) > 1 else _dots(comparison)}
        if {PAPER, PAPER_IDLE} <= set(comparison.worlds):
            figures["paper"] = _paper(comparison)
        return {"compare.csv": csv_bytes(comparison.frame), **saved(figures)}


def _paper(comparison: Comparison) -> "Figure":
    """Every policy on the paper's world: hollow where every round plays, filled where rounds may be idle."""
    from matplotlib.figure import Figure

    table = comparison.frame.set_index(["world", "policy"])
    order = table.loc[PAPER_IDLE]["share"].sort_values(kind="stable").index
    figure = Figure(figsize=(5.6, 0.8 + 0.2 * len(order)), layout="constrained")
    axes = figure.subplots()
    for height, policy in enumerate(order):
        row, idle = table.loc[PAPER, policy], table.loc[PAPER_IDLE, policy]
        _, colour, marker = MADE_FOR[row["setting"]]
        axes.plot([row["share"], idle["share"]], [height, height], color=RULE, linewidth=1.5, zorder=1)
        axes.plot(row["share"], height, marker, color=colour, mfc="white", markersize=5)
        axes.plot(idle["share"], height, marker, color=colour, markersize=5)
    for name, colour, marker in MADE_FOR.values():
        axes.plot([], [], marker, color=colour, label=name)
    axes.plot([], [], "o", color=GREY, mfc="white", label="every round plays")
    axes.plot([], [], "o", color=GREY, label="rounds may be idle")
    axes.legend(loc="lower right", frameon=True, edgecolor="none", fontsize=8)
    axes.set_yticks(range(len(order)), order, fontsize=8)
    axes.set_ylim(-0.7, len(order) - 0.3)
    axes.set_xlabel("share of what no policy can beat")
    axes.set_title("The paper's world, budgets of 100", fontsize=10, fontweight="bold", loc="left")
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure


def _dots(comparison: Comparison) -> "Figure":
    """Every policy on a single world, with 95 % intervals; hollow where dynamics are learned."""
    from matplotlib.figure import Figure

    table = comparison.frame.dropna(subset="share").sort_values("share", kind="stable")
    figure = Figure(figsize=(6.4, 1.5 + 0.2 * max(len(table), 4)), layout="constrained")
    axes = figure.subplots()
    for height, row in enumerate(table.to_dict("records")):
        _, colour, marker = MADE_FOR[row["setting"]]
        width = 0.0 if np.isnan(row["standard_error"]) else 1.96 * row["standard_error"]
        face = "white" if LEARNED in row["policy"] else colour
        axes.errorbar(row["share"], height, xerr=width, fmt=marker, color=colour, mfc=face, markersize=5, linewidth=1)
    for setting in [each for each in MADE_FOR if each in set(table["setting"])]:
        name, colour, marker = MADE_FOR[setting]
        axes.plot([], [], marker, color=colour, label=name)
    if table["policy"].str.contains(LEARNED).any():
        axes.plot([], [], "o", color=GREY, mfc="white", label="dynamics learned")
    axes.axvline(1.0, color=INK, linewidth=0.8, label="the bound")
    # Below the axes: among the rows it would cover some of them, or the bound.
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    axes.set_yticks(range(len(table)), table["policy"], fontsize=8)
    axes.set_xlabel("share of what no policy can beat, with 95 % intervals")
    axes.set_title(comparison.worlds[0], fontsize=10, fontweight="bold", loc="left")
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure


def _heat_map(comparison: Comparison) -> "Figure":
    from matplotlib.figure import Figure

    table = comparison.shares()
    spread = comparison.frame.pivot(index="policy", columns="world", values="standard_error")
    errors = spread.loc[table.index, table.columns].to_numpy(dtype=np.float64)
    size = (3.0 + 0.68 * len(table.columns), 1.2 + 0.2 * len(table))
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    values = table.to_numpy(dtype=np.float64)
    lowest = np.nanmin(values, initial=0.9)  # colours go as far down as shares do
    axes.imshow(np.ma.masked_invalid(values), cmap="cividis", vmin=lowest, vmax=1.0, aspect="auto")
    for i, row in enumerate(values):
        for j, share in enumerate(row):
            text = "" if np.isnan(share) else in_per_cent(share, errors[i, j])
            axes.text(
                j, i, text, ha="center", va="center", fontsize=7, color="white" if share < (1 + lowest) / 2 else INK
            )
    axes.set_xticks(range(len(table.columns)), table.columns, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(range(len(table)), table.index, fontsize=8)
    axes.tick_params(length=0)
    told = "Per cent of the bound" + ("" if np.isnan(errors).all() else " ± standard error")
    figure.suptitle(f"{told}; empty: does not fit", fontsize=10, fontweight="bold")
    return figure
