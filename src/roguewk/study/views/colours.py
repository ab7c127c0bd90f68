"""The looks of a study's policies, the same in every figure, and how well colours are told apart."""

from collections.abc import Sequence

from roguewk.show.style import PALE, Look, looks_for
from roguewk.study.results import Results
from roguewk.study.views.axes import Line


def policy_looks(results: Results) -> dict[str, Look]:
    """A look for each policy; of too many to be told apart, the baseline and those that earn most have their own."""
    return looks_for([each.label for each in results.study.policies], ranked(results))


def ranked(results: Results) -> list[str]:
    """The policies, the baseline first, then by their mean rank within worlds, which no large world outweighs."""
    study, summary = results.study, results.summary
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


def channels(colour: str) -> list[float]:
    """Red, green and blue, from 0 to 255."""
    return [float(int(colour[i : i + 2], 16)) for i in (1, 3, 5)]


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
