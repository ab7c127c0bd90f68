"""What the paper says about its experiment, held against the runs."""

from typing import TYPE_CHECKING, NamedTuple

from roguewk.experiment.paper.measures import Gain, interval, quartiles
from roguewk.show.names import NAIVE, OURS, THEIRS
from roguewk.show.words import percent

if TYPE_CHECKING:
    import pandas as pd


class Claim(NamedTuple):
    """A claim of the paper, whether these runs bear it out, and the numbers."""

    claim: str
    holds: bool
    finding: str


def find_claims(runs: "pd.DataFrame", gain: Gain, published: float) -> tuple[Claim, ...]:
    """Every claim of the experiment's section that numbers can judge; "at a budget" compares medians."""
    runs = runs.assign(per_play=runs["reward"] / runs["plays"].clip(lower=1))
    reward, plays, per_play = (_medians(runs, column) for column in ("reward", "plays", "per_play"))
    rival = reward[[THEIRS, NAIVE]].max(axis=1)
    most, tied = int((reward[OURS] > rival).sum()), int((reward[OURS] == rival).sum())
    budgets = len(reward)
    ours, theirs = (int((reward[policy] > reward[NAIVE]).sum()) for policy in (OURS, THEIRS))
    fewer = int((plays[OURS] < plays[THEIRS]).sum())
    better = int((per_play[OURS] > per_play[THEIRS]).sum())
    ratio = float((plays[OURS] / plays[THEIRS]).mean() - 1)
    inside = bool(gain.low <= published <= gain.high)
    return (
        Claim(
            "ROGUEwK-UCB earns the most reward at every budget.",
            most == budgets,
            f"Largest median reward at {most} of {budgets} budgets" + (f", tied at {tied}." if tied else "."),
        ),
        Claim(
            "Both algorithms that know of budgets earn more than UCB1.",
            ours == theirs == budgets,
            f"ROGUEwK-UCB at {ours} of {budgets} budgets, SW-UCB at {theirs}.",
        ),
        Claim(
            "ROGUEwK-UCB plays fewer rounds than SW-UCB before a budget is spent.",
            fewer == budgets,
            f"At {fewer} of {budgets} budgets; {percent(abs(ratio))} {'fewer' if ratio < 0 else 'more'} on average.",
        ),
        Claim(
            "ROGUEwK-UCB picks arms that pay more per play than SW-UCB's.",
            better == budgets,
            f"Larger median reward per play at {better} of {budgets} budgets.",
        ),
        Claim(
            f"ROGUEwK-UCB gains on average {percent(published, 0)} over SW-UCB.",
            inside,
            f"{percent(gain.value)} here ({interval(gain)}).",
        ),
    )


def _medians(runs: "pd.DataFrame", column: str) -> "pd.DataFrame":
    """Budgets down, policies across."""
    return quartiles(runs, column)["median"].unstack("policy")
