"""Policies that decide round by round in contexts: what they are told, what they may pull, and how they go on later."""

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.part.status import Status
from roguewk.policy.registry import all_recipes
from roguewk.policy.saved import _canonical, _sha
from roguewk.world.game import Game
from tests.problem.surrounded import HORIZON, days_of, problems

POLICIES: dict[str, dict[str, Any]] = {
    "roguewk-plan": {},
    "roguewk-ucb": {},
    "roguewk-ts": {},
    "ucb1": {},
    "whittle": {},
    "randomised": {"chances": 1.0},
}


OVER = (Status.SPENT, Status.ENDED)


class Table:
    """A policy, the same one that is never stopped, and a literal reading of the contexts."""

    def __init__(self, problem: rw.Problem, name: str, data: st.DataObject) -> None:
        self.problem, self.data, self.days = problem, data, days_of(problem)
        self.both = [rw.make_policy(name, problem, seed=5, **POLICIES[name]) for _ in range(2)]
        self.waiting: list[Any] = []

    def said(self) -> tuple[dict[str, str], Any]:
        """What is drawn, and one of the ways to say it."""
        contexts = [each for each in self.problem.contexts if each.drawn]
        drawn = {each.name: self.data.draw(st.sampled_from(each.values)) for each in contexts}
        ways: list[Any] = [drawn, list(drawn.values()), *([*drawn.values()] if len(drawn) == 1 else [])]
        return drawn, self.data.draw(st.sampled_from(ways)) if drawn else None

    def decide(self, t: int) -> bool:
        drawn, said = self.said()
        values = self.days.at(t, drawn)
        names = [arm.name for arm in self.problem.arms]
        free = [name for name in names if self.days.allows(name, values)]
        how = self.data.draw(st.sampled_from(["select"] * 5 + ["preview", "some", "follow", "skip"]))
        if self.both[1].preview(context=said).code in OVER:
            return False
        if how == "skip":
            for policy in self.both:
                policy.skip()
            return True
        if how == "follow":
            self._follow(t, said, free, names)
            return True
        if how == "preview":
            self.both[0].preview(context=said)
        listed = self.data.draw(st.lists(st.sampled_from(names), unique=True)) if how == "some" else None
        decision, other = (policy.select(available=listed, context=said) for policy in self.both)
        assert (decision.arm, decision.left_out, decision.code) == (other.arm, other.left_out, other.code)
        np.testing.assert_array_equal(decision.reward_bounds, other.reward_bounds)
        assert decision.context == values
        self._check(decision, t, free, names if listed is None else listed)
        if decision.arm is not None:
            self.waiting.append(t)
        return True

    def _check(self, decision: rw.Decision, t: int, free: list[str], listed: list[str]) -> None:
        """No arm is pulled that contexts forbid, and it is said which ones are, and until when at the least."""
        assert decision.name is None or decision.name in free
        assert decision.name is None or decision.name in listed
        out = {each.arm: each for each in decision.left_out}
        assert list(out) == [arm.name for arm in self.problem.arms if arm.name not in free]
        for arm, each in out.items():
            assert each.until == self.first_allowed(arm, t + 1)
            assert each.why.startswith("forbidden: ")
        if listed and not free:
            assert decision.code == Status.FORBIDDEN
            assert "no arm is allowed in this context" in " ".join(decision.explain().split())

    def first_allowed(self, arm: str, since: int) -> int | None:
        """The first round in which something may be drawn that allows an arm."""
        drawn = [each for each in self.problem.contexts if each.drawn]
        for t in range(since, HORIZON):
            ways = [tuple(self.days.turning(t).values())]
            for each in drawn:
                chances = each.chances or (1.0,) * len(each.values)
                possible = [value for value, chance in zip(each.values, chances, strict=True) if chance > 0]
                ways = [(*way, value) for way in ways for value in possible]
            if any(self.days.allows(arm, {value: value for value in way}) for way in ways):
                return t
        return None

    def _follow(self, t: int, said: Any, free: list[str], names: list[str]) -> None:
        name = self.data.draw(st.sampled_from(names))
        for policy in self.both:
            if name in free:
                assert policy.follow(name, context=said) == t
            else:
                with pytest.raises(rw.InputError, match=f"there can be no pull of '{name}'"):
                    policy.follow(name, context=said)
                policy.skip()
        if name in free:
            self.waiting.append(t)

    def hear(self) -> None:
        """Something comes of an earlier pull."""
        comes = self.data.draw(st.booleans())
        if self.waiting and comes:
            t = self.waiting.pop(self.data.draw(st.integers(0, len(self.waiting) - 1)))
            reward = self.data.draw(st.sampled_from([0, 1, None]))
            for policy in self.both:
                policy.update(t, reward=reward, costs=[0.25])

    def stop(self) -> None:
        """One of the policies is written down, and goes on from that."""
        policy, how = self.both[0], self.data.draw(st.sampled_from(["not at all", "text", "bytes"]))
        if how == "text":
            self.both[0] = rw.restore_policy(json.loads(json.dumps(policy.state())))
        if how == "bytes":
            self.both[0] = rw.restore_policy(policy.to_bytes(), problem=self.problem)
        np.testing.assert_array_equal(self.both[0].learned, self.both[1].learned)


