"""Lists of policies, of the parts that they are made of, and of the catalogue's worlds."""

from collections.abc import Mapping
from typing import Any

from roguewk.part.parameter import COMMON, Parameter
from roguewk.part.part import ROLES, Part
from roguewk.policy.recipe import Recipe
from roguewk.policy.registry import all_parts, all_recipes, recipe
from roguewk.show.terminal import show, show_table
from roguewk.show.words import count
from roguewk.world import catalog


def policies_data(name: str | None = None, parts_only: bool = False) -> dict[str, Any]:
    """Every policy and every part with its parameters as plain data; with a name that policy alone."""
    if name is not None:
        return _policy_data(recipe(name))
    parts = {role: [_part_data(part) for part in all_parts(role).values()] for role in ROLES}
    return (
        parts if parts_only else {"policies": [_policy_data(each) for each in all_recipes().values()], "parts": parts}
    )


def _policy_data(each: Recipe) -> dict[str, Any]:
    return {
        "name": each.name,
        "summary": each.summary,
        "setting": each.setting,
        "budget": each.budget,
        "dynamics": each.dynamics,
        "contexts": each.uses_contexts,
        "reference": each.reference,
        "parts": {part.role: part.name for part in each.trio},
        "parameters": _parameters_data({**each.parameters, **COMMON}),
    }


def _part_data(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "summary": part.summary,
        "gives": sorted(part.gives),
        "needs": sorted(part.needs),
        "parameters": _parameters_data(part.parameters),
    }


def _parameters_data(parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    return {key: {"default": each.default, "meaning": each.meaning} for key, each in parameters.items()}


def show_policies() -> None:
    """A table of every policy: what it is for, what it does with budgets, known dynamics and contexts, who wrote it."""
    rows = [
        [each.name, each.setting, each.budget, each.dynamics + " +" * each.uses_contexts, _short(each.reference)]
        for each in all_recipes().values()
    ]
    show_table(["policy", "made for", "budgets", "dynamics", "paper"], rows)
    show("Those with a + look at contexts, the others only at what these forbid.")
    show("`roguewk policies NAME` shows one with its parameters, `--parts` the parts that combine to new ones.")


def _short(reference: str) -> str:
    """Three authors and more by the first one.

    >>> _short("Auer, Cesa-Bianchi and Fischer 2002"), _short("Wei and Srivastava 2018")
    ('Auer et al. 2002', 'Wei and Srivastava 2018')
    """
    first, comma, _ = reference.partition(",")
    return f"{first} et al. {reference.split()[-1]}" if comma else reference


def show_policy(name: str) -> None:
    """One policy with its parts and parameters."""
    each = recipe(name)
    show(f"{each.name}  {each.summary}", hanging="    ")
    if each.reference:
        show(each.reference, indent="    ")
    if not each.uses_contexts:
        show("Of contexts it minds only which arms they forbid.", indent="    ")
    for part in each.trio:
        show(f"{part.role:<10}{part.name}: {part.summary}", indent="    ", hanging=" " * 14)
    print()
    _show_parameters({**each.parameters, **COMMON})


def show_parts() -> None:
    """Every part by its role."""
    for role in ROLES:
        print(role)
        for part in all_parts(role).values():
            needs = f" (needs {' and '.join(sorted(part.needs))})" if part.needs else ""
            gives = f" (gives {' and '.join(sorted(part.gives))})" if part.gives else ""
            show(f"{part.name:<18}{part.summary}{gives}{needs}", indent="    ", hanging=" " * 22)
            _show_parameters({key: each for key, each in part.parameters.items() if key not in COMMON}, " " * 8)
    show("Combine them as in `roguewk simulate WORLD --policies rogue/wilson/lp`.")


def _show_parameters(parameters: Mapping[str, Parameter], indent: str = "    ") -> None:
    for key, parameter in parameters.items():
        line = f"{f'{key}={parameter.default}'.lower():<26}{parameter.meaning}"
        show(line, indent=indent, hanging=" " * (26 + len(indent)))


def show_worlds() -> None:
    """Every world of the catalogue, its size and its first line."""
    for name in catalog.names():
        problem = catalog.get(name).problem
        story = (getattr(catalog, name).__doc__ or "").strip().splitlines()[0].removeprefix("Return ")
        show(f"{name:<17}{story[:1].upper()}{story[1:]}", hanging=" " * 17)
        sizes = [count(len(problem.arms), "arm"), count(len(problem.resources), "resource")]
        sizes += [count(problem.horizon, "round"), *(["idle rounds allowed"] if problem.idle else [])]
        show(", ".join(sizes), indent=" " * 17)
