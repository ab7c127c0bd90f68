"""What becomes of an outcome, by the luck of its round: when it is told, if ever."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import OUTCOME, Now, Word, unit, words
from roguewk.kernel.records import record_type
from roguewk.world.outcomes import Outcomes

NEVER_DUE = -1  # in place of a round
_TERMS = record_type(("missing", "costs_missing"), ("least", "most", "costs_least", "costs_most", "apart"))


class Fate(NamedTuple):
    """What becomes of an outcome: the rounds before which reward and costs are told, or NEVER_DUE for costs."""

    reward_due: int
    costs_due: int
    reward_known: bool  # or else it is told then that it will never be


def build_terms(outcomes: Outcomes) -> Any:
    """(1,) the compiled form of outcomes."""
    costs = outcomes.costs or outcomes
    terms = np.zeros(1, dtype=_TERMS)
    terms["least"], terms["most"], terms["missing"] = *outcomes.rounds, outcomes.missing
    terms["costs_least"], terms["costs_most"], terms["costs_missing"] = *costs.rounds, costs.missing
    terms["apart"] = outcomes.costs is not None
    return terms


@compiled
def _late_by(least: int, most: int, word: Word) -> int:
    return least + int(unit(word) * (most - least + 1))


@compiled
def fate_of(terms: Any, now: Now) -> Fate:
    """What becomes of the outcome of this round's pull."""
    told, luck = terms[0], words(now, OUTCOME, 0)
    reward_due = now.round + 1 + _late_by(told.least, told.most, luck[0])
    lost = unit(luck[1]) < told.missing
    if not told.apart:
        return Fate(reward_due, NEVER_DUE if lost else reward_due, not lost)
    costs_due = now.round + 1 + _late_by(told.costs_least, told.costs_most, luck[2])
    return Fate(reward_due, NEVER_DUE if unit(luck[3]) < told.costs_missing else costs_due, not lost)
