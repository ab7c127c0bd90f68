"""The long table of micro-randomised trials, with every decision point of every person.

No number is missing: weighted and centred least squares, as MRTAnalysis for R has it, gives decision points without
availability the weight 0, but reads them all.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

ROUNDING = 1e-9  # as arms are drawn: what is left by less is no chance of an idle round


def _treatments(problem: Problem, treatment: Any) -> list[int]:
    """The arms that count as treatment."""
    if treatment is None:
        return list(range(len(problem.arms)))
    several = isinstance(treatment, list | tuple | set | np.ndarray)
    found = [problem.arm_index(arm) for arm in (treatment if several else [treatment])]
    if not found:
        raise InputError(f"treatment is {treatment!r}: give at least one arm, or leave it out for any pull")
    return sorted(set(found))


class Points(NamedTuple):
    """What a trial needs of a log: decision points by person and round, and what was done there."""

    problem: Problem
    replicates: Any  # (row,)
    rounds: Any  # (row,)
    actions: Any  # (row,)
    rewards: Vector  # (row,)
    probabilities: Vector  # (row, action)
    propensities: Vector  # (row,) of what was done
    available: Any  # (row,)
    effects: Vector  # (row,); none where idle rounds bring nothing
    idle: Vector  # (person, point) what idle rounds bring, or nothing
    contexts: dict[str, list[str]]  # columns, of all decision points of all people


def trial_columns(log: Points, treatment: Any, complete: bool) -> dict[str, Any]:
    """The columns by name; with `complete` all have the same decision points."""
    problem = log.problem
    arms = _treatments(problem, treatment)
    people, points = int(log.replicates.max()) + 1, problem.horizon
    size = people * points
    place = log.replicates * points + log.rounds
    columns = {
        "id": np.repeat(np.arange(people), points),
        "decision_point": np.tile(np.arange(points), people),
        "availability": np.zeros(size, dtype=np.int64),
        "prob_treatment": np.zeros(size),
        "treatment": np.zeros(size, dtype=np.int64),
        "outcome": np.zeros(size),
        "arm": np.full(size, None, dtype=object),
        "prob_arm": np.ones(size),
    }
    columns |= {name: np.array(values, dtype=object) for name, values in log.contexts.items()}
    columns["availability"][place] = log.available
    chance = log.probabilities[:, arms].sum(axis=1)
    columns["prob_treatment"][place] = np.where(chance > 1 - ROUNDING, 1.0, chance)
    columns["treatment"][place] = np.isin(log.actions, arms)
    columns["outcome"] += log.idle.ravel()
    columns["outcome"][place] = log.rewards
    if log.effects.size:
        columns["effect"] = np.zeros(size)
        columns["effect"][place] = log.effects
    names = np.array([*(arm.name for arm in problem.arms), None], dtype=object)
    columns["arm"][place] = names[log.actions]
    columns["prob_arm"][place] = log.propensities
    kept = columns if complete else {name: column[place] for name, column in columns.items()}
    return kept | {name: column.tolist() for name, column in kept.items() if column.dtype == object}
