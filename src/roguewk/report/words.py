"""What a fit says, in sentences: each arm first, then whether the model suits the data."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from roguewk.learn.checks.again import USES, Again
from roguewk.learn.checks.bins import NORMAL, Group
from roguewk.learn.fitted import FittedArm
from roguewk.learn.profile import Interval
from roguewk.learn.verdict import Verdict
from roguewk.problem.errors import MOST_LISTED
from roguewk.report.findings import Findings
from roguewk.show.numbers import MINUS, shown
from roguewk.show.words import count

CHANCE = 0.05  # how often a right model is outside of an interval
FEWEST = 100  # pulls to judge a model by
RARE = 0.01  # chance makes so much of it so seldom
TEN = {10: "ten"}.get(USES, str(USES))


class Check(NamedTuple):
    """What a look at the data says of the model."""

    strange: bool  # more than chance explains
    sentence: str


def _rounded(interval: Interval) -> list[str]:
    """The number and its ends: two digits, or as many as it takes to tell them apart."""
    value, low, high = interval
    width = high - low
    least = math.floor(math.log10(abs(value))) - 1 if value and math.isfinite(value) else 0
    place = min(least, math.floor(math.log10(width / 2))) if 0 < width < math.inf else least
    return [shown(round(each, -place) if math.isfinite(each) else each, 15) for each in interval]


def between(interval: Interval) -> str:
    """A number and the ends of its interval: "16 (13 to 20)"; open ends in words."""
    value, low, high = _rounded(interval)
    if math.isinf(interval.high):
        return f"{value} ({low} or more)" if interval.low > 0 else "unknown"
    return f"{value} ({low} to {high})"


def waiting(interval: Interval, unit: str) -> str:
    """How long it takes: "after about 16 rounds (13 to 20)"; nothing if that is not known."""
    value, low, high = _rounded(interval)
    if interval.low <= 0 and math.isinf(interval.high):
        return ""
    if math.isinf(interval.high):
        return f"after {low} {unit} or more"
    if interval.low <= 0:
        return f"within {high} {unit}"
    return f"after about {value} {unit} ({low} to {high})"


def _recovery(arm: FittedArm, again: Again | None, unit: str) -> str:
    one, many = ("", "") if again is None else (waiting(times, unit) for times in again)
    if not one:
        lasting = "How long that lasts" if arm.verdict is Verdict.GROWS else "When it works again"
        return f"{lasting} cannot be told."
    if arm.verdict is Verdict.GROWS:
        return f"Nine tenths of what a use adds are gone {one}."
    return f"After a use it works again {one}, after {TEN} in a row {many}."


def arm_sentences(arm: FittedArm, again: Again | None, unit: str) -> tuple[str, str]:
    """The arm and its verdict, and what there is to say in numbers."""
    head = f"{arm.name} {arm.verdict.sentence}"
    if not arm.verdict.seen:  # these verdicts answer what is known of wear, so that wear has to be named
        told = arm.verdict.sentence.replace("none seen", "no wear is seen")
        head = f"{arm.name}: {told.replace('cannot be told', 'wear cannot be told')}"
    if arm.verdict is Verdict.TOO_FEW or math.isnan(arm.rested.value):
        return head, f"{count(arm.pulls, 'pull')}."
    rested = f"Rested, it brings {between(arm.rested)} on average."
    return head, f"{rested} {_recovery(arm, again, unit)}" if arm.verdict.seen else rested


def surprising(strange: int, tries: int) -> bool:
    """Whether chance makes so many of them strange in fewer than one log of a hundred."""
    tail = sum(math.comb(tries, k) * CHANCE**k * (1 - CHANCE) ** (tries - k) for k in range(strange))
    return tries > 0 and 1 - tail < RARE


def _groups(groups: Sequence[Group], what: str) -> Check:
    strange = sum(group.strange for group in groups)
    told = f"{what}: in {strange or 'none'} of {count(len(groups), 'group')} of pulls"
    return Check(surprising(strange, len(groups)), f"{told} the model lies outside the interval of the data.")


def _score(score: float) -> str:
    return f"{score + 0.0:.1f}".replace("-", MINUS)


def _trend(found: Findings) -> Check:
    score = found.trend.score
    if math.isnan(score):
        return Check(False, "Trend: all pulls are at one time.")
    if not found.trend.strange:
        return Check(False, f"Trend: none is left over the trial (score {_score(score)}).")
    way = "higher" if score > 0 else "lower"
    return Check(True, f"Trend: late rewards are {way} than the model expects (score {_score(score)}).")


def _echo(found: Findings) -> Check:
    score = found.echo.score
    if math.isnan(score):
        return Check(False, "Echo: no subject has two pulls.")
    if not found.echo.strange:
        return Check(False, f"Echo: an outcome says nothing more of the next than the model (score {_score(score)}).")
    way = "high after high ones" if score > 0 else "low after high ones"
    return Check(True, f"Echo: outcomes are {way} more often than the model expects (score {_score(score)}).")


def _subjects(found: Findings) -> Check:
    scores = found.sums.score
    strange = int((abs(scores) > NORMAL).sum())
    words = f"{strange:,} of {count(scores.size, 'subject')}"
    # Sums of the outcomes of few pulls are only about normal: what is a little more than chance says nothing.
    return Check(
        strange > 2 * CHANCE * scores.size and surprising(strange, scores.size),
        f"Subjects: the rewards of {words} add up to something outside of 95 % of what is expected of them.",
    )


def _simulated(found: Findings) -> Check:
    strange = [place.what for place in found.places if place.strange]
    words = f"{len(strange) or 'none'} of {count(len(found.places), 'number')} of the real log lie outside 95 % of them"
    named = f": {_listed(strange)}" if strange else ""
    near = [place.what for place in found.places if place.near]
    beside = f" Just inside: {_listed(near)}." if near else ""
    return Check(surprising(len(strange), len(found.places)), f"Simulated logs: {words}{named}.{beside}")


def _listed(places: Sequence[str]) -> str:
    more = len(places) - MOST_LISTED
    return "; ".join([*places[:MOST_LISTED], *([f"and {more} more"] if more > 0 else [])])


def checks(found: Findings) -> list[Check]:
    """Every look at the data, in a sentence."""
    gaps = [group for own in found.against.values() for group in own.gaps]
    uses = [group for own in found.against.values() for group in own.uses]
    made = [
        _groups(gaps, "Recovery") if gaps else None,
        _groups(uses, "Wear") if uses else None,
        _groups(found.calibration, "Calibration"),
        _trend(found),
        _echo(found),
        _subjects(found) if found.sums.score.size > 1 else None,
        _simulated(found) if found.places else None,
    ]
    return [each for each in made if each is not None]


def verdict_on_model(made: Sequence[Check], pulls: int) -> str:
    """The checks in one sentence; `pulls` are those that were observed."""
    strange = [check.sentence for check in made if check.strange]
    if pulls < FEWEST:
        return f"Whether the model suits the data cannot be told from {count(pulls, 'observed pull')}."
    if not strange:
        return f"The model suits the data: none of {count(len(made), 'check')} finds more than chance explains."
    names = ", ".join(sentence.split(":")[0].lower() for sentence in strange)
    some = f"{len(strange)} of {count(len(made), 'check')}"
    finds = "finds" if len(strange) == 1 else "find"
    return f"Beware: {some} of the model {finds} more than chance explains ({names})."
