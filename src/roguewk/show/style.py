"""How pictures look: small enough to be read on a phone, in Okabe and Ito's colours, and one of Tol's.

Every policy also has its own line and marker; what no policy can beat is black.
"""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from roguewk.show.names import CLAIRVOYANT, NAIVE, OURS, PLANNER, THEIRS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.0  # inches; a phone shows it nearly at full size
INK, GREY, RULE = "#222222", "#6b6b6b", "#e6e6e6"
SETTINGS: dict[Any, Any] = {
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
    "pdf.fonttype": 42,  # TrueType, inside the file: what publishers ask for
}
UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


class Look(NamedTuple):
    """How a policy is drawn."""

    name: str
    colour: str
    text: str  # the colour, dark enough for letters on white
    line: Any
    marker: Any  # one that can be filled: hollow means something


HOURGLASS = ((-1, 1), (1, 1), (-1, -1), (1, -1), (-1, 1))
BOW_TIE = ((-1, 1), (-1, -1), (1, 1), (1, -1), (-1, 1))
LOOKS = {
    OURS: Look("ROGUEwK-UCB", "#0072B2", "#00609a", "solid", "o"),
    THEIRS: Look("SW-UCB", "#D55E00", "#b04d00", (0, (5, 1.5)), "s"),
    NAIVE: Look("UCB1", "#009E73", "#007354", (0, (1.5, 1.5)), "^"),
    PLANNER: Look("roguewk-plan", "#CC79A7", "#9c4577", (0, (6, 1.5, 1.5, 1.5)), "D"),
    CLAIRVOYANT: Look("clairvoyant", GREY, "#555555", (0, (2, 1, 4, 1)), ">"),
}
OTHERS = (
    Look("", "#882255", "#882255", (0, (8, 2)), "<"),
    Look("", "#E69F00", "#8f6300", (0, (4, 1, 1, 1, 1, 1)), "v"),
    Look("", "#56B4E9", "#20719f", (0, (3, 2)), "P"),
    Look("", "#332288", "#332288", (0, (10, 2, 2, 2)), "X"),
    Look("", "#999933", "#6b6b1f", (0, (1, 3)), "*"),
    Look("", "#44AA99", "#23766a", (0, (6, 3)), "p"),
    Look("", "#7F4F24", "#7F4F24", (0, (3, 1, 1, 1)), "h"),
    Look("", "#CC6677", "#a83c50", (0, (8, 1, 1, 1, 1, 1)), "d"),
    Look("", "#117733", "#117733", (0, (2, 3)), HOURGLASS),
    Look("", "#9F8FD8", "#6350b0", (0, (12, 3)), BOW_TIE),
)
PALE = Look("", "#949494", GREY, "solid", "o")  # of one among many


def looks_for(policies: Sequence[str], best: Sequence[str] = ()) -> dict[str, Look]:
    """A look for each policy, its own if it has one; further ones are told apart as long as colours last.

    After that, colours come again with other lines and markers; or, if it is said which are `best`, best first, these
    are told apart and the others are pale.

    >>> [look.name for look in looks_for(["ucb1", "sw-ucb w1=30"]).values()]
    ['UCB1', 'sw-ucb w1=30']
    """
    strangers = [policy for policy in policies if policy not in LOOKS]
    if best:
        named = [policy for policy in best if policy in strangers][: len(OTHERS)]
        strangers = [policy for policy in strangers if policy in named]
    own = {policy: _other(i)._replace(name=policy) for i, policy in enumerate(strangers)}
    return {policy: LOOKS.get(policy) or own.get(policy, PALE) for policy in policies}


def _other(place: int) -> Look:
    number = len(OTHERS)
    shape = OTHERS[(place + place // number) % number]
    return OTHERS[place % number]._replace(line=shape.line, marker=shape.marker)


def line_style(look: Look, every: int) -> dict[str, Any]:
    """The line of a policy, with a marker at every so many points."""
    marks = {"marker": look.marker, "markevery": every, "markersize": 4.5}
    return {"color": look.colour, "linestyle": look.line, "linewidth": 1.8, **marks}


def saved(figures: Mapping[str, "Figure"], kinds: Sequence[str] = ("svg", "png"), dpi: float = 160) -> dict[str, bytes]:
    """The pictures by file name; a PNG has so many dots per inch."""
    import matplotlib

    files = {}
    for name, figure in figures.items():
        for kind in kinds:
            buffer = io.BytesIO()
            # Names inside an SVG are hashes of its content and this salt: the same in every run, other in each picture.
            with matplotlib.rc_context({"svg.hashsalt": name}):
                figure.savefig(buffer, format=kind, dpi=dpi, metadata=UNDATED.get(kind))
            files[f"{name}.{kind}"] = buffer.getvalue()
            # The layout stays as in the first picture: finding it takes as long as drawing.
            figure.set_layout_engine("none")
    return files


def name_lines(
    axes: "Axes",
    ends: Mapping[str, tuple[float, str]],
    least: float = 0.07,
    within: bool = False,
    weight: str = "bold",
) -> None:
    """Write the name of each line, in its colour, to the right of the axes at the height of its end.

    Names are `least` apart, as a part of the axes' height; `within` keeps them beside the axes.
    """
    axes.get_xlim(), axes.get_ylim()  # settles the limits, which are worked out only when someone asks
    heights = axes.transData.transform([(1, place) for place, _ in ends.values()])[:, 1]
    places = axes.transAxes.inverted().transform([(0, height) for height in heights])[:, 1]
    apart = _apart(dict(zip(ends, places.tolist(), strict=True)), least, within)
    for name, place in apart.items():
        axes.annotate(
            name,
            (1, place),
            xycoords="axes fraction",
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            color=ends[name][1],
            fontsize=9,
            fontweight=weight,
            annotation_clip=False,
        )


def _apart(places: dict[str, float], least: float, within: bool) -> dict[str, float]:
    """The same heights, moved as little as keeps labels `least` apart, and `within` 0 and 1 where there is room."""
    order = sorted(places, key=lambda key: places[key])
    heights = [places[key] for key in order]
    for _ in range(100):
        for i in range(len(heights) - 1):
            lack = least - (heights[i + 1] - heights[i])
            if lack > 0:
                heights[i] -= lack / 2
                heights[i + 1] += lack / 2
        if within:
            heights = [min(max(height, 0.0), 1.0) for height in heights]
    return dict(zip(order, heights, strict=True))
