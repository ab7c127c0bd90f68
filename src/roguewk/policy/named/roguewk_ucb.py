"""ROGUEwK-UCB (He and Mintz): trajectory-KL upper bounds on rewards, Hoeffding lower bounds on costs, a linear program.

Theory asks for both scales to be 1. The reward radius is then so wide that it never binds in practice, and the cost
radius switches the budgets off for the first hundred pulls; smaller scales earn more. So do the options: other bounds
on costs (`cost_bound`), radii that fit the data (`radius`), budgets per round from what is left (`resolve`), and the
arm most in arrears instead of a draw (`rounding`). The defaults are as published. `roguewk-ucb-tuned` has all of them
and tries no arm for the sake of it: with more arms than rounds it earns half as much again.

ROGUEwK-TS draws states and mean costs from their posteriors instead, and re-solves the budgets (ours).
"""

from roguewk.allocate.lp import LP
from roguewk.estimate.costs.bound import BOUND
from roguewk.estimate.costs.unit_sample import UNIT_SAMPLE
from roguewk.estimate.states.build import ROGUE
from roguewk.estimate.states.particles import PARTICLES
from roguewk.policy.recipe import Recipe

RECIPES = (
    Recipe(
        name="roguewk-ucb",
        summary="ROGUEwK-UCB: known dynamics, unknown states and costs, several budgets",
        reference="He and Mintz",
        rewards=ROGUE,
        costs=BOUND,
        allocate=LP,
    ),
    Recipe(
        name="roguewk-ucb-tuned",
        summary="ROGUEwK-UCB with its options: narrower bounds, budgets re-solved, no draws",
        reference="He and Mintz",
        rewards=ROGUE,
        costs=BOUND,
        allocate=LP,
        defaults={"radius": "tuned", "cost_bound": "omega-star", "resolve": True, "rounding": "diffuse"},
        first_pulls=False,
    ),
    Recipe(
        name="roguewk-ts",
        summary="ROGUEwK-TS: states and costs drawn from what is believed of them, several budgets",
        reference="roguewk",
        rewards=PARTICLES,
        costs=UNIT_SAMPLE,
        allocate=LP,
        defaults={"resolve": True},
    ),
)
