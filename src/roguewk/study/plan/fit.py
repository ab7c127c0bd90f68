"""Which policies fit which worlds, learned without compiling or planning anything that can be avoided."""

import functools
import json
from collections.abc import Mapping
from typing import Any

from roguewk.engine.simulate import refusal, told_truth
from roguewk.part.part import Part, any_problem
from roguewk.policy.registry import recipe
from roguewk.problem.errors import InputError
from roguewk.study.plan.model import PlannedPolicy
from roguewk.world.plain import world_to_data
from roguewk.world.world import World


class Fit:
    """Remembers what it has learned: the worlds of a sweep differ in little.

    A part that has a check refuses there. One that has none may refuse when it is built; so it is built, once for all
    worlds that differ in nothing but budgets and horizons, which no part of the package minds.
    """

    def __init__(self) -> None:
        self._refusals: dict[tuple[str, ...], str] = {}
        self._outlines = functools.cache(_outline)

    def refusal(self, world: World, policy: PlannedPolicy) -> str:
        """Why a policy cannot play in a world; empty if it can. Wrong parameters are an error, wherever they are."""
        how = recipe(policy.name)
        if not all(_is_ours(part) for part in how.trio):
            return refusal(world, policy.name, policy.settings)  # parts of one's own may mind anything
        values = {**told_truth(world, how.complete(policy.settings)), **how.constants}
        try:
            for part in how.trio:
                part.check(world.problem)
        except InputError as error:
            return f"policy {how.name!r} does not fit: {error}"
        for part in how.trio:
            if part.check is any_problem and (reason := self._built(world, part, values)):
                return reason
        if values["restart"] and not values["doubling"]:
            return f"restart of policy {how.name!r} is true without doubling: give doubling too"
        return ""

    def _built(self, world: World, part: Part, values: Mapping[str, Any]) -> str:
        own = {key: values[key] for key in part.parameters}
        key = part.role, part.name, repr(sorted(own.items())), self._outlines(world)
        if key not in self._refusals:
            self._refusals[key] = _tried(world, part, own)
        return self._refusals[key]


def _is_ours(part: Part) -> bool:
    return str(getattr(part.build, "__module__", "")).startswith("roguewk.")


def _tried(world: World, part: Part, values: Mapping[str, Any]) -> str:
    try:
        part.build(world.problem, **values)
    except InputError as error:
        return str(error)
    return ""


def _outline(world: World) -> str:
    """A world without its horizon and its budgets."""
    data = world_to_data(world)
    resources = [{**each, "budget": 0} for each in data["resource"]]
    return json.dumps({**data, "horizon": 0, "resource": resources})
