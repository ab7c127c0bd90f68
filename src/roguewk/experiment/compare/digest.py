"""The comparison as text for a terminal."""

import math

from roguewk.experiment.compare.compare import Comparison
from roguewk.show.terminal import show, show_table


def show_comparison(comparison: Comparison) -> None:
    """Each policy's average share of the bound, its best and its worst world."""
    table = comparison.shares()
    rows = []
    for policy in table.index:
        shares = {name: float(share) for name, share in table.loc[policy].items() if not math.isnan(share)}
        if not shares:
            rows.append([str(policy), "", "", "fits none of them"])
            continue
        ends = (max(shares, key=lambda name: shares[name]), min(shares, key=lambda name: shares[name]))
        told_ends = [f"{name} {100 * shares[name]:.0f} %" for name in ends]
        rows.append([str(policy), f"{100 * sum(shares.values()) / len(shares):.1f}", *told_ends])
    show_table(["policy", "average %", "best on", "worst on"], rows, numbers=(1,))
    if table.isna().any(axis=None):
        show("Averages are over the worlds that a policy fits; compare.csv says why it does not fit the others.")
