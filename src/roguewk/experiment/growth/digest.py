"""The growth of regret as text for a terminal."""

import math
from collections.abc import Mapping
from typing import Any

from roguewk.experiment.growth.growth import Exponent, Growth
from roguewk.show.terminal import in_parts, show, show_table
from roguewk.show.words import percent
from roguewk.study.stats.resample import COVERAGE


def show_growth(world: str, growth: Growth) -> None:
    """Regret at every horizon, then the fitted exponents."""
    problem = growth.world.problem
    rounds = "idle rounds allowed" if problem.idle else "every round plays"
    show(f"{world}: regret against the bound, ± standard error ({rounds}, seed {growth.seed})")
    for part in in_parts([each.policy for each in growth.exponents]):
        cells = {(row["horizon"], row["policy"]): _regret(row) for row in growth.table.to_dict("records")}
        bounds = growth.table.groupby("horizon")["bound"].first()
        rows = [
            [f"{horizon:,}", f"{bounds[horizon]:,.0f}", *(cells[horizon, each] for each in part)]
            for horizon in growth.horizons
        ]
        show_table(("horizon", "bound", *part), rows, numbers=range(2 + len(part)))
    show("Exponents of T fitted to the regret, over all horizons and over the last decade, and the share of the bound:")
    last = growth.table[growth.table["horizon"] == growth.horizons[-1]].set_index("policy")["fraction"]
    fits = [[each.policy, *_fit(each), percent(float(last[each.policy]))] for each in growth.exponents]
    fits.append([growth.theorem.policy, f"{growth.theorem.value:.3f}", "", *_fit(growth.theorem)[2:], ""])
    head = ("policy", "exponent", f"{percent(COVERAGE, 0)} interval", "last decade", f"T = {growth.horizons[-1]:,}")
    show_table(head, fits, numbers=range(1, 5))


def _regret(row: Mapping[Any, Any]) -> str:
    error = row["standard_error"]
    return f"{row['regret_upper']:,.1f}" + (f" ± {error:,.1f}" if math.isfinite(error) else "")


def _fit(exponent: Exponent) -> tuple[str, str, str]:
    value, late = (f"{each:.3f}" if math.isfinite(each) else "unknown" for each in (exponent.value, exponent.late))
    if not math.isfinite(exponent.low):
        return value, "unknown", late
    return f"{value} ± {exponent.error:.3f}", f"{exponent.low:.3f} to {exponent.high:.3f}", late
