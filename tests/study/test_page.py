"""The report of a study, in a real browser: what is drawn is what the frames say."""

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from roguewk.study.plan.model import Study
from roguewk.study.plan.read import study_from_text
from roguewk.study.report.page import study_page
from tests.study.browser import CHROMIUM, Browser, started
from tests.study.page_frames import invented

if not CHROMIUM:
    pytest.skip("there is no chromium on this machine", allow_module_level=True)

HOSTILE = "</script><img src=x onerror=alert(1)>"
SWEEP = """
title = "A sweep"
replicates = 40
baseline = "sw-ucb"
[[world]]
world = "paper"
horizon = 120
budget = [10, 20, 30, 40]
[[policy]]
policy = ["roguewk-ucb", "ucb1", "sw-ucb"]
"""
STUDIES = {
    "sweep": SWEEP,
    "one world": SWEEP.replace("[10, 20, 30, 40]", "20").replace('"ucb1", ', ""),
    "two settings": SWEEP.replace("horizon = 120", "horizon = [120, 150]"),
    "worlds by name": """
replicates = 20
[[world]]
world = ["two_dimensional", "mobile_health", "gaussian"]
horizon = 100
[[policy]]
policy = ["roguewk-plan", "ucb1"]
""",
    "ten policies": """
replicates = 20
[[world]]
world = "paper"
horizon = 80
budget = [1, 10, 100]
[[policy]]
policy = "sw-ucb"
w1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
""",
    "fifty policies": f"""
replicates = 5
[[world]]
world = "paper"
horizon = 40
budget = 10
[[policy]]
policy = "ucb1"
[[policy]]
policy = "sw-ucb"
w1 = {list(range(1, 50))}
""",
    "two parameters": """
replicates = 10
[[world]]
world = "paper"
horizon = 60
budget = 20
[[policy]]
policy = "sw-ucb"
w1 = [10, 30, 100]
w2 = [10, 30, 100]
""",
    "hostile": f"""
title = "{HOSTILE}"
replicates = 20
[[world]]
world = "paper"
label = "w {HOSTILE}"
horizon = 80
budget = [10, 20]
[[policy]]
policy = "ucb1"
label = "{HOSTILE}"
[[policy]]
policy = "sw-ucb"
""",
    "single policy, nothing recorded": """
replicates = 5
record = { traces = 0, bound = false }
[[world]]
world = "paper"
[[policy]]
policy = "ucb1"
""",
}


def planned(source: str) -> Study:
    return study_from_text(source, "study.toml", Path())


def page_of(played: Any) -> bytes:
    return study_page(played)


@pytest.fixture(scope="module")
def played() -> dict[str, Any]:
    return {name: invented(planned(source)) for name, source in STUDIES.items()}


