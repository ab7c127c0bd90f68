"""Problems and worlds with contexts at random, and what contexts do, read word for word."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

import roguewk as rw

ARMS = ("call", "text", "visit")
HORIZON = 24
PER_DAY = 2


class Days:
    """What the contexts of a problem are in each round, and do to arms: a literal reading of what is written."""

    def __init__(
        self, contexts: tuple[rw.Context, ...], arms: tuple[rw.Arm, ...], rounds_per_day: float | None
    ) -> None:
        self.contexts, self.arms, self.per_day = contexts, {arm.name: arm for arm in arms}, rounds_per_day

    def rounds(self, each: int | str) -> int:
        """How many rounds an entry of a cycle lasts."""
        if isinstance(each, int):
            return each
        count, unit = each.split()
        days = {"day": 1, "days": 1, "week": 7, "weeks": 7}
        return int(count) if unit.startswith("round") else round(int(count) * days[unit] * float(self.per_day or 0))

    def turning(self, t: int) -> dict[str, str]:
        """By name, the values of the cycles in a round."""
        found = {}
        for context in self.contexts:
            if context.cycle is not None:
                found[context.name] = context.cycle[t // self.rounds(context.each) % len(context.cycle)]
        return found

    def at(self, t: int, drawn: Mapping[str, str]) -> dict[str, str]:
        """By name, the values of all contexts, of which these are drawn."""
        return {context.name: {**self.turning(t), **drawn}[context.name] for context in self.contexts}

    def allows(self, arm: str, values: Mapping[str, str]) -> bool:
        """Whether an arm may be pulled where the contexts have these values."""
        return not any(self.effect(arm, value) is False for value in values.values())

    def shift(self, arm: str, values: Mapping[str, str]) -> float:
        """What is added to its level there."""
        return sum(float(self.effect(arm, value)) for value in values.values())

    def effect(self, arm: str, value: str) -> float | bool:
        return (self.arms[arm].when or {}).get(value, 0.0)


def days_of(world: rw.World | rw.Problem) -> Days:
    """Those of a world, or of a problem."""
    problem = world if isinstance(world, rw.Problem) else world.problem
    return Days(problem.contexts, world.arms, problem.rounds_per_day)


@st.composite
def contexts(draw: st.DrawFn) -> list[rw.Context]:
    """One to three, drawn or going round."""
    found = []
    for i in range(draw(st.integers(1, 3))):
        values = [f"value {i}{j}" for j in range(draw(st.integers(1, 3)))]
        if draw(st.booleans()):
            weights = [draw(st.integers(0 if j else 1, 4)) for j in range(len(values))]
            found.append(rw.Context(f"context {i}", values, chances=[each / sum(weights) for each in weights]))
        else:
            cycle = draw(st.lists(st.sampled_from(values), min_size=1, max_size=4))
            each: Any = draw(st.sampled_from([1, 2, 3, "1 day", "2 days", "3 rounds"]))
            found.append(rw.Context(f"context {i}", cycle=cycle, each=each))
    return found


@st.composite
def whens(draw: st.DrawFn, given: list[rw.Context], forbids: bool = True) -> dict[str, float | bool]:
    """What contexts do to an arm."""
    effects: Any = st.sampled_from([-1.0, -0.25, 0.5, 1.5])
    values = [value for context in given for value in context.values]
    return draw(st.dictionaries(st.sampled_from(values), effects | st.just(False) if forbids else effects, max_size=3))


@st.composite
def problems(draw: st.DrawFn, unknown: bool = False, told: bool = True) -> rw.Problem:
    """A few arms that contexts shift and forbid, and a budget; without `told`, no chances are said."""
    given = draw(contexts())
    arms = []
    for a, name in enumerate(ARMS[: draw(st.integers(1, 3))]):
        when = draw(whens(given))
        if unknown:
            arms.append(rw.unknown_arm(name, half_life={"about": 2, "between": [1, 5]}, when=when))
        else:
            arms.append(rw.everyday_arm(name, rested=0.4 + 0.1 * a, wear=0.3 + 0.2 * a, half_life=1 + a, when=when))
    if not told:
        given = [rw.Context(each.name, each.values) if each.drawn else each for each in given]
    limits = [rw.Resource("hours", draw(st.sampled_from([2.0, 5.0, 30.0])), 1.0)]
    return rw.Problem(arms, limits, HORIZON, draw(st.booleans()), rounds_per_day=PER_DAY, contexts=given)


@st.composite
def worlds(draw: st.DrawFn) -> rw.World:
    """The truth about such problems."""
    problem = draw(problems())
    costs = [[draw(st.sampled_from([rw.Cost.fixed(0.3), rw.Cost.uniform(0.1, 0.9)]))] for _ in problem.arms]
    return rw.World(problem, [0.0] * len(problem.arms), costs)
