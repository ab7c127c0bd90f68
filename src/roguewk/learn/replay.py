"""Go on deciding where a log stopped: what a subject got and what came of it, told to a policy round by round."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.learn.read import read_log
from roguewk.learn.rounds import PULLS, LoggedRounds, length_of_round
from roguewk.policy.online import Policy
from roguewk.policy.outcome import taken_too_much
from roguewk.problem.errors import InputError, known, shown
from roguewk.problem.ledger import SLACK, limit_of
from roguewk.problem.limits import FREE, build_limits, hold, keeps_out, renew, settle_costs
from roguewk.problem.problem import Problem

IDLE = -1


class Past(NamedTuple):
    """What a subject's rows say, in the terms of a problem."""

    rounds: NDArray[np.int64]  # (row,) from 0 on, rising
    arms: NDArray[np.int64]  # (row,) places in the problem, IDLE if none was given
    rewards: Vector  # (row,) NaN if not observed
    costs: Vector  # (row, resource of the problem whose costs are told) NaN if not known
    closed: NDArray[np.bool_]  # (row,) where no arm could be given
    contexts: tuple[dict[str, str] | None, ...]  # (row,) values of those that are drawn, None where one is not known
    names: tuple[str, ...]  # of the rows, for errors


def replay(policy: Policy, log: Any, subject: str | int | None = None, *, round_length: float | None = None) -> Policy:
    """Tell a new policy what a subject of a log got and what came of it, so that it goes on where the log stopped.

    `log` is whatever `rw.read_log` takes, or what it made of that; `subject` may be left out if there is only one. The
    subject's first row is round 0. Rounds without a row are idle, what was not observed is told as such, and what was
    spent counts against the budgets; where a row lacks one of its costs, none is told of it. In rounds in which the
    policy would have done the same, the choice counts as its own, so that a policy that replays its own log comes to
    the very state in which it was. Logs with clock times need `round_length`, in their unit of time: rows belong to
    the nearest round, which may hold idle rows beside one with an arm. Contexts that are drawn are those in the columns
    `context_<name>`; rewards of idle rows are told where what idle rounds bring is to be learned. The policy is
    returned.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> log = invented_log()
    >>> problem = rw.fit(log).problem(horizon=60, budgets={"minutes": 200.0})
    >>> policy = rw.replay(rw.make_policy("roguewk-plan", problem), log, subject="subject 7")
    >>> policy.round
    40
    >>> decision = policy.select()
    """
    if not isinstance(policy, Policy):
        raise InputError(f"the policy is {shown(policy)}: make one with rw.make_policy")
    if policy.round > 0:
        raise InputError(f"the policy has decided {policy.round} rounds already: replay into a new one")
    log = log if isinstance(log, LoggedRounds) else read_log(log)
    past = past_of(policy.problem, log, _place(log, subject), round_length, merge=True)
    _check(policy, past)
    for row, round_ in enumerate(past.rounds):
        policy.skip(int(round_) - policy.round)
        tell(policy, past, row)
    return policy


def tell(policy: Policy, past: Past, row: int) -> None:
    """Let the round of a row pass, with what was done and what came of it."""
    arm = None if past.arms[row] == IDLE else int(past.arms[row])
    context = past.contexts[row]
    # Without contexts there is no decision; only idle rounds may lack them.
    own = context is not None and policy.preview(context=context).arm == arm
    decided: Any = policy.select(context=context) if own else policy.follow(arm, context)
    if arm is not None:
        reward, costs = float(past.rewards[row]), past.costs[row]
        policy.update(decided, None if np.isnan(reward) else reward, None if np.isnan(costs).any() else costs.tolist())
    elif policy.round - 1 in policy.open_pulls:  # what idle rounds bring is to be learned
        reward = float(past.rewards[row])
        policy.update(policy.round - 1, None if np.isnan(reward) else reward)


