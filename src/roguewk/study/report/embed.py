"""The data of the page: statistics, curves and quantiles."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from roguewk.show.numbers import short
from roguewk.show.page.palette import look_data
from roguewk.show.style import Look
from roguewk.study.plan.model import Study
from roguewk.study.results import Results
from roguewk.study.stats.compare import SHARE
from roguewk.study.views.axes import View, begins_with_rows, plan_views, world_names
from roguewk.study.views.colours import leader, policy_looks
from roguewk.study.views.comparisons import overall, single_worlds
from roguewk.study.views.games import games_data
from roguewk.study.views.heat_maps import Layout, plan_layouts
from roguewk.study.views.measures import REWARD, Measure, bound_words, idle_rewards, limits, measures
from roguewk.study.views.rounds import recorded, spending_data
from roguewk.study.views.scales import worlds_apart
from roguewk.study.views.spread import rewards_by_pair, spread_data
from roguewk.study.views.words import in_words

if TYPE_CHECKING:
    import pandas as pd

IN_POINTS = ("difference", "low", "high", "detectable")
COMPARED = ("difference", "low", "high", "relative", "p_adjusted", "detectable", "pairs")
DIGITS = 9  # of statistics: policies may differ by little in a world of large rewards
SHADES = 32  # of the heat map's colours


def page_data(results: Results) -> dict[str, Any]:
    """Everything that the figures show."""
    study, shown = results.study, recorded(results)
    views = plan_views(study)
    looks = policy_looks(results)
    return {
        "baseline": study.baseline,
        "replicates": study.replicates,
        "policies": [look_data(label, look) for label, look in looks.items()],
        "worlds": list(world_names(study).values()),
        "views": [_view(view, list(looks.values())) for view in views],
        "rows": begins_with_rows(study, views),
        "apart": worlds_apart(results),
        "layouts": [_layout(each, len(study.policies)) for each in plan_layouts(study)],
        "shades": _shades(),
        "measures": [_measure(each, results) for each in measures(study)],
        "bound_words": bound_words(study),
        "idle": _by_world(idle_rewards(study), study),
        "summary": _by_pair(results.summary, _columns(study), study),
        "differences": _compared(single_worlds(results), study),
        "overall": _overall(overall(results)),
        "spending": spending_data(shown),
        "games": games_data(shown),
        "spread": spread_data(results, rewards_by_pair(results)),
        "traces": study.record.traces,
    }


def _view(view: View, looks: Sequence[Look]) -> dict[str, Any]:
    lines = [{**line._asdict(), "leader": leader(line, looks)} for line in view.lines]
    groups = [each._asdict() for each in view.groups]
    return view._asdict() | {"whole": view.whole, "key": in_words(view.key), "groups": groups, "lines": lines}


def _layout(layout: Layout, policies: int) -> dict[str, Any]:
    grids = [
        grid._asdict() | {"cells": [[pair and pair[0] * policies + pair[1] for pair in row] for row in grid.cells]}
        for grid in layout.grids
    ]
    return {"label": layout.label, "by_world": layout.by_world, "grids": grids}


def _shades() -> list[str]:
    import matplotlib
    from matplotlib.colors import to_hex

    colours = matplotlib.colormaps["cividis"].resampled(SHADES)
    return [to_hex(colours(i)) for i in range(SHADES)]


def _columns(study: Study) -> list[str]:
    """The columns of the summary that figures show."""
    shown = (name for each in measures(study) for name in (*each.means, *each.medians))
    return ["runs", "failed", *shown, "share"]


def _measure(measure: Measure, results: Results) -> dict[str, Any]:
    """A figure of statistics; `bound` and `idle` are by world what is drawn beside them."""
    study = results.study
    idle = idle_rewards(study) if measure == REWARD else {}
    limited = _by_world(limits(results, measure), study)
    return measure._asdict() | {"bound": limited, "idle": _by_world(idle, study)}


def _by_world(numbers: Mapping[str, float], study: Study) -> list[Any]:
    return [short(numbers.get(each.label), DIGITS) for each in study.worlds]


def _by_pair(frame: "pd.DataFrame", columns: Sequence[str], study: Study) -> dict[str, list[Any]]:
    """Columns as lists over worlds and, within them, policies; None where a pair has no row."""
    import pandas

    pairs = pandas.MultiIndex.from_product([[w.label for w in study.worlds], [p.label for p in study.policies]])
    rows = frame.set_index(["world", "policy"]).reindex(pairs)
    return {name: [short(value, DIGITS) for value in rows[name].astype(float)] for name in columns}


def _compared(frame: "pd.DataFrame", study: Study) -> dict[str, list[Any]]:
    verdicts = {(row["world"], row["policy"]): row["verdict"] for row in frame.to_dict("records")}
    pairs = [(w.label, p.label) for w in study.worlds for p in study.policies]
    return {**_by_pair(frame, COMPARED, study), "verdict": [verdicts.get(pair) for pair in pairs]}


def _overall(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Differences of shares in percentage points, as people read them."""
    rows = []
    for row in frame.to_dict("records"):
        points = row["measure"] == SHARE
        numbers = {name: row[name] * (100 if points and name in IN_POINTS else 1) for name in COMPARED}
        rows.append({"policy": row["policy"], "verdict": row["verdict"], "points": points})
        rows[-1] |= {name: short(value, DIGITS) for name, value in numbers.items()}
    return rows
