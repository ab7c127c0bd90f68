"""The figures that the judged policy is to reach in a suite of worlds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from roguewk.experiment.hostile.hostile import Hostile
from roguewk.policy.registry import all_recipes

if TYPE_CHECKING:
    import pandas as pd

POINT = 0.01  # of the bound: what another policy may be ahead
SURELY = 2.0  # standard errors


class Goal(NamedTuple):
    """A figure, what it should be, and whether it is.

    >>> print(Goal("average share of the bound", "0.9512", "at least 0.94", True))
    average share of the bound: 0.9512 (goal: at least 0.94) reached
    """

    figure: str
    value: str
    goal: str
    reached: bool

    def __str__(self) -> str:
        end = "reached" if self.reached else "NOT REACHED"
        return f"{self.figure}: {self.value} (goal: {self.goal}) {end}"


def goals(hostile: Hostile) -> Iterator[Goal]:
    """Every goal with its verdict."""
    shares, judged, suite = hostile.shares, hostile.judged, hostile.settings.chosen
    own = shares[shares["policy"] == judged]["share"]
    wanted = {"average": (own.mean(), suite.average_goal), "worst": (own.min(), suite.worst_goal)}
    for what, (share, goal) in wanted.items():
        if goal is not None:
            yield Goal(f"{what} share of the bound of {judged}", f"{share:.4f}", f"at least {goal}", share >= goal)
    ahead = beaten(shares[shares["policy"].isin(learning(hostile))])
    worlds = shares.groupby(["family", "world"]).ngroups
    figure = f"worlds in which another learning policy is more than a point ahead of {judged}"
    yield Goal(figure, f"{len(ahead)} of {worlds}", "none", ahead.empty)


def learning(hostile: Hostile) -> tuple[str, ...]:
    """The other policies that are not told the truth."""
    return tuple(label for label in hostile.policies[1:] if not _knows_truth(label))


def _knows_truth(label: str) -> bool:
    recipes = all_recipes()
    name = label.split()[0]
    return name in recipes and recipes[name].knows_truth


def beaten(others: "pd.DataFrame") -> "pd.DataFrame":
    """The worlds in which one of these is surely more than a point ahead, with the one that is most."""
    errors = others["gap_error"].fillna(np.inf)
    surely = others[others["gap"] + SURELY * errors < -POINT]
    return surely.sort_values("gap").drop_duplicates(["family", "world"])
