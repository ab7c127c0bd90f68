"""An arm's states on a grid, with an error of interpolation that is known and never flatters.

Whatever is played, the reward to come is a sum of `g` along the way, and its curvature in the state is at least `-M`,
`M = max(-g'') sum_k |(A^k)' beta|^2`; so is that of the largest such sum, the value of the arm. A function plus
`M |x|^2 / 2` being convex, interpolating it on a grid of spacing `d` falls short by at most `M sum d^2 / 8`. With
functions of the user's own only slopes are known, and the shortfall is the largest slope times half the spacing.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.constants import arm_constants, mean_rewards, next_states
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem
from roguewk.relax.steepness import steepest_rewards

# Nodes on an axis at least, and in all at the most, by the number of coordinates. A value also has convex kinks, where
# interpolating flatters the arm: no danger to the bound, but few nodes would make it loose.
FEWEST, MOST = {1: 301, 2: 41}, {1: 100_000, 2: 10_000}
PLANNING = {1: 97, 2: 25}  # nodes on an axis where no certainty is needed
FINEST = 193  # nodes, of one coordinate, where a pull moves the state by less than a few of them
NODES_PER_PULL = 3.0
FAINTEST = 1e-4
FAINT = 2e-3  # of the largest mean reward: states that bring less are not in play


class Lattice(NamedTuple):
    """What a dynamic program needs of an arm."""

    rewards: Vector  # (node,) mean reward
    rest: NDArray[np.int32]  # (node, corner): the nodes around the next state without a pull
    rest_shares: Vector  # (node, corner)
    pull: NDArray[np.int32]  # (node, corner): with a pull
    pull_shares: Vector  # (node, corner)
    start: NDArray[np.int32]  # (corner,): around the initial state
    start_shares: Vector  # (corner,)
    low: Vector  # (coordinate,)
    gaps: Vector  # (coordinate,)
    counts: NDArray[np.int64]  # (coordinate,)
    slack: float  # the most that an interpolation falls short


def build_lattice(arm: Arm, x0: Vector, precision: float, shifts: Sequence[float] | Vector = (0.0,)) -> Lattice:
    """A grid on which an interpolation falls short by at most `precision`, whichever of these shifts its level has."""
    if arm.dimension > 2:
        what = f"arm {arm.name!r} has {arm.dimension} coordinates, and bounds are for states of one or two"
        raise InputError(f"{what}: use rw.nlp for a local optimum")
    closed = _closed_box(arm, x0)
    box = closed if arm.custom else without_faint(_lifted(arm, max(shifts)), closed, x0)
    widths = box[:, 1] - box[:, 0]
    if arm.custom:
        slope = _slope(arm, x0)
        counts = np.array([math.ceil(slope * widths[0] / (2 * precision)) + 1])
    else:
        both = [_bends(_lifted(arm, shift), box) for shift in set(shifts)]
        dip, bend = max(dip for dip, _ in both), max(bend for _, bend in both)
        counts = np.ceil(widths * math.sqrt(max(dip, bend) * len(widths) / (8 * precision))).astype(int) + 1
    counts = np.maximum(counts, FEWEST[arm.dimension])
    if counts.prod() > MOST[arm.dimension]:
        counts = np.maximum((counts * (MOST[arm.dimension] / counts.prod()) ** (1 / len(counts))).astype(int), 2)
    gaps = widths / (counts - 1)
    slack = float(slope * gaps[0] / 2 if arm.custom else dip * (gaps**2).sum() / 8)
    return _fill(arm, x0, box, counts, slack)


def check_plannable(problem: Problem) -> None:
    """Refuse arms that no plan can be made for, before anything is worked out; linear ones soon have a lattice."""
    for arm in problem.arms:
        if arm.dimension > 2:
            what = f"arm {arm.name!r} has {arm.dimension} coordinates, and plans are for states of one or two"
            raise InputError(f"{what}: use roguewk-ucb")
        if arm.custom:
            planning_lattice(arm)


def planning_lattice(arm: Arm) -> Lattice:
    """A coarse grid of all that X leads to, without an account of its error."""
    try:
        box = _closed_box(arm, arm.box[:, 0], arm.box[:, 1])
    except InputError:
        box = arm.box  # states that leave X are planned for as if at its edge
    counts = np.full(arm.dimension, PLANNING[arm.dimension])
    if arm.dimension == 1 and not arm.custom:
        box = _in_play(arm, box)
        counts[0] = min(max(math.ceil(NODES_PER_PULL * _pulls_across(arm, box)), counts[0]), FINEST)
    return _fill(arm, arm.box.mean(axis=1), box, counts, 0.0)


def _pulls_across(arm: Arm, box: Vector) -> float:
    """How many pulls, without recovery, lead through a range of states."""
    return float(box[0, 1] - box[0, 0]) / max(abs(float(arm.push[0])), 1e-300)


def too_fine(arm: Arm, horizon: int) -> bool:
    """Whether a pull moves an arm by less than the nodes of plans are apart, and all pulls of a game by many."""
    if arm.dimension > 1 or arm.custom:
        return False
    return FINEST < _pulls_across(arm, _in_play(arm, arm.box)) < horizon


def _in_play(arm: Arm, box: Vector) -> Vector:
    """The states between which rewards differ; beyond, a plan takes an arm to be at the edge.

    An arm that recovers slowly may be worn a hundred times as far as anyone would.
    """
    lowest, highest = arm.reward_family.means
    faint = _faint_level(arm, box, FAINT)
    bright = math.inf if math.isinf(highest) else arm.reward_family.level_of_mean(highest - FAINT * (highest - lowest))
    levels = np.sort(arm.alpha + box[0] * arm.weights[0])
    low, high = max(levels[0], faint), min(levels[1], bright)
    if not high - low > 1e-9 * (levels[1] - levels[0]):
        return box
    return np.sort((np.array([[low, high]]) - arm.alpha) / arm.weights[0])


def _faint_level(arm: Arm, box: Vector, part: float) -> float:
    """The level at which an arm brings only this part of what it can bring at best, if rewards have a lowest mean."""
    family = arm.reward_family
    lowest, best = family.means[0], float(family.means_of_levels(np.array(arm.level_range(box)))[1])
    faint = lowest + part * (best - lowest)
    return family.level_of_mean(faint) if math.isfinite(lowest) and faint > lowest else -math.inf


def without_faint(arm: Arm, box: Vector, *points: Vector) -> Vector:
    """The box without states in which an arm brings next to nothing, which are then taken to be at its edge.

    It still holds the points.
    That never lowers the value of an arm if better states lead to better ones, as they do with A >= 0.
    """
    if arm.dimension > 1 or arm.custom or arm.matrix[0, 0] < 0:
        return box
    levels = arm.alpha + box[0] * arm.weights[0]
    kept = [float(arm.alpha + arm.weights[0] * point[0]) for point in points]
    low = min(_faint_level(arm, box, FAINTEST), *kept, math.inf)
    if not levels.min() < low < levels.max():
        return box
    edge = (low - arm.alpha) / arm.weights[0]
    return np.array([[edge, box[0, 1]] if arm.weights[0] > 0 else [box[0, 0], edge]])


def _fill(arm: Arm, x0: Vector, box: Vector, counts: NDArray[np.int64], slack: float) -> Lattice:
    axes = [np.linspace(low, high, count) for (low, high), count in zip(box, counts, strict=True)]
    nodes = np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
    rest, pull = (_around(next_states(arm, nodes, pulled), box, counts) for pulled in (0.0, 1.0))
    start = _around(x0[None, :], box, counts)
    corners = (*rest, *pull, start[0][0], start[1][0])
    gaps = (box[:, 1] - box[:, 0]) / (counts - 1)
    return Lattice(mean_rewards(arm, nodes), *corners, box[:, 0].copy(), gaps, counts.astype(np.int64), slack)


def _lifted(arm: Arm, shift: float) -> Arm:
    """The same arm with a level that is shifted."""
    return arm if shift == 0 else replace(arm, alpha=arm.alpha + shift, known_start=None)


def shifted_rewards(arm: Arm, lattice: Lattice, shifts: Vector) -> Vector:
    """(shift, node) mean rewards on the lattice of an arm whose level is shifted; 0 leaves them as they are."""
    lattice_axes = zip(lattice.low, lattice.gaps, lattice.counts, strict=True)
    axes = [low + gap * np.arange(count) for low, gap, count in lattice_axes]
    nodes = np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
    levels = arm.alpha + nodes @ arm.weights
    means = arm.reward_family.means_of_levels
    rows = [lattice.rewards if shift == 0 else means(levels + shift) for shift in shifts]
    return np.array(rows).reshape(len(rows), lattice.rewards.size)


def _closed_box(arm: Arm, *points: Vector) -> Vector:
    """A box that holds these points of X and that no pull leaves."""
    if arm_constants(arm).invariant:
        return arm.box
    if arm.h is not None:
        raise InputError(f"h of arm {arm.name!r} leads out of its state set {arm.state}: widen `state`")
    try:
        wide = arm.with_state(None)
        for point in points:
            wide = wide.widened(point)
    except InputError as error:
        raise InputError(f"pulls lead arm {arm.name!r} out of its state set {arm.state}, and {error}") from None
    return wide.box


def _slope(arm: Arm, x0: Vector) -> float:
    """The largest slope of the value of an arm that has functions of its own."""
    c = arm_constants(arm)
    if c.L_h >= 1:
        raise InputError(f"h of arm {arm.name!r} does not contract (its slope on X reaches {c.L_h:g}): mend h or X")
    return max(c.L_g, steepest_rewards(arm, x0).slope) / (1 - c.L_h)


def _bends(arm: Arm, box: Vector) -> tuple[float, float]:
    """The largest negative and the largest positive curvature of an arm's value, both as positive numbers."""
    dip, bend = arm.reward_family.turns(*arm.level_range(box))
    if dip == bend == 0:
        return 0.0, 0.0
    total, weights = 0.0, arm.weights.copy()
    for _ in range(100_000):
        total += float(weights @ weights)
        weights = arm.matrix.T @ weights
        if weights @ weights < 1e-12 * total:
            break
    return dip * total * (1 + 1e-9), bend * total * (1 + 1e-9)


def _around(states: Vector, box: Vector, counts: NDArray[np.int64]) -> tuple[NDArray[np.int32], Vector]:
    """The corners of the cell that holds each state, and their shares in a multilinear interpolation."""
    place = (states - box[:, 0]) / (box[:, 1] - box[:, 0]) * (counts - 1)
    place = np.clip(place, 0, counts - 1)
    low = np.minimum(place.astype(np.int64), counts - 2)
    part = place - low
    corners, shares = [], []
    for corner in itertools.product((0, 1), repeat=len(counts)):
        index = np.zeros(len(states), dtype=np.int64)
        share = np.ones(len(states))
        for axis, step in enumerate(corner):
            index = index * counts[axis] + low[:, axis] + step
            share = share * (part[:, axis] if step else 1 - part[:, axis])
        corners.append(index)
        shares.append(share)
    return np.stack(corners, axis=1).astype(np.int32), np.stack(shares, axis=1)
