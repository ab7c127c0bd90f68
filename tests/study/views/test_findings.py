"""What a study found, in a few sentences."""

import dataclasses

import numpy as np
import pytest

from roguewk.study.study import changed
from roguewk.study.views.findings import findings
from tests.study.invented import SMALL, invented, planned
from tests.study.views.told import results_of, some_rewards, told


@pytest.mark.parametrize(("policies", "needed"), [(2, 6), (15, 10)])
def test_too_few_replicates_to_decide_anything_are_told(policies: int, needed: int) -> None:
    for replicates in (2, needed - 1, needed):
        rewards = np.random.default_rng(0).normal(0, 1, (2, policies, replicates))
        rewards[:, 1:] += 1000.0
        results = results_of(rewards)
        told_so = f"at least {needed} are needed for {policies - 1} comparison" in " ".join(told(results))
        assert told_so == (replicates < needed)
        within = results.comparisons[results.comparisons["world"] != "all worlds"]
        assert (within["verdict"] == ("undecided" if told_so else "more")).all()


def test_comparisons_without_pairs_are_not_counted_as_tested() -> None:
    rewards = some_rewards(2, 3)
    rewards[:, 1] += 30
    rewards[1, 2] = np.nan
    sentence = told(results_of(rewards))[1]
    assert sentence.startswith(
        "Of 3 comparisons with p0 within a world (1 more lack pairs), 2 are decided after correcting for the number of "
        "policies, not for the number of worlds: 2 earned more, 0 less."
    )
    lone = told(results_of(some_rewards(1, 2, 1)))[1]
    assert lone == "Nothing is decided: it takes several replicates that both policies finished."


def test_the_first_sentence_names_who_earned_most_and_by_how_much() -> None:
    played = invented(planned(SMALL))
    summary, comparisons = played.summary, played.comparisons
    first, second, third = findings(played)
    share = summary[summary["policy"] == "sw-ucb"]["share"].mean()
    row = comparisons[comparisons["world"] == "all worlds"].iloc[0]
    assert f"sw-ucb earned most: {share:.1%} of the certified bound".replace("%", " %") in first
    assert f"{100 * row['difference']:.3g} percentage points more than ucb1" in first
    assert f"95 % interval {100 * row['low']:.3g} to {100 * row['high']:.3g}" in first.replace("\N{MINUS SIGN}", "-")
    assert set(comparisons["verdict"]) == {"undecided"}
    assert second == "None of 2 comparisons with ucb1 within a world is decided."
    clear = comparisons.assign(verdict=["more", "less", "more"])
    told = findings(played.but(comparisons=clear))[1]
    assert told.startswith("Of 2 comparisons with ucb1 within a world, 2 are decided")
    assert told.endswith(": 1 earned more, 1 less.")
    assert third == "No run failed."
    half = dataclasses.replace(played, study=changed(played.study, 60, None))
    unfinished, best, *_ = findings(half)
    assert unfinished == "The study is not finished: 120 of 240 runs are there."
    assert best.startswith(
        "On average over the 2 worlds and 30 replicates that all policies finished, sw-ucb earned most"
    )
