"""Arms with X narrowed to where they may start, for estimates of x0: they look for it there and nowhere else."""

from dataclasses import replace

import numpy as np

from roguewk.problem.arm import Arm
from roguewk.problem.problem import Problem

POINT = 1e-13  # of X: as wide as a state that is known is taken to be, far less than makes a difference
OWN_POINT = 1e-6  # the same for functions of one's own, whose slopes are found by differences


def starting(problem: Problem) -> Problem:
    """The problem in which X of each arm is where it may start."""
    if all(arm.known_start is None for arm in problem.arms):
        return problem
    return replace(problem, arms=tuple(map(_narrowed, problem.arms)))


def _narrowed(arm: Arm) -> Arm:
    if arm.known_start is None:
        return arm
    middle, width = arm.starts.mean(axis=1), arm.starts[:, 1] - arm.starts[:, 0]
    point = OWN_POINT if arm.custom else POINT
    least = np.maximum(point * (arm.box[:, 1] - arm.box[:, 0]), 1e-14 * np.abs(middle))
    half = 0.5 * np.maximum(width, least)
    box = np.column_stack([middle - half, middle + half])
    return replace(arm, state=box[0] if arm.dimension == 1 else box, known_start=None)
