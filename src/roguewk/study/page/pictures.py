"""Pictures of one world at a time, and the heat map: spending, distribution, a single run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.problem.arms import Vector
from roguewk.study.page.colours import contrast
from roguewk.study.page.games import MOST_ROUNDS, state_columns
from roguewk.study.page.panels import add_legend, plain, tidy
from roguewk.study.page.rounds import Recorded, spread_evenly
from roguewk.study.page.views import Grid
from roguewk.study.style import GREY, INK, WIDTH, Look, line_style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 6
MOST_COLUMNS = 40  # of a heat map
STATE, SECOND, PULL = "#0072B2", GREY, "#B04D00"


def spending_figure(recorded: Recorded, looks: Mapping[str, Look]) -> "Figure":
    """The share of each budget over the rounds, a panel for each resource."""
    from matplotlib.figure import Figure

    resources = recorded.world.world.problem.resources[:MOST_PANELS]
    columns = min(3, len(resources))
    lines = -(-len(resources) // columns)
    figure = Figure(figsize=(max(WIDTH, 2.7 * columns), 2.4 * lines + 0.7), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for j, (axes, resource) in enumerate(zip(panels, resources, strict=False)):
        for p in recorded.traces:
            style = line_style(list(looks.values())[p], 10) | {
                "linewidth": 1.5,
                "markersize": 4,
                "markevery": (3 * p % 10, 10),
            }
            axes.plot(recorded.steps, 100 * recorded.spending(p, j), label=plain(list(looks)[p]), **style)
        axes.set_title(plain(resource.name), fontsize=9, loc="left")
        axes.set_xlabel("round")
        tidy(axes)
    for axes in panels[len(resources) :]:
        axes.set_visible(False)
    for axes in panels[::columns]:
        axes.set_ylabel("budget spent, %")
    figure.suptitle(plain(recorded.world.label), fontsize=10, fontweight="bold")
    add_legend(figure, panels[0])
    return figure


def distribution_figure(
    rewards: dict[tuple[int, int], Vector], worlds: Sequence[str], looks: Mapping[str, Look]
) -> "Figure":
    """Boxes from quartile to quartile, whiskers from the 5th to the 95th percentile, a panel for each world."""
    from matplotlib.figure import Figure

    played = sorted({w for w, _ in rewards})
    chosen = [played[i] for i in spread_evenly(len(played), MOST_PANELS)]
    columns = min(3, len(chosen))
    lines = -(-len(chosen) // columns)
    size = (1.5 + 2.5 * columns, lines * (0.75 + 0.2 * len(looks)) + 0.3)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False, sharey=True).ravel()
    for axes, world in zip(panels, chosen, strict=False):
        for p, look in enumerate(looks.values()):
            if (world, p) in rewards:
                _draw_box(axes, np.quantile(rewards[world, p], [0.05, 0.25, 0.5, 0.75, 0.95]), p, look)
        axes.set_title(plain(worlds[world]), fontsize=9, loc="left")
        axes.set_yticks(range(len(looks)), [plain(policy) for policy in looks], fontsize=8)
        axes.tick_params(axis="y", length=0)
        tidy(axes, "x")
    panels[0].set_ylim(len(looks) - 0.4, -0.6)
    for axes in panels[len(chosen) :]:
        axes.set_visible(False)
    figure.supxlabel("reward: median, quartiles, 5 % to 95 %", fontsize=9)
    return figure


def _draw_box(axes: "Axes", quantiles: Vector, height: float, look: Look) -> None:
    low, quarter, middle, three, high = quantiles
    axes.plot([low, high], [height, height], color=look.colour, linewidth=1.1)
    axes.plot([quarter, three], [height, height], color=look.colour, linewidth=5, alpha=0.45, solid_capstyle="butt")
    axes.plot(middle, height, look.marker, color=look.colour, markersize=5)


def heat_map_figure(grid: Grid, values: Vector, unit: str, scale: float) -> "Figure":
    """The grid in colour, its numbers in the cells; `values` are (row, column)."""
    from matplotlib.colors import to_hex
    from matplotlib.figure import Figure

    kept = spread_evenly(len(grid.columns), MOST_COLUMNS)
    shown, columns = scale * values[:, kept], [plain(grid.columns[i]) for i in kept]
    longest = max(len(name) for name in columns)
    size = (1.6 + max(0.33 * len(columns), 2.4), 1.0 + 0.22 * len(grid.rows) + (0.05 * longest if longest > 4 else 0.1))
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(np.ma.masked_invalid(shown), cmap="cividis", aspect="auto")
    for i, j in zip(*np.nonzero(np.isfinite(shown)), strict=True):
        ground = to_hex(tuple(image.to_rgba(shown[i, j])))
        colour = "white" if contrast("#ffffff", ground) > contrast("#000000", ground) else "black"
        text = f"{shown[i, j]:.0f}" if abs(shown[i, j]) >= 10 else f"{shown[i, j]:.2g}"
        axes.text(j, i, text, ha="center", va="center", fontsize=7, color=colour)
    turned: dict[str, Any] = {"rotation": 40, "ha": "right"} if longest > 4 else {}
    axes.set_xticks(range(len(columns)), columns, fontsize=8, **turned)
    axes.set_yticks(range(len(grid.rows)), [plain(name) for name in grid.rows], fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(plain(grid.column_title))
    axes.set_title(unit, fontsize=10, fontweight="bold", loc="left")
    return figure


def single_run_figure(recorded: Recorded, policy: int, label: str) -> "Figure":
    """The states of every arm over the rounds of the first recorded replicate, and its pulls."""
    from matplotlib.figure import Figure

    frame = recorded.traces[policy]
    rows = frame[frame["replicate"] == frame["replicate"].min()].iloc[:MOST_ROUNDS]
    arms = recorded.world.world.problem.arms
    figure = Figure(figsize=(7.0, 1.1 + 0.75 * len(arms)), layout="constrained")
    panels = figure.subplots(len(arms), 1, squeeze=False, sharex=True, sharey=True).ravel()
    for a, axes in enumerate(panels):
        _draw_arm(axes, rows, a, [name for arm, name in state_columns(recorded) if arm == a])
        axes.set_ylabel(plain(arms[a].name), rotation=0, ha="right", va="center", fontsize=9)
        axes.tick_params(labelsize=8)
    panels[-1].set_xlabel("round")
    title = f"{plain(label)} in {plain(recorded.world.label)}, replicate {rows['replicate'].iloc[0]}"
    figure.suptitle(f"{title}\nlines: states; ticks: pulls, long ones with a reward", fontsize=9)
    return figure


def _draw_arm(axes: "Axes", rows: "pd.DataFrame", arm: int, names: Sequence[str]) -> None:
    rounds = rows["round"].to_numpy()
    for name, colour, line in zip(names, (STATE, SECOND, INK), ("solid", "dashed", "dotted"), strict=False):
        axes.plot(rounds, rows[name].to_numpy(), color=colour, linestyle=line, linewidth=0.9)
    own = (rows["arm"] == arm).to_numpy()
    hits = own & (rows["reward"] > 0).to_numpy()
    for which, height in ((hits, 0.16), (own & ~hits, 0.06)):
        axes.vlines(rounds[which], 0, height, PULL, linewidth=0.7, transform=axes.get_xaxis_transform())
    axes.margins(x=0.01, y=0.25)
