"""What a caller says of a round, checked: which arms are possible, which pull is meant, what it took and brought."""

import math
import operator
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.policy.decision import Decision
from roguewk.policy.machine import IDLE, NEVER
from roguewk.policy.open_pull import LATER, Later, OpenPull, Pending
from roguewk.policy.templates import Template
from roguewk.problem.errors import InputError, number, shown
from roguewk.problem.problem import Problem

Available = Sequence[int | str | bool] | None  # arms, as callers list them
Said = str | Sequence[str] | Mapping[str, str] | None  # of the contexts that are drawn


class Awaited(NamedTuple):
    """A pull of which something has not come: `later` in place of what may still come, None of what never will.

    An idle round of which the outcome has not come has None in place of an arm and its name.

    >>> import roguewk as rw
    >>> policy = rw.make_policy("ucb1", rw.catalog.one_resource().problem)
    >>> policy.update(policy.select(), costs=[0.5])
    >>> policy.pending
    {0: Awaited(arm=0, name='dear', reward=later, costs={'money': 0.5})}
    """

    arm: int | None
    name: str | None
    reward: float | Later | None
    costs: dict[str, float] | Later | None  # by resource, in the user's units


def awaited(made: Template, pull: OpenPull) -> Awaited:
    """An open pull in the user's names and units."""
    reward = LATER if pull.waits_for_reward else None if math.isnan(pull.reward) else pull.reward
    costs: dict[str, float] | Later | None = LATER if pull.waits_for_costs else None
    if pull.knows_costs:
        amounts = (float(f"{cost * unit:.12g}") for cost, unit in zip(pull.costs, made.setting.units, strict=True))
        costs = dict(zip([resource.name for resource in made.problem.told], amounts, strict=False))
    idle = pull.arm == IDLE
    return Awaited(None if idle else pull.arm, None if idle else made.setting.arms[pull.arm], reward, costs)


def possible(made: Template, available: Available, context: Said, call: str = "select({})") -> tuple[Any, int]:
    """(arm,) which arms are possible, None if all are, and what was drawn of the contexts, by what a call says."""
    listed = None if available is None else mask_of(made.problem, available)
    return listed, made.draw_of(context, call)


def mask_of(problem: Problem, available: Sequence[int | str | bool]) -> Any:
    """(arm,) which arms are possible, from their names, indices or flags."""
    if isinstance(available, str | bytes | bytearray | Mapping):
        raise InputError(f"available is {shown(available)}: give a list of arms")
    try:
        listed = list(available)
    except TypeError:
        raise InputError(f"available is {shown(available)}: give a list of arms") from None
    arms = len(problem.arms)
    if listed and all(isinstance(each, bool | np.bool_) for each in listed):
        if len(listed) != arms:
            raise InputError(f"available has {len(listed)} flags for {arms} arms: give one each")
        return np.array(listed, dtype=np.bool_)
    mask = np.zeros(arms, dtype=np.bool_)
    for each in listed:
        if getattr(each, "ndim", 0) or isinstance(each, list | tuple):
            what = f"available has {shown(each)} in it"
            raise InputError(f"{what}: give a flat list of names or indices, or a true or false for each arm")
        mask[problem.arm_index(each)] = True
    return mask


def take_costs(made: Template, arm: int, costs: Any, out: Any) -> None:
    """Write what a pull took, checked, to `out`, (resource,), scaled into [0, 1]; pulls that are counted take one."""
    most, units, names = made.most[arm], made.setting.units, made.setting.resources[: len(made.limits)]
    if isinstance(costs, Mapping):
        if set(costs) != set(names):
            raise InputError(f"costs name {', '.join(map(shown, costs))}: name each of {', '.join(map(repr, names))}")
        costs = [costs[name] for name in names]
    if isinstance(costs, str | bytes | bytearray | set | frozenset):
        raise InputError(f"costs are {shown(costs)}: give a list, or a dict by resource")
    if type(costs) is not list:
        try:
            costs = [] if costs is None else list(costs)
        except TypeError:
            raise InputError(f"costs are {shown(costs)}: give a list, or a dict by resource") from None
    if len(costs) != len(most):
        raise InputError(f"{len(costs)} costs for {len(most)} resources: give one each, in their order")
    for j, value in enumerate(costs):
        if type(value) is not float or not 0.0 <= value <= most[j]:
            value = _cost(made, arm, j, value)
        out[j] = value / units[j]
    if made.counted:
        out[len(most) :] = made.counted[arm]


def _cost(made: Template, arm: int, j: int, value: Any) -> float:
    resource = made.problem.resources[j]
    what = f"cost of arm {made.setting.arms[arm]!r} on {resource.name!r}"
    result = number(value, what)
    if not 0 <= result <= made.limits[j]:
        remedy = "give a number of at least 0" if result < 0 else "set that resource's largest_cost"
        raise InputError(f"{what} is {shown(value)}, outside [0, {resource.unit:g}]: {remedy}")
    if result > made.most[arm][j]:
        raise InputError(taken_too_much(made.problem, arm, j, result))
    return result


