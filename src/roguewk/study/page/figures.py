"""Figures of a study fit for a paper: PNG, SVG and PDF, the same bytes from the same numbers."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from roguewk.problem.arms import Vector
from roguewk.study.page.findings import single_worlds
from roguewk.study.page.panels import Statistic, statistic_figure
from roguewk.study.page.pictures import distribution_figure, heat_map_figure, single_run_figure, spending_figure
from roguewk.study.page.rounds import Recorded, recorded
from roguewk.study.page.spread import rewards_by_pair
from roguewk.study.page.views import Grid, plan_grids, plan_views
from roguewk.study.results import Results
from roguewk.study.style import SETTINGS, looks_for, saved

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

COLUMNS = {  # figure -> median, quartiles, label
    "reward": ("median", "lower_quartile", "upper_quartile", "reward"),
    "reward_per_play": ("per_play_median", "per_play_lower", "per_play_upper", "reward per play"),
    "plays": ("plays_median", "plays_lower", "plays_upper", "plays"),
}


def study_figures(results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> dict[str, bytes]:
    """The figures that the study names, by file name, in the kinds it names; those without numbers are left out."""
    import matplotlib

    plot = results.study.plot
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name in letters that the font lacks is boxes in the PNG only
        figures = {**dict(_statistics(results, summary, comparisons)), **dict(_worlds(results, summary))}
        chosen = {name: figures[name] for name in plot.figures if name in figures}
        for figure in chosen.values():
            figure.draw_without_rendering()
            figure.set_layout_engine("none")  # laid out once, not anew for every kind
        return saved(chosen, plot.kinds)


def _statistics(
    results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame"
) -> "Iterator[tuple[str, Figure]]":
    study = results.study
    wanted, views, worlds = study.plot.figures, plan_views(study), [each.label for each in study.worlds]
    looks = looks_for([each.label for each in study.policies])
    bounds = dict(zip(results.bounds["world"], results.bounds["bound"], strict=True))
    found = {}
    for name, columns in COLUMNS.items():
        found[name] = Statistic(summary, *columns, bounds=bounds if name == "reward" else {})
    compared = single_worlds(comparisons, study)
    if len(compared):
        label = f"difference from {study.baseline}"
        found["differences"] = Statistic(compared, "difference", "low", "high", label, zero=True, verdict="verdict")
    for name, what in found.items():
        if name in wanted:
            yield name, statistic_figure(what, views, worlds, looks)


def _worlds(results: Results, summary: "pd.DataFrame") -> "Iterator[tuple[str, Figure]]":
    study = results.study
    wanted, labels = study.plot.figures, [each.label for each in study.policies]
    looks = looks_for(labels)
    if "distribution" in wanted and (rewards := rewards_by_pair(results)):
        yield "distribution", distribution_figure(rewards, [each.label for each in study.worlds], looks)
    if "heat_map" in wanted:
        grid = plan_grids(study)[0]
        share = summary["share"].notna().any()
        unit, scale = ("per cent of the certified bound", 100.0) if share else ("mean reward", 1.0)
        values = _cells(grid, summary, "share" if share else "reward", results)
        yield "heat_map", heat_map_figure(grid, values, unit, scale)
    if not {"spending", "single_run"} & set(wanted):
        return
    shown = recorded(results)
    with_resources = [each for each in shown if each.world.world.problem.resources]
    if "spending" in wanted and with_resources:
        yield "spending", spending_figure(_middle(with_resources), looks)
    if "single_run" in wanted and shown:
        policy = min(_middle(shown).traces)
        yield "single_run", single_run_figure(_middle(shown), policy, labels[policy])


def _middle(worlds: list[Recorded]) -> Recorded:
    return worlds[(len(worlds) - 1) // 2]


def _cells(grid: Grid, summary: "pd.DataFrame", column: str, results: Results) -> Vector:
    """(row, column) the mean over the pairs in each cell."""
    study = results.study
    known = {(row["world"], row["policy"]): row[column] for row in summary.to_dict("records")}
    value = {
        (w, p): known.get((world.label, policy.label), np.nan)
        for w, world in enumerate(study.worlds)
        for p, policy in enumerate(study.policies)
    }
    return np.array([[np.mean([value[pair] for pair in pairs] or [np.nan]) for pairs in row] for row in grid.cells])
