"""What the report of a study is made of: axes, curves, histograms, settings, and figures for papers."""

import dataclasses
import itertools
import json
import os
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.markers import MarkerStyle
from matplotlib.text import Text

from roguewk.problem.errors import InputError
from roguewk.show.style import LOOKS, OTHERS, PALE, looks_for, saved
from roguewk.study.figures.study import DPI, study_figures
from roguewk.study.plan.model import FIGURES
from roguewk.study.plan.read import load_study
from roguewk.study.report.embed import page_data
from roguewk.study.report.page import study_page
from roguewk.study.report.palette import DARK, lightened
from roguewk.study.study import changed, run_study
from roguewk.study.views.axes import begins_with_rows, plan_views
from roguewk.study.views.colours import contrast, policy_looks
from roguewk.study.views.findings import findings
from roguewk.study.views.games import LETTERS, LEVELS, games_data
from roguewk.study.views.rounds import recorded, spending_data
from roguewk.study.views.spread import bin_edges, rewards_by_pair
from tests.study.page_frames import PARAMETER, SMALL, drawn, invented, planned


def test_the_swept_number_lies_along_the_axis_and_other_settings_make_groups() -> None:
    study = planned(SMALL.replace("horizon = 50", "horizon = [50, 60, 70]"))
    horizon, budget = plan_views(study)
    assert (horizon.key, budget.key) == ("horizon", "budget")
    assert [group.label for group in budget.groups] == ["horizon 50", "horizon 60", "horizon 70"]
    assert (
        [study.worlds[i].settings["budget"] for i in budget.groups[1].worlds]
        == [5, 10]
        == list(budget.groups[1].values)
    )
    assert {study.worlds[i].settings["horizon"] for i in budget.groups[1].worlds} == {60}
    chosen = planned(SMALL.replace("horizon = 50", "horizon = [50, 60, 70]") + '[plot]\nx = "budget"\n')
    assert plan_views(chosen)[0].key == "budget"


def test_worlds_of_several_names_are_groups_and_without_a_number_there_is_no_axis() -> None:
    two = planned(SMALL + '[[world]]\nworld = "one_resource"\nbudget = [3, 4]\n')
    assert [group.label for group in plan_views(two)[0].groups] == [
        "world paper, horizon 50",
        "world one_resource, horizon 1000",
    ]
    assert plan_views(planned(SMALL.replace("[5, 10]", "5"))) == []
    assert plan_views(planned(SMALL.replace("budget = [5, 10]", "idle = [true, false]"))) == []


def test_a_world_has_its_own_budget_along_the_axis_where_the_study_sets_none() -> None:
    own = planned(SMALL + '[[world]]\nworld = "one_resource"\n')
    (view,) = plan_views(own)
    budget = own.worlds[2].world.problem.resources[0].budget
    assert view.groups[1].values == (budget,)
    assert view.note == ""
    other = planned(SMALL + '[[world]]\nworld = "mobile_health"\n')
    assert len({each.budget for each in other.worlds[2].world.problem.resources}) > 1
    (view,) = plan_views(other)
    assert len(view.groups) == 1
    assert view.note == "not shown: 1 world for which the study does not set budget"


def test_a_swept_parameter_of_policies_can_lie_along_the_axis() -> None:
    first, w1, w2 = plan_views(planned(PARAMETER))
    assert (first.key, w1.key, w2.key) == ("budget", "w1", "w2")
    assert w1.note == "not shown: 1 policy for which the study does not set w1"
    study = planned(PARAMETER + '[plot]\nx = "w1"\n')
    view = plan_views(study)[0]
    assert (view.key, [line.label for line in view.lines]) == ("w1", ["sw-ucb, w2 5", "sw-ucb, w2 6"])
    for line, second in zip(view.lines, (5, 6), strict=True):
        settings = [study.policies[j].settings for j in line.policies]
        assert settings == [{"w1": value, "w2": second} for value in (10, 20, 30)]
        assert line.values == (10, 20, 30)
    alone = planned(PARAMETER.replace("[5, 10]", "5"))
    assert [view.key for view in plan_views(alone)] == ["w1", "w2"]
    assert begins_with_rows(alone, plan_views(alone))
    with pytest.raises(InputError, match=r"x of \[plot\]"):
        planned(PARAMETER + '[plot]\nx = "w3"\n')


