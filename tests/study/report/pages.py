"""Pages of invented studies, and what is done with them in a browser."""

import json
from pathlib import Path
from typing import Any

from roguewk.study.plan.model import Study
from roguewk.study.plan.read import study_from_text
from roguewk.study.report.page import study_page
from tests.study.report.browser import Browser

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
world = ["two_dimensional", "messages", "gaussian"]
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


# Of every text its contrast, its size and its element.
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


def planned(source: str) -> Study:
    return study_from_text(source, "study.toml", Path())


def page_of(played: Any) -> bytes:
    return study_page(played)


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
