"""A study as text for a terminal."""

import math
from collections.abc import Mapping
from typing import Any

from roguewk.show.terminal import show, show_table
from roguewk.show.words import count, percent
from roguewk.study.plan.model import ALL_WORLDS
from roguewk.study.results import Results
from roguewk.study.stats.compare import SHARE


def show_study(results: Results) -> None:
    """For every policy its average over worlds, and how it compares with the baseline."""
    study, summary = results.study, results.summary
    groups = summary.groupby("policy", sort=False)
    lost, played = groups["failed"].sum(), groups["reward"].count()
    measured = [*(["effect"] if study.has_effects else []), "reward"]
    averages = groups[[*measured, "share"]].mean().to_dict("index")
    many = len(study.worlds) > 1
    uneven = bool((played < len(study.worlds)).any()) and many
    table = results.comparisons
    judged = (table[table["world"] == ALL_WORLDS] if many else table).set_index("policy").to_dict("index")
    in_shares = any(row["measure"] == SHARE for row in judged.values())
    rows = []
    for policy in (each.label for each in study.policies if each.label in averages):
        against = ["baseline", ""] if policy == study.baseline else ["", ""]
        if policy in judged:
            against = [_difference(judged[policy]), str(judged[policy]["verdict"])]
        # Rewards of several worlds may be in unlike units; shares are not.
        numbers = [] if in_shares else [_known(averages[policy][name]) for name in measured]
        row = [policy, *numbers, percent(averages[policy]["share"])]
        row += against
        rows.append([*row, *([str(played[policy])] if uneven else []), *([str(lost[policy])] if lost.any() else [])])
    over = "the worlds that a policy played" if uneven else count(len(study.worlds), "world")
    where = f", averages over {over}" if many else ""
    what = "Shares of the bound" if in_shares else "Rewards"
    unit = ", in percentage points," if in_shares else ""
    certain = ", with 95 % intervals" if any(math.isfinite(row["low"]) for row in judged.values()) else ""
    show(f"{what}{where}; differences from {study.baseline!r}{unit} under the same luck{certain}:")
    head = ["policy", *([] if in_shares else measured), "of bound", "difference", "verdict"]
    head += [*(["worlds"] if uneven else []), *(["failed"] if lost.any() else [])]
    show_table(head, rows, numbers=[i for i, name in enumerate(head) if name not in ("policy", "verdict")])


def _known(value: float, sign: str = "") -> str:
    return f"{value:{sign},.1f}" if math.isfinite(value) else "unknown"


def _difference(row: Mapping[Any, Any]) -> str:
    scale = 100 if row["measure"] == SHARE else 1
    found = _known(scale * row["difference"], "+")
    if not math.isfinite(row["low"]):
        return found
    return f"{found} ({_known(scale * row['low'], '+')} to {_known(scale * row['high'], '+')})"