@pytest.fixture(scope="module")
def pages(played: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    paths = {name: folder / f"{i}.html" for i, name in enumerate(played)}
    for name, path in paths.items():
        path.write_bytes(page_of(played[name]))
    return paths


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with started(tmp_path_factory.mktemp("profile")) as one:
        yield one


def counted(browser: Browser, selector: str) -> int:
    return int(browser.run(f"document.querySelectorAll({json.dumps(selector)}).length"))


def focus(browser: Browser, selector: str) -> None:
    browser.run(f"document.querySelector({json.dumps(selector)}).focus()")


def choose(browser: Browser, selector: str, option: int, place: int = 0) -> None:
    """The option of a list, as a person would choose it."""
    browser.run(
        f"(list => {{ list.value = '{option}'; list.dispatchEvent(new Event('change')); }})"
        f"(document.querySelectorAll({json.dumps(selector)})[{place}])"
    )


def spoken(browser: Browser, section: str) -> str:
    return str(browser.run(f"document.querySelector('#{section} .live').textContent"))


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("name", STUDIES)
def test_a_page_needs_no_network_and_nothing_is_wrong_with_it(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    browser.open(pages[name], width)
    assert browser.run("document.scrollingElement.scrollWidth") <= width
    assert browser.complaints == []
    assert browser.requests == [pages[name].as_uri()]


def test_the_browser_would_have_complained(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    page = pages["sweep"].read_text(encoding="utf-8")
    spoilt = tmp_path / "page.html"
    for bad in ('<img src="https://example.org/x.png">', "<script>1</script>", '<p style="color: red">x</p>'):
        spoilt.write_text(page.replace("</main>", f"{bad}</main>"), encoding="utf-8")
        browser.open(spoilt)
        browser.run("new Promise(done => setTimeout(done, 50))")
        assert len(browser.complaints) == 1
        assert "Content Security Policy" in browser.complaints[0]


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


def test_of_two_settings_either_can_lie_along_the_axis(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["two settings"])
    lists = "[...document.querySelectorAll('#earned select')].map(s => [...s.options].map(o => o.textContent))"
    rows = "none: a row for each world"
    assert browser.run(lists)[1:] == [["budget", "horizon", rows], ["horizon 120", "horizon 150"]]
    choose(browser, "#earned select", 1, place=1)
    assert browser.run(lists)[2] == [f"budget {each}" for each in (10, 20, 30, 40)]
    assert counted(browser, "#earned figure .mark") == 3 * 3 * 2
    choose(browser, "#earned select", 2, place=1)
    assert counted(browser, "#earned figure .mark") == 3 * 3 * 8
    assert counted(browser, "#earned figure .line") == 0
    lists = "[...document.querySelectorAll('#heat select')].map(s => [...s.options].map(o => o.textContent))"
    assert "horizon by budget" in browser.run(lists)[0]
    choose(browser, "#heat select", 1)
    assert browser.run(lists)[1] == ["roguewk-ucb", "ucb1", "sw-ucb"]
    assert counted(browser, "#heat td[data-value]") == 8


def test_two_parameters_of_a_policy_have_a_heat_map(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any]
) -> None:
    browser.open(pages["two parameters"])
    lists = "[...document.querySelectorAll('#heat select')].map(s => [...s.options].map(o => o.textContent))"
    assert browser.run(lists)[0] == ["every policy in every world", "sw-ucb: w2 by w1"]
    choose(browser, "#heat select", 1)
    caption = browser.run("document.querySelector('#heat figcaption').textContent")
    assert caption == "Per cent of the bound: sw-ucb: w2 by w1. Empty: not played."
    cells = "[...document.querySelectorAll('#heat tbody tr')].map(r => [...r.cells].map(c => Number(c.textContent)))"
    share = played["two parameters"].summary.set_index("policy")["share"]
    for row in browser.run(cells):
        assert row[1:] == [round(100 * share[f"sw-ucb w1={first} w2={row[0]}"]) for first in (10, 30, 100)]
    focus(browser, "#heat td")
    browser.press("ArrowDown")
    told = browser.run("document.querySelector('#heat .readout').textContent")
    assert told.startswith("w2 30, w1 10: share of the certified bound 0.")


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


def test_arrow_keys_in_the_heat_map_read_out_shares(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any]
) -> None:
    browser.open(pages["sweep"])
    rows = played["sweep"].summary.set_index(["policy", "world"])
    focus(browser, "#heat td")
    browser.press("ArrowRight")
    browser.press("ArrowDown")
    share = rows.loc[("ucb1", "paper horizon=120 budget=20"), "share"]
    told = str(browser.run("document.querySelector('#heat .readout').textContent"))
    assert told.startswith("ucb1, budget 20: share of the certified bound ")
    assert float(told.rsplit(" ", 1)[1]) == pytest.approx(share, rel=1e-4)


def test_the_legend_hides_policies_everywhere_by_keyboard(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["sweep"])
    focus(browser, "#earned .legend button")
    browser.press(" ")
    pressed = "[...document.querySelectorAll('.legend button:first-child')].map(b => b.getAttribute('aria-pressed'))"
    assert set(browser.run(pressed)) == {"false"}
    assert counted(browser, "#earned figure .line") == 3 * 2
    assert counted(browser, "#earned figure .line[data-policy='0']") == 0
    assert counted(browser, "#distribution .histogram") == 2
    browser.press("Enter")
    assert set(browser.run(pressed)) == {"true"}
    assert counted(browser, "#earned figure .line") == 3 * 3
    for button in (1, 2, 3):
        focus(browser, f"#earned .legend button:nth-child({button})")
        browser.press(" ")
    assert counted(browser, "figure .line") == 0
    assert browser.complaints == []


def test_most_of_fifty_policies_are_folded_away_and_all_can_be_hidden_at_once(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["fifty policies"], 390)
    height = "document.querySelector('#earned .legend').getBoundingClientRect().height"
    assert browser.run(height) < 400
    assert counted(browser, "#earned .legend button[aria-pressed]") == 50
    hidden = "[...document.querySelectorAll('#earned .legend button')].filter(b => !b.checkVisibility()).length"
    assert browser.run(hidden) == 50 - 11
    assert browser.run("document.querySelector('#earned .more summary').textContent") == "39 more, in grey"
    browser.run("document.querySelector('#earned .more summary').click()")
    assert browser.run(hidden) == 0
    assert counted(browser, "#earned figure .mark") == 3 * 50
    press = "[...document.querySelectorAll('#earned .legend > button')].find(b => b.textContent === '{}').click()"
    browser.run(press.format("none"))
    assert counted(browser, "#earned figure .mark") == 0
    browser.run("document.querySelector('#earned .more button').click()")
    assert counted(browser, "#earned figure .mark") == 3
    browser.run(press.format("all"))
    assert counted(browser, "#earned figure .mark") == 3 * 50
    assert browser.complaints == []


def test_a_parameter_of_policies_can_lie_along_the_axis(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any]
) -> None:
    browser.open(pages["ten policies"])
    choices = "[...document.querySelectorAll('#earned select')[1].options].map(o => o.textContent)"
    assert browser.run(choices) == ["budget", "w1", "none: a row for each world"]
    choose(browser, "#earned select", 1, place=1)
    assert counted(browser, "#earned figure .line") == 3
    assert counted(browser, "#earned figure .mark") == 3 * 10
    assert counted(browser, "#earned figure .bound") == 1
    rows = played["ten policies"].summary.set_index(["policy", "world"])
    choose(browser, "#earned select", 2, place=2)
    focus(browser, "#earned figure svg[tabindex]")
    for value in (1, 2):
        browser.press("ArrowRight")
        median: Any = rows.loc[(f"sw-ucb w1={value}", "paper horizon=80 budget=100"), "median"]
        assert spoken(browser, "earned").startswith(f"sw-ucb, w1 {value}, reward {median:g} (")
    choose(browser, "#differences select", 1)
    assert counted(browser, "#differences figure .line") == 1
    assert counted(browser, "#differences figure:nth-of-type(2) .mark") == 9
    browser.open(pages["fifty policies"])
    assert counted(browser, "#earned figure .line") == 0
    choose(browser, "#earned select", 0, place=1)
    assert counted(browser, "#earned figure .line") == 3
    told = browser.run("document.querySelector('#earned .controls span.soft').textContent")
    assert told == "Along this axis not shown: 1 policy for which the study does not set w1."
    assert browser.complaints == []


