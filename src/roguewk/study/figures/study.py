"""Figures of a study fit for a paper: PNG, SVG and PDF, the same bytes from the same numbers."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.show.style import SETTINGS, Look, saved
from roguewk.study.figures.heat_map import FilledMap, heat_map_figure
from roguewk.study.figures.lines import lines_figure
from roguewk.study.figures.panels import MOST_PANELS, Statistic, left_out, plain
from roguewk.study.figures.pictures import distribution_figure, single_run_figure, spending_figure
from roguewk.study.figures.rows import rows_figure
from roguewk.study.results import Results
from roguewk.study.views.axes import begins_with_rows, plan_views, world_names
from roguewk.study.views.colours import policy_looks, ranked
from roguewk.study.views.comparisons import single_worlds
from roguewk.study.views.heat_maps import HeatMap, Layout, pairs_of, plan_layouts
from roguewk.study.views.measures import EFFECT, REWARD, bound_words, idle_rewards, limits, measures
from roguewk.study.views.rounds import Recorded, recorded, spread_evenly
from roguewk.study.views.scales import sizes, worlds_apart
from roguewk.study.views.spread import rewards_by_pair

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 300  # what publishers ask for at the width at which a figure is printed


def study_figures(results: Results) -> dict[str, bytes]:
    """The figures that the study names, by file name, in the kinds it names; those without numbers are left out."""
    import matplotlib
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    plot = results.study.plot
    with matplotlib.rc_context(SETTINGS | {"figure.dpi": DPI}), warnings.catch_warnings():
        # A name in letters that the font lacks is boxes in the PNG only; a figure without room is nobody's to mend.
        warnings.filterwarnings("ignore", "Glyph|constrained_layout not applied")
        looks = policy_looks(results)
        drawn = (*_statistics(results, looks), *_worlds(results, looks))
        figures = {name: figure for name, figure in drawn if name in plot.figures}
        for figure in figures.values():
            # Once, not anew for every kind: a figure that owned this engine would be drawn twice whenever it is saved.
            ConstrainedLayoutEngine().execute(figure)
        return saved({name: figures[name] for name in plot.figures if name in figures}, plot.kinds, DPI)


def _statistics(results: Results, looks: dict[str, Look]) -> "Iterator[tuple[str, Figure]]":
    study = results.study
    views, names = plan_views(study), world_names(study)
    view = None if begins_with_rows(study, views) else views[0]
    found = {}
    for measure in measures(study):
        found[measure.name] = Statistic(
            results.summary,
            *measure.medians,
            f"{measure.title.lower()}: median and quartiles",
            bounds=limits(results, measure),
            idle=idle_rewards(study) if measure == REWARD else {},
            zero=measure == EFFECT,
        )
    compared = single_worlds(results)
    if len(compared):
        label = f"difference from {plain(study.baseline)}: mean and 95 % interval"
        note = "filled marks: decided; hollow: not decided"
        found["differences"] = Statistic(
            compared, "difference", "low", "high", label, zero=True, verdict="verdict", note=note
        )
    apart = worlds_apart(results)
    for name, what in found.items():
        if name in study.plot.figures:
            sized = _renamed(what._replace(sizes=sizes(results, name), apart=apart[name]), names)
            worlds = list(names.values())
            yield name, lines_figure(sized, view, worlds, looks) if view else rows_figure(sized, worlds, looks)


def _worlds(results: Results, looks: dict[str, Look]) -> "Iterator[tuple[str, Figure]]":
    study = results.study
    wanted, labels, names = study.plot.figures, list(looks), world_names(study)
    if "distribution" in wanted and (rewards := rewards_by_pair(results)):
        yield "distribution", distribution_figure(rewards, list(names.values()), looks)
    if "heat_map" in wanted and plan_layouts(study):
        yield "heat_map", _heat_map(results)
    if not {"spending", "single_run"} & set(wanted):
        return
    shown = [replace(each, world=replace(each.world, label=names[each.world.label])) for each in recorded(results)]
    with_resources = [each for each in shown if each.world.world.problem.resources]
    if "spending" in wanted and with_resources:
        yield "spending", spending_figure(_middle(with_resources), looks)
    if "single_run" in wanted and shown:
        policy = min(_middle(shown).traces)
        yield "single_run", single_run_figure(_middle(shown), policy, labels[policy])


def _renamed(what: Statistic, names: Mapping[str, str]) -> Statistic:
    """With worlds as people call them."""
    frame = what.frame.assign(world=what.frame["world"].map(names))
    bounds, idle, sizes = (
        {names[label]: value for label, value in each.items()} for each in (what.bounds, what.idle, what.sizes)
    )
    return what._replace(frame=frame, bounds=bounds, idle=idle, sizes=sizes)


def _middle(worlds: list[Recorded]) -> Recorded:
    return worlds[(len(worlds) - 1) // 2]


def _heat_map(results: Results) -> "Figure":
    """Two numbers that the study sweeps, if there are, in as many maps as there is room for; else everything."""
    study = results.study
    layouts = plan_layouts(study)
    chosen = {layout: _telling(layout, results) for layout in layouts if layout.swept}
    layout = max(chosen, key=lambda each: sum(len(pairs_of(grid)) for grid in chosen[each]), default=layouts[0])
    grids = chosen.get(layout, list(layout.grids))
    share = bool(results.summary["share"].notna().any())
    values = [_cells(grid, "share" if share else "reward", results) for grid in grids]
    apart = not share and worlds_apart(results)["reward"]
    within = ("map" if layout.swept else "column") if apart else ""
    title = f"per cent of {bound_words(study)}" if share else "mean reward"
    words = f"{title}: {layout.label}" if layout.swept else title
    maps = [FilledMap(grid, each) for grid, each in zip(grids, values, strict=True)]
    return heat_map_figure(maps, words, share, within, [left_out(len(grids), len(layout.grids), "maps")])


def _telling(layout: Layout, results: Results) -> list[HeatMap]:
    """As many maps as there is room for: of the baseline and the policies that earn most, else spread evenly."""
    study, grids = results.study, list(layout.grids)
    policies = [{p for _, p in pairs_of(grid)} for grid in grids]
    if len(grids) > MOST_PANELS and all(len(own) == 1 for own in policies):
        labels = [each.label for each in study.policies]
        best = [labels.index(label) for label in ranked(results)]
        kept: set[int] = set()
        for p in best:
            more = kept | {i for i, own in enumerate(policies) if own == {p}}
            if len(more) > MOST_PANELS:
                break
            kept = more
        if kept:
            return [grids[i] for i in sorted(kept)]
    return [grids[i] for i in spread_evenly(len(grids), MOST_PANELS)]


def _cells(grid: HeatMap, column: str, results: Results) -> Vector:
    """(row, column) the number of the pair in each cell."""
    worlds, policies = ([each.label for each in several] for several in (results.study.worlds, results.study.policies))
    known = {(row["world"], row["policy"]): row[column] for row in results.summary.to_dict("records")}
    return np.array(
        [
            [known.get((worlds[pair[0]], policies[pair[1]]), np.nan) if pair else np.nan for pair in row]
            for row in grid.cells
        ]
    )