def taken_too_much(problem: Problem, arm: int, j: int, cost: float) -> str:
    """That a cost is more than a pull of its arm takes, as the problem has it."""
    resource, most = problem.resources[j], float(problem.scaled_most[arm, j])
    what = f"cost of arm {problem.arms[arm].name!r} on {resource.name!r} is {cost:g}"
    said = f"the problem says that its pulls take at most {most * resource.unit:g}"
    return f"{what}, and {said}: raise that in largest_costs"


def _numbered(decision: Any) -> int:
    """The round that a number stands for."""
    try:
        round_ = operator.index(decision)
    except TypeError:
        round_ = None
    if round_ is None or isinstance(decision, bool):
        raise InputError(f"the decision is {shown(decision)}: give what select() returned, or its round")
    return round_


def waiting_round(decision: Decision | int, pending: Pending, identity: str, learns_idle: bool) -> int:
    """The round of a decision that waits for its update, or for more of it."""
    if isinstance(decision, Decision):
        if decision.identity != identity:
            raise InputError(f"the decision of round {decision.round} is another policy's: update that one")
        arm = IDLE if decision.arm is None else decision.arm
        if arm == IDLE and decision.round not in pending and not learns_idle:
            raise InputError(f"round {decision.round} was left idle: there is nothing to update")
        if decision.round not in pending:
            what = f"the decision of round {decision.round} was updated or given up before, or is a preview"
            raise InputError(f"{what}: update or give up each selected one once")
        if pending[decision.round].arm != arm:
            raise InputError(f"another arm was selected in round {decision.round}: give that decision, not a preview")
        return decision.round
    round_ = _numbered(decision)
    if round_ not in pending:
        what = f"round {shown(round_)} has no pull that waits for an update"
        raise InputError(f"{what}: give the round of an open decision")
    return round_


def tells_nothing(problem: Problem, decision: Decision | int, whose: tuple[Pending, str, int], news: Any) -> bool:
    """Whether a decision is an idle round of a policy that is told what these bring; the news of it are checked.

    Of whose decisions it is are said the open pulls, the identity and the next round. No policy remembers which rounds
    passed idle: by its number, one of which nothing is awaited is taken for such a round, unless it has costs.
    """
    (pending, identity, next_), (reward, costs) = whose, news
    if problem.baseline is None or not problem.baseline.known:
        return False
    if isinstance(decision, Decision):
        round_, mine = decision.round, decision.arm is None and decision.identity == identity
    else:
        round_ = _numbered(decision)
        mine = 0 <= round_ < next_ and round_ not in pending and not _takes(costs)
    if mine:
        _idle_reward(problem, round_, reward, costs)
    return mine


def _takes(costs: Any) -> bool:
    """Whether anything else than nothing is told to be taken."""
    if costs is LATER or costs is None:
        return False
    given = np.array(list(costs.values()) if isinstance(costs, Mapping) else costs, dtype=object)
    return given.ndim != 1 or any(cost != 0 for cost in given)


def _idle_reward(problem: Problem, round_: int, reward: Any, costs: Any) -> float:
    """What an idle round brought, checked, or NEVER; it took nothing."""
    if reward is LATER:
        raise InputError(
            f"no reward is told of round {round_}, which was left idle: give it, or None if it never comes"
        )
    if _takes(costs):
        raise InputError(f"costs of round {round_} are {shown(costs)}, which was left idle: leave them out")
    return NEVER if reward is None else problem.check_idle_reward(reward)


def with_told(made: Template, round_: int, pull: OpenPull, news: tuple[Any, Any], taken: Any) -> OpenPull:
    """An open pull with the news of it, reward and costs, which are checked; `taken` gets its costs, (resource,)."""
    reward, costs = news
    if pull.arm == IDLE:
        return pull._replace(reward=_idle_reward(made.problem, round_, reward, costs))
    if reward is LATER and costs is LATER:
        raise InputError(f"nothing is told of round {round_}: give its reward, its costs or both")
    value = pull.reward
    if reward is not LATER:
        if not pull.waits_for_reward:
            raise InputError(f"the reward of round {round_} was told before: amend it, if it was wrong")
        plain = type(reward) in (int, float) and (reward == 0 or reward == 1)  # a reward in every family
        value = float(reward) if plain else NEVER if reward is None else made.problem.check_reward(pull.arm, reward)
    if made.counted and not made.limits and (costs is LATER or costs is None):
        costs = []  # what pulls count is known at once
    if costs is LATER or (not made.limits and costs is None):
        taken[:] = array("d", pull.costs)
    elif not pull.waits_for_costs and pull.costs:
        raise InputError(f"the costs of round {round_} were told before: amend them, if they were wrong")
    elif costs is None:
        taken[:] = array("d", [NEVER] * len(pull.costs))
    else:
        take_costs(made, pull.arm, costs, taken)
    return OpenPull(pull.arm, pull.memo, value, tuple(taken))
