"""What a decision maker may know in the middle of a game, and nothing of the truth."""

from collections.abc import Mapping, Sequence

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.context import Context
from roguewk.problem.problem import Problem


class Onlooker:
    """Watches a game and sums up its past in numbers from 0 to 1.

    >>> import numpy as np
    >>> import roguewk as rw
    >>> onlooker = Onlooker(rw.catalog.paper(budget=100).problem)
    >>> onlooker.start()
    >>> onlooker.watch(2)
    >>> {name: values.round(3).tolist() for name, values in onlooker.seen(np.array([0.95, 0.9, 1.0])).items()}
    {'rounds_left': [0.999], 'budgets_left': [0.95, 0.9, 1.0], 'recency': [0.0, 0.0, 1.0], 'believed': [0.633, 0.567, 0.333]}
    """  # noqa: E501  # a line of output

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        arms, resources = len(problem.arms), len(problem.resources)
        coordinates = sum(arm.dimension for arm in problem.arms)
        sizes = {"rounds_left": 1, "budgets_left": resources, "recency": arms, "believed": coordinates}
        self.sizes = {name: size for name, size in sizes.items() if size}

    def start(self) -> None:
        """Begin a new game."""
        from roguewk.problem.dynamics import build_dynamics

        arms = self.problem.arms
        self._dynamics = build_dynamics(arms)
        self._states = np.zeros(self._dynamics.vectors.shape[:2])  # (arm, coordinate)
        for row, arm in zip(self._states, arms, strict=True):
            row[: arm.dimension] = arm.starts.mean(axis=1)
        self._spare = np.zeros(self._dynamics.vectors.shape[1])
        self._last = np.full(len(arms), -1)
        self._round = 0

    def watch(self, arm: int | None) -> None:
        """A round passes with this arm pulled, or none."""
        from roguewk.kernel.compile import compiling
        from roguewk.problem.dynamics import move_all

        if arm is not None:
            self._last[arm] = self._round
        with compiling("the world"):
            move_all(self._dynamics, self._states, -1 if arm is None else arm, self._spare)
        self._round += 1

    def seen(self, left: Vector) -> dict[str, Vector]:
        """By name; `left` is (resource,) shares of the budgets. What a problem has nothing of is left out."""
        every = {
            "rounds_left": np.array([1 - self._round / self.problem.horizon]),
            "budgets_left": left,
            "recency": np.where(self._last < 0, 0.0, 1 / np.maximum(self._round - self._last, 1)),
            "believed": placed(self.problem.arms, self._states),
        }
        return {name: every[name] for name in self.sizes}


def shown_context(contexts: Sequence[Context], values: Mapping[str, str]) -> Vector:
    """The values of contexts, given by name, in numbers: 1 for what is there, 0 for all else that may be.

    >>> import roguewk as rw
    >>> contexts = [rw.Context("place", ["home", "out"]), rw.Context("day", cycle=["work", "rest", "work"])]
    >>> shown_context(contexts, {"place": "out", "day": "work"})
    array([0., 1., 1., 0.])
    """
    listed = [(context.name, value) for context in contexts for value in context.values]
    return np.array([float(values[name] == value) for name, value in listed])


def placed(arms: Sequence[Arm], states: Vector) -> Vector:
    """Where states (arm, coordinate) lie in their sets, 0 at the low end and 1 at the high one."""
    low, high = np.concatenate([arm.box for arm in arms]).T
    flat = np.concatenate([row[: arm.dimension] for row, arm in zip(states, arms, strict=True)])
    return np.asarray(np.clip((flat - low) / (high - low), 0.0, 1.0))
