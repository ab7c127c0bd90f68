"""The comparison as text for a terminal."""

import math

from roguewk.experiment.compare.compare import Comparison
from roguewk.show.terminal import show, show_table


def show_comparison(comparison: Comparison) -> None:
    """Each policy's average share of the bound, its best and its worst world where there are several."""
    table, several = comparison.shares(), len(comparison.worlds) > 1
    rows = []
    for policy in table.index:
        shares = {name: float(share) for name, share in table.loc[policy].items() if not math.isnan(share)}
        if not shares:
            rows.append([str(policy), *(["", "", "fits none of them"] if several else ["does not fit"])])
            continue
        ends = (max(shares, key=lambda name: shares[name]), min(shares, key=lambda name: shares[name]))
        told_ends = [f"{name} {100 * shares[name]:.0f} %" for name in ends]
        average = f"{100 * sum(shares.values()) / len(shares):.1f}"
        rows.append([str(policy), average, *(told_ends if several else [])])
    head = ["policy", "average %", "best on", "worst on"] if several else ["policy", "% of the bound"]
    show_table(head, rows, numbers=(1,))
    if several and table.isna().any(axis=None):
        show("Averages are over the worlds that a policy fits; compare.csv says why it does not fit the others.")
