"""The report of a fit: what it says in words, then pictures, then tables."""

import importlib.metadata
import platform
from collections.abc import Iterator

from roguewk import __version__
from roguewk.learn.checks.again import MISSING
from roguewk.learn.checks.simulated import LOGS
from roguewk.learn.comparison import ModelComparison
from roguewk.report.embed import looks, page_data
from roguewk.report.findings import Findings
from roguewk.report.tables import (
    costs_section,
    effects_section,
    estimates_section,
    models_section,
    simulated_table,
    subjects_table,
)
from roguewk.report.words import TEN, Check, arm_sentences, between, checks, verdict_on_model
from roguewk.show.numbers import MINUS, shown
from roguewk.show.page.html import note, safe, section
from roguewk.show.page.palette import colour_rules
from roguewk.show.page.whole import scripts_in, whole_page
from roguewk.show.words import count, percent

SCRIPTS = ("points.js", "bars.js", "curves.js", "against.js", "checks.js", "page.js")
TITLE = "How arms wear off and recover"
PLACE = '<div class="place"></div>'
ABOUT_CURVES = (
    f"The mean reward of the average subject over {TEN} uses, as far apart as uses usually are in the log, and then of "
    "a use after a rest. Bands hold 95 %."
)
ABOUT_AGAIN = (
    f"An arm works again when {percent(1 - MISSING, 0)} of what uses took off its mean reward have come back. Counted "
    f"from the last use, after one and after {TEN} in a row."
)
FORESIGHT = (
    "What is expected of a pull follows from the estimates and from what its subject did before; later outcomes are "
    "not looked at, so that the comparison is fair also where what was given depended on earlier outcomes."
)
ABOUT_SCORES = (
    "A score says how far something is from what the model expects, in standard deviations: beyond "
    f"{MINUS}2 or 2 it is in one log of twenty by chance, if the model is right."
)
ABOUT_SIMULATED = (
    f"{LOGS} logs with the same subjects, pulls and times, and outcomes drawn from the model at its estimates. "
    "Subjects have levels drawn from what the log says of each; for the variance between subjects, anew from the "
    "population. About one number in twenty lies outside 95 % by chance."
)


def fit_page(found: Findings, title: str = TITLE, models: ModelComparison | None = None) -> bytes:
    """The page, as the content of a file; with a comparison of models, if there is one."""
    return whole_page(
        title=title,
        body="\n".join(_body(found, title, models)),
        style=colour_rules(looks(found)),
        scripts=scripts_in("roguewk.report", SCRIPTS),
        data=page_data(found),
    )


def _body(found: Findings, title: str, models: ModelComparison | None) -> Iterator[str]:
    made = checks(found)
    yield f"<header><h1>{safe(title)}</h1>"
    yield from _headlines(found)
    yield f'<p class="lead">{safe(verdict_on_model(made, found.account.reward.size))}</p>'
    yield "</header>\n<main>"
    yield "<noscript><p>The figures need JavaScript; the words and tables do not.</p></noscript>"
    yield section("curves", "Wear and recovery", note(ABOUT_CURVES, *_untold(found)), PLACE)
    yield section("again", "When arms work again", note(ABOUT_AGAIN), PLACE)
    yield section("against", "Data against model", note(FORESIGHT, *_sampled(found)), PLACE)
    yield section("checks", "Does the model suit the data?", _list(made), note(ABOUT_SCORES), PLACE, _subjects(found))
    if found.places:
        table = simulated_table(found)
        yield section("simulated", "Logs simulated from the fit", note(ABOUT_SIMULATED), PLACE, table)
    if models is not None:
        yield models_section(models)
    yield estimates_section(found)
    yield effects_section(found)
    yield costs_section(found)
    if found.log.found:
        yield section("log", "What was found in the log", *(f"<p>{safe(each)}</p>" for each in found.log.found))
    yield section("repeat", "How this was made", *_made(found))
    yield "</main>"


def _headlines(found: Findings) -> Iterator[str]:
    fit = found.fit
    pulls, subjects = count(sum(arm.pulls for arm in fit.arms), "pull"), count(fit.subjects, "subject")
    words = f"{pulls} of {count(len(fit.arms), 'arm')} by {subjects}, {fit.family} rewards; in brackets 95 % intervals."
    yield f'<p class="lead">{safe(words)}</p>\n<ul>'
    for a in found.shown:
        head, numbers = arm_sentences(fit.arms[a], found.again.get(a), fit.unit)
        yield f"<li><strong>{safe(head)}.</strong> {safe(numbers)}</li>"
    for effect in fit.shared:
        verdict = f": {effect.verdict}" if effect.verdict else ""
        numbers = f"{between(effect.interval)} {effect.unit}"
        yield f"<li><strong>{safe(effect.name + verdict)}.</strong> {safe(numbers)}.</li>"
    if fit.baseline is not None:
        rows = count(fit.baseline.rows, "idle row")
        yield f"<li><strong>Doing nothing.</strong> {safe(f'{fit.baseline.in_words().capitalize()}, by {rows}.')}</li>"
    yield "</ul>"
    if len(fit.arms) > len(found.shown):
        few = len(found.shown)
        yield note(f"Of {len(fit.arms)} arms, the {few} with the most pulls are shown; the table of arms has all.")


def _list(made: list[Check]) -> str:
    kinds = {True: ' class="strange"', False: ""}
    return f"<ul>{''.join(f'<li{kinds[each.strange]}>{safe(each.sentence)}</li>' for each in made)}</ul>"


def _untold(found: Findings) -> Iterator[str]:
    names = [found.fit.arms[a].name for a in found.shown if a not in found.curves]
    if names:
        yield f"There is no picture of {', '.join(names)}: the log does not tell how they wear."


def _sampled(found: Findings) -> Iterator[str]:
    some = len(found.account.log.subjects)
    if some < found.fit.subjects:
        yield f"Checks are made with {some:,} of {found.fit.subjects:,} subjects, at even distances in the log."


def _subjects(found: Findings) -> str:
    return subjects_table(found) if found.sums.score.size > 1 else ""


def _made(found: Findings) -> Iterator[str]:
    fit = found.fit
    start = "rested" if fit.start == "rested" else "worn or not, which was estimated"
    yield note(
        f"rw.fit with {fit.family} rewards; subjects start {start}.",
        f"Subjects' levels differ by {between(fit.subject_sd)} (standard deviation).",
        f"Log-likelihood {shown(fit.log_likelihood, 7)}.",
        "Intervals of half-lives are those of the profile likelihood; bands and times are quantiles of draws along it.",
    )
    packages = {name: importlib.metadata.version(name) for name in ("numpy", "numba")}
    versions = {"roguewk": __version__, "Python": platform.python_version(), **packages}
    yield note(", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
