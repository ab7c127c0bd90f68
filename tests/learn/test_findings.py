"""What is striking in a log is said, and what is not is passed over in silence."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw

SUBJECTS, ROUNDS = 40, 50


def made(seed: int = 1, **columns: Any) -> pd.DataFrame:
    """A log in which nothing is striking, but for columns that are given."""
    rng, size = np.random.default_rng(seed), SUBJECTS * ROUNDS
    plain = {
        "subject": np.repeat(np.arange(SUBJECTS), ROUNDS),
        "round": np.tile(np.arange(ROUNDS), SUBJECTS),
        "arm": rng.choice(["call", "text"], size),
        "reward": (rng.random(size) < 0.4).astype(float),
    }
    return pd.DataFrame({**plain, **columns})


def said(table: pd.DataFrame, **given: Any) -> list[str]:
    return list(rw.read_log(table, **given).found)


def test_a_plain_log_is_described_in_two_sentences() -> None:
    log = rw.read_log(made())
    assert log.found == (
        "2,000 rows of 40 subjects, 50 rows each: 2,000 with one of 2 arms, 0 idle.",
        "Rounds go from 0 to 49, and the median gap between rows of a subject is 1 round.",
    )
    assert str(log) == "\n".join(log.found)


def test_rounds_that_are_missing_in_between_are_taken_as_idle() -> None:
    table = made().drop(index=[3, 4, 5, 77, 99])  # the last of which is the end of a subject
    sentence = "Between rows of 2 subjects, 4 rounds are missing: they are taken as idle."
    assert sentence in said(table)


def test_missing_outcomes_and_costs_are_counted_where_an_arm_was_given() -> None:
    table = made(cost_minutes=1.0, cost_euros=1.0)
    table.loc[:99, "arm"] = None
    table.loc[:289, "reward"] = np.nan
    table.loc[:118, "cost_euros"] = np.nan
    assert "The outcome is missing in 190 of 1,900 rows with an arm (10.0 %)." in said(table)
    assert "Costs are missing: of 'euros' in 19 of 1,900 rows with an arm (1.0 %)." in said(table)


def test_a_clock_is_described_by_spans_and_gaps() -> None:
    times = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.tile(np.arange(ROUNDS), SUBJECTS), unit="D")
    table = made(time=times).drop(columns="round").drop(index=[5, 6])
    span, gaps = "Subjects are seen for up to 49 days", "gap between rows of a subject is 1 day, the longest 3 days"
    assert f"{span}, and the median {gaps}." in said(table)
    assert "Subjects are seen for up to 0 days." in said(table.iloc[[0, 100]])


@pytest.mark.parametrize("kind", ["coins", "counts", "rare counts", "measured", "scores"])
def test_outcomes_that_are_zero_by_nature_are_not_suspected(kind: str) -> None:
    for seed in range(10):
        rng, size = np.random.default_rng(seed), SUBJECTS * ROUNDS
        rewards = {
            "coins": (rng.random(size) < 0.05).astype(float),
            "counts": rng.poisson(2.0, size),
            "rare counts": rng.poisson(0.1, size),
            "measured": rng.normal(size=size),
            "scores": rng.integers(0, 6, size),
        }[kind]
        assert not [sentence for sentence in said(made(reward=rewards)) if "not observed" in sentence]


@pytest.mark.parametrize("kind", ["measured", "shares", "scores", "large counts"])
def test_zeros_that_stand_for_nothing_observed_are_suspected(kind: str) -> None:
    rng, size = np.random.default_rng(5), SUBJECTS * ROUNDS
    rewards = {
        "measured": rng.normal(3.0, 1.0, size),
        "shares": rng.beta(2, 3, size),
        "scores": rng.choice([1.0, 2.0, 3.0, 4.0, 5.0], size, p=[0.05, 0.1, 0.2, 0.3, 0.35]),
        "large counts": rng.poisson(20.0, size).astype(float),
    }[kind]
    rewards[::5] = 0.0
    remedy = "if 0 stands for what was not observed, leave the field empty"
    assert f"Zeros stand out, 400 of 2,000 outcomes (20.0 %): {remedy}." in said(made(reward=rewards))


def test_subjects_who_end_with_zeros_are_suspected_if_there_are_many() -> None:
    table = made()
    table.loc[table["round"] >= 30, "reward"] = table["reward"].where(table["subject"] >= 2, 0.0)
    assert not [sentence for sentence in said(table) if "to the end" in sentence]
    table.loc[table["round"] >= 30, "reward"] = table["reward"].where(table["subject"] >= 10, 0.0)
    sentence = "Outcomes are 0 alone from some row to the end, of 10 of 40 subjects (25.0 %): if 0 stands for"
    assert any(told.startswith(sentence) for told in said(table))


def test_subjects_who_never_earn_are_not_suspected() -> None:
    table = made()
    table["reward"] = table["reward"].where(table["subject"] >= 20, 0.0)
    assert not [sentence for sentence in said(table) if "to the end" in sentence]


def test_arms_that_are_never_or_rarely_given_are_named() -> None:
    table = made()
    table.loc[:3, "arm"] = "visit"
    told = "Arms never given: 'gift'; given fewer than 10 times: 'visit' (4)."
    assert told in said(table, arms=["call", "text", "visit", "gift"])


@pytest.mark.parametrize(
    "word", ["none", "None", "NO MESSAGE", "no_message", "no-message", "Nothing", "idle", "-", "n/a"]
)
def test_idle_written_as_a_word_is_suspected(word: str) -> None:
    table = made()
    table.loc[::3, "arm"] = word
    assert f"The arm {word!r} looks like idle rows: leave its cells empty if it is." in said(table)


def test_arms_that_may_well_be_some_are_not_taken_for_idle() -> None:
    names = ["control", "0", "notice", "reminder: no rest", "noise"]
    table = made(arm=np.random.default_rng(2).choice(names, SUBJECTS * ROUNDS))
    assert not [sentence for sentence in said(table) if "idle rows" in sentence]


def test_several_words_for_idle_are_named_together_and_those_that_nobody_got_are_not() -> None:
    table = made(arm=np.random.default_rng(2).choice(["call", "none", "idle"], SUBJECTS * ROUNDS))
    sentences = said(table, arms=["call", "none", "idle", "nothing"])
    assert "The arms 'none' and 'idle' look like idle rows: leave their cells empty if they are." in sentences


def test_arms_whose_outcomes_never_differ_are_named_if_there_are_many_outcomes() -> None:
    table = made()
    table["reward"] = table["reward"].where(table["arm"] == "text", 0.0)
    calls = int((table["arm"] == "call").sum())
    sentence = f"Outcomes of an arm never differ, so check them: 'call' (all {calls} are 0)."
    assert sentence in said(table)
    table.loc[:18, "arm"] = "visit"
    table.loc[:18, "reward"] = 1.0
    assert not [told for told in said(table) if "'visit' (all" in told]


def test_odd_rows_are_counted() -> None:
    table = made(available=True).iloc[: 2 * ROUNDS + 1]
    table.loc[:9, "arm"] = None
    table.loc[:9, "reward"] = 0.0
    table.loc[20:22, "available"] = False
    sentences = said(table)
    assert "A single row is all there is of 1 of 3 subjects (33.3 %)." in sentences
    assert "There are rewards in 10 idle rows, all of them 0." in sentences
    assert "There is an arm though nothing was available in 3 rows: check both columns." in sentences
    table.loc[3, "reward"] = 1.0
    assert "There are rewards in 10 idle rows: they say what a round brings in which nothing is done." in said(table)


def test_what_was_made_of_the_table_is_said() -> None:
    table = made(age=3, note="x").iloc[[0, 2, 1]].drop(columns="subject")
    sentences = said(table)
    assert "There is no column 'subject': all rows are taken to be of one." in sentences
    assert "Time goes backwards in row 2 (counted from 0): rows were sorted." in sentences
    assert "Further columns of numbers: 'age'." in sentences
    assert "Left out, as not only finite numbers are there: 'note'." in sentences
    mixed = made().sort_values(["round", "subject"])
    assert "Rows of a subject do not follow each other: rows were sorted." in said(mixed)
