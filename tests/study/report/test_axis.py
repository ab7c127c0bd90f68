"""Choosing what lies along the axis, in a real browser."""

from pathlib import Path
from typing import Any

from tests.study.report.browser import Browser
from tests.study.report.pages import choose, counted, focus, spoken


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