def test_colours_of_the_heat_map_do_not_exaggerate(browser: Browser, played: dict[str, Any], tmp_path: Path) -> None:
    one = played["one world"]
    summary = one.summary.assign(share=[0.960, 0.964])
    page = tmp_path / "page.html"
    page.write_bytes(study_page(one.but(summary=summary)))
    browser.open(page)
    colours = "[...document.querySelectorAll('#heat td')].map(c => c.style.background.match(/\\d+/g).map(Number))"
    first, second = browser.run(colours)
    assert max(abs(a - b) for a, b in zip(first, second, strict=True)) < 20


def test_means_and_other_worlds_can_be_chosen(browser: Browser, pages: dict[str, Path], played: dict[str, Any]) -> None:
    browser.open(pages["sweep"])
    choose(browser, "#earned select", 1)
    focus(browser, "#earned figure svg[tabindex]")
    browser.press("ArrowRight")
    row = played["sweep"].summary.iloc[0]
    assert f"reward {row['reward']:.5g} ({row['reward_low']:.5g} to" in spoken(browser, "earned")
    choose(browser, "#distribution select", 3)
    assert browser.run("document.querySelector('#distribution figcaption').textContent").endswith("budget=40")


@pytest.mark.parametrize(("column", "numeric"), [("mean reward", True), ("world", False)])
def test_headings_sort_the_table(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any], column: str, numeric: bool
) -> None:
    browser.open(pages["sweep"])
    place = browser.run(
        "[...document.querySelectorAll('#summary th')].findIndex(h => h.textContent === '" + column + "')"
    )
    cells = f"[...document.querySelectorAll('#summary tbody tr')].map(r => r.cells[{place}].textContent)"
    focus(browser, f"#summary th:nth-child({place + 1}) button")
    seen = []
    for _ in range(2):
        browser.press("Enter")
        way = browser.run(f"document.querySelectorAll('#summary th')[{place}].getAttribute('aria-sort')")
        values = [float(each) for each in browser.run(cells)] if numeric else browser.run(cells)
        assert values == sorted(values, reverse=way == "descending")
        seen.append(way)
    assert sorted(seen) == ["ascending", "descending"]
    if numeric:
        assert values == pytest.approx(sorted(played["sweep"].summary["reward"]), rel=1e-3)


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


