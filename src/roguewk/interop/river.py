"""Policies with the interface of river's bandits: `from roguewk.interop import river as bandit`.

`pull` and `update` are called as river calls them. The classes below are the policies of river that roguewk has too;
`Bandit` takes any policy of roguewk, and a problem with dynamics and budgets.
"""

import copy
import secrets
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from roguewk.interop.adapter import Adapter, Name, check_policy
from roguewk.part.parameter import not_negative, within
from roguewk.problem.errors import InputError, known, number, whole
from roguewk.problem.problem import LONGEST, Problem

OURS = ("problem", "horizon", "sigma")  # what can be given besides river's own arguments
CHANCE, WIDTH = within(0.0, 0.0, 1.0, "a probability"), not_negative(1.0, "multiplies a radius")
HALF = 0.5  # a spread at which the radius of UCB1 is the one that river has, whatever the rewards


class Bandit:
    """Any policy, with `pull(arm_ids)` and `update(arm_id, reward)`.

    Without a `problem` the arms are those of the first `pull`, which has to list all of them; later ones may list
    fewer. They have rewards of 0 or 1 that never change, or of spread `sigma`; without a `horizon` it is unknown. With
    a problem, arms go by their names, and `update` takes `costs`. Every pull is a round that passes with that arm
    pulled; its reward may come later or never. `pull` returns None to leave a round idle and when the game is over.
    As in river, each arm is pulled until `burn_in` rewards of it have come (rounds that the policy leaves idle may lie
    in between), and a `reward_scaler` such as `preprocessing.TargetStandardScaler(None)` scales rewards before they are
    learned from.

    >>> policy = Bandit("kl-ucb", seed=1)
    >>> arm = policy.pull(["A", "B"])
    >>> policy.update(arm, 1)
    >>> policy.pull(["A", "B"]), policy.ranking
    ('B', ['A'])
    """

    def __init__(
        self,
        policy: Name,
        problem: Problem | None = None,
        *,
        horizon: int | None = None,
        sigma: float | None = None,
        seed: int | None = None,
        burn_in: int = 0,
        reward_scaler: Any = None,
        **parameters: Any,
    ) -> None:
        check_policy(policy, parameters, problem is not None)
        if reward_scaler is not None and not all(hasattr(reward_scaler, each) for each in ("_update", "func")):
            raise InputError(
                f"reward_scaler of {type(self).__name__} is a {type(reward_scaler).__name__}: give one of river's"
                " scalers of targets, such as preprocessing.TargetStandardScaler(None)"
            )
        self._given = (policy, parameters, problem, horizon, sigma, seed)
        self._burn_in = whole(burn_in, f"burn_in of {type(self).__name__}", 0, LONGEST)
        self._scaler, self._fresh_scaler = reward_scaler, copy.deepcopy(reward_scaler)
        self._seed = secrets.randbits(64) if seed is None else seed
        self._seen: dict[Hashable, tuple[float, int]] = {}  # sum and number of rewards
        self._adapter: Adapter | None = None if problem is None else self._adapted(problem)

    def pull(self, arm_ids: Sequence[Hashable]) -> Any:
        """Decide which of these arms to pull."""
        if self._adapter is None:
            self._adapter = self._adapted(list(arm_ids))
        for id_ in arm_ids if self._burn_in else ():
            if self._seen.get(id_, (0.0, 0))[1] < self._burn_in:
                return self._adapter.decide([id_])
        return self._adapter.decide(arm_ids)

    def update(self, arm_id: Hashable, *reward_args: float, costs: Any = None, **reward_kwargs: float) -> None:
        """Learn what a pull brought: one reward, and where there are resources its costs, in order or by name."""
        rewards = [*reward_args, *reward_kwargs.values()]
        if len(rewards) != 1:
            raise InputError(f"{len(rewards)} rewards are given for a pull of arm {arm_id!r}: give one")
        if self._adapter is None:
            raise InputError("the arms are not known yet: call pull first, with all of them, or give a problem")
        reward = rewards[0]
        if self._scaler is not None:
            ahead = copy.deepcopy(self._scaler)  # nothing is learned of a reward that is refused
            ahead._update(y=number(reward, f"reward of arm {arm_id!r}"))
            reward = ahead.func(reward)
        self._adapter.learn(arm_id, reward, costs)
        if self._scaler is not None:
            self._scaler._update(y=rewards[0])
        total, count = self._seen.get(arm_id, (0.0, 0))
        self._seen[arm_id] = (total + reward, count + 1)

    @property
    def policy(self) -> Any:
        """The rw.Policy behind it, None before the first pull."""
        return None if self._adapter is None else self._adapter.policy

    @property
    def ranking(self) -> list[Hashable]:
        """The arms with rewards, those with the largest mean first."""
        return sorted(self._seen, key=lambda id_: self._seen[id_][0] / self._seen[id_][1], reverse=True)

    def clone(self) -> "Bandit":
        """The same policy, which has seen nothing."""
        policy, parameters, problem, horizon, sigma, seed = self._given
        given: dict[str, Any] = {"horizon": horizon, "sigma": sigma, "seed": seed, "burn_in": self._burn_in}
        return Bandit(policy, problem, reward_scaler=copy.deepcopy(self._fresh_scaler), **given, **parameters)

    def __repr__(self) -> str:
        return f"<river-style {self._given[0]!r}, {sum(count for _, count in self._seen.values())} rewards seen>"

    def _adapted(self, arms: Sequence[Hashable] | Problem) -> Adapter:
        policy, parameters, _, horizon, sigma, _ = self._given
        return Adapter(arms, policy, parameters, self._seed, horizon, sigma)