def test_lines_along_a_parameter_are_the_medians_of_its_policies() -> None:
    study = planned(PARAMETER + '[plot]\nx = "w1"\n')
    data = invented(study)
    figure = drawn(data)["reward"]
    medians = data.summary.set_index(["world", "policy"])["median"]
    assert [axes.get_title(loc="left") for axes in figure.axes] == [each.label for each in study.worlds]
    for axes, world in zip(figure.axes, study.worlds, strict=True):
        lines = {line.get_label(): line for line in axes.get_lines()}
        for second in (5, 6):
            line = lines[f"sw-ucb, w2 {second}"]
            assert line.get_xdata().tolist() == [10, 20, 30]
            labels = [f"sw-ucb w1={first} w2={second}" for first in (10, 20, 30)]
            assert line.get_ydata().tolist() == [medians[world.label, label] for label in labels]
        assert len(set(lines["certified bound"].get_ydata().tolist())) == 1


@pytest.mark.parametrize(("values", "log"), [("[1, 10, 100]", True), ("[10, 20]", False)])
def test_numbers_far_apart_lie_on_a_logarithmic_axis(values: str, log: bool) -> None:
    assert plan_views(planned(SMALL.replace("[5, 10]", values)))[0].log is log


def test_spending_is_the_mean_share_of_the_budget_before_each_step() -> None:
    played = invented(planned(SMALL), traced=3)
    own = recorded(played)[1]
    steps, resource = own.steps, played.study.worlds[1].world.problem.resources[2]
    frame = played.traces[own.world.label, "sw-ucb"]
    frame[f"cost_{resource.name}"] = np.random.default_rng(1).random(len(frame))
    for step, value in zip(steps, own.spending(1, 2), strict=True):
        spent = [
            sum(cost for t, cost in zip(each["round"], each[f"cost_{resource.name}"], strict=True) if t < step)
            for _, each in frame.groupby("replicate")
        ]
        assert value == pytest.approx(np.mean(spent) / resource.budget)
    assert steps[0] == 0
    assert steps[-1] == 50
    frame[f"cost_{resource.name}"] /= 1e6
    tiny = spending_data([own])[0]["curves"]["1"][2]
    assert tiny == pytest.approx(own.spending(1, 2), rel=1e-5)
    assert len(set(tiny)) > 40  # no staircase


def test_single_runs_can_be_read_back() -> None:
    played = invented(planned(SMALL))
    game = games_data(recorded(played))[0]
    places = {letter: i for i, letter in enumerate(LETTERS)}

    def unpacked(text: str) -> list[int]:
        return [64 * places[a] + places[b] for a, b in zip(text[::2], text[1::2], strict=True)]

    frame = played.traces[played.study.worlds[0].label, "sw-ucb"]
    rows, run = frame[frame["replicate"] == 1], game["runs"]["1"][1]
    assert [each - 1 for each in unpacked(run["arms"])] == rows["arm"].tolist()
    assert run["reward"] == rows["reward"].sum()
    for a, (low, high, text) in enumerate(run["states"]):
        states = low + (high - low) * np.array(unpacked(text)) / LEVELS
        assert states == pytest.approx(rows[f"state_{game['arms'][a]}"].to_numpy(), abs=(high - low) / LEVELS)


