"""Which estimate of the states fits a problem, as a part of policies."""

from dataclasses import replace
from typing import Any

from roguewk.estimate.dynamics.parts import BoundedDynamics, filter_for
from roguewk.estimate.states.history import build_history_states
from roguewk.estimate.states.mixed import build_mixed_states
from roguewk.estimate.states.radius import RULES, Radius
from roguewk.estimate.states.scalar import build_scalar_states
from roguewk.estimate.states.starting import starting
from roguewk.estimate.states.vector import build_vector_states
from roguewk.part.parameter import COMMON, DYNAMICS, KNOWN, LEARNED, choice, not_negative, within
from roguewk.part.part import CONTEXTS, REWARDS, Part
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

UNKNOWN = 10**6  # rounds to remember at the most when the horizon is unknown


def lasting(problem: Problem, doubling: int) -> Problem:
    """With an unknown horizon the problem's own does not say how many rounds are worth remembering."""
    return replace(problem.of_arms(problem.arms), horizon=max(problem.horizon, UNKNOWN)) if doubling else problem


def build_states(problem: Problem, radius: Radius) -> Any:
    """A fresh estimate of every arm's state."""
    problem = starting(problem)
    custom = any(arm.custom for arm in problem.arms)
    shifted = [arm.name for arm in problem.arms if any((arm.when or {}).values())]
    if custom and shifted:
        raise InputError(
            f"contexts shift arm {shifted[0]!r}, which is not learned from beside arms with functions of their own:"
            " take roguewk-plan or roguewk-ts"
        )
    vector = any(arm.dimension > 1 for arm in problem.arms)
    build: Any = build_scalar_states
    if custom or vector:
        build = build_mixed_states if custom and vector else build_history_states if custom else build_vector_states
    return build(problem, radius, len(problem.arms))


def _build(
    problem: Problem, radius: str, radius_scale: float, state_confidence: float, doubling: int, dynamics: str = KNOWN
) -> Any:
    if dynamics == LEARNED:
        return BoundedDynamics(filter_for(problem), radius_scale)
    return build_states(lasting(problem, doubling), Radius(radius_scale, radius, state_confidence))


ROGUE = Part(
    role=REWARDS,
    name="rogue",
    summary="the largest mean reward within a trajectory divergence of the likeliest states",
    build=_build,
    parameters={
        "radius": choice("theorem", tuple(RULES), "how far the set of likely states reaches"),
        "radius_scale": not_negative(1.0, "multiplies that; 0 takes the likeliest states"),
        "state_confidence": within(0.95, 0.0, 1.0 - 1e-12, "chance that the set of the wilks radius holds the truth"),
        "doubling": COMMON["doubling"],
        "dynamics": DYNAMICS,
    },
    first_pulls=True,
    gives=frozenset({"states", CONTEXTS}),
)
# For those who want the states as they likely are.
LIKELIEST = {"radius": "theorem", "radius_scale": 0.0, "state_confidence": 0.95}
PARTS = (ROGUE,)
