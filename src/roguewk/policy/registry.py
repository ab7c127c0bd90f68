"""The policies by name."""

from collections.abc import Mapping
from typing import Any

from roguewk.policy import roguewk_plan, roguewk_ucb, sw_ucb, ucb1
from roguewk.policy.online import Policy
from roguewk.policy.recipe import Recipe
from roguewk.problem.errors import known, text, whole
from roguewk.problem.model import Problem, check_problem

RECIPES: Mapping[str, Recipe] = {
    each.name: each
    for each in (
        roguewk_plan.RECIPE,
        roguewk_ucb.RECIPE,
        ucb1.RECIPE,
        sw_ucb.RECIPE,
        roguewk_plan.CLAIRVOYANT,
    )
}
LARGEST_SEED = 2**64 - 1


def recipe(name: str) -> Recipe:
    """The recipe of this name."""
    known(text(name, "name of a policy"), RECIPES, "policy")
    return RECIPES[name]


def policies() -> dict[str, str]:
    """The name of every policy with a line about it.

    >>> import roguewk as rw
    >>> list(rw.policies())
    ['roguewk-plan', 'roguewk-ucb', 'ucb1', 'sw-ucb', 'clairvoyant']
    """
    return {name: each.summary for name, each in RECIPES.items()}


def make_policy(name: str, problem: Problem, seed: int = 0, **parameters: Any) -> Policy:
    """A policy for this problem; parameters that are not given have the values their papers publish.

    Every policy also takes `doubling`, the length of the first epoch when the horizon is unknown, and `restart`.

    >>> import roguewk as rw
    >>> policy = rw.make_policy("roguewk-ucb", rw.catalog.paper().problem, cost_scale=0.1)
    >>> policy.select().name
    'arm 0'
    """
    how = recipe(name)
    return Policy(how, check_problem(problem), whole(seed, "seed", 0, LARGEST_SEED), how.complete(parameters))
