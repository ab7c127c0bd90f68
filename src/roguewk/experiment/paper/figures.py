"""The paper's figures and the dot plot of the open choices."""

from typing import TYPE_CHECKING, Any, NamedTuple

from roguewk.experiment.paper.experiment import PUBLISHED_GAIN, Paper
from roguewk.experiment.paper.measures import Gain, quartiles
from roguewk.show.names import NAIVE, OURS, THEIRS
from roguewk.show.style import GREY, INK, LOOKS, RULE, SETTINGS, WIDTH, line_style, name_lines, saved
from roguewk.show.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = {  # file name -> column, axis label
    "cumulative_reward": ("reward", "cumulative reward"),
    "reward_per_play": ("per_play", "reward per play"),
    "total_plays": ("plays", "total plays"),
}
BOUNDS: dict[str, tuple[str, str, Any]] = {  # column -> name, colour, line
    "bound": ("bound", INK, "solid"),
    "bound_with_idle": ("bound with idle", GREY, (0, (1, 1.5))),
}


def paper_figures(paper: Paper) -> dict[str, bytes]:
    """Every picture by file name, as SVG and PNG."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        figures = {name: _panel(paper, *panel) for name, panel in PANELS.items()} | {"choices": _choices(paper)}
        return saved(figures) | saved({"overview": _overview(paper)}, ["png"])


def _panel(paper: Paper, column: str, label: str) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 3.2), layout="constrained")
    _draw(figure.add_subplot(), paper, column, label)
    return figure


def _overview(paper: Paper) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.6, 3.6), layout="constrained")
    for axes, (column, label) in zip(figure.subplots(1, 3), PANELS.values(), strict=True):
        _draw(axes, paper, column, label)
    return figure


def _draw(axes: "Axes", paper: Paper, column: str, label: str) -> None:
    runs = paper.runs
    table = quartiles(runs.assign(per_play=runs["reward"] / runs["plays"].clip(lower=1)), column)
    ends = {}
    for policy in (OURS, THEIRS, NAIVE):
        look, rows = LOOKS[policy], table.loc[policy]
        budgets = rows.index.to_numpy()
        axes.fill_between(budgets, rows["low"], rows["high"], color=look.colour, alpha=0.2, linewidth=0)
        axes.plot(budgets, rows["median"], **line_style(look, 4))
        ends[look.name] = float(rows["median"].iloc[-1]), look.text
    if column == "reward":
        for bound, (name, colour, line) in BOUNDS.items():
            values = paper.bounds[bound]
            axes.plot(paper.bounds["budget"], values, color=colour, linestyle=line, linewidth=1.2, zorder=1.5)
            ends[name] = float(values.iloc[-1]), colour
    axes.set_xlabel("budget of each resource")
    axes.set_ylabel(label)
    axes.set_xlim(0, 305)
    axes.margins(y=0.03)
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    name_lines(axes, ends)


def _choices(paper: Paper) -> "Figure":
    """A dot and an interval for each alternative, under the name of its choice."""
    from matplotlib.figure import Figure

    lines = _lines(paper)
    bottom = lines[-1].place
    figure = Figure(figsize=(WIDTH, 0.7 + 0.185 * bottom), layout="constrained")
    axes = figure.add_subplot()
    axes.axvline(100 * PUBLISHED_GAIN, color=LOOKS[THEIRS].colour, linewidth=1.4, linestyle=(0, (5, 1.5)))
    axes.axvline(100 * paper.gain.value, color=LOOKS[OURS].colour, linewidth=0.8)
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
    axes.grid(axis="x", color=RULE, linewidth=0.6)
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
    lines = [_Line(0.0, "default: published formulas", paper.gain)]
    title = ""
    for answer in paper.answers:
        if answer.choice.title != title:
            title = answer.choice.title
            lines.append(_Line(lines[-1].place + 1.4, title, None))
        lines.append(_Line(lines[-1].place + 1, answer.alternative.label, answer.gain))
    return lines