def past_of(problem: Problem, log: LoggedRounds, subject: int, round_length: float | None, merge: bool = False) -> Past:
    """The rows of a subject, given by its place, in the terms of a problem.

    With `merge`, idle rows are left out in rounds of which another row speaks: they say nothing more.
    """
    rows = np.arange(*np.searchsorted(log.subject, [subject, subject + 1]))
    rounds = _rounds(log.time[rows] - log.time[rows[0]], length_of_round(log, round_length))
    if merge:
        kept = _one_a_round(rounds, log.arm[rows] >= 0)
        rows, rounds = rows[kept], rounds[kept]
    clock, who = "round" if log.regular else "time", shown(log.subjects[subject])
    at = [f"{clock} {time:g} of subject {who}" for time in log.time[rows]]
    same = np.flatnonzero(np.diff(rounds) == 0)
    if same.size:
        told = f"{at[same[0] + 1]} falls into the same round as the row before"
        raise InputError(f"{told}: give a shorter round_length{_short_enough(log, merge)}")
    places = np.full(len(log.arms) + 1, IDLE)
    for a in np.unique(log.arm[rows][log.arm[rows] >= 0]):
        places[a] = problem.arm_index(log.arms[a])
    return Past(
        rounds=rounds,
        arms=places[log.arm[rows]],
        rewards=log.reward[rows],
        costs=_costs(problem, log, rows),
        closed=~log.available[rows],
        contexts=_contexts(problem, log, rows, at),
        names=tuple(at),
    )


def _contexts(
    problem: Problem, log: LoggedRounds, rows: NDArray[np.int64], at: list[str]
) -> tuple[dict[str, str] | None, ...]:
    """(row,) the values of contexts that are drawn; those of cycles follow from the round."""
    drawn = [context for context in problem.contexts if context.drawn]
    for context in drawn:
        if context.name not in log.contexts:
            what = f"context {context.name!r} is drawn anew in each round, and the log has no column"
            raise InputError(f"{what} 'context_{context.name}': add one")
    found: list[dict[str, str] | None] = []
    for row, where in zip(rows.tolist(), at, strict=True):
        values = {context.name: str(log.contexts[context.name][row]) for context in drawn}
        for context in drawn:
            value, what = values[context.name], f"context {context.name!r} at {where}"
            if value and value not in context.values:
                raise InputError(f"{what} is {shown(value)}: give one of {', '.join(map(repr, context.values))}")
            if not value and log.arm[row] >= 0:
                raise InputError(f"{what} is not said: fill in the column 'context_{context.name}'")
        found.append(values if all(values.values()) else None)
    return tuple(found)


def _costs(problem: Problem, log: LoggedRounds, rows: NDArray[np.int64]) -> Vector:
    """(row, resource whose costs are told); every pull is one of `pulls`, which needs no column."""
    costs: Vector = np.empty((rows.size, len(problem.told)))
    for j, resource in enumerate(problem.told):
        if resource.name in log.resources:
            costs[:, j] = log.costs[rows, log.resources.index(resource.name)]
        elif resource.name == PULLS:
            costs[:, j] = log.arm[rows] >= 0
        else:
            raise InputError(f"the log has no column 'cost_{resource.name}': add one, or leave the resource out")
    return costs


def _rounds(elapsed: Vector, length: float) -> NDArray[np.int64]:
    """The nearest rounds, by the time since round 0."""
    return np.floor(elapsed / length + 0.5).astype(np.int64)


def _short_enough(log: LoggedRounds, merge: bool) -> str:
    """A length of rounds that puts each row of the log into one of its own, in words; with `merge`, each pull."""
    first = np.searchsorted(log.subject, np.arange(len(log.subjects)))
    elapsed = log.time - log.time[first[log.subject]]
    apart = np.flatnonzero((log.arm >= 0) | (not merge))
    elapsed, same = elapsed[apart], np.diff(log.subject[apart]) == 0
    gap = float(np.diff(elapsed)[same].min())
    step = 10.0 ** (math.floor(math.log10(gap or 1.0)) - 1)
    for digits in (math.floor(gap / step), math.floor(gap / step) - 1):  # the first may be too near to the gap
        told = f"{digits * step:.2g}"
        if digits > 0 and (np.diff(_rounds(elapsed, float(told)))[same] > 0).all():
            return f", such as {told}" + ", which does for all subjects" * (len(log.subjects) > 1)
    return ""


