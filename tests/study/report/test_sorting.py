"""Tables that sort, in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from tests.study.report.browser import Browser
from tests.study.report.pages import focus


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