def play(problem: rw.Problem, name: str, data: st.DataObject) -> None:
    table = Table(problem, name, data)
    for t in range(HORIZON):
        if not table.decide(t):
            break
        table.hear()
        table.stop()


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("name", list(POLICIES))
@settings(max_examples=12, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_nothing_forbidden_is_pulled_whatever_comes_late_and_restarts_change_nothing(
    name: str, told: bool, data: st.DataObject
) -> None:
    play(data.draw(problems(told=told)), name, data)


@settings(max_examples=12, deadline=None, derandomize=True, database=None)
@given(problem=problems(unknown=True, told=False), data=st.data())
def test_nothing_forbidden_is_pulled_while_dynamics_are_learned(problem: rw.Problem, data: st.DataObject) -> None:
    play(problem, "roguewk-plan", data)


PLACE = rw.Context("place", ["home", "driving"])
WEEK = rw.Context("weekday", cycle=["workday"] * 5 + ["weekend"] * 2)
ARMS = [
    rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=3, when={"weekend": 0.5, "driving": False}),
    rw.everyday_arm("read", rested=0.5, wear=0.3, half_life=2, when={"home": -0.25, "weekend": 1.0}),
]


def problem_of(*contexts: rw.Context) -> rw.Problem:
    return rw.Problem(ARMS, [rw.Resource("minutes", 20.0)], 60, idle=True, contexts=contexts)


def test_the_engine_and_online_policies_decide_the_same() -> None:
    true = [rw.Context("place", ["home", "driving"], [0.7, 0.3]), WEEK]
    world = rw.World(problem_of(PLACE, WEEK), [0.0, 0.0], [[0.5], [0.4]], contexts=true)
    for name in POLICIES:
        curves = rw.simulate(world, {name: (name, POLICIES[name])}, replicates=1, seed=3, curves=True).curves[name]
        game, policy = Game(world, 3), rw.make_policy(name, world.problem, 3, **POLICIES[name])
        for t in range(60):
            decision = policy.select(context=game.drawn)
            assert (-1 if decision.arm is None else decision.arm) == curves.arms[0, t]
            reward, costs = game.play(decision.arm)
            if game.stopped_by >= 0:
                break
            if decision.arm is not None:
                policy.update(decision, reward, costs)


def test_decisions_say_the_context_and_explain_what_it_does() -> None:
    policy = rw.make_policy("roguewk-plan", problem_of(PLACE, WEEK))
    policy.skip(5)
    decision = policy.select(context="home")
    assert decision.context == {"place": "home", "weekday": "weekend"}
    assert decision.to_data()["context"] == decision.context
    text = " ".join(decision.explain().split())
    assert "In context home, weekend: 'walk' +0.5 log-odds and 'read' +0.75 log-odds." in text
    driving = policy.select(context="driving")
    assert [each.in_words() for each in driving.left_out] == ["'walk' until round 7 (forbidden: driving)"]
    text = " ".join(driving.explain().split())
    assert "In context driving, weekend: 'read' +1 log-odds. Forbidden: 'walk' (driving)." in text
    assert "Limits" not in text
    assert max(map(len, driving.explain().splitlines())) <= 80
    unmoved = " ".join(policy.select(context="driving").explain().split())
    assert "In context driving, workday, which shifts no arm. Forbidden: 'walk' (driving)." in unmoved
    deaf = rw.make_policy("ucb1", problem_of(PLACE, WEEK)).select(context="home")
    assert "'read' -0.25 log-odds, which this policy does not look at." in " ".join(deaf.explain().split())
    without = rw.make_policy("roguewk-plan", rw.catalog.paper().problem).select()
    assert without.context is None
    assert "context" not in without.to_data()
    assert "context" not in without.explain()


