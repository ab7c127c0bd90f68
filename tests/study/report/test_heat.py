"""The heat map in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from roguewk.study.report.page import study_page
from tests.study.report.browser import Browser
from tests.study.report.pages import counted, focus


def test_two_parameters_of_a_policy_have_a_heat_map(
    browser: Browser, pages: dict[str, Path], played: dict[str, Any]
) -> None:
    browser.open(pages["two parameters"])
    assert counted(browser, "#heat select") == 1  # of what colours show: there is nothing else to choose
    caption = browser.run("document.querySelector('#heat figcaption').textContent")
    assert caption == "Per cent of the bound: sw-ucb: w2 by w1. Empty: not played."
    cells = "[...document.querySelectorAll('#heat tbody tr')].map(r => [...r.cells].map(c => Number(c.textContent)))"
    share = played["two parameters"].summary.set_index("policy")["share"]
    for row in browser.run(cells):
        assert row[1:] == [round(100 * share[f"sw-ucb w1={first} w2={row[0]}"]) for first in (10, 30, 100)]
    focus(browser, "#heat td")
    browser.press("ArrowDown")
    told = browser.run("document.querySelector('#heat .readout').textContent")
    assert told.startswith("w2 30, w1 10: share of the certified bound ")


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
    assert told.endswith("\u00a0%")
    assert float(told.rsplit(" ", 1)[1].removesuffix("\u00a0%")) == pytest.approx(100 * share, rel=1e-3)


def test_colours_of_the_heat_map_do_not_exaggerate(browser: Browser, played: dict[str, Any], tmp_path: Path) -> None:
    one = played["sweep"]
    summary = one.summary.assign(share=[0.960, 0.964] * 6)
    page = tmp_path / "page.html"
    page.write_bytes(study_page(one.but(summary=summary)))
    browser.open(page)
    colours = "[...document.querySelectorAll('#heat td')].map(c => c.style.background.match(/\\d+/g).map(Number))"
    first, second = browser.run(colours)[:2]
    assert max(abs(a - b) for a, b in zip(first, second, strict=True)) < 20
