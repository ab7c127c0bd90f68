"""A told game as files: a picture of states, choices, prices and budgets over time, and its numbers."""

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.experiment.explain.explain import Story
from roguewk.kernel.arrays import Vector
from roguewk.show.numbers import shown
from roguewk.show.style import GREY, INK, LOOKS, OTHERS, RULE, SETTINGS, Look, line_style, name_lines, saved
from roguewk.show.tables import csv_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, LABEL = 7.0, 0.17  # inches: the picture, the name of a line
LONGEST_NAME = 18
REST, HIT, BAND = "#8ab6d6", "#B04D00", "#ececec"
Panel = Callable[["Axes", Story], None]


def explain_files(story: Story) -> dict[str, bytes]:
    """Every file by name."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name in letters that the font lacks is boxes in the PNG only
        pictures = saved({"explain": _figure(story)})
    return {"explain.csv": csv_bytes(story.frame()), **pictures}


def _figure(story: Story) -> "Figure":
    from matplotlib.figure import Figure

    arms, resources = story.mean_rewards.shape[1], story.costs.shape[1]
    lines = max(1.25, LABEL * (resources + 2))
    panels: list[tuple[Panel, float]] = [(_draw_arms, 0.5 + arms * min(max(3.2 / arms, 0.34), 0.6))]
    if np.isfinite(story.prices).any() or np.isfinite(story.round_prices).any():
        panels.append((_draw_prices, lines))
    if resources:
        panels.append((_draw_budgets, lines))
    heights = [height for _, height in panels]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.9), layout="constrained")
    grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axes, (draw, _) in zip(grid, panels, strict=True):
        draw(axes, story)
    grid[0].set_xlim(-0.7, len(story.decisions) - 0.3)
    grid[-1].xaxis.get_major_locator().set_params(integer=True)
    grid[-1].set_xlabel("round")
    figure.draw_without_rendering()  # settles the sizes, which the places of the names depend on
    for axes in grid[1:]:
        _name_lines(axes)
    return figure


def _draw_arms(axes: "Axes", story: Story) -> None:
    """A row per arm: its mean reward as height, its pulls as marks; idle rounds are bands through all rows."""
    from matplotlib.lines import Line2D

    rounds, arms = story.mean_rewards.shape
    low, high = min(float(story.mean_rewards.min()), 0.0), float(story.mean_rewards.max())
    heights = 0.82 * (story.mean_rewards - low) / max(high - low, 1e-12)
    chosen = np.array([-1 if decision.arm is None else decision.arm for decision in story.decisions])
    size = float(np.clip(260 / rounds, 1.5, 5.0))
    coins = [arm.reward_family.rewards.coins for arm in story.world.problem.arms]
    for t in np.flatnonzero(chosen < 0):
        axes.axvspan(t - 0.5, t + 0.5, color=BAND, linewidth=0, zorder=0)
    for a in range(arms):
        floor = arms - 1 - a  # the first arm on top
        axes.fill_between(np.arange(rounds), floor, floor + heights[:, a], color=REST, alpha=0.35, linewidth=0)
        axes.plot(floor + heights[:, a], color=LOOKS["roguewk-ucb"].colour, linewidth=1.1)
        for hit, face in ((True, HIT), (False, "white")):
            at = np.flatnonzero((chosen == a) & (((story.rewards > 0) | (not coins[a])) == hit))
            marks: dict[str, Any] = {"markersize": size, "markeredgecolor": HIT, "markerfacecolor": face}
            axes.plot(at, floor + heights[at, a], "o", markeredgewidth=0.9, zorder=3, **marks)
        axes.axhline(floor, color=GREY, linewidth=0.5)
    names = [_shown(arm.name) for arm in story.world.problem.arms]
    axes.set_yticks([arms - 1 - a + 0.3 for a in range(arms)], names)
    axes.set_ylim(-0.12, arms)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    keys = [_key(Line2D, HIT, "pull, reward" if any(coins) else "pull")]
    keys += [_key(Line2D, "white", "pull, no reward")] if any(coins) else []
    if (chosen < 0).any():
        keys.append(_key(Line2D, BAND, "idle round", marker="s", markersize=9, markeredgecolor=BAND))
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (-0.02, 0.98), "ncols": 3}
    axes.legend(handles=keys, frameon=False, fontsize=9, handletextpad=0.3, **place)
    title = (
        f"What {story.policy} chose, and the mean reward of each arm (rows from {shown(low, 2)} to {shown(high, 2)})"
    )
    axes.set_title(title, loc="left", fontsize=9, pad=24)


def _key(kind: Any, face: str, label: str, **other: Any) -> Any:
    style = {"marker": "o", "markersize": 5, "markeredgecolor": HIT, **other}
    return kind([], [], linestyle="none", markerfacecolor=face, label=label, **style)


def _draw_prices(axes: "Axes", story: Story) -> None:
    """Of so much of each resource as one pull can take at the most, which makes them comparable."""
    scales = story.world.problem.scales
    _draw_resources(axes, story, story.prices * scales, [f"{scale:g} " if scale != 1 else "" for scale in scales])
    if np.isfinite(story.round_prices).any():
        axes.plot(story.round_prices, color=INK, linestyle=(0, (1, 1.5)), linewidth=1.6, label="a round")
    axes.axhline(0, color=GREY, linewidth=0.5)
    axes.set_ylabel("price in rewards")


def _draw_budgets(axes: "Axes", story: Story) -> None:
    rounds, horizon = len(story.decisions), story.world.problem.horizon
    even = 100 * (1 - np.arange(rounds) / horizon)
    if not story.world.problem.hard.all():
        axes.plot(even, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)), label="even spending")
    _draw_resources(axes, story, 100 * story.left, [""] * story.costs.shape[1])
    axes.set_ylabel("budget left, %")


def _draw_resources(axes: "Axes", story: Story, values: Vector, units: list[str]) -> None:
    for j, (resource, unit, look) in enumerate(
        zip(story.world.problem.resources, units, _looks(values.shape[1]), strict=True)
    ):
        style = line_style(look, max(len(values) // 6, 1))
        style |= {"linewidth": 1.6, "markersize": 4, "markevery": (2 * j, style["markevery"])}  # marks do not coincide
        axes.plot(values[:, j], label=f"{unit}{_shown(resource.name)}", **style)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)


def _looks(number: int) -> list[Look]:
    looks = [*LOOKS.values(), *OTHERS]
    return [looks[j % len(looks)] for j in range(number)]


def _shown(name: str) -> str:
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}\N{HORIZONTAL ELLIPSIS}"
    return short.replace("$", r"\$")


def _name_lines(axes: "Axes") -> None:
    """The names of the lines at their ends, within the height of the axes."""
    inks = {look.colour: look.text for look in _looks(len(LOOKS) + len(OTHERS))}
    ends = {}
    for line in axes.get_lines():
        values = np.asarray(line.get_ydata(), dtype=np.float64)
        seen = values[np.isfinite(values)]
        label = str(line.get_label())
        if seen.size and not label.startswith("_"):
            ends[label] = float(seen[-1]), inks.get(str(line.get_color()), str(line.get_color()))
    height = axes.get_window_extent().height / axes.get_figure(root=True).dpi  # type: ignore[union-attr]  # axes drawn here have a figure
    name_lines(axes, ends, LABEL / height, within=True)
