"""What came out of a simulation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from roguewk.bounds.upper import Bound, upper_bound
from roguewk.engine.rollout import Curves
from roguewk.engine.table import as_table
from roguewk.kernel.arrays import Vector
from roguewk.problem.errors import truth_value
from roguewk.problem.ledger import WITHIN
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Runs:
    """Replicates of several policies in one world, all with the same luck.

    `frame()` has a row per policy and replicate, `summary()` a row per policy, and `curves[policy]` every round when
    asked for: arrays `arms` (-1 idle, -2 after the end), `rewards`, `expected`, `costs` and `states`, whose first axes
    are replicate and round. `bound` is what no policy can expect to beat in this world, `regret_upper` and `fraction`
    how far the policies stay below it.

    >>> import roguewk as rw
    >>> runs = rw.simulate(rw.catalog.paper(), "ucb1", replicates=2)
    >>> list(runs.frame().columns[:7])
    ['policy', 'replicate', 'reward', 'expected_reward', 'plays', 'rounds', 'stopped_by']
    """

    world: World
    policies: tuple[str, ...]
    replicates: int
    seed: int
    totals: Mapping[str, Any]  # policy -> (replicate,) records
    spent: Mapping[str, Vector]  # policy -> (replicate, resource)
    curves: Mapping[str, Curves] = field(default_factory=dict)
    first_replicate: int = 0

    @overload
    def frame(self, kind: Literal["pandas"] = "pandas") -> "pd.DataFrame": ...
    @overload
    def frame(self, kind: str) -> Any: ...
    def frame(self, kind: str = "pandas") -> Any:
        """A row per policy and replicate, as a "pandas", "arrow" or "polars" table.

        `expected_reward` sums the true mean rewards of the pulls; `plays` and rewards leave out the round that breaks a
        budget, `rounds` and `spent_...` count it. Where idle rounds have an outcome, rewards are those of all rounds of
        the horizon, pulled or not, and `effect` is how much more was to be expected of them than of idling throughout.
        """
        return as_table(self._columns(), kind)

    @cached_property
    def bound(self) -> Bound:
        """What no policy can expect to earn more than in this world; worked out when first asked for.

        >>> import roguewk as rw
        >>> round(rw.simulate(rw.catalog.paper(budget=100), "ucb1").bound.value)
        198
        """
        return upper_bound(self.world)

    @property
    def regret_upper(self) -> "pd.Series[float]":
        """For each policy the most that it lost on average: the bound less its mean expected reward.

        The best policy may stay below the bound, so the regret against it can be smaller, but not larger.

        >>> import roguewk as rw
        >>> runs = rw.simulate(rw.catalog.paper(budget=100), ["roguewk-ucb", "ucb1"], replicates=100)
        >>> runs.regret_upper.round()
        policy
        roguewk-ucb    36.0
        ucb1           66.0
        Name: regret_upper, dtype: float64
        """
        return (self.bound.value - self._expected()).rename("regret_upper")

    @property
    def fraction(self) -> "pd.Series[float]":
        """For each policy its mean expected reward over the bound: 1 would be all that anyone could expect.

        Where idle rounds have an outcome, which nobody has to earn, it is the effect over that of the bound.

        >>> import roguewk as rw
        >>> runs = rw.simulate(rw.catalog.paper(budget=100), ["roguewk-ucb", "ucb1"], replicates=100)
        >>> runs.fraction.round(2)
        policy
        roguewk-ucb    0.82
        ucb1           0.66
        Name: fraction, dtype: float64
        """
        idle = self._idle_total
        return ((self._expected() - idle) / (self.bound.value - idle)).rename("fraction")

    def _expected(self) -> "pd.Series[float]":
        return self.frame().groupby("policy", sort=False)["expected_reward"].mean()

    def summary(self, bound: bool = False) -> "pd.DataFrame":
        """A row per policy: means over the replicates, with the standard error of the reward and what was spent.

        All reward is over all plays in `reward_per_play`; where idle rounds have an outcome, which nobody has to play
        for, it is `effect_per_play`. With `bound`, also `regret_upper` and `fraction`.
        """
        frame = self.frame()
        groups = frame.groupby("policy", sort=False)
        effect = [] if self.world.baseline is None else ["effect"]
        table = groups[["reward", "expected_reward", *effect, "plays", "rounds"]].mean()
        table.insert(1, "standard_error", groups["reward"].std(ddof=1) / np.sqrt(self.replicates))
        earned = "effect" if effect else "reward"
        table[f"{earned}_per_play"] = groups[earned].sum() / groups["plays"].sum()
        for resource in self.world.problem.resources:
            table[f"spent_{resource.name}"] = groups[f"spent_{resource.name}"].mean()
        if truth_value(bound, "bound"):
            table = table.join([self.regret_upper, self.fraction])
        return table.reset_index()

    @cached_property
    def _idle_total(self) -> float:
        """What idling throughout brings on average."""
        return float(self.world.idle_means.sum())

    def _effects(self, expected: Vector) -> dict[str, Vector]:
        return {} if self.world.baseline is None else {"effect": expected - self._idle_total}

    def _columns(self) -> dict[str, Any]:
        resources = [resource.name for resource in self.world.problem.resources]
        ends = np.array([*resources, "horizon"], dtype=object)  # WITHIN is -1, the last
        assert WITHIN == -1
        totals = np.concatenate([self.totals[name] for name in self.policies])
        spent = np.concatenate([self.spent[name] for name in self.policies])
        return {
            "policy": np.repeat(np.array(self.policies, dtype=object), self.replicates),
            "replicate": np.tile(self.first_replicate + np.arange(self.replicates), len(self.policies)),
            "reward": totals["reward"].copy(),
            "expected_reward": totals["expected"].copy(),
            **self._effects(totals["expected"]),
            "plays": totals["plays"].copy(),
            "rounds": totals["rounds"].copy(),
            "stopped_by": ends[totals["stopped_by"]],
            **{f"spent_{name}": spent[:, j].copy() for j, name in enumerate(resources)},
        }
