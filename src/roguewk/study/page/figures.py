"""Figures of a study fit for a paper: PNG, SVG and PDF, the same bytes from the same numbers."""

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from roguewk.problem.arms import Vector
from roguewk.show.style import PALE, SETTINGS, Look, looks_for, saved
from roguewk.study.page.findings import single_worlds
from roguewk.study.page.grids import Grid, plan_grids
from roguewk.study.page.lines import lines_figure
from roguewk.study.page.panels import Statistic, plain
from roguewk.study.page.pictures import distribution_figure, heat_map_figure, single_run_figure, spending_figure
from roguewk.study.page.rounds import Recorded, recorded
from roguewk.study.page.rows import rows_figure
from roguewk.study.page.spread import rewards_by_pair
from roguewk.study.page.views import begins_with_rows, plan_views
from roguewk.study.results import Results

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

COLUMNS = {  # figure -> median, quartiles, label
    "reward": ("median", "lower_quartile", "upper_quartile", "reward"),
    "reward_per_play": ("per_play_median", "per_play_lower", "per_play_upper", "reward per play"),
    "plays": ("plays_median", "plays_lower", "plays_upper", "plays"),
}
MOST_NAMED = 12  # policies that lines tell apart; the others are grey


def study_figures(results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> dict[str, bytes]:
    """The figures that the study names, by file name, in the kinds it names; those without numbers are left out."""
    import matplotlib
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    plot = results.study.plot
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        # A name in letters that the font lacks is boxes in the PNG only; a figure without room is nobody's to mend.
        warnings.filterwarnings("ignore", "Glyph|constrained_layout not applied")
        looks = _looks(results, summary)
        drawn = (*_statistics(results, summary, comparisons, looks), *_worlds(results, summary, looks))
        figures = {name: figure for name, figure in drawn if name in plot.figures}
        for figure in figures.values():
            # Once, not anew for every kind: a figure that owned this engine would be drawn twice whenever it is saved.
            ConstrainedLayoutEngine().execute(figure)
        return saved({name: figures[name] for name in plot.figures if name in figures}, plot.kinds)


def _looks(results: Results, summary: "pd.DataFrame") -> dict[str, Look]:
    """A look for each policy; of too many to be told apart, the baseline and those that earn most have their own."""
    labels, baseline = [each.label for each in results.study.policies], results.study.baseline
    if len(labels) <= MOST_NAMED:
        return looks_for(labels)
    best = (
        summary.groupby("policy", sort=False)["reward"].mean().drop(baseline, errors="ignore").nlargest(MOST_NAMED - 1)
    )
    own = looks_for([label for label in labels if label == baseline or label in best.index])
    return {label: own.get(label, PALE) for label in labels}


def _statistics(
    results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame", looks: dict[str, Look]
) -> "Iterator[tuple[str, Figure]]":
    study = results.study
    views, worlds = plan_views(study), [each.label for each in study.worlds]
    view = None if begins_with_rows(study, views) else views[0]
    bounds = dict(zip(results.bounds["world"], results.bounds["bound"], strict=True))
    found = {}
    for name, columns in COLUMNS.items():
        found[name] = Statistic(summary, *columns, bounds=bounds if name == "reward" else {})
    compared = single_worlds(comparisons, study)
    if len(compared):
        label = f"difference from {plain(study.baseline)}"
        found["differences"] = Statistic(compared, "difference", "low", "high", label, zero=True, verdict="verdict")
    for name, what in found.items():
        if name in study.plot.figures:
            yield name, lines_figure(what, view, worlds, looks) if view else rows_figure(what, worlds, looks)


def _worlds(results: Results, summary: "pd.DataFrame", looks: dict[str, Look]) -> "Iterator[tuple[str, Figure]]":
    study = results.study
    wanted, labels = study.plot.figures, list(looks)
    if "distribution" in wanted and (rewards := rewards_by_pair(results)):
        yield "distribution", distribution_figure(rewards, [each.label for each in study.worlds], looks)
    if "heat_map" in wanted:
        grid = plan_grids(study)[0]
        share = bool(summary["share"].notna().any())
        yield "heat_map", heat_map_figure(grid, _cells(grid, summary, "share" if share else "reward", results), share)
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
