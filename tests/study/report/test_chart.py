"""Charts in a real browser: what is drawn is what the frames say."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from roguewk.study.report.page import study_page
from tests.study.invented import SMALL, invented
from tests.study.report.browser import Browser
from tests.study.report.pages import STUDIES, choose, counted, focus, planned, spoken


@pytest.mark.parametrize("name", ["sweep", "ten policies"])
def test_every_line_mark_row_and_cell_of_a_sweep_is_drawn(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any], name: str
) -> None:
    browser.open(pages[name])
    study = played[name].study
    worlds, policies, problem = len(study.worlds), len(study.policies), study.worlds[0].world.problem
    assert counted(browser, "#earned figure") == 3
    assert counted(browser, "#earned figure .line") == 3 * policies
    assert counted(browser, "#earned figure .band") == 3 * policies
    assert counted(browser, "#earned figure .mark") == 3 * policies * worlds
    assert counted(browser, "#earned figure .bound") == 1
    assert counted(browser, "#differences figure:nth-of-type(1) .span") == policies - 1
    assert counted(browser, "#differences figure .line") == policies - 1
    assert counted(browser, "#spending figure .line") == policies * len(problem.resources)
    assert counted(browser, "#distribution .histogram") == policies
    assert counted(browser, "#heat td[data-value]") == worlds * policies
    assert counted(browser, "#game .state") == len(problem.arms)
    assert counted(browser, "#game .total") == 1
    assert counted(browser, "#summary tbody tr") == worlds * policies
    assert counted(browser, "#comparisons tbody tr") == (worlds + 1) * (policies - 1)
    empty = "[...document.querySelectorAll('figure svg path')].filter(p => !/L|a/.test(p.getAttribute('d'))).length"
    assert browser.run(empty) == 0


def test_worlds_without_a_common_number_are_rows_and_vector_states_are_two_lines(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any]
) -> None:
    browser.open(pages["worlds by name"])
    assert counted(browser, "#earned figure .line") == 0
    assert counted(browser, "#earned figure .mark") == 3 * 3 * 2
    assert counted(browser, "#earned figure .bound") == 3 * 2
    choose(browser, "#game select", 0)
    arms = played["worlds by name"].study.worlds[0].world.problem.arms
    assert counted(browser, "#game .state") == sum(arm.dimension for arm in arms) > len(arms)


PLACES = """[...document.querySelectorAll('{} svg[tabindex]')].map(svg => {{
  const box = (e) => {{ const b = e.getBoundingClientRect(); return [b.left, b.right, b.top, b.bottom]; }};
  return {{ marks: [...svg.querySelectorAll('.mark')].map(box), ticks: [...svg.querySelectorAll('text')].map(box),
    words: [...svg.querySelectorAll('text')].map(t => t.textContent), headings: svg.querySelectorAll('.heading').length,
    whole: box(svg), lines: [...svg.querySelectorAll('.zero')].map(box) }}; }})"""


@pytest.mark.parametrize("width", [1280, 390])
def test_worlds_of_unlike_scales_are_each_drawn_over_the_whole_width(
    browser: Browser, played: dict[str, Any], tmp_path: Path, width: int
) -> None:
    one = played["worlds by name"]
    summary = one.summary.copy()
    columns = ["reward", "median", "lower_quartile", "upper_quartile"]
    summary[columns] = [[x, x, x - 1, x + 1] for x in (10.0, 20.0, 1e6, 2e6, 30.0, 50.0)]
    page = tmp_path / "page.html"
    results: Any = replace(one, bounds=one.bounds.assign(bound=np.nan))
    page.write_bytes(study_page(results.but(summary=summary, comparisons=one.comparisons)))
    browser.open(page, width)
    reward, _, plays = browser.run(PLACES.format("#earned"))
    assert len(reward["marks"]) == len(plays["marks"]) == 6
    for first, second in (reward["marks"][2 * i : 2 * i + 2] for i in range(3)):
        assert abs(second[0] - first[0]) > 0.3 * (reward["whole"][1] - reward["whole"][0])
    assert any(words.startswith("each world in its own scale") for words in reward["words"])
    assert not any(words.startswith("each world") for words in plays["words"])
    for figure in (reward, plays):
        assert all(
            figure["whole"][0] - 1 <= left and right <= figure["whole"][1] + 1 for left, right, *_ in figure["ticks"]
        )
    choose(browser, "#heat select", 1)
    caption = browser.run("document.querySelector('#heat figcaption').textContent")
    assert "Colours are within each column." in caption
    colours = browser.run("[...document.querySelectorAll('#heat td')].map(c => c.style.background)")
    assert len(set(colours[:3])) == len(set(colours[3:])) == 1
    assert browser.complaints == []


def test_numbers_at_an_axis_are_as_exact_as_they_need_to_be(
    browser: Browser, played: dict[str, Any], tmp_path: Path
) -> None:
    one = invented(planned(STUDIES["one world"]))
    for frame in one.traces.values():
        for name in frame.columns[frame.columns.str.startswith("cost_")]:
            frame[name] /= 39
    summary = one.summary.copy()
    summary[["median", "lower_quartile", "upper_quartile"]] = [[1e6 + x, 1e6 + x - 1, 1e6 + x + 1] for x in (2.0, 9.0)]
    page = tmp_path / "page.html"
    results: Any = replace(one, bounds=one.bounds.assign(bound=np.nan))
    page.write_bytes(study_page(results.but(summary=summary, comparisons=one.comparisons)))
    browser.open(page)
    for section in ("#earned", "#spending"):
        for figure in browser.run(PLACES.format(section)):
            assert len(figure["words"]) == len(set(figure["words"])), figure["words"]
    (spent, *_) = browser.run(PLACES.format("#spending"))
    assert [words for words in spent["words"] if words.endswith("%")] == [
        f"{x:g}\u00a0%" for x in (0, 0.5, 1, 1.5, 2, 2.5)
    ]
    focus(browser, "#earned figure svg[tabindex]")
    browser.press("ArrowRight")
    assert spoken(browser, "earned").endswith("reward 1000002 (1000001 to 1000003)")
    click = "document.querySelector('#spending details button').click()"
    name = f"{one.study.worlds[0].world.problem.resources[0].name}.csv".replace(" ", "-")
    saved = pd.read_csv(io.BytesIO(browser.downloaded(click, tmp_path, name)))
    assert saved["share of the budget spent"].nunique() > 50


@pytest.mark.parametrize("width", [1280, 500])  # a phone has names above their rows
def test_no_name_touches_the_line_at_zero(browser: Browser, played: dict[str, Any], tmp_path: Path, width: int) -> None:
    one = played["two parameters"]
    compared = one.comparisons.assign(difference=1.0, low=0.0, high=2.0)
    page = tmp_path / "page.html"
    page.write_bytes(study_page(one.but(comparisons=compared)))
    browser.open(page, width)
    (figure,) = browser.run(PLACES.format("#differences"))
    (zero,) = figure["lines"]
    rights = [
        right
        for words, (_, right, _, bottom) in zip(figure["words"], figure["ticks"], strict=True)
        if words.startswith("sw-ucb") and bottom < zero[3]
    ]
    assert len(rights) == 8
    assert max(rights) + 8 < zero[0]


def test_arrow_keys_read_out_the_numbers_of_the_frame(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any]
) -> None:
    browser.open(pages["sweep"])
    rows = played["sweep"].summary.set_index(["policy", "world"])
    focus(browser, "#earned figure svg[tabindex]")
    for budget in (10, 20, 30):
        browser.press("ArrowRight")
        row: Any = rows.loc[("roguewk-ucb", f"paper horizon=120 budget={budget}")]
        numbers = f"{row['median']:g} ({row['lower_quartile']:g} to {row['upper_quartile']:g})"
        assert spoken(browser, "earned") == f"roguewk-ucb, budget {budget}, reward {numbers}"
    before = spoken(browser, "earned")
    browser.press("ArrowUp")
    assert spoken(browser, "earned").split(", ")[1] == before.split(", ")[1]
    assert spoken(browser, "earned").split(", ")[0] != before.split(", ")[0]
    assert browser.run("document.querySelector('#earned .tip').hidden") is False


def test_means_and_other_worlds_can_be_chosen(browser: Browser, pages: dict[str, Path], played: dict[str, Any]) -> None:
    browser.open(pages["sweep"])
    choose(browser, "#earned select", 1)
    focus(browser, "#earned figure svg[tabindex]")
    browser.press("ArrowRight")
    row = played["sweep"].summary.iloc[0]
    assert f"reward {row['reward']:.5g} ({row['reward_low']:.5g} to" in spoken(browser, "earned")
    choose(browser, "#distribution select", 3)
    assert browser.run("document.querySelector('#distribution figcaption').textContent").endswith(": budget 40")


def test_numbers_of_a_figure_can_be_opened_as_a_table(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["sweep"])
    rows = browser.run(
        "new Promise(done => { const d = document.querySelector('#earned details');"
        " d.addEventListener('toggle', () => setTimeout(() => done([...d.querySelectorAll('tr')].map(r =>"
        " [...r.cells].map(c => c.textContent))))); d.open = true; })"
    )
    assert rows[0] == ["series", "budget", "reward", "from", "to"]
    assert len(rows) == 1 + 4 * 4
    assert rows[-1][:3] == ["certified bound", "40", "120"]


def test_numbers_of_a_figure_can_be_saved(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any], tmp_path: Path
) -> None:
    browser.open(pages["sweep"])
    click = "document.querySelector('#earned figure:nth-child(3) details button').click()"
    frame = pd.read_csv(io.BytesIO(browser.downloaded(click, tmp_path, "plays.csv")))
    summary = played["sweep"].summary.sort_values("policy", kind="stable")
    assert frame.columns.tolist() == ["series", "budget", "plays", "from", "to"]
    assert frame.sort_values("series", kind="stable")["plays"].tolist() == summary["plays_median"].tolist()


@pytest.mark.parametrize("width", [1280, 390])
def test_numbers_along_a_whole_setting_are_whole(browser: Browser, tmp_path: Path, width: int) -> None:
    study = planned(SMALL.replace("[5, 10]", "[1, 2, 3]"))
    page = tmp_path / "page.html"
    page.write_bytes(study_page(invented(study, traced=0)))
    browser.open(page, width)
    words = browser.run(
        "[...document.querySelectorAll('#earned figure:first-child svg[tabindex] text')]"
        ".filter(t => t.getAttribute('text-anchor') === 'middle').map(t => t.textContent)"
    )
    assert words == ["1", "2", "3"]
