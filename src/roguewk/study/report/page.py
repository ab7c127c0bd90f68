"""The report of a study: one page with everything inside, pictures first."""

import base64
import hashlib
from collections.abc import Iterator
from importlib import resources

from roguewk.study.report.embed import as_json, page_data
from roguewk.study.report.html import safe, section
from roguewk.study.report.palette import colour_rules
from roguewk.study.report.repeat import repeat_section
from roguewk.study.report.tables import comparisons_table, summary_table, trouble
from roguewk.study.results import Results
from roguewk.study.views.colours import policy_looks
from roguewk.study.views.findings import findings

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


def study_page(results: Results) -> bytes:
    """The page, as the content of a file."""
    study = results.study
    style = _read("style.css") + colour_rules(policy_looks(results).values())
    script = '"use strict";\n' + "\n".join(_read(name) for name in SCRIPTS)
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'"
    body = "\n".join(_body(results))
    data = as_json(page_data(results))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(study.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    ).encode()


def _body(results: Results) -> Iterator[str]:
    study = results.study
    yield f"<header><h1>{safe(study.title)}</h1>"
    yield from (f'<p class="lead">{safe(sentence)}</p>' for sentence in findings(results))
    yield "</header>\n<main>"
    yield "<noscript><p>The figures need JavaScript; the tables below do not.</p></noscript>"
    for name, title in FIGURES.items():
        yield section(name, title.format(baseline=study.baseline), '<div class="place"></div>')
    yield trouble(results)
    yield section("numbers", "Every policy in every world", summary_table(results.summary))
    compared = comparisons_table(results.comparisons)
    yield section("compared", f"Comparisons with {study.baseline}", compared)
    yield repeat_section(results)
    yield "</main>"


def _read(name: str) -> str:
    return resources.files("roguewk.study.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
