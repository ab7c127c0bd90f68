"""The paper's figures and the dot plot of the open choices, small enough to be read on a phone.

Colours are Okabe and Ito's, and every policy also has its own line and marker.
"""

import io
from typing import TYPE_CHECKING, Any, NamedTuple

from roguewk.study.choices import NAIVE, OURS, THEIRS
from roguewk.study.measures import Gain, quartiles
from roguewk.study.paper import PUBLISHED_GAIN, Paper
from roguewk.study.words import percent

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.0  # inches; a phone shows it nearly at full size
INK, GREY = "#222222", "#6b6b6b"


class Look(NamedTuple):
    """How a policy is drawn."""

    name: str
    colour: str
    text: str  # the colour, dark enough for letters on white
    line: Any
    marker: str


LOOKS = {
    OURS: Look("ROGUEwK-UCB", "#0072B2", "#00609a", "solid", "o"),
    THEIRS: Look("SW-UCB", "#D55E00", "#b04d00", (0, (5, 1.5)), "s"),
    NAIVE: Look("UCB1", "#009E73", "#007354", (0, (1.5, 1.5)), "^"),
}
PANELS = {  # file name -> column, axis label
    "cumulative_reward": ("reward", "cumulative reward"),
    "reward_per_play": ("per_play", "reward per play"),
    "total_plays": ("plays", "total plays"),
}


def paper_figures(paper: Paper) -> dict[str, bytes]:
    """Every picture by file name, as SVG and PNG."""
    import matplotlib

    settings: dict[Any, Any] = {
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": GREY,
        "text.color": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "svg.fonttype": "none",  # letters stay letters: small, sharp, searchable
    }
    with matplotlib.rc_context(settings):
        figures = {name: _panel(paper.runs, *panel) for name, panel in PANELS.items()} | {"choices": _choices(paper)}
        files: dict[str, bytes] = {}
        for name, figure in figures.items():
            files[f"{name}.svg"] = _saved(figure, "svg", name)
            files[f"{name}.png"] = _saved(figure, "png", name)
        files["overview.png"] = _saved(_overview(paper.runs), "png", "overview")
    return files


def _saved(figure: "Figure", kind: str, salt: str) -> bytes:
    import matplotlib

    buffer = io.BytesIO()
    # Names inside an SVG are hashes of their content and this salt: the same in every run, different in each picture.
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        figure.savefig(buffer, format=kind, dpi=160, metadata={"Date": None} if kind == "svg" else None)
    return buffer.getvalue()


def _panel(runs: "pd.DataFrame", column: str, label: str) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 3.2), layout="constrained")
    _draw(figure.add_subplot(), runs, column, label)
    return figure


def _overview(runs: "pd.DataFrame") -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.6, 3.6), layout="constrained")
    for axes, (column, label) in zip(figure.subplots(1, 3), PANELS.values(), strict=True):
        _draw(axes, runs, column, label)
    return figure


def _draw(axes: "Axes", runs: "pd.DataFrame", column: str, label: str) -> None:
    table = quartiles(runs.assign(per_play=runs["reward"] / runs["plays"].clip(lower=1)), column)
    ends = {}
    for policy, look in LOOKS.items():
        rows = table.loc[policy]
        budgets = rows.index.to_numpy()
        axes.fill_between(budgets, rows["low"], rows["high"], color=look.colour, alpha=0.2, linewidth=0)
        style: dict[str, Any] = {"linestyle": look.line, "marker": look.marker, "markevery": 4, "markersize": 4.5}
        axes.plot(budgets, rows["median"], color=look.colour, linewidth=1.8, **style)
        ends[policy] = float(rows["median"].iloc[-1])
    axes.set_xlabel("budget of each resource")
    axes.set_ylabel(label)
    axes.set_xlim(0, 305)
    axes.margins(y=0.03)
    axes.grid(color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)
    low, high = axes.get_ylim()
    for policy, place in _apart(ends, 0.07 * (high - low)).items():
        look = LOOKS[policy]
        axes.annotate(
            look.name,
            (305, place),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            color=look.text,
            fontsize=9,
            fontweight="bold",
            annotation_clip=False,
        )


def _apart(places: dict[str, float], least: float) -> dict[str, float]:
    """The same heights, moved as little as keeps labels `least` apart."""
    order = sorted(places, key=lambda key: places[key])
    heights = [places[key] for key in order]
    for _ in range(100):
        for i in range(len(heights) - 1):
            lack = least - (heights[i + 1] - heights[i])
            if lack > 0:
                heights[i] -= lack / 2
                heights[i + 1] += lack / 2
    return dict(zip(order, heights, strict=True))


def _choices(paper: Paper) -> "Figure":
    """A dot and an interval for each alternative, under the name of its choice."""
    from matplotlib.figure import Figure

    lines = _lines(paper)
    bottom = lines[-1].place
    figure = Figure(figsize=(WIDTH, 0.7 + 0.185 * bottom), layout="constrained")
    axes = figure.add_subplot()
    axes.axvline(100 * PUBLISHED_GAIN, color=LOOKS[THEIRS].colour, linewidth=1.4, linestyle=(0, (5, 1.5)))
    axes.axvline(100 * paper.settled.value, color=LOOKS[OURS].colour, linewidth=0.8)
    left: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "ha": "right", "va": "center", "fontsize": 9}
    for place, label, gain in lines:
        default = place == 0
        colour = LOOKS[OURS].colour if default else INK
        weight = "bold" if default or gain is None else "normal"
        axes.text(-0.02, place, label, color=LOOKS[OURS].text if default else INK, fontweight=weight, **left)
        if gain is not None:
            ends = [100 * gain.low, 100 * gain.high]
            axes.plot(ends, [place, place], color=colour, linewidth=1.6, solid_capstyle="butt")
            axes.plot(100 * gain.value, place, "D" if default else "o", color=colour, markersize=5 if default else 4)
    _mark(axes, bottom)
    return figure


def _mark(axes: "Axes", bottom: float) -> None:
    axes.set_ylim(bottom + 0.6, -0.8)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("gain over SW-UCB in %")
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.annotate(
        f"published {percent(PUBLISHED_GAIN, 0)}",
        (100 * PUBLISHED_GAIN, -0.8),
        xytext=(0, 3),
        textcoords="offset points",
        ha="center",
        fontsize=9,
        fontweight="bold",
        color=LOOKS[THEIRS].text,
    )


class _Line(NamedTuple):
    """A row of the dot plot; without a gain it names a choice."""

    place: float
    label: str
    gain: Gain | None


def _lines(paper: Paper) -> list[_Line]:
    lines = [_Line(0.0, "default: published formulas", paper.settled)]
    title = ""
    for answer in paper.answers:
        if answer.choice.title != title:
            title = answer.choice.title
            lines.append(_Line(lines[-1].place + 1.4, title, None))
        lines.append(_Line(lines[-1].place + 1, answer.alternative.label, answer.gain))
    return lines
