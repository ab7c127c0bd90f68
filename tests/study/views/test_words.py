"""Settings in words."""

import pytest

from roguewk.problem.baseline import KEYS
from roguewk.study.plan.named import KINDS
from roguewk.study.views.words import in_words, told


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("budget", "budget"),
        ("budget.coach minutes", "budget of coach minutes"),
        ("at_most.calls", "cap of calls"),
        ("at_most.2", "cap 2"),
        ("every.minutes", "period of minutes"),
        ("gap.1", "gap 1"),
        ("gap.call or text", "gap of call or text"),
        ("each.weekday", "length of an entry of weekday"),
        ("known.place", "chances of place known"),
        ("cycle.weekday", "cycle of weekday"),
        ("idle", "idle rounds"),
        ("idle.reward", "reward of idle rounds"),
        ("idle.at_end", "reward of idle rounds at the end"),
        ("outcomes.delay", "delay of outcomes"),
        ("outcomes.missing", "share of outcomes missing"),
        ("rounds_per_day", "rounds a day"),
        ("arm.walk.half_life", "half-life of walk"),
        ("arm.big.b.rested", "rested of big.b"),
        ("w1", "w1"),
    ],
)
def test_a_setting_is_called_as_people_call_it(key: str, words: str) -> None:
    assert in_words(key) == words


def test_every_kind_of_setting_has_words_of_its_own() -> None:
    kinds = [in_words(f"{kind}.NAME") for kind in KINDS]
    kinds += [in_words(f"idle.{key}") for key in KEYS]
    assert len(set(kinds)) == len(kinds)
    assert not any(
        "_" in words or words.startswith(("idle of", "outcomes of", "each of", "known of")) for words in kinds
    )


def test_values_are_told_as_people_say_them() -> None:
    settings = {"idle": False, "outcomes.delay": [1, 3], "horizon": None, "gap.1": "2 days"}
    assert told(settings) == "idle rounds no, delay of outcomes (1, 3), gap 1: 2 days"