def test_limits_and_contexts_that_leave_out_an_arm_are_both_told() -> None:
    limits = [rw.at_most(1, every=7, arms="walk"), rw.Resource("minutes", 20.0)]
    policy = rw.make_policy("roguewk-plan", rw.Problem(ARMS, limits, 60, idle=True, contexts=[PLACE, WEEK]))
    policy.update(policy.follow("walk", context="home"), reward=1, costs=[0.5])
    decision = policy.select(context="driving")
    assert decision.left_out[0].until == 7
    assert "Forbidden: 'walk' (driving)." in " ".join(decision.explain().split())
    home = " ".join(policy.select(context="home").explain().split())
    assert "Limits leave out 'walk' until round 7" in home
    with pytest.raises(rw.InputError, match="say in which context it was pulled"):
        policy.follow("walk", context="driving")
    assert policy.follow("walk", context="home") == policy.round - 1  # somebody did, whatever the cap says


def test_a_better_context_is_worth_waiting_for_and_who_does_not_look_does_not_wait() -> None:
    """With a budget for a tenth of the rounds and one round in five twice as good, pulls are kept for these."""
    mood = rw.Context("mood", ["usual", "eager"], chances=[0.8, 0.2])
    arm = rw.everyday_arm("tip", rested=0.3, wear=0.05, half_life=1, when={"eager": 1.5})
    problem = rw.Problem([arm], [rw.Resource("tips", 40.0)], 400, idle=True, contexts=[mood])
    world = rw.World(problem, [0.0], [[1.0]])
    shares = {}
    for name in ("roguewk-plan", "ucb1"):
        runs = rw.simulate(world, name, replicates=20, seed=1, curves=True)
        moods = [[each["mood"] for each in Game(world, 1, r).contexts_to_come()] for r in range(20)]
        eager = np.array(moods) == "eager"
        shares[name] = eager[runs.curves[name].arms == 0].mean()
    assert shares["roguewk-plan"] > 0.95
    assert shares["ucb1"] < 0.3


@pytest.mark.parametrize("how", ["text", "bytes"])
def test_chances_that_are_learned_go_on_after_a_restart(how: str) -> None:
    problem, rng = problem_of(PLACE, WEEK), np.random.default_rng(4)
    policy = rw.make_policy("roguewk-plan", problem, seed=2)
    again = policy
    for t in range(60):
        if t == 30:
            state: Any = policy.to_bytes() if how == "bytes" else json.loads(json.dumps(policy.state()))
            again = rw.restore_policy(state, problem=problem)
            assert again.parts.desk.occasions.seen.tolist() == policy.parts.desk.occasions.seen.tolist()
        place = "driving" if rng.random() < 0.3 else "home"
        one, other = policy.select(context=place), again.select(context=place) if t >= 30 else None
        if other is not None:
            assert (one.arm, one.figures.tolist()) == (other.arm, other.figures.tolist())
        if one.arm is not None:
            reward = float(rng.random() < 0.5)
            policy.update(one, reward, [0.5])
            if other is not None:
                again.update(other, reward, [0.5])
    seen = policy.parts.desk.occasions.seen.tolist()
    assert sum(seen) == 60
    np.testing.assert_array_equal(policy.learned, again.learned)


def test_previews_and_skipped_rounds_teach_nothing_of_chances() -> None:
    policy = rw.make_policy("roguewk-plan", problem_of(PLACE, WEEK))
    seen = policy.parts.desk.occasions.seen
    policy.preview(context="home")
    policy.skip(3)
    assert seen.tolist() == [0, 0]
    policy.follow("walk", context="home")
    policy.select(context="driving")
    assert seen.tolist() == [1, 1]


def signed(state: dict[str, Any], seen: list[Any]) -> dict[str, Any]:
    """The state with another count of what was drawn, and a checksum that is right."""
    changed = copy.deepcopy(state)
    path = next(path for path in changed["learned"] if path.endswith("seen"))
    changed["learned"][path] = seen
    del changed["checksum"]
    return {**changed, "checksum": _sha(_canonical(changed))}


@pytest.mark.parametrize("damage", [[-1, 31], [0, 31], [10**9, 0], [0.5, 1.5], [30], [30, 0, 0], [None, 0]])
def test_a_state_that_has_seen_what_it_cannot_have_seen_is_refused(damage: Any) -> None:
    policy = rw.make_policy("roguewk-plan", problem_of(PLACE, WEEK))
    for _ in range(30):
        policy.select(context="home")
    assert rw.restore_policy(signed(policy.state(), [12, 18])).round == 30
    with pytest.raises(rw.InputError, match="state"):
        rw.restore_policy(signed(policy.state(), damage))


def test_policies_say_whether_they_use_contexts() -> None:
    used = {name for name, each in all_recipes().items() if each.uses_contexts}
    assert {"roguewk-plan", "clairvoyant", "roguewk-ucb", "roguewk-ucb-tuned", "roguewk-ts", "eps-rogue"} <= used
    assert not used & {"ucb1", "exp3", "sw-ucb", "whittle", "recharging", "randomised", "rogue-ts-clipped"}
