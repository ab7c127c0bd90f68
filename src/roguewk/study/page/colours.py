"""The looks of a study's policies, the same in every figure, and their colours on a light and on a dark page."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from roguewk.show.style import PALE, Look, looks_for
from roguewk.study.page.views import Line
from roguewk.study.plan.model import Study

if TYPE_CHECKING:
    import pandas as pd

DARK = "#212325"  # what figures stand on when the page is dark
LEAST = 4.5


def policy_looks(study: Study, summary: "pd.DataFrame") -> dict[str, Look]:
    """A look for each policy; of too many to be told apart, the baseline and those that earn most have their own."""
    return looks_for([each.label for each in study.policies], ranked(study, summary))


def ranked(study: Study, summary: "pd.DataFrame") -> list[str]:
    """The policies, the baseline first, then by their mean rank within worlds, which no large world outweighs."""
    ranks = summary.groupby("world", sort=False)["reward"].rank(pct=True)
    means = ranks.groupby(summary["policy"]).mean().fillna(-1.0).to_dict()  # last, those that always failed
    labels = [each.label for each in study.policies]
    return sorted(labels, key=lambda label: (label != study.baseline, -means.get(label, -1.0)))


def leader(line: Line, looks: Sequence[Look]) -> int:
    """The policy whose look a line along a parameter has: the first of its own that is not pale."""
    return next((p for p in line.policies if looks[p] is not PALE), line.policies[0])


def contrast(one: str, other: str) -> float:
    """How well two colours are told apart, from 1 to 21, as in the guidelines for accessible web pages.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lightened(colour: str) -> str:
    """The colour, mixed with as much white as a dark page needs."""
    mixed = _channels(colour)
    while contrast(_hex(mixed), DARK) < LEAST:
        mixed = [channel + 0.06 * (255 - channel) for channel in mixed]
    return _hex(mixed)


def colour_rules(looks: Iterable[Look]) -> str:
    """Style rules that give each policy its colour, as --p0, --p1, ..."""
    each = list(looks)
    light = "".join(f"--p{i}:{look.colour};" for i, look in enumerate(each))
    dark = "".join(f"--p{i}:{lightened(look.colour)};" for i, look in enumerate(each))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def _channels(colour: str) -> list[float]:
    return [float(int(colour[i : i + 2], 16)) for i in (1, 3, 5)]


def _hex(channels: Iterable[float]) -> str:
    return "#" + "".join(f"{min(255, round(each)):02x}" for each in channels)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
