"""The page as a whole, in a real browser: offline, safe, readable."""

from pathlib import Path

import pytest

from tests.study.invented import invented
from tests.study.report.browser import Browser
from tests.study.report.pages import CONTRAST, HOSTILE, STUDIES, counted, page_of, planned


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


def test_text_of_a_study_never_becomes_markup(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["hostile"])
    assert counted(browser, "img") == 0
    assert browser.run("document.title") == HOSTILE
    assert browser.run("document.querySelector('h1').textContent") == HOSTILE
    assert browser.run("document.querySelector('.legend button').textContent") == HOSTILE
    assert HOSTILE in browser.run("document.querySelector('#summary tbody').textContent")
    assert HOSTILE in browser.run("document.querySelector('#repeat pre').textContent")


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


@pytest.mark.parametrize(("width", "least"), [(1280, 8), (390, 1)])
@pytest.mark.parametrize("table", ["summary", "comparisons"])
def test_numbers_and_verdicts_of_tables_are_in_sight_and_what_is_not_is_hinted_at(
    browser: Browser, pages: dict[str, Path], table: str, width: int, least: int
) -> None:
    browser.open(pages["sweep"], width)
    box = f"document.querySelector('#{table}').parentElement"
    row = f"[...document.querySelector('#{table} tbody tr').cells]"
    inside = f"each => each.getBoundingClientRect().right <= {box}.getBoundingClientRect().right + 0.5"
    seen = browser.run(f"{row}.filter({inside}).map(each => [each.className, each.textContent])")
    assert len([words for kind, words in seen if kind == "n"]) >= (least if table == "summary" else min(least, 7))
    if table == "comparisons":
        assert any(words.startswith(("earned", "undecided")) for _, words in seen)
    beyond = browser.run(f"{box}.scrollWidth > {box}.clientWidth + 1")
    assert beyond or width > 390
    hint = f"{box}.previousElementSibling"
    assert browser.run(f"{hint}.textContent") == "The table goes on to the right."
    assert browser.run(f"{hint}.hidden") != beyond
    if width == 390:
        first = f"{row}.slice(0, 2).map(each => each.getBoundingClientRect().left)"
        before = browser.run(first)
        browser.run(f"{box}.scrollLeft = 200")
        assert browser.run(first) == pytest.approx(before, abs=4)  # pixels
    assert browser.complaints == []


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
