"""Pictures of one world at a time: spending, distribution, a single run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.show.style import GREY, INK, PALE, WIDTH, Look, line_style
from roguewk.study.figures.panels import (
    MOST_PANELS,
    add_legend,
    add_note,
    add_title,
    left_out,
    name_width,
    plain,
    plot_line,
    tidy,
)
from roguewk.study.views.games import MOST_ROUNDS, state_columns
from roguewk.study.views.rounds import Recorded, spread_evenly

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS = 150
MOST_ARMS = 24
STATE, SECOND, PULL = "#0072B2", GREY, "#B04D00"


def spending_figure(recorded: Recorded, looks: Mapping[str, Look]) -> "Figure":
    """The share of each budget over the rounds, a panel for each resource."""
    from matplotlib.figure import Figure

    every = recorded.world.world.problem.resources
    resources = every[:MOST_PANELS]
    columns = 2 if len(resources) == 4 else min(3, len(resources))
    lines = -(-len(resources) // columns)
    figure = Figure(figsize=(max(WIDTH, 2.7 * columns), 2.4 * lines + 0.7))
    panels = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for j, (axes, resource) in enumerate(zip(panels, resources, strict=False)):
        for p in recorded.traces:
            label, look = list(looks.items())[p]
            style = line_style(look, 10) | {"linewidth": 1.5, "markersize": 4, "markevery": (3 * p % 10, 10)}
            plot_line(axes, recorded.steps, 100 * recorded.spending(p, j), label, look, **style)
        add_title(axes, resource.name)
        tidy(axes)
    for axes in panels[max(0, len(resources) - columns) : len(resources)]:
        axes.set_xlabel("round")
        axes.tick_params(labelbottom=True)  # also where the panel below is left out, which would have had the numbers
    for axes in panels[len(resources) :]:
        axes.set_visible(False)
    for axes in panels[::columns]:
        axes.set_ylabel("budget spent, %")
    figure.suptitle(plain(recorded.world.label), fontsize=10)
    pale = sum(list(looks.values())[p] is PALE for p in recorded.traces)
    add_legend(figure, panels, pale, left_out(len(resources), len(every), "resources"))
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
    kept = spread_evenly(len(looks), MOST_ROWS)
    size = (0.5 + name_width(looks) + 2.5 * columns, lines * (0.75 + 0.2 * len(kept)) + 0.4)
    figure = Figure(figsize=size)
    panels = figure.subplots(lines, columns, squeeze=False, sharey=True).ravel()
    for axes, world in zip(panels, chosen, strict=False):
        for place, p in enumerate(kept):
            if (world, p) in rewards:
                look = list(looks.values())[p]
                _draw_box(axes, np.quantile(rewards[world, p], [0.05, 0.25, 0.5, 0.75, 0.95]), place, look)
        add_title(axes, worlds[world])
        axes.set_yticks(range(len(kept)), [plain(list(looks)[p]) for p in kept], fontsize=8)
        axes.tick_params(axis="y", length=0)
        tidy(axes, "x")
    panels[0].set_ylim(len(kept) - 0.4, -0.6)
    for axes in panels[len(chosen) :]:
        axes.set_visible(False)
    words = "reward: median, quartiles, 5 % to 95 %"
    notes = left_out(len(chosen), len(played), "worlds"), left_out(len(kept), len(looks), "policies")
    add_note(figure, words, *notes)
    return figure


def _draw_box(axes: "Axes", quantiles: Vector, height: float, look: Look) -> None:
    low, quarter, middle, three, high = quantiles
    axes.plot([low, high], [height, height], color=look.colour, linewidth=1.1)
    axes.plot([quarter, three], [height, height], color=look.colour, linewidth=5, alpha=0.45, solid_capstyle="butt")
    axes.plot(middle, height, marker=look.marker, color=look.colour, markersize=5)


def single_run_figure(recorded: Recorded, policy: int, label: str) -> "Figure":
    """The states of every arm over the rounds of the first recorded replicate, and its pulls."""
    from matplotlib.figure import Figure

    frame = recorded.traces[policy]
    rows = frame[frame["replicate"] == frame["replicate"].min()].iloc[:MOST_ROUNDS]
    every = recorded.world.world.problem.arms
    arms = every[:MOST_ARMS]
    figure = Figure(figsize=(6.0 + name_width(arm.name for arm in arms), 1.3 + 0.75 * len(arms)))
    panels = figure.subplots(len(arms), 1, squeeze=False, sharex=True, sharey=True).ravel()
    for a, axes in enumerate(panels):
        _draw_arm(axes, rows, a, [name for arm, name in state_columns(recorded) if arm == a])
        axes.set_ylabel(plain(arms[a].name), rotation=0, ha="right", va="center", fontsize=9)
        axes.tick_params(labelsize=8)
    panels[-1].set_xlabel("round")
    title = f"{plain(label)}\n{plain(recorded.world.label)}, replicate {rows['replicate'].iloc[0]}"
    figure.suptitle(f"{title}\nlines: states; ticks: pulls, long ones with a reward", fontsize=9)
    add_note(figure, left_out(len(arms), len(every), "arms"))
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
