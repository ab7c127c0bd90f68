"""Policies of roguewk as MABWiser's interface drives them: previews for a list of arms, rounds for a problem."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roguewk.interop.adapter import Adapter
from roguewk.interop.learning_policy import Random, Theirs, ThompsonSampling
from roguewk.interop.tally import successes
from roguewk.part.desk import CHANCE
from roguewk.policy.decision import Decision
from roguewk.problem.errors import InputError


class Told(NamedTuple):
    """A decision, what it brought, and its costs, if they were told."""

    arm: Any
    reward: float
    costs: Any


class Rounds:
    """For a problem: every prediction is a round that passes, as arms wear off and recover with time."""

    def __init__(self, make: Callable[[], Adapter], rule: Theirs | None) -> None:
        self._make, self.rule = make, rule
        self.begin()

    @property
    def arms(self) -> list[Any]:
        """By their names."""
        return self._adapter.arms

    @property
    def policy(self) -> Any:
        """The rw.Policy."""
        return self._adapter.policy

    def begin(self) -> None:
        """Begin a new game."""
        self._adapter = self._make()

    def check(self, decisions: list[Any], rewards: list[float], costs: Any) -> list[Told]:
        """What can be learned of these, but for their costs; nothing is if one of them is refused."""
        if isinstance(self.rule, ThompsonSampling):
            rewards = successes(self.rule, decisions, rewards)
        taken = [None] * len(decisions) if costs is None else list(costs)
        if len(taken) != len(decisions):
            raise InputError(f"{len(decisions)} decisions have {len(taken)} rows of costs: give one each")
        for arm, reward in zip(decisions, rewards, strict=True):
            self._adapter.check(arm, reward)
        return [Told(*row) for row in zip(decisions, rewards, taken, strict=True)]

    def learn(self, lessons: list[Told]) -> None:
        """Give each reward to the oldest prediction of its arm that waits for one."""
        for told in lessons:
            self._adapter.learn(*told)

    def predict(self, rows: int) -> list[Any]:
        """The arms of so many rounds, which pass."""
        return [self._adapter.decide() for _ in range(rows)]

    def expectations(self, rows: int) -> list[dict[Any, float]]:
        """What each arm is worth in the next round, which does not pass; so many times the same.

        Those of Random are uniform draws, the largest for the arm that it would predict, if any.
        """
        decision = self.policy.preview()
        values = decision.reward_bounds
        if isinstance(self.rule, Random):
            values = np.random.default_rng((self.policy.seed, decision.round)).random(len(self.arms))
            best = int(values.argmax())
            first = best if decision.arm is None else decision.arm
            values[[best, first]] = values[[first, best]]
        valued = dict(zip(self.arms, values.tolist(), strict=True))
        return [dict(valued) for _ in range(rows)]


class Previews(Rounds):
    """For a list of arms: a prediction changes nothing but random numbers, and what is fitted is a round."""

    def begin(self) -> None:
        """Forget everything."""
        super().begin()
        self._asked = 0  # predictions in this round
        self._chances: dict[Any, float] = {}  # with which arms were predicted last

    def learn(self, lessons: list[Told]) -> None:
        """Let a round pass with each decision.

        The policy learns of the chance with which it predicted an arm, as exp3 and the like weigh rewards by it; an arm
        that it never predicted was chosen by someone else.
        """
        for arm, reward, costs in lessons:
            round_ = self.policy.follow(self._adapter.check(arm, reward))
            pull = self.policy.open_pulls[round_]
            memo = list(pull.memo)
            memo[CHANCE] = self._chances.get(arm, memo[CHANCE])
            self.policy.open_pulls[round_] = pull._replace(memo=tuple(memo))
            self.policy.update(round_, reward, [] if costs is None else costs)
            self._asked = 0

    def predict(self, rows: int) -> list[Any]:
        """What would be decided now, so many times, each with its own luck; None if the horizon is over."""
        decisions = [self._preview(row) for row in range(rows)]
        self._asked += rows
        for decision in decisions:
            if decision.arm is not None:
                self._chances[self.arms[decision.arm]] = float(decision.probabilities[decision.arm])
        return [None if decision.arm is None else self.arms[decision.arm] for decision in decisions]

    def expectations(self, rows: int) -> list[dict[Any, float]]:
        """What each arm is worth in the predictions that come next, which change nothing."""
        bounds = [self._preview(row).reward_bounds for row in range(rows)]
        return [dict(zip(self.arms, row.tolist(), strict=True)) for row in bounds]

    def _preview(self, row: int) -> Decision:
        """The decision of this round with the luck of another replicate; the first in a round has that of `select`."""
        policy = self._adapter.policy
        policy.replicate = self._asked + row
        decision = policy.preview()
        policy.replicate = 0
        return decision
