"""The tables of the page."""

import math

from roguewk.learn.candidates import ONE_STATE
from roguewk.learn.checks.simulated import LOGS
from roguewk.learn.comparison import ModelComparison
from roguewk.learn.profile import Interval
from roguewk.problem.family.registry import family_named
from roguewk.report.findings import Findings
from roguewk.report.words import TEN
from roguewk.show.numbers import MINUS, shown
from roguewk.show.page.html import note, safe, section, table
from roguewk.show.words import percent

MOST_ROWS = 2000


def _cell(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return shown(value, 3)


def _cells(interval: Interval | None) -> str:
    if interval is None or math.isnan(interval.value):
        return "?"
    low, high = (_cell(end) for end in (interval.low, interval.high))
    return f"{_cell(interval.value)} ({low} to {high})"


def estimates_section(found: Findings) -> str:
    """A row for every arm."""
    fit = found.fit
    unit, starts = family_named(fit.family).unit, fit.start != "rested"
    columns = ["rested", f"wear ({unit})", f"half-life ({fit.unit})", *([f"start ({unit})"] if starts else [])]
    columns += [f"works again after one use ({fit.unit})", f"after {TEN} in a row"]
    head = ["arm", "pulls", *columns, "verdict"]
    rows = []
    for a, arm in enumerate(fit.arms[:MOST_ROWS]):
        again = found.again.get(a)
        intervals = [arm.rested, arm.wear, arm.half_life, *([arm.start] if starts else [])]
        times = [None, None] if again is None else [again.after_one, again.after_many]
        cells = [_cells(interval) for interval in [*intervals, *times]]
        rows.append([arm.name, f"{arm.pulls:,}", *cells, arm.verdict.sentence])
    about = note(
        "A click on a heading sorts. In brackets 95 % intervals; an end that the log does not tell is infinite."
    )
    return section("numbers", "Every arm", about, table(head, rows, range(1, len(head) - 1), "estimates", cards=True))


def effects_section(found: Findings) -> str:
    """A row for everything that arms share; nothing if there is nothing."""
    shared = found.fit.shared
    if not shared:
        return ""
    rows = [[effect.name, _cells(effect.interval), effect.unit, effect.verdict] for effect in shared]
    at = (
        ""
        if all(effect.of_state for effect in shared)
        else " Rested effects are those at average covariates and times."
    )
    about = note(f"What was asked for beside the wear of each arm by its own use. In brackets 95 % intervals.{at}")
    return section(
        "shared", "What arms share", about, table(["name", "value", "unit", "in words"], rows, (1,), "effects")
    )


def costs_section(found: Findings) -> str:
    """A row for every arm and resource; nothing if there is no resource."""
    if not found.fit.resources:
        return ""
    head = ["arm", "resource", "mean cost of a pull", "standard deviation"]
    rows = [
        [str(row["arm"]), str(row["resource"]), shown(row["mean"]), shown(row["sd"])]
        for row in found.fit.costs.head(MOST_ROWS).to_dict("records")
    ]
    return section("costs", "Costs", table(head, rows, (2, 3), "cost-table"))


def models_section(models: ModelComparison) -> str:
    """A row for every model that was compared, the simplest first."""
    head = ["model", "log-likelihood", "per pull", "less or more than the best", "standard error", "in words"]
    rows = []
    for row in models.frame().to_dict("records"):
        best = row["model"] == models.best
        numbers = [f"{row['log_likelihood']:,.1f}", f"{row['per_pull']:.4f}", f"{row['difference']:+.1f}"]
        words = "best" if best else "surely worse" if row["surely_worse"] else "not surely worse"
        told = [*numbers[:2], *(["", ""] if best else [numbers[2], f"{row['se']:.1f}"])]
        rows.append([str(row["model"]), *(number.replace("-", MINUS) for number in told), words])
    here = "" if models.best == ONE_STATE else f" The rest of this page is by {ONE_STATE} per arm."
    about = note(
        f"How well models predict {models.by_subject.shape[1]:,} subjects that were left out of the fit, by the "
        f"log-likelihood of their {models.pulls:,} pulls. The best is the simplest model that is within one standard "
        "error of the highest; surely worse is what is more than two of them below it."
    )
    verdict = f"<p>{safe(models.verdict + here)}</p>"
    return section("models", "Which model predicts best", verdict, about, table(head, rows, range(1, 5), "model-table"))


def simulated_table(found: Findings) -> str:
    """A row for every number of the log that is compared with simulated ones."""
    head = ["number", "real log", "simulated: 2.5 %", "median", "97.5 %", f"of {LOGS} logs below", "in words"]
    rows = [
        [
            place.what,
            *(shown(value) for value in (place.real, place.low, place.middle, place.high)),
            percent(place.share, 0),
            "outside 95 %" if place.strange else "just inside 95 %" if place.near else "as simulated",
        ]
        for place in found.places
    ]
    return table(head, rows, range(1, 6), "simulated-table")


def subjects_table(found: Findings) -> str:
    """The subjects whose rewards are farthest from what was expected of them."""
    sums, names = found.sums, found.account.log.subjects
    head = ["farthest from expectation", "reward less expected, per pull", "score"]
    rows = [[names[int(sums.subject[i])], shown(sums.mean[i], 3), shown(sums.score[i], 3)] for i in sums.strangest]
    return table(head, rows, (1, 2), "subject-table")
