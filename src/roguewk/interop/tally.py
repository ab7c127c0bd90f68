"""MABWiser's policies on a list of arms: means and numbers of rewards by arm, and nothing that wears off."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.interop.learning_policy import Counted, Theirs, ThompsonSampling, constant
from roguewk.interop.warm_start import NEAR, features_of, nearest_known
from roguewk.interop.wrong_type import InputTypeError
from roguewk.kernel.arrays import Vector
from roguewk.problem.errors import InputError, shown


class Lessons(NamedTuple):
    """Decisions that were found to be such, and what they brought."""

    places: Any  # (decision,) of arms
    rewards: Vector  # (decision,)


def check_arm(arm: Any) -> None:
    """Whether this may be an arm: MABWiser wants neither nothing nor what is no number."""
    if arm is None or (isinstance(arm, float | np.floating) and not np.isfinite(arm)):
        raise InputError(f"{arm!r} is no arm: give a name, a number or something else that stays the same")
    try:
        hash(arm)
    except TypeError:
        raise InputTypeError(f"{shown(arm)} is no arm, as it may change: give a name, a number or a tuple") from None


class Tally:
    """What MABWiser keeps of decisions and rewards, what it predicts from that, and with which random numbers.

    Nothing is tried for the sake of it: an arm of which nothing is known is worth 0.

    >>> from roguewk.interop.learning_policy import UCB1
    >>> tally = Tally(["A", "B"], UCB1(alpha=0.0), seed=1)
    >>> tally.learn(tally.check(["A", "A"], [3.0, 4.0], None))
    >>> tally.expectations(1), tally.predict(2)
    ([{'A': 3.5, 'B': 0.0}], ['A', 'A'])
    """

    policy = None  # no rw.Policy is behind it

    def __init__(self, arms: Sequence[Hashable], rule: Theirs, seed: int) -> None:
        for arm in arms:
            check_arm(arm)
        self.arms = list(arms)
        self._places = {arm: a for a, arm in enumerate(self.arms)}
        if len(self._places) < len(self.arms):
            raise InputError(f"the arms {shown(self.arms)} have one twice: give each once")
        self.rule = rule
        self._rng = np.random.default_rng(seed)
        self._fitted = False
        self._clear()

    def _clear(self) -> None:
        self._decisions = 0
        self._counts, self._sums = np.zeros(len(self.arms)), np.zeros(len(self.arms))
        self._trained, self._warm = set[Hashable](), set[Hashable]()

    def begin(self) -> None:
        """Forget everything that was fitted; random numbers go on, as in MABWiser."""
        self._clear()

    def check(self, decisions: list[Any], rewards: list[float], costs: Any) -> Lessons:
        """What can be learned of these; nothing is if one of them is refused."""
        if costs is not None:
            raise InputError("costs are given, and a list of arms has no budgets: give an rw.Problem instead")
        places = np.array([self._place(arm) for arm in decisions], dtype=np.int64)
        if isinstance(self.rule, ThompsonSampling):
            rewards = successes(self.rule, decisions, rewards)
        return Lessons(places, np.array(rewards, dtype=np.float64))

    def learn(self, lessons: Lessons) -> None:
        """Add these to what was fitted."""
        self._fitted = True
        self._decisions += lessons.places.size
        for a in np.unique(lessons.places).tolist():
            of_arm = lessons.rewards[lessons.places == a]
            self._counts[a] += of_arm.size
            self._sums[a] += of_arm.sum()
            self._trained.add(self.arms[a])

    def expectations(self, rows: int) -> list[dict[Any, float]]:
        """By row, what each arm is worth; where the policy draws, drawn anew."""
        return [dict(zip(self.arms, row, strict=True)) for row in self._valued(rows).tolist()]

    def predict(self, rows: int) -> list[Any]:
        """By row, the arm that is worth most, of several the first."""
        return [self.arms[a] for a in self._valued(rows).argmax(axis=1)]

    def _valued(self, rows: int) -> Vector:
        """(row, arm) what arms are worth."""
        if not self._fitted:
            raise InputError(
                "nothing is fitted yet: call fit first, or take a policy that tries each arm, as 'ucb1' of roguewk"
            )
        if not self.arms:
            raise InputError("no arm is left: add one with add_arm")
        return self.rule.expectations(Counted(self._decisions, self._counts, self._sums), rows, self._rng)

    @property
    def cold_arms(self) -> list[Any]:
        """The arms of which nothing is known, nor copied from others."""
        return [arm for arm in self.arms if arm not in self._trained | self._warm]

    def add_arm(self, arm: Hashable, binarizer: Any = None) -> None:
        """One more arm, of which nothing is known; a binarizer takes the place of the one there was."""
        rule = self.rule
        if binarizer:
            if not isinstance(rule, ThompsonSampling):
                raise InputError("a binarizer is given, and only ThompsonSampling uses one: leave it out")
            rule = ThompsonSampling(binarizer)
            rule.spec  # noqa: B018  # it checks the binarizer
        check_arm(arm)
        if arm in self._places:
            raise InputError(f"there is an arm {arm!r} already: give another name")
        self.rule = rule
        self.arms.append(arm)
        self._places[arm] = len(self.arms) - 1
        self._counts, self._sums = np.append(self._counts, 0.0), np.append(self._sums, 0.0)

    def remove_arm(self, arm: Hashable) -> None:
        """Forget an arm; decisions for it go on counting as decisions."""
        a = self._place(arm)
        del self.arms[a]
        self._places = {each: place for place, each in enumerate(self.arms)}
        self._counts, self._sums = np.delete(self._counts, a), np.delete(self._sums, a)
        self._trained.discard(arm)
        self._warm.discard(arm)

    def warm_start(self, arm_to_features: Any, distance_quantile: Any) -> None:
        """Take cold arms for like the known ones that are nearest by their features, if these are near enough."""
        quantile = constant(distance_quantile, NEAR, "distance_quantile")
        features = features_of(self.arms, arm_to_features)
        cold = [self._places[arm] for arm in self.cold_arms]
        known = [a for a, arm in enumerate(self.arms) if arm in self._trained]
        for arm, like in nearest_known(features, quantile, cold, known).items():
            self._counts[arm], self._sums[arm] = self._counts[like], self._sums[like]
            self._warm.add(self.arms[arm])

    def _place(self, arm: Any) -> int:
        try:
            return self._places[arm]
        except (KeyError, TypeError):
            named = ", ".join(map(repr, self.arms))
            raise InputError(f"there is no arm {shown(arm)}: the arms are {named}") from None


def successes(rule: ThompsonSampling, decisions: list[Any], rewards: list[float]) -> list[float]:
    """Rewards as 0 or 1, which the binarizer makes of them, if there is one.

    >>> successes(ThompsonSampling(lambda arm, reward: reward > 10), ["A", "B"], [7, 20])
    [0.0, 1.0]
    """
    judged: list[Any] = list(rewards)
    if rule.binarizer is not None:
        judged = [rule.binarizer(arm, reward) for arm, reward in zip(decisions, rewards, strict=True)]
    for arm, reward, ones in zip(decisions, rewards, judged, strict=True):
        if ones not in (0, 1):
            if rule.binarizer is None:
                raise InputError(f"reward {reward!r} of arm {arm!r} is not 0 or 1: give ThompsonSampling a binarizer")
            raise InputError(
                f"the binarizer makes {shown(ones)} of reward {reward!r} of arm {arm!r}: let it tell 0 or 1"
            )
    return [float(ones) for ones in judged]