def _one_a_round(rounds: NDArray[np.int64], pulled: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(row,) All pulls, and of rounds without one the first row."""
    first = np.diff(rounds, prepend=-1) > 0
    return np.asarray(pulled | (first & ~np.isin(rounds, rounds[pulled])))


def _place(log: LoggedRounds, subject: str | int | None) -> int:
    if subject is not None:
        name = (
            subject if isinstance(subject, str) else shown(subject, str)
        )  # numbers, NumPy's too, may be given as such
        known(name, log.subjects, "subject")
        return log.subjects.index(name)
    if len(log.subjects) > 1:
        name = log.subjects[0]
        raise InputError(f"the log has {len(log.subjects):,} subjects: name one of them, such as subject={name!r}")
    return 0


def _check(policy: Policy, past: Past) -> None:
    """Refuse what the policy could not have seen, before it is told anything."""
    problem, idle = policy.problem, past.arms == IDLE
    last = int(past.rounds[-1]) + 1
    if last > problem.horizon and not policy.parameters["doubling"]:
        raise InputError(f"the log has {last:,} rounds, but the horizon is {problem.horizon:,}: make it longer")
    gaps = np.flatnonzero(np.diff(past.rounds) > 1)
    rest = np.concatenate([np.flatnonzero(idle & ~past.closed), gaps])
    # Limits or contexts may have left out all arms there.
    if rest.size and not (problem.idle or problem.limited or problem.contexts):
        raise InputError(f"the log rests at {past.names[rest.min()]} or after it, but the problem has no idle rounds")
    for row in range(past.rounds.size):
        _check_row(problem, past, row)
    _check_taken(problem, past)
    for j, resource in enumerate(problem.told):
        spent = float(np.nansum(past.costs[:, j]))
        if not resource.hard and spent > limit_of(resource.budget):
            told = f"the log spent {spent:g} of {resource.name!r}, more than the budget of {resource.budget:g}"
            raise InputError(f"{told}: nothing is left to decide about, so make it larger")
    if problem.limited:
        _check_limits(problem, past)


def _check_taken(problem: Problem, past: Past) -> None:
    """Refuse costs above what a pull of their arm is said to take."""
    if problem.largest_costs is None:
        return
    pulled = np.flatnonzero(past.arms != IDLE)
    units = problem.scales[: len(problem.told)]
    most = (problem.scaled_most[past.arms[pulled], : units.size] + SLACK) * units
    for row, j in np.argwhere(past.costs[pulled] > most)[:1]:
        place = pulled[row]
        told = taken_too_much(problem, int(past.arms[place]), int(j), float(past.costs[place, j]))
        raise InputError(f"{past.names[place]}: {told}")


def _check_limits(problem: Problem, past: Past) -> None:
    """Refuse pulls that budgets that renew, caps or gaps of the problem would not have allowed."""
    limits, told = build_limits(problem), len(problem.told)
    with compiling("the limits"):
        for row in np.flatnonzero(past.arms != IDLE):
            arm, round_ = int(past.arms[row]), int(past.rounds[row])
            renew(limits, round_)
            by = keeps_out(limits, arm, round_)
            if by != FREE:
                names = [repr(resource.name) for resource in problem.resources]
                limit = names[by] if by < len(names) else "a gap"
                what = f"{past.names[row]} has arm {problem.arms[arm].name!r}, which {limit} leaves out there"
                raise InputError(f"{what}: give a problem with limits that the log keeps to")
            hold(limits, arm, round_)
            if limits.periods.size and not np.isnan(past.costs[row]).any():
                taken = limits.most[arm].copy()
                taken[:told] = past.costs[row] / problem.scales[:told]
                settle_costs(limits, arm, round_, taken)


def _check_row(problem: Problem, past: Past, row: int) -> None:
    arm, reward, costs = int(past.arms[row]), past.rewards[row], past.costs[row]
    if arm != IDLE and not np.isnan(reward):
        problem.check_reward(arm, float(reward))
    elif problem.baseline is not None and not np.isnan(reward):
        problem.check_idle_reward(float(reward))
    for resource, cost in zip(problem.told, costs, strict=True):
        most = limit_of(resource.unit) if arm != IDLE else 0.0
        if cost > most:
            what = f"{past.names[row]} has a cost of {cost:g} of {resource.name!r}"
            why = "is idle: give its arm" if arm == IDLE else f"the most is {resource.unit:g}: set its largest_cost"
            raise InputError(f"{what}, but {why}")
