"""A recipe: the three parts of a policy, its constants, its paper, and how a combination of parts is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from roguewk.kernel.memory import leaves
from roguewk.part.parameter import COMMON, KNOWN, LEARNED, Parameter
from roguewk.part.part import CONTEXTS, ROLES, Part
from roguewk.part.verbs import allocate, cost_bounds, reward_bounds
from roguewk.policy.machine import Parts, assemble
from roguewk.problem.errors import InputError, known, shown, text, truth_value
from roguewk.problem.problem import Problem

# What a policy is made for.
STATIONARY, DRIFTING, HABITUATION = "stationary", "drifting", "habituation"
SETTINGS = (HABITUATION, DRIFTING, STATIONARY)
OF_KNOWN_DYNAMICS = frozenset({"states", "posterior"})  # what only they give
LEARNERS = "roguewk-plan, roguewk-ts, roguewk-ucb, recharging or whittle"
MOST_MEMORY = 2_000_000_000  # bytes
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
    first_pulls: bool = True  # of each arm before all else, where a part asks for them

    def __post_init__(self) -> None:
        what = f"policy {text(self.name, 'name of a policy')!r}"
        truth_value(self.first_pulls, f"first_pulls of {what}")
        if "/" in self.name and self.name != "/".join(part.name for part in self.trio if isinstance(part, Part)):
            raise InputError(f"{what} has a '/' in its name, as combinations of parts have: give another name")
        for role, part in zip(ROLES, self.trio, strict=True):
            if not isinstance(part, Part) or part.role != role:
                raise InputError(f"{role} of {what} is {shown(part)}: give an rw.Part whose role is {role!r}")
        known(self.setting, SETTINGS, f"setting of {what}:")
        known(self.budget, (NO_BUDGET, ONE_BUDGET, BUDGETS), f"budget of {what}:")
        for name, given in (("defaults", self.defaults), ("fixed", self.fixed)):
            if not isinstance(given, Mapping):
                raise InputError(f"{name} of {what} are {shown(given)}: give a dict of parameters")
        every = {key: each for part in self.trio for key, each in part.parameters.items()}
        for key, value in {**self.defaults, **self.fixed}.items():
            known(key, every, f"parameter of {what}:")
            if value is not None:
                every[key].check(value, f"{key} of {what}")

    @property
    def trio(self) -> tuple[Part, Part, Part]:
        """Reward estimate, cost estimate and allocation."""
        return self.rewards, self.costs, self.allocate

    @property
    def knows_truth(self) -> bool:
        """Whether it is told what others have to learn."""
        return not {"x0", "costs"}.isdisjoint(self.parameters)

    @property
    def exact(self) -> bool:
        """Whether a decision's probabilities are those given all that was seen, with no hidden draw besides."""
        hidden = self.rewards.draws and "posterior" not in self.allocate.needs  # those look at all that may be drawn
        return not (hidden or self.costs.draws or self.allocate.draws)

    @property
    def dynamics(self) -> str:
        """What it makes of the arms' dynamics."""
        if "x0" in self.parameters:
            return "true states"
        return "known" if self.rewards.gives & {"states", "posterior", "beliefs"} else "unused"

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        """Parameters that cannot be given."""
        return {**self.allocate.fixes, **self.fixed}

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
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
        if not isinstance(given, Mapping):
            raise InputError(f"the parameters of policy {self.name!r} are {shown(given)}: give a dict")
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
        values["dynamics"] = self._dynamics(problem, parameters.get("dynamics"))
        for part in self.trio:
            try:
                part.check(problem)
            except InputError as error:
                raise InputError(f"policy {self.name!r} does not fit: {error}") from None
        try:
            built = [part.build(problem, **{key: values[key] for key in part.parameters}) for part in self.trio]
        except MemoryError:
            raise self._too_much() from None
        for part, made, wanted in zip(self.trio, built, (reward_bounds, cost_bounds, allocate), strict=True):
            if not wanted.joined(made):
                raise InputError(
                    f"{part.name!r} builds a {type(made).__name__} without {wanted.__name__}: build a NamedTuple and"
                    f" give it a body with @{wanted.__name__}.body"
                )
        if sum(leaf.array.nbytes for made in built for leaf in leaves(made)) > MOST_MEMORY:
            raise self._too_much()
        if values["restart"] and not values["doubling"]:
            raise InputError(f"restart of policy {self.name!r} is true without doubling: give doubling too")
        return assemble(
            problem,
            (built[0], built[1], built[2]),
            first_pulls=self.first_pulls and any(part.first_pulls for part in self.trio),
            doubling=values["doubling"],
            restart=values["restart"],
            uses_contexts=self.uses_contexts,
        )

    @property
    def uses_contexts(self) -> bool:
        """Whether it looks at contexts, and not only at which arms they forbid."""
        return CONTEXTS in self.rewards.gives and CONTEXTS in self.allocate.gives

    @property
    def learns_dynamics(self) -> bool:
        """Whether it can, if it is asked to."""
        return "dynamics" in self.parameters and "dynamics" in self.rewards.parameters and self._does_without_states

    @property
    def _does_without_states(self) -> bool:
        """Allocations that have a choice themselves do without states where dynamics are learned."""
        return "dynamics" in self.allocate.parameters or self.allocate.needs.isdisjoint(OF_KNOWN_DYNAMICS)

    def _dynamics(self, problem: Problem, asked: str | None) -> str:
        """Whether dynamics are taken as known or learned."""
        able = self.learns_dynamics
        if asked == LEARNED and not able:
            stateless = self._does_without_states
            lacking = "its rewards do not learn them" if stateless else "it needs states, and there are none then"
            raise InputError(
                f"policy {self.name!r} cannot learn dynamics, as {lacking}: leave dynamics at 'known', or take"
                f" {LEARNERS}"
            )
        if asked is not None:
            return asked
        if problem.unknown and self.dynamics == "known" and not able:
            raise InputError(
                f"policy {self.name!r} does not fit: it cannot learn the dynamics of arm {problem.unknown[0]!r}, which"
                f" nobody knows: take {LEARNERS}"
            )
        return LEARNED if problem.unknown and able else KNOWN

    def _too_much(self) -> InputError:
        what = f"policy {self.name!r} would have to remember too much of this problem"
        return InputError(f"{what}: shorten its horizon, or how long its arms take to recover")


def combine(rewards: Part, costs: Part, allocate: Part) -> Recipe:
    """Three parts as a policy; its name is theirs."""
    names = f"{rewards.name}/{costs.name}/{allocate.name}"
    budget = BUDGETS if costs.gives else NO_BUDGET
    setting = HABITUATION if rewards.gives & {"states", "posterior", "beliefs"} else STATIONARY
    return Recipe(names, f"a combination of parts: {names}", rewards, costs, allocate, setting, budget)
