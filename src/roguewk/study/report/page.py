"""The report of a study: one page with everything inside, pictures first."""

from collections.abc import Iterator

from roguewk.show.page.html import safe, section
from roguewk.show.page.palette import colour_rules
from roguewk.show.page.whole import scripts_in, whole_page
from roguewk.study.report.embed import page_data
from roguewk.study.report.repeat import repeat_section
from roguewk.study.report.tables import comparisons_table, summary_table, trouble
from roguewk.study.results import Results
from roguewk.study.views.axes import world_names
from roguewk.study.views.colours import policy_looks
from roguewk.study.views.findings import findings
from roguewk.study.views.heat_maps import plan_layouts
from roguewk.study.views.measures import measures

SCRIPTS = (
    *("axis.js", "earned.js", "differences.js", "spending.js", "distribution.js", "heat.js", "game.js", "page.js"),
)
FIGURES = {  # place in the page -> heading
    "earned": "{earned}",
    "differences": "Differences from {baseline}",
    "spending": "Spending over time",
    "distribution": "Distribution of rewards",
    "heat": "Heat map",
    "game": "Single runs",
}


def study_page(results: Results) -> bytes:
    """The page, as the content of a file."""
    return whole_page(
        title=results.study.title,
        body="\n".join(_body(results)),
        style=colour_rules(policy_looks(results).values()),
        scripts=scripts_in("roguewk.study.report", SCRIPTS),
        data=page_data(results),
    )


def _body(results: Results) -> Iterator[str]:
    study, names = results.study, world_names(results.study)
    yield f"<header><h1>{safe(study.title)}</h1>"
    yield from (f'<p class="lead">{safe(sentence)}</p>' for sentence in findings(results))
    yield "</header>\n<main>"
    yield "<noscript><p>The figures need JavaScript; the tables below do not.</p></noscript>"
    titles = [each.title for each in measures(study)]
    earned = ", ".join([titles[0], *(title.lower() for title in titles[1:])])
    figures = {name: title for name, title in FIGURES.items() if name != "heat" or plan_layouts(study)}
    for name, title in figures.items():
        heading = title.format(baseline=study.baseline, earned=earned)
        yield section(name, heading, '<div class="place"></div>')
    yield trouble(results)
    yield section("numbers", "Every policy in every world", summary_table(results.summary, names))
    compared = comparisons_table(results.comparisons, names)
    yield section("compared", f"Comparisons with {study.baseline}", compared)
    yield repeat_section(results)
    yield "</main>"
