"""Policies with the interface of MABWiser: `from roguewk.interop.mabwiser import MAB, LearningPolicy`."""

import functools
import operator
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from roguewk.interop.adapter import Adapter, Name
from roguewk.interop.courses import Previews, Rounds
from roguewk.interop.learning_policy import UCB1, EpsilonGreedy, LearningPolicy, Random, Theirs, ThompsonSampling
from roguewk.interop.tally import Tally
from roguewk.interop.wrong_type import InputTypeError, type_checked
from roguewk.problem.errors import InputError, number, shown
from roguewk.problem.problem import Problem

__all__ = ["MAB", "UCB1", "EpsilonGreedy", "LearningPolicy", "Random", "ThompsonSampling"]


class MAB:
    """MABWiser's interface: its policies on a list of arms, and any policy of roguewk on a list or an rw.Problem.

    **A list of arms**, with rewards that never wear off: a prediction is a preview, as in MABWiser. It changes nothing
    but random numbers, and every decision that is fitted is a round of its arm. With one of LearningPolicy everything
    is what MABWiser 2.7 does: rewards of any size, the same expectations and predictions from the same seed, arms that
    come and go. With the name of a policy of roguewk, or its parts, and `parameters` beside it, rewards are 0 or 1, or
    of spread `sigma`; without a `horizon` it is unknown.

    **An rw.Problem**, with dynamics and budgets, whose arms go by their names: every prediction is a round that passes
    with that arm pulled, because arms wear off and recover with time; None leaves it idle or says that the game is
    over. `partial_fit` gives each reward to the oldest prediction of its arm that has none yet. A decision that was
    never predicted was made by someone else: its round passes then.

    >>> mab = MAB(["Arm1", "Arm2"], LearningPolicy.UCB1(alpha=1.25))
    >>> mab.fit(["Arm1", "Arm1", "Arm2"], [20, 17, 25])
    >>> mab.predict(), mab.predict()
    ('Arm2', 'Arm2')
    >>> mab.add_arm("Arm3")
    >>> mab.partial_fit(["Arm3"], [30])
    >>> mab.predict()
    'Arm3'
    """

    def __init__(
        self,
        arms: list[Any] | Problem,
        learning_policy: Theirs | Name,
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
            raise InputTypeError("a neighborhood_policy is given, and no policy here uses contexts: leave it out")
        if not isinstance(arms, list | Problem):
            raise InputTypeError(f"the arms are {shown(arms)}: give a list or an rw.Problem")
        self.seed, self.n_jobs, self.backend = _seed(seed), _jobs(n_jobs), _backend(backend)
        self.neighborhood_policy = None
        self._given = learning_policy
        rule = learning_policy if isinstance(learning_policy, Theirs) else None
        name, own = _spec(learning_policy)
        self._course: Tally | Rounds
        if rule is not None and not isinstance(arms, Problem):
            _refuse(rule, horizon=horizon, sigma=sigma, **parameters)
            self._course = Tally(arms, rule, self.seed)
        else:
            make = functools.partial(Adapter, arms, name, {**own, **parameters}, self.seed, horizon, sigma)
            self._course = Rounds(make, rule) if isinstance(arms, Problem) else Previews(make, rule)

    @property
    def arms(self) -> list[Any]:
        """The arms in their order."""
        return list(self._course.arms)

    @property
    def learning_policy(self) -> Any:
        """As it was given, but for a binarizer that came with an arm."""
        return self._given if self._course.rule is None else self._course.rule

    @property
    def is_contextual(self) -> bool:
        """Never."""
        return False

    @property
    def policy(self) -> Any:
        """The rw.Policy behind it; None for a policy of MABWiser's on a list of arms."""
        return self._course.policy

    @property
    def cold_arms(self) -> list[Any]:
        """The arms of which nothing was fitted since the last `fit`, nor copied by `warm_start`."""
        return self._tally("cold_arms").cold_arms

    def fit(self, decisions: Any, rewards: Any, contexts: None = None, *, costs: Any = None) -> None:
        """Begin anew and learn from past decisions, one a round; lists, arrays and series will do."""
        lessons: Any = self._course.check(*_rows(decisions, rewards, contexts), costs)
        self._course.begin()
        self._course.learn(lessons)

    def partial_fit(self, decisions: Any, rewards: Any, contexts: None = None, *, costs: Any = None) -> None:
        """Learn what decisions brought; with a problem, `costs` has a row for each."""
        lessons: Any = self._course.check(*_rows(decisions, rewards, contexts), costs)
        self._course.learn(lessons)

    def predict(self, contexts: Any = None) -> Any:
        """The arm to choose; for several contexts, which are only counted, a list with one for each."""
        predicted = self._course.predict(_count(contexts))
        return predicted[0] if len(predicted) == 1 else predicted

    def predict_expectations(self, contexts: Any = None) -> Any:
        """What the policy values each arm at: a bound, a mean, a draw, an index; for several contexts a list.

        With MABWiser's policies on a list of arms every call draws anew, and an arm of which nothing is known has 0.
        With those of roguewk it is about the prediction that comes next, and such an arm may have infinity.
        """
        valued = self._course.expectations(_count(contexts))
        return valued[0] if len(valued) == 1 else valued

    def add_arm(self, arm: Hashable, binarizer: Any = None) -> None:
        """One more arm, of which nothing is known, for a policy of MABWiser's on a list of arms.

        >>> mab = MAB([1, 2], LearningPolicy.ThompsonSampling(lambda arm, reward: reward > 10))
        >>> mab.add_arm(3, binarizer=lambda arm, reward: reward > 5 * arm)
        >>> mab.arms
        [1, 2, 3]
        """
        self._tally("add_arm").add_arm(arm, binarizer)

    def remove_arm(self, arm: Hashable) -> None:
        """Forget an arm, for a policy of MABWiser's on a list of arms."""
        self._tally("remove_arm").remove_arm(arm)

    def warm_start(self, arm_to_features: Any, distance_quantile: float) -> None:
        """Copy what is known of the arms with the nearest features, for a policy of MABWiser's on a list of arms."""
        self._tally("warm_start").warm_start(arm_to_features, distance_quantile)

    def _tally(self, what: str) -> Tally:
        if isinstance(self._course, Tally):
            return self._course
        raise InputError(
            f"{what} is for MABWiser's policies on a list of arms, and a policy of roguewk is told of its arms once:"
            " make a new MAB with the arms there are now, and fit what was decided so far"
        )


def _spec(policy: Theirs | Name) -> tuple[Name, dict[str, Any]]:
    """The name of a policy in roguewk, and the parameters that come with it."""
    if isinstance(policy, Theirs):
        return policy.spec
    if isinstance(policy, str | Mapping):
        return policy, {}
    raise InputTypeError(f"learning_policy is {shown(policy)}: give one of LearningPolicy or the name of a policy")


def _refuse(rule: Theirs, **given: Any) -> None:
    """What a policy of MABWiser has no use for."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name} is given beside MABWiser's {type(rule).__name__}: leave it out, or give the policy by its name"
                f" in roguewk, {rule.spec[0]!r}"
            )


def _whole(value: Any, what: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputTypeError(f"{what} is {shown(value)}: give a whole number") from None


def _seed(seed: Any) -> int:
    if _whole(seed, "seed") < 0:
        raise InputError(f"seed is {shown(seed)}: give a whole number of at least 0")
    return int(seed)


def _jobs(n_jobs: Any) -> int:
    if _whole(n_jobs, "n_jobs") == 0:
        raise InputError("n_jobs is 0: give 1, or leave it out")
    return int(n_jobs)


def _backend(backend: Any) -> str | None:
    if backend is not None and not isinstance(backend, str):
        raise InputTypeError(f"backend is {shown(backend)}: give a name, or leave it out")
    return backend


def _rows(decisions: Any, rewards: Any, contexts: Any) -> tuple[list[Any], list[float]]:
    """Decisions and their rewards, finite numbers, one each."""
    if contexts is not None:
        raise InputTypeError("contexts are given, and no policy here uses them: leave them out")
    made, brought = _plain(decisions, "decisions"), _plain(rewards, "rewards")
    if len(made) != len(brought):
        raise InputError(f"{len(made)} decisions have {len(brought)} rewards: give one each")
    for row, reward in enumerate(brought):
        if not isinstance(reward, bool | np.bool_):
            type_checked(number, reward, f"reward {row}")
    return made, brought


def _plain(values: Any, what: str) -> list[Any]:
    """A list, array or series as a list."""
    if isinstance(values, list | tuple):
        return list(values)
    if not hasattr(values, "tolist") or getattr(values, "ndim", 0) != 1:
        raise InputTypeError(f"the {what} are {shown(values)}: give a list, an array or a series")
    return list(values.tolist())


def _count(contexts: Any) -> int:
    """How many rows there are; one without contexts."""
    if contexts is None:
        return 1
    if isinstance(contexts, list | tuple):
        if all(hasattr(row, "__len__") and not isinstance(row, str) for row in contexts):
            return len(contexts)
    elif getattr(contexts, "ndim", 0) == 2 or hasattr(contexts, "iloc"):  # a series, too, counts by its rows
        return len(contexts)
    raise InputTypeError(f"contexts are {shown(contexts)}: give a row of numbers for each, in a list, array or frame")
