"""ROGUEwK-UCB (He and Mintz): trajectory-KL upper bounds on rewards, Hoeffding lower bounds on costs, a linear program.

Theory asks for both scales to be 1. The reward radius is then so wide that it never binds in practice, and the cost
radius switches the budgets off for the first hundred pulls; smaller scales earn more.
"""

from roguewk.allocate.lp import LP
from roguewk.estimate.costs.hoeffding import HOEFFDING
from roguewk.estimate.states.build import ROGUE
from roguewk.policy.recipe import Recipe

RECIPES = (
    Recipe(
        name="roguewk-ucb",
        summary="ROGUEwK-UCB: known dynamics, unknown states and costs, several budgets",
        reference="He and Mintz",
        rewards=ROGUE,
        costs=HOEFFDING,
        allocate=LP,
    ),
)
