"""The comparison as text for a terminal."""

import math

from roguewk.experiment.compare.compare import Comparison
from roguewk.show.terminal import show, show_table


def show_comparison(comparison: Comparison) -> None:
    """Each policy's average share of the bound, its best and its worst world where there are several."""
    table, several = comparison.shares(), len(comparison.worlds) > 1
    errors = comparison.frame.pivot(index="policy", columns="world", values="standard_error")
    rows = []
    for policy in table.index:
        shares = {name: float(share) for name, share in table.loc[policy].items() if not math.isnan(share)}
        if not shares:
            rows.append([str(policy), *(["", "", "fits none of them"] if several else ["does not fit"])])
            continue
        ends = (max(shares, key=lambda name: shares[name]), min(shares, key=lambda name: shares[name]))
        told_ends = [f"{name}\n{in_per_cent(shares[name], errors.loc[policy, name])} %" for name in ends]
        rows.append([str(policy), in_per_cent(*comparison.average(str(policy))), *(told_ends if several else [])])
    head = ["policy", "average %", "best on", "worst on"] if several else ["policy", "% of the bound"]
    show_table(head, rows, numbers=(1,))
    if not errors.isna().all(axis=None):
        show("After ± stands the standard error.")
    if several and table.isna().any(axis=None):
        show("Averages are over the worlds that a policy fits; compare.csv says why it does not fit the others.")


def in_per_cent(share: float, error: float) -> str:
    """A share with its standard error, if there is one.

    >>> in_per_cent(0.8634, 0.0029), in_per_cent(0.5, math.nan)
    ('86.3 ± 0.3', '50.0')
    """
    return f"{100 * share:.1f}" + ("" if math.isnan(error) else f" ± {100 * error:.1f}")
