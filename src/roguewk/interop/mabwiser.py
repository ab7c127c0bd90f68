"""Policies with the interface of MABWiser: `from roguewk.interop.mabwiser import MAB, LearningPolicy`."""

import functools
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np

from roguewk.interop.adapter import Adapter, Name
from roguewk.part.parameter import not_negative, within
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

CHANCE = within(0.0, 0.0, 1.0, "a probability")
WIDTH = not_negative(1.0, "multiplies a radius")


class EpsilonGreedy(NamedTuple):
    """The arm with the largest mean, and with probability `epsilon` any arm; each arm is tried once first.

    >>> EpsilonGreedy(0.25).spec
    ('mean/none/explore', {'explore': 0.25})
    """

    epsilon: float = 0.1

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "mean/none/explore", {"explore": CHANCE.check(self.epsilon, "epsilon of MABWiser's EpsilonGreedy")}


class Random(NamedTuple):
    """Any arm, all alike; no round is idle unless a pull might break a budget that idling keeps.

    >>> Random().spec
    ('randomised', {'chances': 1.0})
    """

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "randomised", {"chances": 1.0}


class ThompsonSampling(NamedTuple):
    """A draw from the Beta posterior of each arm; `binarizer(arm, reward)` tells whether a reward is a success.

    >>> ThompsonSampling().spec
    ('thompson-beta', {})
    """

    binarizer: Callable[[Any, float], bool] | None = None

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "thompson-beta", {}


class UCB1(NamedTuple):
    """UCB1 with its radius times `alpha`.

    >>> UCB1(alpha=1.25).spec
    ('ucb1', {'scale': 1.25})
    """

    alpha: float = 1.0

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "ucb1", {"scale": WIDTH.check(self.alpha, "alpha of MABWiser's UCB1")}


class LearningPolicy:
    """The policies of MABWiser that roguewk has too; `MAB` takes the names of all others.

    >>> LearningPolicy.UCB1(alpha=1.25)
    UCB1(alpha=1.25)
    """

    EpsilonGreedy = EpsilonGreedy
    Random = Random
    ThompsonSampling = ThompsonSampling
    UCB1 = UCB1


class MAB:
    """Any policy, with `fit`, `partial_fit`, `predict` and `predict_expectations`.

    `arms` is a list of arms with rewards of 0 or 1 that never change, or of spread `sigma`, for an unknown `horizon`
    if none is given; or an rw.Problem with dynamics and budgets, whose arms go by their names. `learning_policy` is one
    of LearningPolicy or any policy of roguewk, by name or by its parts, with its `parameters` beside it.

    Every prediction is a round that passes with that arm pulled; None leaves it idle or says that the game is over.
    `partial_fit` gives each reward to the oldest prediction of its arm that has none yet. A decision that was never
    predicted was made by someone else: its round passes now.

    >>> mab = MAB(["Arm1", "Arm2"], LearningPolicy.UCB1(alpha=1.25))
    >>> mab.fit(["Arm1", "Arm1", "Arm2"], [1, 0, 1])
    >>> mab.predict()
    'Arm2'
    >>> mab.partial_fit(["Arm2"], [0])
    >>> sorted(mab.predict_expectations())
    ['Arm1', 'Arm2']
    """

    def __init__(
        self,
        arms: list[Any] | Problem,
        learning_policy: EpsilonGreedy | Random | ThompsonSampling | UCB1 | Name,
        neighborhood_policy: None = None,
        seed: int = 123456,
        n_jobs: int = 1,  # as in MABWiser: there is nothing here to share out
        backend: str | None = None,
        *,
        horizon: int | None = None,
        sigma: float | None = None,
        **parameters: Any,
    ) -> None:
        if neighborhood_policy is not None:
            raise InputError("a neighborhood_policy is given, and no policy here uses contexts: leave it out")
        self.learning_policy, self.seed = learning_policy, seed
        self._binarizer = getattr(learning_policy, "binarizer", None)
        spec: tuple[Any, dict[str, Any]] = getattr(learning_policy, "spec", (learning_policy, {}))
        self._afresh = functools.partial(Adapter, arms, spec[0], {**spec[1], **parameters}, seed, horizon, sigma)
        self._adapter = self._afresh()
        self.arms = list(self._adapter.arms)

    @property
    def policy(self) -> Any:
        """The rw.Policy behind it."""
        return self._adapter.policy

    def fit(self, decisions: Any, rewards: Any, contexts: None = None, *, costs: Any = None) -> None:
        """Begin anew and learn from past decisions, one a round; lists, arrays and series will do."""
        self._adapter = self._afresh()
        self.partial_fit(decisions, rewards, contexts, costs=costs)

    def partial_fit(self, decisions: Any, rewards: Any, contexts: None = None, *, costs: Any = None) -> None:
        """Learn what decisions brought; `costs` has a row for each."""
        if contexts is not None:
            raise InputError("contexts are given, and no policy here uses them: leave them out")
        made, brought = _plain(decisions, "decisions"), _plain(rewards, "rewards")
        taken = [None] * len(made) if costs is None else list(costs)
        if not len(made) == len(brought) == len(taken):
            rows = "" if costs is None else f" and {len(taken)} rows of costs"
            raise InputError(f"{len(made)} decisions have {len(brought)} rewards{rows}: give one each")
        for arm, reward, row in zip(made, brought, taken, strict=True):
            value = reward if self._binarizer is None else float(self._binarizer(arm, reward))
            self._adapter.learn(arm, value, row)

    def predict(self, contexts: Any = None) -> Any:
        """The arm of the next round; for several contexts, which are only counted, a list of as many rounds."""
        if contexts is None:
            return self._adapter.decide()
        return [self._adapter.decide() for _ in range(len(contexts))]

    def predict_expectations(self, contexts: Any = None) -> Any:
        """What the policy would value each arm at in the next round, which does not pass: a bound, a draw, an index.

        As in MABWiser, those of Random are uniform draws, the largest for the arm that it would predict, if any.
        """
        decision = self.policy.preview()
        values = decision.reward_bounds
        if isinstance(self.learning_policy, Random):
            values = np.random.default_rng((self.seed, decision.round)).random(len(self.arms))
            best = int(values.argmax())
            first = best if decision.arm is None else decision.arm
            values[[best, first]] = values[[first, best]]
        valued = dict(zip(self.arms, values.tolist(), strict=True))
        return valued if contexts is None else [dict(valued) for _ in range(len(contexts))]

    def add_arm(self, arm: Hashable, binarizer: Any = None) -> None:
        """Refused: the arms of a problem are given once."""
        raise InputError(f"arm {arm!r} cannot be added to a policy under way: make a new MAB with all arms")

    def remove_arm(self, arm: Hashable) -> None:
        """Refused: the arms of a problem are given once."""
        raise InputError(f"arm {arm!r} cannot be removed from a policy under way: make a new MAB with the others")

    def warm_start(self, arm_to_features: Any, distance_quantile: float) -> None:
        """Refused: arms have no features here."""
        raise InputError("arms have no features to be warm-started by: give past decisions to fit instead")


def _plain(values: Any, what: str) -> list[Any]:
    """A list, array or series as a list."""
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise InputError(f"the {what} are {values!r}: give a list")
    return list(values.tolist() if hasattr(values, "tolist") else values)
