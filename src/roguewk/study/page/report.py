"""The report of a study: one page with everything inside, pictures first."""

import base64
import hashlib
from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING

from roguewk.study.page.colours import colour_rules, policy_looks
from roguewk.study.page.embed import as_json, page_data
from roguewk.study.page.findings import findings
from roguewk.study.page.html import safe, section
from roguewk.study.page.repeat import repeat_section
from roguewk.study.page.tables import comparisons_table, summary_table, trouble
from roguewk.study.results import Results

if TYPE_CHECKING:
    import pandas as pd

SCRIPTS = (
    *("draw.js", "chart.js", "lines.js", "rows.js", "axis.js"),
    *("earned.js", "differences.js", "spending.js", "distribution.js", "heat.js", "game.js", "tables.js", "page.js"),
)
FIGURES = {  # place in the page -> heading
    "earned": "Reward, reward per play, plays",
    "differences": "Differences from {baseline}",
    "spending": "Spending over time",
    "distribution": "Distribution of rewards",
    "heat": "Heat map",
    "game": "Single runs",
}


def study_page(results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> bytes:
    """The page, from the runs, a row of `summary` per world and policy, and a row of `comparisons` per difference."""
    study = results.study
    style = _read("style.css") + colour_rules(policy_looks(study, summary).values())
    script = '"use strict";\n' + "\n".join(_read(name) for name in SCRIPTS)
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'"
    body = "\n".join(_body(results, summary, comparisons))
    data = as_json(page_data(results, summary, comparisons))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(study.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    ).encode()


def _body(results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> Iterator[str]:
    study = results.study
    yield f"<header><h1>{safe(study.title)}</h1>"
    yield from (f'<p class="lead">{safe(sentence)}</p>' for sentence in findings(results, summary, comparisons))
    yield "</header>\n<main>"
    yield "<noscript><p>The figures need JavaScript; the tables below do not.</p></noscript>"
    for name, title in FIGURES.items():
        yield section(name, title.format(baseline=study.baseline), '<div class="place"></div>')
    yield trouble(results)
    yield section("numbers", "Every policy in every world", summary_table(summary))
    compared = comparisons_table(comparisons)
    yield section("compared", f"Comparisons with {study.baseline}", compared)
    yield repeat_section(results)
    yield "</main>"


def _read(name: str) -> str:
    return resources.files("roguewk.study.page").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
