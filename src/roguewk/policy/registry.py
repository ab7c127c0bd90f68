"""Policies and parts by name. They are found in their folders: a new file is all that a new policy takes."""

import functools
import importlib
import pkgutil
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import roguewk.allocate
import roguewk.estimate
import roguewk.policy
from roguewk.kernel.luck import LARGEST_SEED
from roguewk.part.part import ROLES, Part
from roguewk.policy.online import Policy
from roguewk.policy.recipe import SETTINGS, Recipe, combine
from roguewk.policy.templates import template
from roguewk.problem.errors import InputError, known, shown, text, whole
from roguewk.problem.problem import Problem, check_problem

MAIN = (
    "roguewk-plan",
    "roguewk-ucb",
    "sw-ucb",
    "ucb1",
    "clairvoyant",
)  # first in lists, and what studies play unless told otherwise

_OWN_RECIPES: dict[str, Recipe] = {}
_OWN_PARTS: dict[tuple[str, str], Part] = {}


def _modules(package: Any) -> Iterator[Any]:
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(each.name)


@functools.cache
def _found() -> tuple[dict[str, Recipe], dict[tuple[str, str], Part]]:
    """What the constants PARTS and RECIPES of all modules hold."""
    recipes: dict[str, Recipe] = {}
    parts: dict[tuple[str, str], Part] = {}
    for package in (roguewk.estimate, roguewk.allocate, roguewk.policy):
        for module in _modules(package):
            parts |= {(part.role, part.name): part for part in getattr(module, "PARTS", ())}
            recipes |= {each.name: each for each in getattr(module, "RECIPES", ())}
    order = sorted(recipes, key=lambda name: (_place(name), SETTINGS.index(recipes[name].setting), name))
    return {name: recipes[name] for name in order}, parts


def _place(name: str) -> int:
    return MAIN.index(name) if name in MAIN else len(MAIN)


def all_recipes() -> dict[str, Recipe]:
    """Every named policy, those that were added last."""
    return {**_found()[0], **_OWN_RECIPES}


def all_parts(role: str) -> dict[str, Part]:
    """Every part of this role by name."""
    parts = {**_found()[1], **_OWN_PARTS}
    return {name: part for (its_role, name), part in sorted(parts.items()) if its_role == role}


def add_policy(recipe: Recipe) -> None:
    """Make a policy of your own known by its name, and its parts by theirs.

    >>> import roguewk as rw
    >>> from roguewk.policy.named.ucb1 import RECIPES
    >>> mine = rw.Recipe("my-ucb", "a narrower UCB1", *RECIPES[0].trio, reference="mine", defaults={"scale": 0.5})
    >>> rw.add_policy(mine)
    >>> rw.make_policy("my-ucb", rw.catalog.paper().problem).parameters["scale"]
    0.5
    """
    if not isinstance(recipe, Recipe):
        raise InputError(f"the policy is a {type(recipe).__name__}: give an rw.Recipe")
    if recipe.name in _found()[0]:
        raise InputError(f"{recipe.name!r} is the name of a policy that roguewk brings: give yours another")
    for part in recipe.trio:
        if _found()[1].get((part.role, part.name), part) is not part:
            raise InputError(f"{part.role} {part.name!r} is a part that roguewk brings: give yours another name")
        _OWN_PARTS[part.role, part.name] = part
    _OWN_RECIPES[recipe.name] = recipe


def recipe(what: str | Mapping[str, Any]) -> Recipe:
    """The recipe of this name, or of these parts: `rogue/wilson/lp` or a dict of rewards, costs and allocate."""
    if isinstance(what, Mapping):
        for key in what:
            known(text(key, "part of a policy"), ROLES, "part of a policy:")
        missing = [role for role in ROLES if role not in what]
        if missing:
            raise InputError(f"the parts {shown(dict(what))} lack {' and '.join(missing)}: name one each")
        return _combined(*(_part(role, what[role]) for role in ROLES))
    name = text(what, "name of a policy")
    if name.count("/") == 2:
        return recipe(dict(zip(ROLES, name.split("/"), strict=True)))
    if "/" in name:
        raise InputError(f"{name!r} is not three parts: write them as rewards/costs/allocate, such as rogue/wilson/lp")
    check_name(name, all_recipes())
    return all_recipes()[name]


def check_name(name: str, names: Collection[str]) -> None:
    """`name` is one of these policies; otherwise name the nearest, or some and where all of them are listed."""
    _listed_by("`roguewk policies` or rw.policies()", name, names, "policy")


def _listed_by(command: str, name: str, names: Collection[str], what: str) -> None:
    """`known`, which says where all names are listed if it does not name all."""
    try:
        known(name, names, what)
    except InputError as error:
        cut = str(error).endswith(" more")
        raise InputError(f"{error}: {command} lists all" if cut else str(error)) from None


def _combined(rewards: Part, costs: Part, allocate: Part) -> Recipe:
    """A policy of these parts, if they go together."""
    if rewards.only_for and allocate.name not in rewards.only_for:
        able = " or ".join(map(repr, sorted(rewards.only_for)))
        raise InputError(f"rewards {rewards.name!r} are no use to {allocate.name!r}: take them with {able}")
    for need in sorted(allocate.needs - rewards.gives - costs.gives):
        fits = {role: [name for name, part in all_parts(role).items() if need in part.gives] for role in ROLES}
        named = " or ".join(f"{role} {' or '.join(map(repr, names))}" for role, names in fits.items() if names)
        raise InputError(f"{allocate.name!r} needs an estimate that gives {need}: take {named}")
    return combine(rewards, costs, allocate)


def _part(role: str, name: Any) -> Part:
    parts = all_parts(role)
    _listed_by("`roguewk policies --parts`", text(name, f"{role} of a policy"), parts, f"part for {role}:")
    return parts[name]


def policies() -> dict[str, str]:
    """The name of every policy with a line about it.

    >>> import roguewk as rw
    >>> list(rw.policies())[:4]
    ['roguewk-plan', 'roguewk-ucb', 'sw-ucb', 'ucb1']
    """
    return {name: each.summary for name, each in all_recipes().items()}


def make_policy(name: str | Mapping[str, Any], problem: Problem, seed: int = 0, **parameters: Any) -> Policy:
    """A policy for this problem; parameters that are not given have the values their papers publish.

    Instead of a name, three parts may be given. Every policy also takes `doubling`, the length of the first epoch when
    the horizon is unknown, and `restart`.

    >>> import roguewk as rw
    >>> policy = rw.make_policy("roguewk-ucb", rw.catalog.paper().problem, cost_scale=0.1)
    >>> policy.select().name
    'arm 0'
    >>> parts = {"rewards": "rogue", "costs": "hoeffding", "allocate": "lp"}
    >>> rw.make_policy(parts, rw.catalog.paper().problem)
    <policy 'rogue/hoeffding/lp' for 3 arms, round 0>
    """
    if isinstance(name, Mapping):  # parameters may stand beside the parts
        parameters = {**{key: value for key, value in name.items() if key not in ROLES}, **parameters}
        name = {key: value for key, value in name.items() if key in ROLES or not isinstance(key, str)}
    how = recipe(name)
    made = template(how, check_problem(problem), how.complete(parameters))
    return Policy(made, whole(seed, "seed", 0, LARGEST_SEED))
