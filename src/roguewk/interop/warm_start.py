"""Which arms of which nothing is known are taken for like which others, by their features, as MABWiser has it."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from roguewk.interop.wrong_type import InputTypeError
from roguewk.kernel.arrays import Vector
from roguewk.part.parameter import within
from roguewk.problem.arm import vector
from roguewk.problem.errors import InputError, shown

NEAR = within(0.5, 0.0, 1.0, "how many arms are near enough to their neighbours")


def features_of(arms: Sequence[Hashable], given: Any) -> Vector:
    """(arm, feature) in the order of the arms."""
    if not isinstance(given, Mapping):
        raise InputTypeError(f"arm_to_features is {shown(given)}: give a dict from arms to lists of numbers")
    if set(given) != set(arms):
        raise InputError(
            f"arm_to_features has the arms {shown(list(given))}: give those of the MAB, {shown(list(arms))}"
        )
    sizes = {len(row) if hasattr(row, "__len__") else 0 for row in given.values()}
    if len(sizes) != 1 or 0 in sizes:
        raise InputError(
            f"arm_to_features is {shown(given)}: give each arm as many numbers as the others, at least one"
        )
    shape = (len(arms), sizes.pop())
    return vector([list(given[arm]) for arm in arms], shape, "arm_to_features")


def _distances(features: Vector) -> Vector:
    """(arm, arm) one less the cosine between two arms; infinite to itself, and where features are all 0."""
    lengths = np.sqrt((features**2).sum(axis=1))
    with np.errstate(invalid="ignore"):
        distances = 1 - features @ features.T / np.outer(lengths, lengths)
    np.fill_diagonal(distances, np.inf)
    return np.where(np.isnan(distances), np.inf, distances)


def nearest_known(features: Vector, quantile: float, cold: Collection[int], known: Sequence[int]) -> dict[int, int]:
    """For each cold arm the nearest known one, if it is near enough: as near as `quantile` of arms have a neighbour.

    >>> nearest_known(np.array([[0.0, 1.0], [1.0, 0.0], [0.1, 1.0]]), 0.5, cold=[2], known=[0, 1])
    {2: 0}
    """
    distances = _distances(features)
    closest = distances.min(axis=1, initial=np.inf)
    if not np.isfinite(closest).any() or not known:
        return {}
    threshold = np.quantile(closest[np.isfinite(closest)], quantile)
    found = {arm: known[int(distances[arm, known].argmin())] for arm in cold}
    return {arm: other for arm, other in found.items() if distances[arm, other] <= threshold}