def _ours(name: str, others: Mapping[str, Any]) -> dict[str, Any]:
    """What is given besides river's arguments."""
    for key in others:
        known(key, OURS, f"argument of river's {name}:")
    return dict(others)


def _check_mean(name: str, reward_obj: Any) -> None:
    """Means are what is kept of rewards here, as river does unless told otherwise."""
    if reward_obj is not None and (type(reward_obj).__name__ != "Mean" or bool(getattr(reward_obj, "n", False))):
        raise InputError(
            f"reward_obj of river's {name} is a {type(reward_obj).__name__}: means are kept of rewards here, so give"
            " a new stats.Mean() or leave it out"
        )


class UCB(Bandit):
    """UCB1 with its radius times `delta`; with a `reward_scaler`, for rewards of any size.

    >>> UCB(delta=1, seed=42).pull(range(3))
    0
    """

    def __init__(
        self,
        delta: float,
        reward_obj: Any = None,
        reward_scaler: Any = None,
        burn_in: int = 0,
        seed: int | None = None,
        **others: Any,
    ) -> None:
        _check_mean("UCB", reward_obj)
        scale = WIDTH.check(delta, "delta of river's UCB")
        ours = _ours("UCB", others)
        if reward_scaler is not None and "problem" not in ours:
            ours.setdefault("sigma", HALF)
        super().__init__("ucb1", seed=seed, scale=scale, burn_in=burn_in, reward_scaler=reward_scaler, **ours)


class EpsilonGreedy(Bandit):
    """The arm with the largest mean, and with probability `epsilon` any arm; each arm is tried once first.

    >>> EpsilonGreedy(0.1, seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(
        self,
        epsilon: float,
        decay: float = 0.0,
        reward_obj: Any = None,
        burn_in: int = 0,
        seed: int | None = None,
        **others: Any,
    ) -> None:
        _check_mean("EpsilonGreedy", reward_obj)
        if number(decay, "decay of river's EpsilonGreedy") != 0:
            raise InputError(
                f"decay of river's EpsilonGreedy is {decay!r}, and epsilon does not decay by a rate here: leave it out,"
                " or take Bandit('mean/none/explore', explore_decay=...), which explores with chance explore_decay/t"
            )
        explore = CHANCE.check(epsilon, "epsilon of river's EpsilonGreedy")
        ours = _ours("EpsilonGreedy", others)
        super().__init__("mean/none/explore", seed=seed, explore=explore, burn_in=burn_in, **ours)


class RandomPolicy(Bandit):
    """Any arm, all alike; no round is idle unless a pull might break a budget that idling keeps.

    >>> RandomPolicy(seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(self, reward_obj: Any = None, burn_in: int = 0, seed: int | None = None, **others: Any) -> None:
        _check_mean("RandomPolicy", reward_obj)
        ours = _ours("RandomPolicy", others)
        super().__init__("randomised", seed=seed, chances=1.0, burn_in=burn_in, **ours)


class ThompsonSampling(Bandit):
    """A draw from the Beta posterior of each arm's rewards of 0 or 1; a `proba.Beta(alpha, beta)` is the prior.

    >>> ThompsonSampling(seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(self, reward_obj: Any = None, burn_in: int = 0, seed: int | None = None, **others: Any) -> None:
        prior: dict[str, Any] = {}
        if reward_obj is not None:
            if type(reward_obj).__name__ != "Beta":
                raise InputError(
                    f"reward_obj of river's ThompsonSampling is a {type(reward_obj).__name__}: give a proba.Beta(),"
                    " or take Bandit('thompson-gauss', sigma=...) for rewards other than 0 and 1"
                )
            prior = {"prior_ones": float(reward_obj.alpha), "prior_zeros": float(reward_obj.beta)}
        super().__init__("thompson-beta", seed=seed, burn_in=burn_in, **prior, **_ours("ThompsonSampling", others))


class Exp3(Bandit):
    """EXP3 with exploration `gamma`.

    >>> Exp3(gamma=0.5, seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(
        self,
        gamma: float,
        reward_obj: Any = None,
        reward_scaler: Any = None,
        burn_in: int = 0,
        seed: int | None = None,
        **others: Any,
    ) -> None:
        _check_mean("Exp3", reward_obj)
        if reward_scaler is not None:
            raise InputError(
                "reward_scaler of river's Exp3 is given, and EXP3 takes rewards of 0 or 1 here: leave it out, and give"
                " such rewards"
            )
        chance = CHANCE.check(gamma, "gamma of river's Exp3")
        super().__init__("exp3", seed=seed, gamma=chance, burn_in=burn_in, **_ours("Exp3", others))
