"""The true optimum of a tiny world, by dynamic programming over everything that can happen."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from roguewk.bounds.idling import may_be_idle
from roguewk.kernel.arrays import Vector
from roguewk.problem.constants import mean_rewards, next_states
from roguewk.problem.errors import InputError
from roguewk.problem.ledger import limit_of
from roguewk.problem.occasions import calendar_of, shift_table
from roguewk.problem.problem import Problem, members
from roguewk.world.cost import Cost
from roguewk.world.world import World, check_world

MOST = 2_000_000  # situations looked at before giving up


@dataclass(frozen=True)
class Optimum:
    """The largest expected reward, the first arm to play for it (None: idle), and the situations looked at.

    >>> import roguewk as rw
    >>> problem = rw.Problem([rw.Arm("coin", A=0.5, B=0.0)], [], horizon=3)
    >>> rw.exact(rw.World(problem, [0.0], [[]])).value
    1.5
    """

    value: float
    first: int | None
    situations: int


def comes_and_goes(world: World) -> bool:
    """Whether some arm is not always available."""
    return any(arm.available is not None and arm.available < 1 for arm in world.arms)


class _Rules:
    """What ends the game, and what leaves out arms, read literally."""

    def __init__(self, problem: Problem) -> None:
        self.hard, self.periods = problem.hard.tolist(), problem.periods.tolist()
        self.budgets, self.resources = limit_of(problem.budgets).tolist(), problem.resources
        self.most = (problem.scaled_most * problem.scales).tolist()
        self.gaps = [(problem.gap_rounds(gap), members(problem, gap.arms)) for gap in problem.gaps]

    def renewed(self, t: int, spent: tuple[float, ...]) -> tuple[float, ...]:
        """What counts as spent in round t: of a budget that just renewed nothing, or less by what it brings."""
        if t == 0:
            return spent
        pairs = zip(self.resources, self.periods, strict=True)
        begun = [each.every is not None and t % period == 0 for each, period in pairs]
        return tuple(
            s if not new else round(s - each.budget, 12) if each.carry_over else 0.0
            for s, new, each in zip(spent, begun, self.resources, strict=True)
        )

    def permit(self, arm: int, history: tuple[int, ...], spent: tuple[float, ...]) -> bool:
        """Whether an arm surely takes no more than is left of what is hard, and comes late enough."""
        left = zip(self.hard, spent, self.most[arm], self.budgets, strict=True)
        covered = all(not hard or s + most <= budget for hard, s, most, budget in left)
        return covered and not any(
            kept[arm] and any(a >= 0 and kept[a] for a in history[max(len(history) - rounds + 1, 0) :])
            for rounds, kept in self.gaps
        )

    def counts(self, spent: tuple[float, ...]) -> bool:
        """Whether no budget is over that ends the game."""
        return all(hard or s <= budget for hard, s, budget in zip(self.hard, spent, self.budgets, strict=True))


class _Days:
    """What the contexts make of each round, read literally."""

    def __init__(self, world: World) -> None:
        self.arms = world.arms
        calendar = calendar_of(world.contexts, world.problem.rounds_per_day)
        self.odds, (self.shifts, self.barred) = calendar.odds, shift_table(world.arms, calendar)

    def occasions(self, t: int) -> list[tuple[float, int]]:
        """Those that there may be in round t, with their chances."""
        row = self.odds[t % len(self.odds)]
        return [(float(row[k]), int(k)) for k in np.flatnonzero(row)]

    def mean_reward(self, k: int, a: int, state: Vector) -> float:
        """What an arm in this state, (1, coordinate), brings in an occasion."""
        arm, mean = self.arms[a], float(mean_rewards(self.arms[a], state)[0])
        if self.shifts[k, a] == 0:
            return mean
        level = arm.alpha + float((state @ arm.weights)[0]) + self.shifts[k, a]
        return float(arm.reward_family.mean_of_level(level))


def exact(world: World, idle: bool | None = None) -> Optimum:
    """The most that any policy can expect, one that knows the truth and sees every cost.

    Costs must have few values (fixed, bernoulli, choices), and the horizon must be short: it is the judge of bounds
    and planners, not a planner. Rounds in which limits or contexts leave out every arm pass idle. Where idle rounds
    bring something, so do those after the end.

    >>> import roguewk as rw
    >>> arm = rw.Arm("call", A=0.5, B=-1.0, K=0.5)
    >>> problem = rw.Problem([arm], [rw.Resource("staff", 2.0)], horizon=4, idle=True)
    >>> rw.exact(rw.World(problem, [0.0], [[rw.Cost.fixed(1.0)]])).first is None  # it pays to wait first
    True
    """
    problem = check_world(world).problem
    may_idle, idling = may_be_idle(world, idle), world.idle_means
    if comes_and_goes(world):
        raise InputError("arms of this world come and go, which exact values do not weigh: leave out `available`")
    outcomes = [list(_outcomes(row, world.arms[a].name)) for a, row in enumerate(world.costs)]
    rules, days = _Rules(problem), _Days(world)
    arms = range(len(world.arms))
    known: dict[tuple[tuple[int, ...], tuple[float, ...]], tuple[float, int | None]] = {}

    def states(history: tuple[int, ...]) -> list[Vector]:
        now = [x0[None, :] for x0 in world.x0]
        for pulled in history:
            now = [next_states(world.arms[a], now[a], float(a == pulled)) for a in arms]
        return now

    def best(history: tuple[int, ...], spent: tuple[float, ...]) -> tuple[float, int | None]:
        if len(history) == problem.horizon:
            return 0.0, None
        if (history, spent) not in known:
            if len(known) >= MOST:
                raise InputError(f"the world has more than {MOST:,} situations: shorten the horizon")
            now, left = states(history), rules.renewed(len(history), spent)
            free = [a for a in arms if rules.permit(a, history, left)]
            chosen = [(chance, choice(k, free, now, history, left)) for chance, k in days.occasions(len(history))]
            first = chosen[0][1][1] if len(chosen) == 1 else None  # which arm is best depends on what is drawn
            known[history, spent] = sum(chance * value for chance, (value, _) in chosen), first
        return known[history, spent]

    def choice(
        k: int, free: list[int], now: list[Vector], history: tuple[int, ...], left: tuple[float, ...]
    ) -> tuple[float, int | None]:
        """The best in this occasion."""
        allowed = [a for a in free if not days.barred[k, a]]
        idle = may_idle or not allowed
        options: list[tuple[float, int | None]] = [(best((*history, -1), left)[0], None)] if idle else []
        for a in allowed:
            value, reward = 0.0, days.mean_reward(k, a, now[a]) - float(idling[len(history)])
            for chance, costs in outcomes[a]:
                after = tuple(round(s + c, 12) for s, c in zip(left, costs, strict=True))
                if rules.counts(after):
                    value += chance * (reward + best((*history, a), after)[0])
            options.append((value, a))
        return max(options, key=lambda option: option[0])

    value, first = best((), (0.0,) * len(problem.resources))
    return Optimum(value + float(idling.sum()), first, len(known))


def _outcomes(row: tuple[Cost, ...], arm: str) -> Iterator[tuple[float, tuple[float, ...]]]:
    """What a pull can take of the resources, with chances; resources are independent."""
    each = []
    for cost in row:
        atoms = cost.atoms
        if atoms is None:
            raise InputError(f"a cost of arm {arm!r} is {cost.kind}: the exact optimum needs fixed costs or choices")
        each.append(atoms)
    for combination in itertools.product(*each):
        chance = float(np.prod([chance for chance, _ in combination]))
        if chance > 0:
            yield chance, tuple(value for _, value in combination)
