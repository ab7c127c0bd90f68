"""What contexts are in each round and do to arms, against a literal reading; and what is refused."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.problem.calendar import calendar_of, shift_table
from roguewk.problem.context import draw_of, joint_chances
from roguewk.problem.occasions import build_occasions, chance_of, enter, note_draw, odds_of
from roguewk.problem.plain import problem_from_data, problem_to_data
from tests.problem.surrounded import PER_DAY, contexts, days_of, problems

WEEK = rw.Context("weekday", cycle=["workday"] * 5 + ["weekend"] * 2, each="1 day")
COIN = rw.Arm("walk", alpha=0.0)
PLACE = rw.Context("place", ["home", "driving"], chances=[0.8, 0.2])


def drawn_of(given: tuple[rw.Context, ...]) -> list[dict[str, str]]:
    """All that may be drawn together, the last context changing soonest."""
    drawn = [context for context in given if context.drawn]
    combinations = itertools.product(*(context.values for context in drawn))
    return [dict(zip((context.name for context in drawn), each, strict=True)) for each in combinations]


def chance_by_hand(given: tuple[rw.Context, ...], drawn: dict[str, str]) -> float:
    """How likely it is that these are drawn."""
    chance = 1.0
    for context in given:
        if context.drawn:
            chance *= (context.chances or ())[context.values.index(drawn[context.name])]
    return chance


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(problem=problems())
def test_calendars_and_tables_are_what_is_written(problem: rw.Problem) -> None:
    calendar, days = calendar_of(problem.contexts, PER_DAY), days_of(problem)
    shifts, barred = shift_table(problem.arms, calendar)
    draws, period = drawn_of(problem.contexts), len(calendar.phases)
    assert calendar.draws == len(draws)
    for t in (*range(min(2 * period, 50)), 10**6 + 1):
        for d, drawn in enumerate(draws):
            occasion, values = calendar.phases[t % period] * calendar.draws + d, days.at(t, drawn)
            assert calendar.occasions[occasion] == tuple(values.values())
            chance = np.prod(
                [dict(zip(c.values, c.chances or (), strict=True))[drawn[c.name]] for c in problem.contexts if c.drawn]
            )
            assert calendar.odds[t % period, occasion] == pytest.approx(chance)
            for a, arm in enumerate(problem.arms):
                assert barred[occasion, a] == (not days.allows(arm.name, values))
                assert shifts[occasion, a] == pytest.approx(days.shift(arm.name, values))
    assert calendar.odds.sum(axis=1) == pytest.approx(np.ones(period))


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(given=contexts(), data=st.data())
def test_what_is_said_is_the_combination_that_chances_are_of(given: list[rw.Context], data: st.DataObject) -> None:
    drawn, chances = [context for context in given if context.drawn], joint_chances(given)
    for place, values in enumerate(drawn_of(tuple(given))):
        names = data.draw(st.permutations(list(values)))
        assert draw_of(drawn, given, {name: values[name] for name in names}) == place
        assert draw_of(drawn, given, [values[name] for name in names] or None) == place
        assert chances[place] == pytest.approx(chance_by_hand(tuple(given), values))


def test_chances_that_nobody_says_are_learned_by_counting() -> None:
    """The first guess counts for one round of each draw."""
    contexts = [rw.Context("place", ["home", "out"]), rw.Context("mood", ["good", "bad"], [0.75, 0.25])]
    part = build_occasions(rw.Problem([COIN], [], 50, contexts=contexts), used=True)
    rng, seen, first = np.random.default_rng(1), np.zeros(4), np.array([0.375, 0.125, 0.375, 0.125])
    for t in range(40):
        total = seen.sum() + 4
        assert [chance_of(part, d) for d in range(4)] == pytest.approx(((seen + 4 * first) / total).tolist())
        draw = int(rng.integers(4))
        enter(part, t, draw)
        note_draw(part, draw)
        seen[draw] += 1
    told = build_occasions(rw.Problem([COIN], [], 50, contexts=[WEEK, PLACE], rounds_per_day=1), used=True)
    note_draw(told, 1)
    assert [odds_of(told, k) for k in range(4)] == pytest.approx([5 / 7 * 0.8, 5 / 7 * 0.2, 2 / 7 * 0.8, 2 / 7 * 0.2])


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(problem=problems(), told=st.booleans())
def test_problems_with_contexts_are_written_and_read(problem: rw.Problem, told: bool) -> None:
    again = problem_from_data(problem_to_data(problem))
    assert again.contexts == problem.contexts
    assert [arm.when for arm in again.arms] == [arm.when for arm in problem.arms]
    assert f"contexts {problem.contexts[0].name!r}" in problem.outline()


def wrong(value: Any) -> Any:
    """What no type checker lets pass."""
    return value


MANY = [rw.Context(f"c{i}", [f"{i}{j}" for j in "abc"]) for i in range(30)]
REFUSED: dict[str, tuple[Any, str]] = {
    "nothing": (lambda: rw.Context("place"), "has neither values nor a cycle"),
    "both": (lambda: rw.Context("place", ["a"], cycle=["a"]), "has both values or chances and a cycle"),
    "chances of a cycle": (lambda: rw.Context("place", cycle=["a"], chances=[1.0]), "both values or chances and"),
    "each of draws": (lambda: rw.Context("place", ["a"], each=2), "has 'each' and no cycle"),
    "a text": (lambda: rw.Context("place", "home"), "give a list of names"),
    "no name": (lambda: rw.Context(""), "name of a context"),
    "empty": (lambda: rw.Context("place", []), "give a list of names"),
    "twice": (lambda: rw.Context("place", ["a", "a"]), "values of context 'place'"),
    "few chances": (lambda: rw.Context("place", ["a", "b"], [1.0]), "give 2 numbers, one for each value"),
    "negative": (lambda: rw.Context("place", ["a", "b"], [1.5, -0.5]), "at least 0 that add up to 1"),
    "more than all": (lambda: rw.Context("place", ["a", "b"], [0.5, 0.6]), "at least 0 that add up to 1"),
    "no duration": (lambda: rw.Context("day", cycle=["a"], each="a while"), "each of context 'day'"),
    "true": (lambda: rw.Arm("walk", alpha=0.0, when={"home": True}), "has true for 'home': leave it out"),
    "not a dict": (lambda: rw.Arm("walk", alpha=0.0, when=wrong(["home"])), "give a dict such as"),
    "no number": (lambda: rw.Arm("walk", alpha=0.0, when=wrong({"home": "a lot"})), "what 'home' adds"),
    "huge": (lambda: rw.Arm("walk", alpha=0.0, when={"home": 1e200}), "choose a unit in which it stays below"),
    "own g": (lambda: rw.Arm("walk", g=abs, state=(0, 1), when={"home": 0.5}), "let `when` only forbid it"),
    "no contexts": (
        lambda: rw.Problem([rw.Arm("walk", alpha=0.0, when={"home": 0.5})], [], 9),
        "`when` of arm 'walk' names 'home' and there are no contexts: add a context",
    ),
    "unknown value": (
        lambda: rw.Problem([rw.Arm("walk", alpha=0.0, when={"hme": 0.5})], [], 9, contexts=[PLACE]),
        "value of a context in `when` of arm 'walk'",
    ),
    "two of a name": (lambda: rw.Problem([COIN], [], 9, contexts=[PLACE, PLACE]), "contexts"),
    "shared values": (
        lambda: rw.Problem([COIN], [], 9, contexts=[PLACE, rw.Context("mood", ["home"])]),
        "values of contexts",
    ),
    "no contexts but texts": (lambda: rw.Problem([COIN], [], 9, contexts=wrong("p")), "list of rw.Context"),
    "days of rounds": (lambda: rw.Problem([COIN], [], 9, contexts=[WEEK]), "give rounds_per_day"),
    "too many": (
        lambda: rw.Problem([COIN], [], 9, contexts=MANY),
        "give no more than 64 of them",
    ),
    "too long": (
        lambda: rw.Problem([COIN], [], 9, contexts=[rw.Context("day", cycle=["a", "b"], each=60_000)]),
        "give a shorter cycle",
    ),
    "too long together": (
        lambda: rw.Problem([COIN], [], 9, contexts=[
            rw.Context(f"c{n}", cycle=[f"{n} {i}" for i in range(2)], each=n) for n in (331, 337)
        ]),
        "begin anew together after 223,094 rounds",
    ),
    "another ban": (
        lambda: rw.Problem([rw.Arm("walk", alpha=0.0, when={"home": False})], [], 9, contexts=[PLACE]).believe([COIN]),
        "forbidden in ['home'] and believed to be in []: give it the same",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(what: str) -> None:
    make, sentence = REFUSED[what]
    with pytest.raises(rw.InputError) as caught:
        make()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


SAID: dict[str, tuple[Any, str]] = {
    "nothing": (None, "nothing is said of context 'place': write "),
    "not all": (["home"], "nothing is said of context 'mood'"),
    "unknown": ("hme", "value of a context"),
    "unknown name": ({"plce": "home"}, "context"),
    "unknown of this name": ({"place": "good", "mood": "good"}, "value of context 'place'"),
    "contradictory": (["home", "out", "good"], "context 'place' is said to be 'home' and 'out': give one"),
    "a cycle": (
        {"place": "home", "mood": "good", "hour": "day"},
        "goes round in a cycle, which follows from the round",
    ),
    "a value of a cycle": (["home", "good", "day"], "value of a context"),
    "a number": (3, "value of a context"),
}


@pytest.mark.parametrize("what", SAID)
def test_what_is_said_wrongly_is_refused_in_a_sentence_and_nothing_changes(what: str) -> None:
    contexts = [rw.Context("place", ["home", "out"]), rw.Context("mood", ["good", "bad"])]
    problem = rw.Problem([COIN], [], 9, contexts=[*contexts, rw.Context("hour", cycle=["day", "night"])])
    policy = rw.make_policy("ucb1", problem)
    before, (said, sentence) = policy.learned.copy(), SAID[what]
    for decide in (policy.select, policy.preview):
        with pytest.raises(rw.InputError) as caught:
            decide(context=said)
        assert sentence in str(caught.value)
    with pytest.raises(rw.InputError, match=r"\w"):
        policy.follow("walk", context=said)
    np.testing.assert_array_equal(policy.learned, before)
    both = {"place": "out", "mood": "bad"}
    assert policy.select(context=both).context == {**both, "hour": "day"}
    assert policy.select(context=["bad", "out"]).context == {**both, "hour": "night"}


def test_who_has_only_cycles_says_nothing() -> None:
    problem = rw.Problem([COIN], [], 9, contexts=[rw.Context("hour", cycle=["day", "night"])])
    policy = rw.make_policy("roguewk-plan", problem)
    with pytest.raises(rw.InputError, match="no context of this problem is drawn: leave it out"):
        policy.select(context="day")
    assert [policy.select().context, policy.select().context] == [{"hour": "day"}, {"hour": "night"}]
    without = rw.make_policy("roguewk-plan", rw.Problem([COIN], [], 9))
    assert without.select().context is None
    with pytest.raises(rw.InputError, match="no context of this problem is drawn: leave it out"):
        without.select(context="day")


def test_one_context_that_is_drawn_may_be_said_as_one_value() -> None:
    policy = rw.make_policy("ucb1", rw.Problem([COIN], [], 9, contexts=[PLACE]))
    assert (
        policy.preview(context="driving").context == policy.select(context=["driving"]).context == {"place": "driving"}
    )
    with pytest.raises(rw.InputError, match=r"write select\(context='home'\)"):
        policy.select()


def test_shifts_to_where_no_reward_can_be_are_told_of_when_as_soon_as_contexts_are_known() -> None:
    season, hours = rw.Context("season", ["low", "high"]), [f"hour {hour}" for hour in range(24)]
    for family, shift in (("poisson", 1e9), ("bernoulli", -2000)):
        arm = rw.everyday_arm("ad", rested=0.5, wear=0.3, half_life=3, family=family, when={"high": shift})
        with pytest.raises(rw.InputError, match=r"`when` of arm 'ad' shifts its level by .*: give smaller shifts"):
            rw.Problem([arm], [], 20, contexts=[season])
    # Of a context there is one value at a time: what the others add does not count.
    arm = rw.everyday_arm("ad", rested=20, wear=0.3, half_life=3, family="poisson", when=dict.fromkeys(hours, 0.9))
    assert rw.Problem([arm], [], 20, contexts=[rw.Context("hour", cycle=hours)]).arms[0].when


def test_who_follows_is_told_to_follow_with_a_context() -> None:
    problem = rw.Problem([COIN], [], 9, contexts=[rw.Context("place", ["home", "out"])])
    with pytest.raises(rw.InputError, match=r"write follow\(arm, context='home'\)"):
        rw.make_policy("ucb1", problem).follow(0)
