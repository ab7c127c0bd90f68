"""The figures that fits of logs are to reach."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from roguewk.experiment.hostile.goals import Goal
from roguewk.experiment.recovered.recovered import Recovered
from roguewk.learn.verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd

OFF = {"half_life": 0.15, "wear": 0.14}  # of the truth, at the median
HELD = (0.93, 0.97)  # of the truths, by 95 % intervals
BIASED = 0.03  # of the truth, at the median
EVENLY, NONE_SEEN = 0.95, 0.90
EVEN = {Verdict.EVENLY, Verdict.IF_RESTED, Verdict.IF_RESTED_SOMEHOW, Verdict.NONE_IF_RESTED}
NONE = {Verdict.NONE_SEEN, Verdict.NONE_IF_RESTED}
NUMBERS = ("rested", "wear", "half_life")
DRAWN = ("sent by chance", "sent by what was seen")


def off(rows: "pd.DataFrame") -> float:
    """How far estimates are from the truth at the median, as a share of it; one that is open is nowhere near."""
    return float(np.median((rows["value"] / rows["truth"] - 1.0).abs().fillna(np.inf)))


def biased(rows: "pd.DataFrame") -> float:
    """By how much estimates are too large at the median, as a share of the truth."""
    return float(np.nanmedian(rows["value"] / rows["truth"]) - 1.0)


def said(rows: "pd.DataFrame", verdicts: set[Verdict]) -> float:
    """In which share of the arms one of these verdicts is given."""
    return float(rows.loc[rows["number"] == "wear", "verdict"].isin([each.name for each in verdicts]).mean())


def goals(recovered: Recovered) -> Iterator[Goal]:
    """Every goal with its verdict."""
    found = recovered.found
    for number, goal in OFF.items():
        share = off(found[(found["kind"] == "sent by chance") & (found["number"] == number)])
        figure = f"{number.replace('_', '-')} off by, at the median (sent by chance)"
        yield Goal(figure, f"{share:.1%}", f"at most {goal:.0%}", share <= goal)
    for kind in DRAWN:
        for number in NUMBERS:
            share = float(found.loc[(found["kind"] == kind) & (found["number"] == number), "held"].mean())
            figure = f"{number.replace('_', '-')} in its 95 % interval ({kind})"
            yield Goal(figure, f"{share:.1%}", f"{HELD[0]:.0%} to {HELD[1]:.0%}", HELD[0] <= share <= HELD[1])
    for number in NUMBERS:
        share = biased(found[(found["kind"] == "sent by what was seen") & (found["number"] == number)])
        figure = f"{number.replace('_', '-')} too large by, at the median (sent by what was seen)"
        yield Goal(figure, f"{share:+.1%}", f"within {BIASED:.0%} of 0", abs(share) <= BIASED)
    share = said(found[found["kind"] == "sent at even distances"], EVEN)
    yield Goal("even spacing is said to be", f"{share:.1%}", f"at least {EVENLY:.0%}", share >= EVENLY)
    share = said(found[found["kind"] == "no wear"], NONE)
    yield Goal("none seen where there is none", f"{share:.1%}", f"at least {NONE_SEEN:.0%}", share >= NONE_SEEN)
