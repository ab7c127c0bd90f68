"""Which estimate of the states fits a problem."""

from typing import Any

from roguewk.estimate.history import build_history_states
from roguewk.estimate.mixed import build_mixed_states
from roguewk.estimate.scalar import build_scalar_states
from roguewk.estimate.vector import build_vector_states
from roguewk.problem.model import Problem


def build_states(problem: Problem, scale: float) -> Any:
    """A fresh estimate of every arm's state; `scale` multiplies the theorem's radius."""
    custom = any(arm.custom for arm in problem.arms)
    vector = any(arm.dimension > 1 for arm in problem.arms)
    build: Any = build_scalar_states
    if custom or vector:
        build = build_mixed_states if custom and vector else build_history_states if custom else build_vector_states
    return build(problem, scale, len(problem.arms))
