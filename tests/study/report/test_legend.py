"""The legend in a real browser."""

from pathlib import Path

from tests.study.report.browser import Browser
from tests.study.report.pages import counted, focus


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
