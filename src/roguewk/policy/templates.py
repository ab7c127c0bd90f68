"""Policies before their first round, kept so that every further one of the same problem and parameters is a copy.

What is made from the problem, such as a planner's tables, is thereby made once and shared, also by restored policies.
"""

import copy
import json
import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.learning_planner import LearningPlanner
from roguewk.allocate.planner import Planner
from roguewk.estimate.dynamics.summary import glimpse_of
from roguewk.kernel.arena import Arena
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.kernel.handle import Handle
from roguewk.kernel.memory import Kind, declared, leaves
from roguewk.part.status import Status
from roguewk.part.verbs import check_state
from roguewk.policy.machine import Parts, build_machine
from roguewk.policy.open_pull import Pending
from roguewk.policy.outlook import Outlook, Places, Setting, outlook_of
from roguewk.policy.recipe import Recipe
from roguewk.policy.saved import Saved, problem_digest
from roguewk.policy.surroundings import Surroundings, surroundings_of
from roguewk.problem.context import Context, draw_of
from roguewk.problem.ledger import SLACK
from roguewk.problem.problem import Problem

MOST_KEPT = 32


class Slip(NamedTuple):
    """Where, in the memory of a policy, what becomes of a decision is: words from and to."""

    figures: slice  # what arms were taken to bring and cost, shares and prices
    taken: slice
    available: slice
    clock: slice
    spent: slice


class Bench(NamedTuple):
    """Where states are checked before they are a policy's."""

    arena: Arena
    reals: Any  # (word,) which of what is learned are real numbers
    finite: Any  # (word,) those that are finite before the first round, and so ever after
    checked: tuple[Any, ...]  # the parts that have something to check


class Template:
    """A policy before its first round, and what all that are copied from it have in common.

    Simulations need only the arena: what online policies need besides is found when the first one asks.
    """

    def __init__(self, recipe: Recipe, problem: Problem, parameters: Mapping[str, Any]) -> None:
        with compiling(f"what policy {recipe.name!r} is made of"):
            self.arena = build_machine(recipe.parts(problem, parameters))
        self.recipe = recipe
        self.problem = problem
        self.parameters: Mapping[str, Any] = copy.deepcopy(dict(parameters))

    @cached_property
    def setting(self) -> Setting:
        """What decisions have in common."""
        problem = self.problem
        names = tuple(arm.name for arm in problem.arms), tuple(resource.name for resource in problem.resources)
        levels = tuple(arm.reward_family.unit for arm in problem.arms)
        units = tuple(problem.scales.tolist())
        return Setting(*names, problem.idle, units, levels, self._places[1], self.surroundings)

    @cached_property
    def surroundings(self) -> Surroundings | None:
        """What contexts are called and do."""
        return surroundings_of(self.problem, self.recipe.uses_contexts)

    @cached_property
    def limits(self) -> tuple[float, ...]:
        """The largest cost of each resource whose costs are told, rounding aside."""
        return tuple(resource.unit * (1 + 1e-9) for resource in self.problem.told)

    @cached_property
    def most(self) -> tuple[tuple[float, ...], ...]:
        """(arm, resource) the most that a pull is said to take of each of those, rounding aside."""
        if self.problem.largest_costs is None:  # a mean of 0, such as that of a log, is no promise
            return (self.limits,) * len(self.problem.arms)
        units = self.problem.scales[: len(self.limits)]
        rows = (self.problem.scaled_most[:, : len(self.limits)] + SLACK) * units
        return tuple(map(tuple, rows.tolist()))

    @cached_property
    def counted(self) -> tuple[Any, ...]:
        """(arm,) what a pull takes of the resources that count pulls; empty if there is none."""
        told = len(self.problem.told)
        rows = self.problem.scaled_costs[:, told:]
        return tuple(array("d", row) for row in rows) if rows.shape[1] else ()

    @cached_property
    def _draws(self) -> tuple[Context, ...]:
        return tuple(context for context in self.problem.contexts if context.drawn)

    def draw_of(self, said: Any, call: str) -> int:
        """The number of what was drawn of the contexts, from what a call says of it."""
        return draw_of(self._draws, self.problem.contexts, said, call) if said is not None or self._draws else -1

    def outlook(self, parts: Parts, status: Status) -> Outlook | None:
        """What a planner saw in its last decision; in other rounds it does not look, and its notes are old."""
        looked = self.plans and status in (Status.PLANNED, Status.WAITING)
        return outlook_of(parts.allocation.part, glimpse_of(parts.rewards)) if looked else None

    def saved(self, problem: Any, seed: int, replicate: int, pending: Pending, learned: Vector) -> Saved:
        """All that a policy's state says, with the problem as plain data, or None in its place."""
        return Saved(self.recipe.name, self.parameters, problem, self.digest, seed, replicate, pending, learned)

    @property
    def learns_idle(self) -> bool:
        """Whether idle rounds tell something that is not known."""
        return self.problem.baseline is not None and not self.problem.baseline.known

    @cached_property
    def digest(self) -> str:
        """A name for the problem."""
        return problem_digest(self.problem)

    @cached_property
    def plans(self) -> bool:
        """Whether its allocation is a planner."""
        allocation = self.arena.part.allocation
        return isinstance(allocation, Handle) and isinstance(allocation.part, Planner | LearningPlanner)

    @property
    def slip(self) -> Slip:
        """Where what becomes of a decision is."""
        return self._places[0]

    @cached_property
    def bench(self) -> Bench:
        """Where states are checked."""
        return _bench(self.arena.clone())

    @cached_property
    def _places(self) -> tuple[Slip, Places]:
        return _places(self.arena)