def test_text_of_a_study_never_becomes_markup(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["hostile"])
    assert counted(browser, "img") == 0
    assert browser.run("document.title") == HOSTILE
    assert browser.run("document.querySelector('h1').textContent") == HOSTILE
    assert browser.run("document.querySelector('.legend button').textContent") == HOSTILE
    assert HOSTILE in browser.run("document.querySelector('#summary tbody').textContent")
    assert HOSTILE in browser.run("document.querySelector('#repeat pre').textContent")


CONTRAST = """(() => {
  const parse = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const ground = (e) => {
    const colour = parse(getComputedStyle(e).backgroundColor);
    return colour[3] > 0 ? colour : ground(e.parentElement);
  };
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest('script, noscript, .live, [hidden]')) continue;
    const style = getComputedStyle(e);
    const [one, other] = [light(parse(e instanceof SVGElement ? style.fill : style.color)), light(ground(e))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.push([ratio, parseFloat(style.fontSize), e.outerHTML.slice(0, 80)]);
  }
  return found;
})()"""


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_and_is_large_enough_on_a_phone(
    browser: Browser, pages: dict[str, Path], dark: bool
) -> None:
    for name in ("ten policies", "worlds by name"):
        browser.open(pages[name], 390, dark=dark)
        browser.run("document.querySelector('.legend button').click()")
        texts = browser.run(CONTRAST)
        assert len(texts) > 100
        assert min(texts)[0] >= 4.5, min(texts)
        assert min(size for _, size, _ in texts) >= 12


def test_failures_and_skipped_pairs_are_shown_plainly(browser: Browser, tmp_path: Path) -> None:
    study = planned(
        """
unfit = "skip"
replicates = 10
[[world]]
world = ["paper", "gaussian"]
horizon = 60
[[policy]]
policy = ["ucb1", "exp3"]
"""
    )
    assert list(study.skipped) == [("gaussian horizon=60", "exp3")]
    path = tmp_path / "page.html"
    path.write_bytes(page_of(invented(study, failures=True)))
    browser.open(path)
    lead = browser.run("document.querySelector('header').textContent")
    assert "2 of 30 runs failed; they are listed below. 1 pair of world and policy did not fit" in lead
    assert "ValueError: <b>no</b>" in browser.run("document.querySelector('#failures').textContent")
    assert study.skipped["gaussian horizon=60", "exp3"] in browser.run("document.querySelector('#skipped').textContent")
    assert counted(browser, "#heat td[data-value]") == 3
    assert browser.complaints == []
