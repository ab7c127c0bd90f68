"""The figures that the judged policy is to reach, and whether it does."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.experiment.quality.quality import JUDGED_BUDGETS, MODES, Quality
from roguewk.show.names import OURS

if TYPE_CHECKING:
    import pandas as pd

PAPER_GOALS = {True: 0.97, False: 0.96}  # idle rounds allowed? -> share of the bound
AVERAGE_GOAL, WORST_GOAL = 0.975, 0.95  # of the bound, over random worlds
RIVAL, RIVAL_GOAL = OURS, 1.0  # never below it


class Verdict(NamedTuple):
    """A figure, its standard error (nan where unknown) and its goal.

    >>> print(Verdict("paper, idle, budget 50", 0.9743, 0.001, "of the bound", 0.97))
    paper, idle, budget 50: 0.9743 ± 0.0010 of the bound (goal 0.97) reached
    """

    figure: str
    value: float
    error: float
    unit: str
    goal: float

    @property
    def reached(self) -> bool:
        """Whether the value itself is at the goal, whatever its error."""
        return self.value >= self.goal

    def __str__(self) -> str:
        end = "reached" if self.reached else "NOT REACHED"
        return f"{self.figure}: {with_error(self.value, self.error)} {self.unit} (goal {self.goal:g}) {end}"


class Spread(NamedTuple):
    """The shares of one policy over the random worlds of one family."""

    average: float
    error: float  # the luck's only: the worlds are what they are
    worst: float
    worst_error: float
    worst_world: int
    missed: int  # worlds below the goal for the worst


def with_error(value: float, error: float) -> str:
    """Four digits, and the error if it is known."""
    return f"{value:.4f}" + (f" ± {error:.4f}" if math.isfinite(error) else "")


def verdicts(quality: Quality) -> tuple[Verdict, ...]:
    """Every figure for the judged policy."""
    return (*_on_paper(quality), *_against_rival(quality), *_on_worlds(quality))


def spread(worlds: "pd.DataFrame") -> Spread:
    """Average and worst over these rows, which are of one policy and one family."""
    errors = worlds["standard_error"].to_numpy()
    worst: Any = worlds.iloc[int(worlds["fraction"].argmin())]
    return Spread(
        float(worlds["fraction"].mean()),
        float(np.sqrt((errors**2).sum()) / len(errors)),
        float(worst["fraction"]),
        float(worst["standard_error"]),
        int(worst["world"]),
        int((worlds["fraction"] < WORST_GOAL).sum()),
    )


def _on_paper(quality: Quality) -> Iterator[Verdict]:
    rows = quality.paper[quality.paper["policy"] == quality.judged].set_index(["idle", "budget"])
    for idle, goal in PAPER_GOALS.items():
        for budget in JUDGED_BUDGETS:
            row: Any = rows.loc[(idle, budget)]
            name = f"paper, {MODES[idle]}, budget {budget}"
            yield Verdict(name, float(row["fraction"]), float(row["standard_error"]), "of the bound", goal)


def _against_rival(quality: Quality) -> Iterator[Verdict]:
    """The smallest ratio over all budgets, if the rival has played."""
    if RIVAL not in quality.policies[1:]:
        return
    earned = quality.paper.pivot(index=["idle", "budget"], columns="policy", values="expected_reward")
    ratios = (earned[quality.judged] / earned[RIVAL]).dropna()
    for idle, mode in MODES.items():
        ratio = ratios.loc[idle]
        name = f"paper, {mode}, worst budget {ratio.idxmin()}"
        yield Verdict(name, float(ratio.min()), math.nan, f"times {RIVAL}", RIVAL_GOAL)


def _on_worlds(quality: Quality) -> Iterator[Verdict]:
    worlds = quality.worlds
    found = spread(worlds[(worlds["policy"] == quality.judged) & (worlds["kind"] == "plain")])
    name = f"{quality.settings.worlds} random worlds"
    yield Verdict(name, found.average, found.error, "on average", AVERAGE_GOAL)
    yield Verdict(name, found.worst, found.worst_error, f"on the worst, {found.worst_world}", WORST_GOAL)
