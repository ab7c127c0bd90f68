"""A world as plain data, in the shape of the world file, both ways."""

from collections.abc import Sequence
from typing import Any

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import RESTED, Arm, link, vector
from roguewk.problem.context import Context
from roguewk.problem.errors import InputError, known, shown, truth_value
from roguewk.problem.plain import (
    ARM_KEYS,
    EVERYDAY,
    LINEAR,
    Data,
    label_of,
    placed,
    read_arm,
    read_context,
    read_frame,
    read_idle,
    read_table,
    read_tables,
    read_top,
)
from roguewk.problem.problem import Problem
from roguewk.world.belief import HIDDEN, OPEN, leaves_open, left_open, read_beliefs
from roguewk.world.cost import Cost, cost_from_data, cost_keys
from roguewk.world.outcomes import PROMPT, outcomes_from_data
from roguewk.world.world import World, in_order
from roguewk.world.write import truth_to_data

WORLD_ARM_KEYS = (*ARM_KEYS[1:], *HIDDEN)  # all but the name


def _cost(value: Any, where: str) -> Cost:
    """A cost from its table, or a fixed one from a number."""
    if not isinstance(value, dict):
        with placed(where):
            return Cost.fixed(value)
    for key in value:
        known(key, cost_keys(), f"key of {where}:", list_all=True)
    with placed(where):
        return cost_from_data(value)


def _arm(value: Any, place: int) -> tuple[Arm, Vector]:
    """An arm from its table and its true initial state."""
    what = label_of(value, "arm", place)
    arm = read_arm(_true(value, what), place, HIDDEN)
    key = "start" if "rested" in value else "x0"
    said, told = _start(value.get(key, value.get("rested")), f"{key} of {what}")
    if told is not None and "known_start" in value:
        raise InputError(f"{what} has both {key!r} that is known and 'known_start': give one of them")

    def state_of(place: Any) -> Any:
        return link(place, arm.family, f"start of {what}") - arm.alpha if key == "start" else place

    if isinstance(said, str):
        arm = arm.knowing(RESTED)
        return arm, arm.starts[:, 0]
    x0 = vector(state_of(said), (arm.dimension,), f"{key} of {what}")
    arm = arm if "state" in value else arm.widened(x0)
    if told is not None:
        ends = isinstance(told, list) and key == "start"
        arm = arm.knowing([state_of(end) for end in told] if ends else state_of(told))
    return arm, x0


def _true(value: Any, what: str) -> Any:
    """The table of an arm without what leaves its dynamics open: a world has to have some."""
    if not isinstance(value, dict):
        return value
    for key in EVERYDAY:
        if isinstance(value.get(key), dict):
            raise InputError(
                f"{key} of {what} is a guess, and a world needs the truth: give a number, and the guess in a [[belief]]"
                " table, or read the file with rw.load_problem"
            )
    if not leaves_open(value):
        return value
    left = next(key for key in OPEN if key in value)
    if not any(key in value for key in (*LINEAR, *EVERYDAY)):
        raise InputError(
            f"{what} has {left} = {shown(value[left])} and no numbers, and a world needs the truth: add rested, wear"
            " and half_life, which policies are not told, or read the file with rw.load_problem"
        )
    return {key: part for key, part in value.items() if key not in OPEN}


def _start(value: Any, what: str) -> tuple[Any, Any]:
    """Where an arm starts, as it is written, and what is known of that: the same, a range, or None for nothing."""
    if isinstance(value, str) and value != RESTED:
        raise InputError(f'{what} is {shown(value)}: give a number, "rested", or {{ known = ... }}')
    if not isinstance(value, dict):
        return value, RESTED if isinstance(value, str) else None
    table = read_table(value, ("known", "at"), ("known",), what, "{ known = 0.4 }")
    if isinstance(table["known"], str) or isinstance(table.get("at"), str):
        if "at" in table:
            raise InputError(f'{what} is {shown(value)}: write "rested" alone, or numbers for known and at')
        return _start(table["known"], what)
    return table.get("at", table["known"]), table["known"]


def _costs(table: Data, what: str, resources: Sequence[str]) -> list[Cost]:
    if resources:
        read_table(table, tuple(table), ("costs",), what, "")
    costs = table.get("costs", [])
    if isinstance(costs, dict):
        costs = in_order(costs, resources, what)
    if not isinstance(costs, list):
        raise InputError(
            f"costs of {what} is {shown(costs)}: give a list with one cost for each resource, or a table by their names"
        )
    if len(costs) != len(resources):
        raise InputError(
            f"{what} has {len(costs)} costs for {len(resources)} resources: give one each, in the resources' order"
        )
    return [_cost(cost, f"cost of {what} on {name!r}") for cost, name in zip(costs, resources, strict=True)]


def _told(context: Context, table: Data) -> Context:
    """A context as policies are told of it: without its chances, if these are not known."""
    what = f"known of context {context.name!r}"
    if context.drawn and context.chances is None:
        remedy = "add `chances = [...]`, with known = false if policies are to learn them"
        raise InputError(f"context {context.name!r} has no chances, and a world needs the truth: {remedy}")
    if truth_value(table.get("known", True), what):
        return context
    if not context.drawn:
        raise InputError(f"{what} is false, and a cycle is always known: leave it out")
    return Context(context.name, context.values)


def world_from_data(data: Any, where: str = "") -> World:
    """The world in this data, which has the shape of a world file; `where` names the source in errors.

    >>> from roguewk.world.plain import world_from_data
    >>> arm = {"name": "walk", "rested": 0.6, "wear": 0.5, "half_life": 2, "costs": [0.2]}
    >>> staff = {"name": "staff", "budget": 30}
    >>> world_from_data({"horizon": 200, "resource": [staff], "arm": [arm]}).mean_costs
    array([[0.2]])
    """
    with placed(where):
        top = read_top(data, ("belief", "outcomes"))
        resources, frame = read_frame(top)
        names = [resource.name for resource in resources if resource.counts is None]
        arms, starts, costs = [], [], []
        written = read_tables(top, "arm")
        for a, table in enumerate(written):
            arm, x0 = _arm(table, a)
            arms.append(arm)
            starts.append(x0)
            costs.append(_costs(table, f"arm {arm.name!r}", names))
        tables = read_tables(top, "context")
        contexts = [read_context(table, i, ("known",)) for i, table in enumerate(tables)]
        told = [_told(context, table) for context, table in zip(contexts, tables, strict=True)]
        problem = Problem(arms, resources, **frame, **read_idle(top, arms), contexts=told)
        beliefs = [*read_tables(top, "belief"), *left_open(written)]
        believed = problem.believe(read_beliefs(beliefs, written, arms, starts))
        outcomes = outcomes_from_data(top["outcomes"]) if "outcomes" in top else PROMPT
        return World(believed, starts, costs, arms, outcomes, contexts)


def world_to_data(world: World) -> Data:
    """A world as plain data, in the shape of a world file.

    >>> import roguewk as rw
    >>> from roguewk.world.plain import world_to_data
    >>> world_to_data(rw.catalog.paper())["arm"][0]["costs"][0]
    {'uniform': [0.1, 0.2]}
    """
    truth = world.arms, world.x0, world.costs, world.outcomes
    return truth_to_data(world.problem, *truth, baseline=world.baseline, contexts=world.contexts)
