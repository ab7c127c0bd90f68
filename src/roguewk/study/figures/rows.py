"""Statistics by world where nothing lies along an axis: dots with intervals."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.show.style import GREY, INK, Look
from roguewk.study.figures.panels import Statistic, add_note, left_out, name_width, plain, tidy
from roguewk.study.stats.compare import DECIDED
from roguewk.study.views.rounds import spread_evenly

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_WORLDS = 24
MOST_ROWS = 150
HEADING = 1.6  # rows that the name of a world takes


def rows_figure(what: Statistic, worlds: Sequence[str], looks: Mapping[str, Look]) -> "Figure":
    """A row for each policy under the name of its world; worlds of unlike scales have axes of their own."""
    from matplotlib.figure import Figure

    seen = set(what.frame["policy"])
    policies = [policy for policy in looks if policy in seen]
    kept = {policies[i]: looks[policies[i]] for i in spread_evenly(len(policies), MOST_ROWS)}
    most = min(MOST_WORLDS, max(1, MOST_ROWS // len(kept)))
    chosen = [worlds[i] for i in spread_evenly(len(worlds), most)]
    titles = chosen if len(worlds) > 1 else []
    blocks = [[world] for world in chosen] if what.apart else [chosen]
    step = len(kept) + (HEADING if titles else 0)
    size = 3.0 + name_width([*kept, *titles]), 0.7 + 0.3 * len(blocks) + 0.19 * step * len(chosen)
    figure = Figure(figsize=size)
    panels = figure.subplots(len(blocks), 1, squeeze=False).ravel()
    rows = what.frame.set_index(["world", "policy"])
    for axes, block in zip(panels, blocks, strict=True):
        _draw_block(axes, what, rows, block, kept, step)
    lines = (["black: certified bound"] if what.bounds else []) + (["dotted: doing nothing"] if what.idle else [])
    panels[-1].set_xlabel("\n".join([textwrap.fill(what.label, 36), *([", ".join(lines)] if lines else [])]))
    notes = left_out(len(chosen), len(worlds), "worlds"), left_out(len(kept), len(policies), "policies")
    add_note(figure, "each world has its own scale" if what.apart else "", what.note, *notes)
    return figure


def _draw_block(
    axes: "Axes", what: Statistic, rows: "pd.DataFrame", worlds: Sequence[str], kept: Mapping[str, Look], step: float
) -> None:
    """Worlds on an axis, `step` rows apart; where that is more than a row for each policy, under their names."""
    titles = step > len(kept)
    ticks: list[tuple[float, str]] = []
    for w, world in enumerate(worlds):
        ticks += [(w * step - 1.1, plain(world))] if titles else []
        for p, (policy, look) in enumerate(kept.items()):
            ticks.append((w * step + p, plain(policy)))
            if (world, policy) in rows.index:
                _draw_row(axes, what, rows.loc[(world, policy)], w * step + p, look)
        for limit, line in ((what.bounds.get(world, np.nan), "-"), (what.idle.get(world, np.nan), ":")):
            ends = [w * step - 0.5, w * step + len(kept) - 0.5]
            axes.plot([limit, limit], ends, color=INK, linewidth=1.2, linestyle=line)
    axes.set_yticks([place for place, _ in ticks], [name for _, name in ticks], fontsize=8)
    for text in axes.get_yticklabels()[:: len(kept) + 1] if titles else []:
        text.set_fontsize(9.5)
    axes.set_ylim(step * (len(worlds) - 1) + len(kept) - 0.4, -1.7 if titles else -0.6)
    axes.tick_params(axis="y", length=0)
    if what.zero:
        axes.axvline(0, color=GREY, linewidth=0.8)
    tidy(axes, "x")


def _draw_row(axes: "Axes", what: Statistic, row: Any, height: float, look: Look) -> None:
    face = "white" if what.verdict and row[what.verdict] not in DECIDED else look.colour
    axes.plot([row[what.low], row[what.high]], [height, height], color=look.colour, linewidth=1.6)
    axes.plot(row[what.middle], height, marker=look.marker, color=look.colour, mfc=face, markersize=5)