def test_a_histogram_holds_every_run_that_did_not_fail() -> None:
    played = invented(planned(SMALL), failures=True)
    data: Any = page_data(played)
    for world in data["spread"]:
        counts = {policy: sum(each["counts"]) for policy, each in world["policies"].items()}
        assert counts == {"0": 29, "1": 30}
    runs = played.runs.to_pandas()
    for (w, p), rewards in rewards_by_pair(played).items():
        labels = played.study.worlds[w].label, played.study.policies[p].label
        own = runs[(runs["world"] == labels[0]) & (runs["policy"] == labels[1])]["reward"].dropna()
        assert rewards.tolist() == own.tolist()


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (3.0, 40.0), (0.1, 0.7), (0.0, 1e6)])
def test_bins_hold_both_extremes(low: float, high: float) -> None:
    edges = bin_edges(low, high, 1000)
    assert edges[0] <= low <= high <= edges[-1]
    assert np.histogram([low, high], edges)[0].sum() == 2
    assert len(edges) <= 26


def test_the_first_sentence_names_who_earned_most_and_by_how_much() -> None:
    played = invented(planned(SMALL))
    summary, comparisons = played.summary, played.comparisons
    first, second, third = findings(played)
    share = summary[summary["policy"] == "sw-ucb"]["share"].mean()
    row = comparisons[comparisons["world"] == "all worlds"].iloc[0]
    assert f"sw-ucb earned most: {share:.1%} of the certified bound".replace("%", " %") in first
    assert f"{100 * row['difference']:.3g} points more than ucb1" in first
    assert f"95 % interval {100 * row['low']:.3g} to {100 * row['high']:.3g}" in first.replace("\N{MINUS SIGN}", "-")
    assert set(comparisons["verdict"]) == {"undecided"}
    assert second == "None of 2 comparisons with ucb1 within a world is decided."
    clear = comparisons.assign(verdict=["more", "less", "more"])
    told = findings(played.but(comparisons=clear))[1]
    assert told.startswith("Of 2 comparisons with ucb1 within a world, 2 are decided")
    assert told.endswith(": 1 earned more, 1 less.")
    assert third == "No run failed."
    half = dataclasses.replace(played, study=changed(played.study, 60, None))
    unfinished, best, *_ = findings(half)
    assert unfinished == "The study is not finished: 120 of 240 runs are there."
    assert best.startswith(
        "On average over the 2 worlds and 30 replicates that all policies finished, sw-ucb earned most"
    )


def test_the_page_says_all_that_is_needed_to_repeat_the_study() -> None:
    page = study_page(invented(planned(SMALL))).decode()
    shown = re.sub(r"<[^>]*>", " ", page).replace("&quot;", '"').replace("&#x27;", "'")
    assert SMALL.strip() in shown
    for name in ("roguewk study small.toml", "numpy", "numba", "pyarrow", "Python", "seed", "radius_scale"):
        assert name in shown
    assert "rounds of 5 replicates" in shown
    other = study_page(invented(changed(planned(SMALL), 7, 8))).decode()
    assert "rounds of 4 replicates" in study_page(invented(changed(planned(SMALL), 4, None))).decode()
    assert "<code>roguewk study small.toml --replicates 7 --seed 8</code>" in other
    assert "<code>roguewk study paper</code>" in study_page(invented(load_study("paper"), traced=0)).decode()


def test_a_large_study_makes_a_page_below_three_megabytes() -> None:
    source = SMALL.replace("replicates = 30", "replicates = 1000").replace("horizon = 50", "horizon = 1000")
    budgets = ", ".join(str(10 * i) for i in range(1, 31))
    study = planned(
        source.replace("[5, 10]", f"[{budgets}]") + '[[policy]]\npolicy = "sw-ucb"\nw1 = [1,2,3,4,5,6,7,8]\n'
    )
    assert (len(study.worlds), len(study.policies)) == (30, 10)
    played = invented(study, traced=5)
    data = page_data(played)
    assert len(json.dumps(data["games"])) < 1_000_000
    assert len(data["games"]) == 6
    assert len(study_page(played)) < 3_000_000


