"""Policies with the interface of river's bandits: `from roguewk.interop import river as bandit`.

`pull` and `update` are called as river calls them. The classes below are the policies of river that roguewk has too;
`Bandit` takes any policy of roguewk, and a problem with dynamics and budgets.
"""

import secrets
from collections.abc import Hashable, Sequence
from typing import Any

from roguewk.interop.adapter import Adapter, Name, check_policy
from roguewk.problem.errors import InputError
from roguewk.problem.model import Problem


class Bandit:
    """Any policy, with `pull(arm_ids)` and `update(arm_id, reward)`.

    Without a `problem` the arms are those of the first `pull`, which has to list all of them; later ones may list
    fewer. They have rewards of 0 or 1 that never change, or of spread `sigma`; without a `horizon` it is unknown. With
    a problem, arms go by their names, and `update` takes `costs`. Every pull is a round that passes with that arm
    pulled; its reward may come later or never. `pull` returns None to leave a round idle and when the game is over.

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
        **parameters: Any,
    ) -> None:
        check_policy(policy, parameters, problem is not None)
        self._given = (policy, parameters, problem, horizon, sigma, seed)
        self._seed = secrets.randbits(64) if seed is None else seed
        self._seen: dict[Hashable, tuple[float, int]] = {}  # sum and number of rewards
        self._adapter: Adapter | None = None if problem is None else self._adapted(problem)

    def pull(self, arm_ids: Sequence[Hashable]) -> Any:
        """Decide which of these arms to pull."""
        if self._adapter is None:
            self._adapter = self._adapted(list(arm_ids))
        return self._adapter.decide(arm_ids)

    def update(self, arm_id: Hashable, *reward_args: float, costs: Any = None, **reward_kwargs: float) -> None:
        """Learn what a pull brought: one reward, and where there are resources its costs, in order or by name."""
        rewards = [*reward_args, *reward_kwargs.values()]
        if len(rewards) != 1:
            raise InputError(f"{len(rewards)} rewards are given for a pull of arm {arm_id!r}: give one")
        if self._adapter is None:
            raise InputError("the arms are not known yet: call pull first, with all of them, or give a problem")
        self._adapter.learn(arm_id, rewards[0], costs)
        total, count = self._seen.get(arm_id, (0.0, 0))
        self._seen[arm_id] = (total + rewards[0], count + 1)

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
        return Bandit(policy, problem, horizon=horizon, sigma=sigma, seed=seed, **parameters)

    def __repr__(self) -> str:
        return f"<river-style {self._given[0]!r}, {sum(count for _, count in self._seen.values())} rewards seen>"

    def _adapted(self, arms: Sequence[Hashable] | Problem) -> Adapter:
        policy, parameters, _, horizon, sigma, _ = self._given
        return Adapter(arms, policy, parameters, self._seed, horizon, sigma)


class UCB(Bandit):
    """UCB1 with its radius times `delta`.

    >>> UCB(delta=1, seed=42).pull(range(3))
    0
    """

    def __init__(self, delta: float, seed: int | None = None, **others: Any) -> None:
        super().__init__("ucb1", seed=seed, scale=delta, **others)


class EpsilonGreedy(Bandit):
    """The arm with the largest mean, and with probability `epsilon` any arm; each arm is tried once first.

    >>> EpsilonGreedy(0.1, seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(self, epsilon: float, seed: int | None = None, **others: Any) -> None:
        super().__init__("mean/none/explore", seed=seed, explore=epsilon, **others)


class RandomPolicy(Bandit):
    """Any arm: EXP3 that only explores.

    >>> RandomPolicy(seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(self, seed: int | None = None, **others: Any) -> None:
        super().__init__("exp3", seed=seed, gamma=1.0, **others)


class ThompsonSampling(Bandit):
    """A draw from the Beta posterior of each arm's rewards of 0 or 1.

    >>> ThompsonSampling(seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(self, seed: int | None = None, **others: Any) -> None:
        super().__init__("thompson-beta", seed=seed, **others)


class Exp3(Bandit):
    """EXP3 with exploration `gamma`.

    >>> Exp3(gamma=0.5, seed=42).pull(["A", "B"]) in ("A", "B")
    True
    """

    def __init__(self, gamma: float, seed: int | None = None, **others: Any) -> None:
        super().__init__("exp3", seed=seed, gamma=gamma, **others)
