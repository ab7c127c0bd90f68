"""Problems and worlds with limits of every kind, drawn at random."""

from typing import Any

from hypothesis import strategies as st

import roguewk as rw

ARMS = ("call", "text", "visit", "mail")
HORIZON = 24


def durations(most: int) -> st.SearchStrategy[int | str]:
    """Rounds, as numbers or as days of two rounds each."""
    whole = st.integers(1, most)
    return whole | st.integers(1, most // 2).map(lambda days: f"{days} days") | whole.map(lambda n: f"{n} rounds")


@st.composite
def resources(draw: st.DrawFn) -> list[rw.Resource]:
    """Budgets that renew or not, with a largest cost of 1 or 2."""
    found = []
    for j in range(draw(st.integers(0, 2))):
        every = draw(st.none() | durations(HORIZON))
        carry_over = every is not None and draw(st.booleans())
        budget, largest = draw(st.sampled_from([0.7, 1.0, 2.5, 4.0])), draw(st.sampled_from([1.0, 2.0]))
        found.append(rw.Resource(f"resource {j}", budget, largest, every=every, carry_over=carry_over))
    return found


@st.composite
def caps(draw: st.DrawFn, arms: tuple[str, ...]) -> list[rw.Resource]:
    """Caps of some arms or all."""
    found = []
    for j in range(draw(st.integers(0, 2))):
        every, named = draw(st.none() | durations(HORIZON)), draw(st.lists(st.sampled_from(arms), unique=True))
        carry_over = every is not None and draw(st.booleans())
        found.append(
            rw.at_most(draw(st.integers(1, 4)), every=every, arms=named or None, carry_over=carry_over, name=f"cap {j}")
        )
    return found


@st.composite
def problems(draw: st.DrawFn, unknown: bool = False, soft: bool = True) -> rw.Problem:
    """A few arms, a few limits; without `soft`, no budget ends the game."""
    names = ARMS[: draw(st.integers(1, 4))]
    arms = [
        rw.unknown_arm(name, half_life={"about": 2, "between": [1, 5]})
        if unknown
        else rw.everyday_arm(name, rested=0.4 + 0.1 * a, wear=0.3 + 0.2 * a, half_life=1 + a)
        for a, name in enumerate(names)
    ]
    gaps = [
        rw.Gap(draw(durations(6)), arms=draw(st.lists(st.sampled_from(names), unique=True)) or None)
        for _ in range(draw(st.integers(0, 2)))
    ]
    budgets: Any = [each for each in draw(resources()) if soft or each.hard]
    limits = [*draw(caps(names)), *budgets]
    return rw.Problem(arms, limits, HORIZON, draw(st.booleans()), rounds_per_day=2, gaps=gaps)


COSTS = (rw.Cost.fixed(0.3), rw.Cost.uniform(0.1, 0.9), rw.Cost.bernoulli(0.5), rw.Cost.choices([0.0, 0.25, 1.0]))


@st.composite
def worlds(draw: st.DrawFn, soft: bool = True) -> rw.World:
    """The truth about such problems; outcomes are told at once."""
    problem = draw(problems(soft=soft))
    costs = [[draw(st.sampled_from(COSTS)) for _ in problem.told] for _ in problem.arms]
    return rw.World(problem, [0.0] * len(problem.arms), costs)


def largest_costs(world: rw.World) -> dict[str, dict[str, float]]:
    """What a pull of each arm may take of each resource that has costs."""
    told = [resource.name for resource in world.problem.resources if resource.counts is None]
    rows = zip(world.arms, world.costs, strict=True)
    return {arm.name: dict(zip(told, (cost.largest for cost in row), strict=False)) for arm, row in rows}
