"""The policies by name."""

from collections.abc import Mapping
from typing import Any

from roguewk.policy import roguewk_ucb, sw_ucb, ucb1
from roguewk.policy.recipe import Recipe
from roguewk.problem.errors import known

RECIPES: Mapping[str, Recipe] = {each.RECIPE.name: each.RECIPE for each in (roguewk_ucb, ucb1, sw_ucb)}


def recipe(name: str) -> Recipe:
    """The recipe of this name."""
    known(name, RECIPES, "policy")
    return RECIPES[name]
