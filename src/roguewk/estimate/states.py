"""Which estimate of the states fits a problem."""

from typing import Any

from roguewk.estimate.history import build_history_states
from roguewk.estimate.scalar import build_scalar_states
from roguewk.estimate.vector import build_vector_states
from roguewk.problem.errors import InputError
from roguewk.problem.model import Problem


def build_states(problem: Problem, scale: float) -> Any:
    """A fresh estimate of every arm's state; `scale` multiplies the theorem's radius."""
    custom = [arm.name for arm in problem.arms if arm.custom]
    vector = [arm.name for arm in problem.arms if arm.dimension > 1]
    if custom and vector:
        raise InputError(
            f"arm {custom[0]!r} has its own h or g and arm {vector[0]!r} several coordinates:"
            " write the second as a scalar arm, or the first with A, B, K, alpha and beta"
        )
    if custom:
        return build_history_states(problem, scale)
    return build_vector_states(problem, scale) if vector else build_scalar_states(problem, scale)
