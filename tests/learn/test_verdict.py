import math
from typing import Any

import pytest

from roguewk.learn.evidence import Evidence
from roguewk.learn.profile import Interval
from roguewk.learn.verdict import Case, Verdict, judge

TELLING = Evidence(threshold=6.0, share=0.3, information=100.0, start_share=0.8)
CLEAR = Case(
    repeats=100, changes=True, evidence=TELLING, ratio=30.0, wear=0.5, half_life=Interval(value=4.0, low=2.0, high=9.0)
)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, Verdict.RECOVERS),
        ({"repeats": 9}, Verdict.TOO_FEW),
        ({"changes": False}, Verdict.ALIKE),
        ({"evidence": TELLING._replace(information=3.0)}, Verdict.TOO_FEW),
        ({"evidence": TELLING._replace(information=3.0, share=0.001)}, Verdict.EVENLY),
        ({"ratio": 5.0}, Verdict.NONE_SEEN),
        ({"ratio": 5.0, "evidence": TELLING._replace(start_share=0.01)}, Verdict.NONE_IF_RESTED),
        ({"wear": -0.5}, Verdict.GROWS),
        ({"trend": True}, Verdict.TREND),
        ({"half_life": Interval(4.0, 2.0, math.inf)}, Verdict.SLOWLY),
        ({"half_life": Interval(4.0, 0.0, 9.0)}, Verdict.QUICKLY),
        ({"half_life": Interval(4.0, 0.0, math.inf)}, Verdict.SOMEHOW),
        ({"evidence": TELLING._replace(start_share=0.01)}, Verdict.IF_RESTED),
        (
            {"evidence": TELLING._replace(start_share=0.01), "half_life": Interval(4.0, 0.0, 9.0)},
            Verdict.IF_RESTED_SOMEHOW,
        ),
    ],
)
def test_every_verdict_has_its_case(changes: dict[str, Any], verdict: Verdict) -> None:
    assert judge(CLEAR._replace(**changes)) is verdict


def test_every_verdict_is_a_sentence_of_its_own() -> None:
    sentences = [str(verdict) for verdict in Verdict]
    assert len(set(sentences)) == len(sentences)
    assert all(sentence[0].islower() and not sentence.endswith(".") for sentence in sentences)
