"""What the compiled likelihood is given: the log, the places of its parameters, and memory.

Parameters are four for each arm, then those that all arms share (the coefficients of columns, then for each further
state its log half-life and its pushes), then the spread of subjects' wear if that differs, that of their levels and
the log of the noise.
"""

import math
from typing import Any, NamedTuple

from roguewk.kernel.arrays import Vector
from roguewk.learn.pulls import Pulls

RESTED, PUSH, LOG_HALF_LIFE, START = range(4)
WIDTH = 4  # numbers per arm
LOG_2 = math.log(2.0)


class Setting(NamedTuple):
    """What is the same at all parameters."""

    pulls: Pulls
    family: int
    lag: float  # how long after a pull its wear begins to fade
    starts: bool  # whether subjects may start worn
    noisy: bool  # whether the dispersion is estimated
    nodes: Vector  # (node,) of Gauss and Hermite
    weights: Vector  # (node,) logs of their weights, with exp(node^2) taken back
    shared: int  # the place of the first parameter that arms share
    states: Any  # (state,) places of the log half-lives of further states; their pushes come after each
    size: int  # the number of all parameters
    varies: int = -1  # the place of the spread of subjects' wear, if that differs
    wear_nodes: Any = None  # (node,) of their wear


class Room(NamedTuple):
    """Memory for one stretch of subjects; compiled code allocates none."""

    mode: Vector  # (subject,) of all; kept as a start for the next time
    wear_mode: Vector  # (subject,) of all: the same of their wear, if that differs
    worn: Vector  # (pull, 3) of all: h and its two derivatives in log half-life
    further: Vector  # (state, pull, 3) of all: the same of further states
    residual: Vector  # (node, pull of a subject)
    weight: Vector  # (node, pull of a subject)
    score: Vector  # (node, parameter)
    joint: Vector  # (node,)
    place: Vector  # (node,)
    wear_place: Vector  # (node,)
    misfit: Vector  # (node,) sums of deviances
    touched: Any  # (parameter,) places of those that a subject's pulls depend on
    is_touched: Any  # (arm,)
    slope_place: Any  # (slope,) places of the shared parameters that one pull depends on, in rising order
    slope: Vector  # (slope,) derivatives of its level in them
    value: Vector  # (1,)
    gradient: Vector  # (parameter,)
    hessian: Vector  # (row, column) below the diagonal, of the parameters that are kept
    row: Any  # (parameter,) of the Hessian, -1 for those that are not kept
    column: Any  # (parameter,) of the Hessian
    kept: Any  # (parameter,) which of the touched are kept
    by_arm: Vector  # (arm,) parts of the log-likelihood, where subjects' levels are given (one node)
    by_subject: Vector  # (subject,) of all: parts of the log-likelihood
