"""The figures that learning is to reach where nobody knows the dynamics."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from roguewk.experiment.hostile.goals import Goal
from roguewk.experiment.unknown.unknown import LEARNED, LOGGED, Unknown
from roguewk.show.names import PLANNER

if TYPE_CHECKING:
    import pandas as pd

PAPER, AVERAGE, WORST, FROM_LOG = 0.97, 0.95, 0.90, 0.985  # of what the planner earns that knows


def _at_least(figure: str, value: float, goal: float) -> Goal:
    return Goal(figure, f"{value:.3f}", f"at least {goal:g}", value >= goal)


def _shares(unknown: Unknown, policy: str) -> "tuple[pd.Series[float], pd.Series[float]]":
    """By world: those of the paper, and random ones."""
    shares = unknown.shares[unknown.shares["policy"] == policy].set_index("world")["share"]
    return shares[shares.index.str.startswith("paper")], shares[shares.index.str.startswith("random")]


def goals(unknown: Unknown) -> Iterator[Goal]:
    """Every goal with its verdict."""
    shares = unknown.shares[unknown.shares["policy"] == LEARNED].set_index("world")["share"]
    paper = shares[shares.index.str.startswith("paper")]
    yield _at_least(f"worst share on the paper's world ({paper.idxmin()})", paper.min(), PAPER)
    random = shares[shares.index.str.startswith("random")]
    yield _at_least("average share on random worlds", random.mean(), AVERAGE)
    yield _at_least(f"worst share on random worlds ({random.idxmin()})", random.min(), WORST)
    paper, random = _shares(unknown, LOGGED)
    yield _at_least(f"from a log, worst share on the paper's world ({paper.idxmin()})", paper.min(), FROM_LOG)
    yield _at_least("from a log, average share on random worlds", random.mean(), FROM_LOG)
    misled = unknown.misled
    behind = misled[misled["share"] > misled["learned"]]
    figure = "mistakes about the dynamics with which the planner earns more than by learning"
    yield Goal(figure, f"{len(behind)} of {len(misled)}", "none", behind.empty)
    ahead = best_rivals(unknown)
    lost = ahead[ahead["share"] > 1.0]
    figure = "forms of worlds, with or without a budget, in which a policy without dynamics earns more on average"
    yield Goal(figure, f"{len(lost)} of {len(ahead)}", "none", lost.empty)


def best_rivals(unknown: Unknown) -> "pd.DataFrame":
    """Of each form, with a budget and without, the policy that models no dynamics and earns most on average."""
    others = unknown.odd[unknown.odd["policy"] != PLANNER]
    grouped = others.groupby(["form", "budget", "policy"], sort=False)["share"].agg(["mean", "max"]).reset_index()
    best = grouped.loc[grouped.groupby(["form", "budget"], sort=False)["mean"].idxmax()]
    return best.rename(columns={"mean": "share", "max": "most"})