_KEPT: OrderedDict[Any, Template] = OrderedDict()
_LOCK = threading.Lock()


def template(recipe: Recipe, problem: Problem, parameters: Mapping[str, Any]) -> Template:
    """The template of this policy; `parameters` are complete."""
    try:
        numbers = json.dumps({**parameters, **recipe.constants}, sort_keys=True)
    except (TypeError, ValueError):
        return Template(recipe, problem, parameters)  # parameters that cannot be told apart for certain
    key = recipe.name, *map(id, recipe.trio), problem, numbers
    with _LOCK:
        if key in _KEPT:
            _KEPT.move_to_end(key)
            return _KEPT[key]
        made = Template(recipe, problem, parameters)
        _KEPT[key] = made
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
        return made


def _places(arena: Arena) -> tuple[Slip, Places]:
    desk = arena.part.desk
    figures = desk.reward_bounds, desk.cost_bounds, desk.shares, desk.prices, desk.idle
    shown = [arena.place_of(array) for array in figures]
    first, last = shown[0].start, max(place.stop for place in shown)
    within = [slice(max(place.start - first, 0), max(place.stop - first, 0)) for place in shown]
    others = [arena.place_of(array) for array in (desk.taken, desk.available, desk.clock, desk.ledger.spent)]
    return Slip(slice(first, last), *others), Places(*within)


def _bench(arena: Arena) -> Bench:
    first = arena.place_of(arena.learned).start
    reals = np.zeros(arena.learned.size, dtype=np.bool_)
    for leaf in leaves(arena.part):
        if leaf.kind is Kind.LEARNED and leaf.array.size:
            place = arena.place_of(leaf.array)
            reals[place.start - first : place.stop - first] = _reals(leaf.array)
    finite = reals & np.isfinite(arena.learned)
    return Bench(arena, reals, finite, tuple(part for part in _learning(arena.part) if check_state.joined(part)))


def _reals(array: Any) -> Any:
    """(word,) which words of an array are real numbers."""
    if array.dtype.names is None:
        return array.dtype.kind == "f"
    row = [array.dtype[name].kind == "f" for name in array.dtype.names]
    return np.tile(row, array.size)


def _learning(part: Any) -> Iterator[Any]:
    """All parts within a part that may have learned something."""
    if isinstance(part, Handle):
        yield from _learning(part.part)
    elif isinstance(part, tuple):
        yield part
        for name, kind in declared(type(part)).items():
            if kind in (None, Kind.LEARNED):
                yield from _learning(getattr(part, name))
