"""The report of a fit in a real browser: offline, safe, readable, everything drawn."""

from pathlib import Path

import pytest

from tests.report.logs import HOSTILE, NAMES, found_in
from tests.study.report.browser import Browser
from tests.study.report.pages import CONTRAST, choose, counted, focus, spoken


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", NAMES)
def test_a_report_needs_no_network_and_nothing_is_wrong_with_it(
    browser: Browser, reports: dict[str, Path], name: str, width: int
) -> None:
    browser.open(reports[name], width)
    assert browser.run("document.scrollingElement.scrollWidth") <= width
    assert browser.complaints == []
    assert browser.requests == [reports[name].as_uri()]
    empty = "[...document.querySelectorAll('figure svg path')].filter(p => !/L|a/.test(p.getAttribute('d'))).length"
    assert browser.run(empty) == 0
    assert reports[name].stat().st_size < 300_000


@pytest.mark.parametrize("name", ["invented", "counts", "irregular", "many arms"])
def test_every_curve_group_bar_and_number_is_drawn(browser: Browser, reports: dict[str, Path], name: str) -> None:
    browser.open(reports[name])
    found = found_in(name)
    assert counted(browser, "#curves figure .band") == counted(browser, "#curves figure") == len(found.curves)
    assert counted(browser, "#curves figure .mark") == 10 * len(found.curves)
    shown = [a for a in found.shown if a in found.again]
    assert counted(browser, "#again figure .span") == 2 * len(shown)
    for place, groups in enumerate(found.against.values()):
        choose(browser, "#against select", place)
        assert counted(browser, "#against figure circle.observed") == len(groups.gaps) + len(groups.uses)
        assert counted(browser, "#against figure [data-expected]") == 1 + bool(groups.gaps)
    assert counted(browser, "#checks figure") == 4
    assert counted(browser, "#checks figure circle.observed") == len(found.calibration) + len(found.trend.groups)
    assert counted(browser, "#simulated figure .span") == len(found.places)
    assert counted(browser, "#simulated-table tbody tr") == len(found.places)
    assert counted(browser, "#estimates tbody tr") == len(found.fit.arms)
    assert browser.complaints == []


def test_arrow_keys_read_out_what_was_found(browser: Browser, reports: dict[str, Path]) -> None:
    browser.open(reports["invented"])
    curve = found_in("invented").curves[0]
    focus(browser, "#curves figure svg[tabindex]")
    browser.press("ArrowRight")
    numbers = f"{curve.mean[0]:.3g} ({curve.low[0]:.3g} to {curve.high[0]:.3g})"
    assert spoken(browser, "curves") == f"call, use 1, mean reward {numbers}"
    focus(browser, "#against figure svg[tabindex]")
    browser.press("ArrowRight")
    group = found_in("invented").against[0].gaps[0]
    assert spoken(browser, "against").startswith(f"rounds since the last use 1, observed {group.observed:.3g} (")


def test_on_a_phone_wide_tables_say_that_they_go_on_and_keep_their_first_column(
    browser: Browser, reports: dict[str, Path]
) -> None:
    seen = "p => p.offsetHeight && /goes on/.test(p.textContent)"
    hints = f"[...document.querySelectorAll('#simulated p')].filter({seen}).length"
    browser.open(reports["invented"], 390)
    assert browser.run(hints) == 1
    box = "document.querySelector('#simulated > .scroll')"
    left = "document.querySelector('#simulated-table tbody td').getBoundingClientRect().left"
    before = browser.run(left)
    assert browser.run(f"({box}.scrollLeft = 100, {box}.scrollLeft)") == 100
    assert browser.run(left) == before
    browser.open(reports["invented"], 1280)
    assert browser.run(hints) == 0


def test_on_a_phone_every_arm_is_a_card_with_all_its_numbers(browser: Browser, reports: dict[str, Path]) -> None:
    browser.open(reports["invented"], 390)
    cell = "[...document.querySelectorAll('#estimates tbody td')]"
    assert browser.run(f"{cell}.every(c => c.getBoundingClientRect().right <= 390)")
    heads = browser.run(f"{cell}.map(c => getComputedStyle(c, '::before').content)")
    assert {'"wear (log-odds)"', '"half-life (rounds)"', '"verdict"'} <= set(heads)


def test_no_figure_stands_alone_beside_two_empty_places(browser: Browser, reports: dict[str, Path]) -> None:
    browser.open(reports["invented"], 1280)
    tops = browser.run(
        "[...document.querySelectorAll('#checks figure')].map(f => Math.round(f.getBoundingClientRect().top))"
    )
    assert [tops.count(top) for top in sorted(set(tops))] == [2, 2]


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_and_is_large_enough_on_a_phone(
    browser: Browser, reports: dict[str, Path], dark: bool
) -> None:
    browser.open(reports["counts"], 390, dark=dark)
    texts = browser.run(CONTRAST)
    assert len(texts) > 100
    assert min(texts)[0] >= 4.5, min(texts)
    assert min(size for _, size, _ in texts) >= 12


def test_text_of_a_log_never_becomes_markup(browser: Browser, reports: dict[str, Path]) -> None:
    browser.open(reports["hostile"])
    assert counted(browser, "img") == 0
    assert HOSTILE in browser.run("document.querySelector('header li').textContent")
    assert HOSTILE in browser.run("document.querySelector('#curves figcaption').textContent")
    assert HOSTILE in browser.run("document.querySelector('#subject-table tbody').textContent")
    assert browser.run("document.querySelector('#log p').textContent") == HOSTILE


def test_of_many_arms_those_with_the_most_pulls_are_shown_and_the_table_has_all(
    browser: Browser, reports: dict[str, Path]
) -> None:
    browser.open(reports["many arms"])
    found = found_in("many arms")
    fewest = min(found.fit.arms[a].pulls for a in found.shown)
    assert len(found.shown) == 12
    assert all(arm.pulls <= fewest for a, arm in enumerate(found.fit.arms) if a not in found.shown)
    words = browser.run("document.querySelector('header').textContent")
    assert "Of 300 arms, the 12 with the most pulls are shown" in words