def test_figures_are_the_same_bytes_each_time_and_carry_their_fonts() -> None:
    study = planned(SMALL + '[plot]\nfigures = ["reward", "heat_map"]\nkinds = ["pdf", "svg", "png"]\n')
    data = invented(study)
    files = study_figures(data)
    assert set(files) == {f"{name}.{kind}" for name in ("reward", "heat_map") for kind in ("png", "svg", "pdf")}
    assert files == study_figures(data)
    pdf = files["reward.pdf"]
    parts = b"".join(_inflated(each) for each in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL))
    assert b"CreationDate" not in pdf + parts
    assert b"FontFile2" in pdf + parts  # TrueType, inside
    assert b"/Type3" not in pdf + parts
    assert files["reward.png"].startswith(b"\x89PNG")
    assert b"dc:date" not in files["reward.svg"]


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


@pytest.mark.parametrize(
    "source",
    [
        SMALL,
        SMALL.replace("[5, 10]", "5"),
        SMALL.replace("horizon = 50", "horizon = [50, 60]"),
        SMALL.replace('"paper"', '["two_dimensional", "gaussian"]').replace("budget = [5, 10]", ""),
        SMALL.replace('"paper"', '"paper"\nlabel = "$x_1$ <b> 世界"'),
    ],
)
def test_every_figure_is_drawn_for_every_kind_of_study(source: str) -> None:
    files = study_figures(invented(planned(source + '[plot]\nkinds = ["svg"]\n')))
    assert list(files) == [f"{name}.svg" for name in FIGURES]
    assert {name: file.count(b"<text") > 3 for name, file in files.items()} == dict.fromkeys(files, True)


def test_figures_without_numbers_are_left_out() -> None:
    source = SMALL.replace('["ucb1", "sw-ucb"]', '"ucb1"') + '[plot]\nkinds = ["svg"]\n'
    files = study_figures(invented(planned(source), traced=0))
    assert set(files) == {f"{name}.svg" for name in set(FIGURES) - {"differences", "spending", "single_run"}}


def test_lines_in_a_figure_are_the_medians() -> None:
    data = invented(planned(SMALL))
    kept = drawn(data)
    lines = {line.get_label(): line for line in kept["reward"].axes[0].get_lines()}
    for policy in ("ucb1", "sw-ucb"):
        rows = data.summary[data.summary["policy"] == policy]
        assert lines[policy].get_xdata().tolist() == [5, 10]
        assert lines[policy].get_ydata().tolist() == rows["median"].tolist()
    assert lines["certified bound"].get_ydata().tolist() == [60, 80]
    cells = [text.get_text() for text in kept["heat_map"].axes[0].texts]
    shares = data.summary.set_index(["policy", "world"])["share"]
    assert cells == [f"{100 * shares[p, w]:.0f}" for p in ("ucb1", "sw-ucb") for w in data.summary["world"].unique()]


LONG = "a name of more than eighty letters, such as some people give to whatever they have got"
CROWDS = {
    "50 policies, 1 world": SMALL.replace("[5, 10]", "5")
    + f'[[policy]]\npolicy = "sw-ucb"\nw1 = {list(range(2, 50))}\n',
    "50 policies, 8 worlds": SMALL.replace("[5, 10]", str(list(range(5, 13))))
    + f'[[policy]]\npolicy = "sw-ucb"\nw1 = {list(range(2, 50))}\n',
    "a parameter": PARAMETER + '[plot]\nx = "w1"\n',
    "200 worlds": SMALL.replace("[5, 10]", str(list(range(5, 205)))) + '[plot]\nx = "horizon"\n',
    "long names": SMALL.replace("horizon = 50", f'label = "{LONG}"\nhorizon = [50, 60]')
    + f'[[policy]]\npolicy = "sw-ucb"\nlabel = "{LONG}"\nw1 = [1, 2]\n'
    + '[plot]\nx = "budget"\n',
    "long names in rows": SMALL.replace("[5, 10]", f'5\nlabel = "{LONG}"').replace('["ucb1", "sw-ucb"]', '"ucb1"')
    + f'label = "{LONG}"\n[[policy]]\npolicy = "sw-ucb"\nlabel = "{LONG}"\nw1 = [1, 2]\n',
}


