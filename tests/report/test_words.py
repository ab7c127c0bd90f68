"""What a fit says, in sentences."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from roguewk.learn.checks.again import Again
from roguewk.learn.example import invented_log
from roguewk.learn.profile import Interval
from roguewk.learn.verdict import Verdict
from roguewk.report.findings import look_into
from roguewk.report.page import fit_page
from roguewk.report.words import Check, arm_sentences, between, checks, surprising, verdict_on_model, waiting
from tests.report.logs import found_in


def _said(verdict: Verdict, low: float = 9.0, high: float = 22.0) -> str:
    arm = dataclasses.replace(found_in("invented").fit.arms[0], name="call", verdict=verdict)
    arm = dataclasses.replace(arm, rested=Interval(0.69, 0.64, 0.74))
    times = Again(Interval(13.0, low, high), Interval(15.2, low, high))
    return " ".join(arm_sentences(arm, times if verdict.seen else None, "rounds"))


def test_every_verdict_makes_sentences() -> None:
    rested = "Rested, it brings 0.69 (0.64 to 0.74) on average."
    assert _said(Verdict.RECOVERS) == (
        f"call wears off and recovers {rested} After a use it works again after about 13 rounds (9 to 22), "
        "after ten in a row after about 15 rounds (9 to 22)."
    )
    assert _said(Verdict.SLOWLY, high=math.inf).endswith(
        "After a use it works again after 9 rounds or more, after ten in a row after 9 rounds or more."
    )
    assert "works again within 22 rounds" in _said(Verdict.QUICKLY, low=0.0)
    assert _said(Verdict.SOMEHOW, 0.0, math.inf).endswith("When it works again cannot be told.")
    assert _said(Verdict.GROWS).endswith("Nine tenths of what a use adds are gone after about 13 rounds (9 to 22).")
    assert _said(Verdict.NONE_SEEN) == f"call: no wear is seen {rested}"
    assert _said(Verdict.EVENLY).startswith("call: wear cannot be told from rested effect")
    assert _said(Verdict.TOO_FEW) == "call: too few pulls 2,006 pulls."


def test_times_are_rounded_to_what_is_known_of_them() -> None:
    assert waiting(Interval(733.2, 411.0, 2243.5), "seconds") == "after about 730 seconds (410 to 2240)"
    assert between(Interval(1022.3, 1007.2, 1036.0)) == "1020 (1010 to 1040)"
    assert between(Interval(0.6925, 0.6401, 0.74)) == "0.69 (0.64 to 0.74)"
    assert between(Interval(0.0123, 0.01, 0.5)) == "0.012 (0.01 to 0.5)"
    assert between(Interval(5.0, 3.0, math.inf)) == "5 (3 or more)"


@pytest.mark.parametrize(("strange", "tries"), [(0, 10), (1, 10), (3, 10), (4, 10), (7, 40), (100, 1000), (70, 1000)])
def test_what_surprises_is_what_chance_makes_in_one_log_of_a_hundred(strange: int, tries: int) -> None:
    assert surprising(strange, tries) == (stats.binom.sf(strange - 1, tries, 0.05) < 0.01)


def test_a_right_model_suits_its_data_and_a_wrong_one_is_named() -> None:
    found = found_in("invented")
    assert verdict_on_model(checks(found), 4025) == (
        "The model suits the data: none of 7 checks finds more than chance explains."
    )
    drifting = dataclasses.replace(found, trend=found.trend._replace(score=-6.04))
    (trend,) = (each for each in checks(drifting) if each.strange)
    assert trend == Check(True, "Trend: late rewards are lower than the model expects (score \N{MINUS SIGN}6.0).")
    assert verdict_on_model(checks(drifting), 4025) == (
        "Beware: 1 of 7 checks of the model finds more than chance explains (trend)."
    )


def test_a_number_just_inside_of_what_is_simulated_is_remarked_on() -> None:
    found = found_in("counts")
    (zeros,) = (place for place in found.places if place.what == "share of zeros")
    edge = dataclasses.replace(found, places=[zeros._replace(share=share) for share in (0.03, 0.5)])
    assert checks(edge)[-1].sentence == (
        "Simulated logs: none of 2 numbers of the real log lie outside 95 % of them. Just inside: share of zeros."
    )
    page = fit_page(edge).decode()
    assert page.count("just inside 95&nbsp;%") == 1
    assert page.count(">as simulated<") == 1
    outside = dataclasses.replace(found, places=[zeros._replace(share=0.01)])
    assert "Just inside" not in checks(outside)[-1].sentence


def test_of_a_handful_of_pulls_nothing_is_said_with_confidence() -> None:
    found = found_in("ten rows")
    words = "Whether the model suits the data cannot be told from 9 observed pulls."
    assert verdict_on_model(checks(found), 9) == words
    assert found.curves == {}
    assert found.places == []


def test_no_time_is_told_where_the_verdict_says_that_recovery_cannot_be_told() -> None:
    found = found_in("evenly spaced")
    arm = found.fit.arms[0]
    assert arm.verdict is Verdict.IF_RESTED_SOMEHOW
    assert found.again == {}
    assert arm_sentences(arm, None, "rounds")[1].endswith("When it works again cannot be told.")


def test_what_arms_share_is_in_the_headlines_and_in_a_table() -> None:
    log = invented_log(40)
    hours = dataclasses.replace(log, covariates={"hour": np.linspace(0.0, 23.0, log.arm.size)})
    page = fit_page(look_into(rw.fit(hours, covariates=["hour"]), hours)).decode()
    assert "<li><strong>hour: " in page
    assert "What arms share" in page
    assert "What arms share" not in fit_page(found_in("ten rows")).decode()
