"""The planner as a part of policies, for dynamics that are known and for such that are learned."""

from roguewk.allocate.learning_planner import build_learning_planner
from roguewk.allocate.planner import build_planner
from roguewk.kernel.handle import Handle
from roguewk.part.parameter import DYNAMICS, LEARNED, not_negative
from roguewk.part.part import ALLOCATE, CONTEXTS, Part
from roguewk.problem.problem import Problem
from roguewk.relax.lattice import check_plannable


def _build(problem: Problem, optimism: float, dynamics: str) -> Handle:
    return build_learning_planner(problem, optimism) if dynamics == LEARNED else build_planner(problem, optimism)


PLAN = Part(
    role=ALLOCATE,
    name="plan",
    summary="the best in the long run at the prices of budgets and rounds",
    build=_build,
    parameters={
        "optimism": not_negative(1.0, "multiplies how far arms that are little known are preferred; 0: not at all"),
        "dynamics": DYNAMICS,
    },
    check=check_plannable,
    needs=frozenset({"beliefs", "doubts"}),
    gives=frozenset({CONTEXTS}),
)
PARTS = (PLAN,)