def _outside(axes: Any) -> list[Any]:
    """Labels of ticks that are not drawn: those beyond the limits, and all in a panel that is not shown."""
    if not axes.get_visible():
        return list(axes.findobj(Text))
    found = []
    for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim()))):
        ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        found += [label for tick in ticks if not low <= tick.get_loc() <= high for label in (tick.label1, tick.label2)]
    return found


@pytest.mark.parametrize("name", CROWDS)
def test_nothing_in_a_figure_is_cut_off_or_squeezed_however_much_there_is(name: str) -> None:
    study = planned(CROWDS[name].replace("replicates = 30", "replicates = 3"))
    for which, figure in drawn(invented(study, traced=1)).items():
        canvas: Any = FigureCanvasAgg(figure)
        renderer = canvas.get_renderer()
        figure.draw(renderer)  # legends find their places only then
        width, height = figure.bbox.width, figure.bbox.height
        unseen = {label for axes in figure.axes for label in _outside(axes)}
        for text in figure.findobj(Text):
            if text.get_visible() and text.get_text().strip() and text not in unseen:
                box = text.get_window_extent(renderer)
                assert box.x0 >= -1, (which, text)
                assert box.x1 <= width + 1, (which, text)
                assert box.y0 >= -1, (which, text)
                assert box.y1 <= height + 1, (which, text)
        for axes in figure.axes:
            if axes.get_visible():
                assert min(axes.bbox.width, axes.bbox.height) > 0.25 * figure.dpi, which
        for legend in figure.legends:
            below = legend.get_window_extent(renderer).y1
            assert all(below <= axes.get_tightbbox(renderer).y0 for axes in figure.axes), which
            inner = legend.get_window_extent(renderer)
            assert not any(inner.overlaps(text.get_window_extent(renderer)) for text in figure.texts), which


def test_of_many_policies_lines_tell_apart_the_baseline_and_those_that_earn_most() -> None:
    few = '[plot]\nfigures = ["reward"]\n'
    data = invented(planned(CROWDS["50 policies, 8 worlds"] + few), traced=0)
    figure = drawn(data)["reward"]
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    ranks = data.summary.groupby("world")["reward"].rank(pct=True).groupby(data.summary["policy"]).mean()
    best = ranks.drop(["ucb1", "sw-ucb"]).nlargest(10).index
    assert set(names) == {"ucb1", "sw-ucb", *best, "certified bound", "38 others"}
    assert len(figure.axes[0].get_lines()) == 51


@pytest.mark.parametrize("name", ["50 policies, 8 worlds", "a parameter"])
def test_a_policy_looks_the_same_in_the_page_and_in_figures(name: str) -> None:
    figures = '[plot]\nfigures = ["reward"]\n' if "[plot]" not in CROWDS[name] else 'figures = ["reward"]\n'
    study = planned(CROWDS[name].replace("replicates = 30", "replicates = 3") + figures)
    data = invented(study, traced=0)
    looks = policy_looks(data)
    page = page_data(data)
    style = study_page(data).decode()
    for i, (label, look) in enumerate(looks.items()):
        own = page["policies"][i]
        assert (own["label"], own["marker"], own["pale"]) == (label, look.marker, look is PALE)
        assert f"--p{i}:{look.colour};" in style
    lines = {line.get_label(): line for line in drawn(data)["reward"].axes[0].get_lines()}
    if own_lines := page["views"][0]["lines"]:
        shown = {each["label"]: list(looks.values())[each["leader"]] for each in own_lines}
        assert all(page["policies"][each["leader"]]["label"] in looks for each in own_lines)
    else:
        shown = {label: look for label, look in looks.items() if look is not PALE}
        assert len({look.colour for look in shown.values()}) == len(shown) == 12
    for label, look in shown.items():
        assert (lines[label].get_color(), lines[label].get_marker()) == (look.colour, look.marker)


