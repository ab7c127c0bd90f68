"""UCB1 (Auer, Cesa-Bianchi and Fischer 2002): stationary rewards, no budgets. Theory asks for scale 1."""

from roguewk.allocate.argmax import Argmax
from roguewk.estimate.costs import NoCosts
from roguewk.estimate.ucb1 import build_ucb1_rewards
from roguewk.policy.parts import Parts, assemble
from roguewk.policy.recipe import Recipe, not_negative
from roguewk.problem.model import Problem


def _build(problem: Problem, scale: float, doubling: int, restart: bool) -> Parts:
    rewards, costs = build_ucb1_rewards(problem, scale), NoCosts(len(problem.resources))
    return assemble(problem, rewards, costs, Argmax(True), first_pulls=True, doubling=doubling, restart=restart)


RECIPE = Recipe(
    name="ucb1",
    summary="UCB1: stationary rewards, budgets ignored (Auer, Cesa-Bianchi and Fischer 2002)",
    build=_build,
    parameters={"scale": not_negative(1.0, "multiplies the confidence radius sqrt(2 log t / n)")},
)
