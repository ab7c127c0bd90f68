"""The looks of a study's policies, the same in every figure."""

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