def test_figures_say_what_is_drawn_and_have_300_dots_per_inch() -> None:
    data = invented(planned(SMALL + '[plot]\nfigures = ["reward", "differences"]\nkinds = ["png"]\n'))
    figures = drawn(data)
    label = figures["reward"].axes[0].get_ylabel().replace("\n", " ")
    assert label == "reward: median and quartiles"
    assert (
        figures["differences"].axes[0].get_ylabel().replace("\n", " ") == "difference from ucb1: mean and 95 % interval"
    )
    picture = saved(figures, ["png"], DPI)["reward.png"]
    width, _, dots = *struct.unpack(">II", picture[16:24]), picture[picture.index(b"pHYs") + 4 :]
    assert width == pytest.approx(300 * figures["reward"].get_figwidth(), abs=1)
    assert struct.unpack(">I", dots[:4])[0] >= 300 / 0.0254 - 1


def test_policies_differ_in_colour_line_and_marker() -> None:
    looks = [*LOOKS.values(), *OTHERS]
    assert len(OTHERS) >= 10
    for field in ("colour", "line", "marker"):
        assert len({str(getattr(look, field)) for look in looks}) == len(looks)
    assert all(MarkerStyle(look.marker).is_filled() for look in looks)  # a hollow one is told from a filled one
    many = looks_for([f"policy {i}" for i in range(60)]).values()
    assert len({(look.colour, look.line, look.marker) for look in many}) == 60
    for look in looks:
        assert contrast(look.text, "#ffffff") >= 4.5
        assert contrast(lightened(look.colour), DARK) >= 4.5


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)


@pytest.mark.parametrize("eye", [DEUTERANOPIA, PROTANOPIA])
def test_the_main_policies_differ_to_colour_blind_eyes(eye: Any) -> None:
    colours = np.array([[int(look.colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for look in LOOKS.values()])
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ eye.T, 0, 1) ** (1 / 2.2)
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(one - other) > 0.1


def test_results_of_a_real_study_make_a_page_and_figures(tmp_path: Path) -> None:
    study = planned(SMALL + '[plot]\nkinds = ["svg"]\n')
    results = run_study(study, tmp_path / "out", engine="threads", workers=1)
    page = study_page(results)
    assert page.startswith(b"<!doctype html>")
    assert len(page_data(results)["games"]) == 2
    assert list(study_figures(results)) == [f"{name}.svg" for name in FIGURES]


def test_figures_that_a_study_no_longer_asks_for_are_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "figures"
    few = '[plot]\nfigures = ["reward", "differences"]\nkinds = ["svg", "png"]\n'

    def written(source: str) -> set[str]:
        run_study(planned(source), tmp_path / "out", engine="threads", workers=1).write()
        return {path.name for path in folder.iterdir()}

    both = {f"{name}.{kind}" for name in ("reward", "differences") for kind in ("svg", "png")}
    small = SMALL.replace("replicates = 30", "replicates = 3")
    assert written(small + few) == both
    own = {"reward-of-mine.png", "notes.txt", "reward.png.bak", ".hidden", ".other.svg.12.tmp"}
    for name in (*own, ".reward.svg.4242.tmp"):
        (folder / name).write_text("mine")
    os.utime(folder / ".reward.svg.4242.tmp", (0, 0))  # of a process that was killed long ago
    (folder / "plays.png").mkdir()
    one = small.replace('["ucb1", "sw-ucb"]', '"ucb1"') + few.replace('"svg", ', "")
    assert written(one) == {"reward.png", "plays.png", *own}
    assert all((folder / name).read_text() == "mine" for name in own)
