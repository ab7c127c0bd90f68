"""A recipe: the three parts of a policy, its constants, its paper, and how a combination of parts is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roguewk.policy.parts import Parts, assemble
from roguewk.problem.errors import InputError, known
from roguewk.problem.model import Problem
from roguewk.problem.parameter import COMMON, Parameter
from roguewk.problem.part import Part

# What a policy is made for.
STATIONARY, DRIFTING, HABITUATION = "stationary", "drifting", "habituation"
SETTINGS = (HABITUATION, DRIFTING, STATIONARY)
NO_BUDGET, ONE_BUDGET, BUDGETS = "ignored", "one", "several"


@dataclass(frozen=True)
class Recipe:
    """A policy by name: what it is for, its three parts, and the constants that differ from the parts' own defaults.

    >>> import roguewk as rw
    >>> from roguewk.policy.named.roguewk_ucb import RECIPES
    >>> [part.name for part in RECIPES[0].trio]
    ['rogue', 'bound', 'lp']
    """

    name: str
    summary: str
    rewards: Part
    costs: Part
    allocate: Part
    setting: str = HABITUATION
    budget: str = BUDGETS
    reference: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)  # constants that make the policy what it is

    @property
    def trio(self) -> tuple[Part, Part, Part]:
        """Reward estimate, cost estimate and allocation."""
        return self.rewards, self.costs, self.allocate

    @property
    def knows_truth(self) -> bool:
        """Whether it is told what others have to learn."""
        return not {"x0", "costs"}.isdisjoint(self.parameters)

    @property
    def dynamics(self) -> str:
        """What it makes of the arms' dynamics."""
        if "x0" in self.parameters:
            return "true states"
        return "known" if self.rewards.gives & {"states", "posterior"} else "unused"

    @property
    def constants(self) -> dict[str, Any]:
        """Parameters that cannot be given."""
        return {**self.allocate.fixes, **self.fixed}

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters of the three parts, with this policy's defaults."""
        found: dict[str, Parameter] = {}
        constants = self.constants
        for part in self.trio:
            for key, each in part.parameters.items():
                if key not in constants and key not in COMMON:
                    default = self.defaults.get(key, each.default)
                    found[key] = Parameter(default, each.meaning, each.check)
        return found

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters: those given, checked, and the defaults of the others."""
        allowed = {**self.parameters, **COMMON}
        for key in given:
            known(key, allowed, f"parameter of policy {self.name!r}:")
        return {
            key: each.check(given[key], f"{key} of policy {self.name!r}") if key in given else each.default
            for key, each in allowed.items()
        }

    def parts(self, problem: Problem, parameters: Mapping[str, Any]) -> Parts:
        """Fresh parts for this problem; `parameters` are complete."""
        values = {**parameters, **self.constants}
        for part in self.trio:
            part.check(problem)
        built = [part.build(problem, **{key: values[key] for key in part.parameters}) for part in self.trio]
        return assemble(
            problem,
            *built,
            first_pulls=any(part.first_pulls for part in self.trio),
            doubling=values["doubling"],
            restart=values["restart"],
        )


def combine(rewards: Part, costs: Part, allocate: Part) -> Recipe:
    """Three parts as a policy; its name is theirs."""
    names = f"{rewards.name}/{costs.name}/{allocate.name}"
    missing = allocate.needs - rewards.gives - costs.gives
    if missing:
        raise InputError(
            f"{allocate.name!r} needs estimates that give {' and '.join(sorted(missing))}, and those of {names!r}"
            " do not: `roguewk policies --parts` lists which do"
        )
    return Recipe(names, f"a combination of parts: {names}", rewards, costs, allocate)
