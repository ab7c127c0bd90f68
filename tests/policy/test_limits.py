"""Policies that decide round by round keep to limits, whatever is told late, in parts, wrongly or never."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.part.status import Status
from tests.problem.limited import HORIZON, problems
from tests.problem.rules import Pull, Rules

POLICIES: dict[str, dict[str, Any]] = {
    "roguewk-plan": {},
    "roguewk-ucb": {},
    "ucb1": {},
    "ts-lp-resolved": {},
    "whittle": {},
    "randomised": {"chances": 1.0},
}
AMENDABLE = ("roguewk-plan", "roguewk-ucb")
OVER = Status.SPENT, Status.ENDED
SHARES = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0])


class Table:
    """A policy, the same one that is never stopped, and the referee; all of them are told what happens."""

    def __init__(self, problem: rw.Problem, name: str, data: st.DataObject) -> None:
        self.problem, self.name, self.data, self.rules = problem, name, data, Rules(problem)
        self.both = [rw.make_policy(name, problem, seed=5, **POLICIES[name]) for _ in range(2)]
        self.open: dict[int, set[str]] = {}  # what has not come, by round
        self.told: dict[int, tuple[Any, list[float]]] = {}  # decisions whose costs were told
        self.decisions: dict[int, Any] = {}
        self.over = False
        self.hurried = False  # a pull was cancelled where somebody had pulled sooner than a gap allows

    def decide(self, t: int) -> None:
        free = self.rules.free(t)
        how = self.data.draw(st.sampled_from(["select"] * 6 + ["preview", "some", "follow", "skip"]))
        if how in ("follow", "skip") and self.both[1].preview().code in OVER:
            self.over = True  # both would be refused
            return
        if how == "follow":
            self._follow(t)
            return
        if how == "skip":
            for policy in self.both:
                policy.skip()
            return
        if how == "preview":
            self.both[0].preview()
        names = [arm.name for arm in self.problem.arms]
        listed = self.data.draw(st.lists(st.sampled_from(names), unique=True)) if how == "some" else None
        decision, other = (policy.select(available=listed) for policy in self.both)
        assert (decision.arm, decision.left_out, decision.code) == (other.arm, other.left_out, other.code)
        self.over = decision.code in OVER
        if self.over:
            return
        self._check(decision, t, free, names if listed is None else listed)
        if decision.arm is not None:
            self._pulled(t, decision, str(decision.name))

    def _check(self, decision: rw.Decision, t: int, free: list[str], listed: list[str]) -> None:
        """No arm is pulled that a limit leaves out, and it is said which ones are, and until when."""
        out = {each.arm: each.until for each in decision.left_out}
        away = [arm.name for arm in self.problem.arms if arm.name not in free]
        possible = [name for name in free if name in listed]
        assert decision.arm is None or decision.name in possible
        if self.hurried:  # arms may be kept apart for longer than they must
            assert set(out) >= set(away)
            return
        assert list(out) == away
        for arm, until in out.items():
            assert until == self.rules.first_free(arm, t, within=HORIZON - t)
        if decision.available is not None:
            assert [a for a, is_there in zip(self.problem.arms, decision.available, strict=True) if is_there] == [
                arm for arm in self.problem.arms if arm.name in possible
            ]
        soft = any(not resource.hard for resource in self.problem.resources)
        if possible and not self.problem.idle and not soft and self.name != "randomised":
            assert decision.arm is not None  # nothing but limits lets a round pass idle
        if listed and not possible and all(each not in free for each in listed):
            assert decision.code == Status.LIMITED

    def _follow(self, t: int) -> None:
        """Somebody else pulls an arm, whatever limits say."""
        name = self.data.draw(st.sampled_from([arm.name for arm in self.problem.arms]))
        for policy in self.both:
            assert policy.follow(name) == t
        self._pulled(t, t, name)

    def _pulled(self, t: int, decision: Any, arm: str) -> None:
        self.rules.pulls[t] = Pull(arm)
        self.decisions[t] = decision
        self.open[t] = {"reward", "costs"} if self.problem.told else {"reward"}

    def hear(self) -> None:
        """Something comes of an open pull."""
        if not self.open:
            return
        t = self.data.draw(st.sampled_from(sorted(self.open)))
        untold = self.open[t] == ({"reward", "costs"} if self.problem.told else {"reward"})
        what = self.data.draw(st.sampled_from(["nothing", "both", "reward", "costs", "cancel", "forget", "never"]))
        if what == "cancel" and untold:
            for policy in self.both:
                policy.cancel(t)
            self.hurried = self.hurried or self.rules.hurried()
            del self.rules.pulls[t], self.open[t]
        elif what == "forget":
            for policy in self.both:
                policy.forget(t)
            del self.open[t]
        elif what in ("both", "reward", "costs", "never"):
            parts = self.open[t] & ({"reward", "costs"} if what in ("both", "never") else {what})
            self._tell(t, parts, never=what == "never")

    def _tell(self, t: int, parts: set[str], never: bool) -> None:
        news: dict[str, Any] = {"reward": self.data.draw(st.integers(0, 1))} if "reward" in parts else {}
        if "costs" in parts:
            costs = [self.data.draw(SHARES) * resource.unit for resource in self.problem.told]
            news["costs"] = None if never else costs
            if not never:
                self.rules.tell(t, costs)
                self.told[t] = self.decisions[t], costs
        if news:
            for policy in self.both:
                policy.update(t, **news)
            self.open[t] -= parts
            if not self.open[t]:
                del self.open[t]

    def amend(self) -> None:
        """Costs turn out to have been others."""
        amendable = sorted(t for t, (decision, _) in self.told.items() if isinstance(decision, rw.Decision))
        if self.name not in AMENDABLE or not amendable or self.data.draw(st.integers(0, 3)):
            return
        t = self.data.draw(st.sampled_from(amendable))
        decision, before = self.told[t]
        after = [self.data.draw(SHARES) * resource.unit for resource in self.problem.told]
        for policy in self.both:
            policy.amend(decision, costs=(before, after))
        self.rules.tell(t, after)
        self.told[t] = decision, after

    def stop(self) -> None:
        """One of the policies is written down, and goes on from that."""
        policy, how = self.both[0], self.data.draw(st.sampled_from(["not at all", "not at all", "text", "bytes"]))
        if how == "text":
            self.both[0] = rw.restore_policy(json.loads(json.dumps(policy.state())))
        if how == "bytes":
            self.both[0] = rw.restore_policy(policy.to_bytes(), problem=self.problem)
        one, other = self.both
        np.testing.assert_array_equal(one.learned, other.learned)
        assert one.pending == other.pending

    def check_reserved(self) -> None:
        """What is reserved of what is hard is the most that pulls may take whose costs were not told."""
        untold = [pull for pull in self.rules.pulls.values() if pull.costs is None]
        for resource, reserved in zip(self.problem.resources, self.both[0].reserved, strict=True):
            if resource.every is not None and resource.counts is None:
                most = sum(self.rules.most(pull.arm, resource) for pull in untold)
                assert reserved == pytest.approx(float(most))


def play(problem: rw.Problem, name: str, data: st.DataObject) -> None:
    table = Table(problem, name, data)
    for t in range(HORIZON):
        table.decide(t)
        if table.over:
            break
        for _ in range(data.draw(st.integers(0, 2))):
            table.hear()
        table.amend()
        table.stop()
        table.check_reserved()


@pytest.mark.parametrize("name", list(POLICIES))
@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(problem=problems(), data=st.data())
def test_no_limit_is_broken_whatever_comes_late_in_parts_or_never_and_restarts_change_nothing(
    name: str, problem: rw.Problem, data: st.DataObject
) -> None:
    play(problem, name, data)


@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(problem=problems(unknown=True), data=st.data())
def test_no_limit_is_broken_while_dynamics_are_learned(problem: rw.Problem, data: st.DataObject) -> None:
    play(problem, "roguewk-plan", data)
