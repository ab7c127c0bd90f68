"""Figures for a paper."""

import re
import struct
import tomllib
import zlib
from dataclasses import replace
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from roguewk.show.style import saved
from roguewk.study.figures.study import DPI, study_figures
from roguewk.study.plan.model import FIGURES, PlannedWorld
from roguewk.world.plain import world_from_data
from tests.study.figures.drawing import CROWDS
from tests.study.invented import SMALL, drawn, invented, planned

OF_REWARDS = [name for name in FIGURES if "effect" not in name]


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
    study = planned(source + '[plot]\nkinds = ["svg"]\n')
    files = study_figures(invented(study))
    alone = len(study.worlds) == 1
    assert list(files) == [f"{name}.svg" for name in OF_REWARDS if not alone or name != "heat_map"]
    assert {name: file.count(b"<text") > 3 for name, file in files.items()} == dict.fromkeys(files, True)


def test_figures_without_numbers_are_left_out() -> None:
    source = SMALL.replace('["ucb1", "sw-ucb"]', '"ucb1"') + '[plot]\nkinds = ["svg"]\n'
    files = study_figures(invented(planned(source), traced=0))
    assert set(files) == {f"{name}.svg" for name in set(OF_REWARDS) - {"differences", "spending", "single_run"}}


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


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_every_column_of_panels_of_spending_has_rounds_below(number: int) -> None:
    arms = "".join(
        f'[[arm]]\nname = "{name}"\nrested = 0.6\nwear = 0.5\nhalf_life = 2\ncosts = {[0.1] * number}\n'
        for name in "ab"
    )
    stock = "".join(f'[[resource]]\nname = "r{j}"\nbudget = 3\n' for j in range(number))
    world = world_from_data(tomllib.loads(f"horizon = 50\n{stock}{arms}"))
    study = planned(SMALL + '[plot]\nfigures = ["spending"]\n')
    study = replace(study, worlds=(PlannedWorld("many", {}, world),))
    (figure,) = drawn(invented(study)).values()
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(shown) == number
    lowest = {axes.get_subplotspec().colspan.start: axes for axes in shown}  # the last of each column
    for axes in lowest.values():
        assert any(label.get_visible() and label.get_text() for label in axes.get_xticklabels())
