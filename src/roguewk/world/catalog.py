"""Worlds with a story, to try policies on; each is a function, and `get` finds it by name."""

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from roguewk.problem.arm import Arm, link
from roguewk.problem.baseline import Baseline
from roguewk.problem.context import Context
from roguewk.problem.errors import InputError, known, shown, whole
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Gap, Resource, at_most
from roguewk.world.cost import Cost
from roguewk.world.world import World


def _started(arm: Arm, start: float) -> float:
    """The state at which this everyday arm has the mean reward `start`."""
    return link(start, arm.family, f"start of arm {arm.name!r}") - arm.alpha


def _world(
    rows: Sequence[tuple[Arm, Any, Sequence[Cost]]],
    resources: Sequence[tuple[str, float, float]],
    horizon: int,
    idle: bool,
) -> World:
    """A world from (arm, x0, costs) and (resource, budget per round, largest cost); X grows to hold x0."""
    rounds = whole(horizon, "horizon", 1)
    arms = [arm.widened([x0] if arm.dimension == 1 else x0) for arm, x0, _ in rows]
    stock = [Resource(name, per_round * rounds, largest) for name, per_round, largest in resources]
    return World(Problem(arms, stock, horizon, idle), [x0 for _, x0, _ in rows], [costs for _, _, costs in rows])


def paper(budget: float = 300.0, horizon: int = 1000, idle: bool = False) -> World:
    """Return Tables 1 and 2 of He and Mintz: three logistic arms, three resources with uniform costs.

    Arm 0 is steady but takes much of resource 2, arm 1 is moderate, arm 2 wears off and recovers strongly.

    >>> import roguewk as rw
    >>> rw.catalog.paper(budget=100).problem.budgets
    array([100., 100., 100.])
    """
    dynamics = (
        (0.1, 0.2, -0.5, 0.8, 0.2, 0.8),
        (0.3, 0.7, -1.2, 0.4, 0.5, 0.3),
        (0.9, 0.5, -2.0, 1.0, 0.1, 1.0),
    )
    supports = (
        ((0.1, 0.2), (0.6, 0.8), (0.3, 0.5)),
        ((0.2, 0.3), (0.3, 0.4), (0.1, 0.5)),
        ((0.2, 0.3), (0.2, 0.4), (0.1, 0.3)),
    )
    arms = [
        Arm(f"arm {i}", A=A, B=B, K=K, alpha=alpha, beta=beta, state=(-3.0, 3.0))
        for i, (_, A, B, K, alpha, beta) in enumerate(dynamics)
    ]
    resources = [Resource(f"resource {j}", budget, 1.0) for j in (1, 2, 3)]
    costs = [[Cost.uniform(*ends) for ends in row] for row in supports]
    return World(Problem(arms, resources, horizon, idle), [row[0] for row in dynamics], costs)


def one_resource(horizon: int = 1000, idle: bool = False) -> World:
    """Return the smallest interesting world: a dear good arm and a cheap fair one share one budget.

    Both tire, so the right mixture beats either arm alone.

    >>> import roguewk as rw
    >>> rw.catalog.one_resource().mean_costs
    array([[0.6 ],
           [0.15]])
    """
    dear = everyday_arm("dear", rested=0.85, wear=0.7, half_life=3)
    cheap = everyday_arm("cheap", rested=0.5, wear=0.4, half_life=5)
    rows = [
        (dear, _started(dear, 0.6), [Cost.uniform(0.5, 0.7)]),
        (cheap, _started(cheap, 0.5), [Cost.uniform(0.1, 0.2)]),
    ]
    return _world(rows, [("money", 0.3, 1.0)], horizon, idle)


def many_arms(horizon: int = 2000, idle: bool = False, arms: int = 20) -> World:
    """Return a long menu: every combination of good and poor, dear and cheap, quick and slow to recover, by formula.

    Fractional parts of multiples of three irrational numbers spread the arms evenly, with no random seed.

    >>> import roguewk as rw
    >>> len(rw.catalog.many_arms().problem.arms)
    20
    """
    rows: list[tuple[Arm, float, list[Cost]]] = []
    for i in range(1, whole(arms, "arms", 1, 1000) + 1):
        quality, pace, price = (math.modf(i * math.sqrt(prime))[0] for prime in (2, 3, 5))
        half_life = 1 + 7 * pace
        arm = everyday_arm(f"item {i}", rested=0.35 + 0.5 * quality, wear=0.4 + 1.2 * (1 - pace), half_life=half_life)
        share = 0.1 + 0.6 * price
        costs = [Cost.uniform(0.5 * share, 1.5 * share), Cost.bernoulli(0.8 - share)]
        rows.append((arm, _started(arm, 0.3 + 0.3 * pace), costs))
    return _world(rows, [("time", 0.25, 1.05), ("stock", 0.3, 1.0)], horizon, idle)


def slow_recovery(horizon: int = 1000, idle: bool = False) -> World:
    """Return arms that keep about 95 % of their wear each round, so that a use is felt for dozens of rounds.

    Starts matter for long, and leaving an arm alone is an investment.

    >>> import roguewk as rw
    >>> [arm.A for arm in rw.catalog.slow_recovery().problem.arms]
    [0.95, 0.94, 0.96]
    """
    rows = [
        (Arm("lecture", A=0.95, B=-0.30, alpha=1.2), -3.0, [Cost.uniform(0.2, 0.4), Cost.fixed(0.1)]),
        (Arm("exercise", A=0.94, B=-0.20, alpha=0.6), -0.5, [Cost.uniform(0.1, 0.3), Cost.uniform(0.2, 0.4)]),
        (Arm("game", A=0.96, B=-0.45, alpha=2.0), -6.0, [Cost.bernoulli(0.3), Cost.uniform(0.3, 0.7)]),
    ]
    return _world(rows, [("teacher", 0.2, 1.0), ("rooms", 0.25, 1.0)], horizon, idle)


def two_dimensional(horizon: int = 1000, idle: bool = False) -> World:
    """Return training with two kinds of fatigue per arm: a fast one gone in days and a slow one that lasts weeks.

    A share of the fast fatigue turns into slow fatigue; "stretch" has a plain scalar state beside them.

    >>> import roguewk as rw
    >>> [arm.dimension for arm in rw.catalog.two_dimensional().problem.arms]
    [2, 2, 1]
    """
    sprint = Arm("sprint", A=[[0.4, 0.0], [0.1, 0.9]], B=[-1.0, -0.1], K=[0.0, 0.0], alpha=1.0, beta=[1.0, 0.6])
    run = Arm("run", A=[[0.6, 0.0], [0.05, 0.8]], B=[-0.5, -0.2], K=[0.0, 0.0], alpha=0.6, beta=[1.0, 0.8])
    stretch = everyday_arm("stretch", rested=0.4, wear=0.1, half_life=2)
    rows = [
        (sprint, [-0.2, -1.5], [Cost.uniform(0.4, 0.8), Cost.uniform(0.2, 0.4)]),
        (run, [-0.4, -0.3], [Cost.uniform(0.2, 0.6), Cost.uniform(0.3, 0.5)]),
        (stretch, 0.0, [Cost.uniform(0.0, 0.1), Cost.uniform(0.1, 0.2)]),
    ]
    return _world(rows, [("energy", 0.25, 1.0), ("coaching", 0.22, 1.0)], horizon, idle)


def gaussian(horizon: int = 1000, idle: bool = False) -> World:
    """Return a shop whose promotions bring a normally distributed turnover that fades with repetition.

    >>> import roguewk as rw
    >>> {arm.family for arm in rw.catalog.gaussian().problem.arms}
    {'gaussian'}
    """
    coupon = everyday_arm("coupon", rested=2.0, wear=0.8, half_life=3, family="gaussian", sigma=0.5)
    poster = everyday_arm("poster", rested=1.2, wear=0.2, half_life=6, family="gaussian", sigma=0.3)
    tasting = everyday_arm("tasting", rested=3.0, wear=1.5, half_life=2, family="gaussian", sigma=1.0)
    rows = [
        (coupon, _started(coupon, 1.0), [Cost.uniform(0.2, 0.5), Cost.beta(2, 8)]),
        (poster, _started(poster, 1.2), [Cost.uniform(0.1, 0.2), Cost.beta(2, 10)]),
        (tasting, _started(tasting, 2.0), [Cost.uniform(0.4, 0.8), Cost.beta(4, 6)]),
    ]
    return _world(rows, [("goods", 0.3, 1.0), ("staff", 0.22, 1.0)], horizon, idle)


def mobile_health(horizon: int = 900) -> World:
    """Return half a year of messages to one person, at five times a day, or silence; the reward is a walk in the hour.

    Who gets no message may walk all the same, ever more of them. Coaches have two hours a week, and call twice at the
    most; there are two messages a day at the most, and a rest of one time after each. Nobody is told anything while
    driving or called at work; tips work best at home, and everything at weekends. What silence brings is not told.

    >>> import roguewk as rw
    >>> world = rw.catalog.mobile_health()
    >>> [resource.name for resource in world.problem.resources]
    ['staff minutes', 'calls', 'messages']
    >>> [context.name for context in world.problem.contexts], world.problem.gaps[0].least, world.baseline.reward
    (['place', 'day'], 2, 0.12)
    """
    rows = [
        ("reminder", 0.35, 0.6, 4, {"driving": False, "weekend": 0.3}, Cost.fixed(0.0)),
        ("personal tip", 0.5, 0.8, 8, {"driving": False, "home": 0.4, "weekend": 0.3}, Cost.uniform(2.0, 8.0)),
        ("call from a coach", 0.75, 1.2, 10, {"driving": False, "work": False, "weekend": 0.3}, Cost.uniform(10, 40)),
    ]
    arms = [
        everyday_arm(name, rested=rested, wear=wear, half_life=half_life, known_start="rested", when=when)
        for name, rested, wear, half_life, when, _ in rows
    ]
    problem = Problem(
        arms,
        [
            Resource("staff minutes", 120.0, every="7 days"),
            at_most(2, "7 days", "call from a coach", name="calls"),
            at_most(2, "1 day", name="messages"),
        ],
        horizon=horizon,
        rounds_per_day=5,
        gaps=[Gap(2)],
        contexts=[
            Context("place", ["home", "work", "driving"], chances=[0.55, 0.33, 0.12]),
            Context("day", cycle=["workday"] * 5 + ["weekend"] * 2, each="1 day"),
        ],
        baseline=Baseline(0.12, at_end=0.18, known=False),
    )
    return World(problem, [0.0] * len(rows), [[cost] for *_, cost in rows])


def messages(horizon: int = 900, idle: bool = True) -> World:
    """Return the same in the paper's terms: two budgets for half a year, in rounds that are all alike.

    A message may interrupt (0 or 1 interruption) and may need minutes of staff time; people get used to each kind.

    >>> import roguewk as rw
    >>> [resource.name for resource in rw.catalog.messages().problem.resources]
    ['interruptions', 'staff minutes']
    """
    reminder = everyday_arm("reminder", rested=0.35, wear=0.6, half_life=4)
    tip = everyday_arm("personal tip", rested=0.5, wear=0.8, half_life=8)
    call = everyday_arm("call from a coach", rested=0.75, wear=1.2, half_life=10)
    rows = [
        (reminder, _started(reminder, 0.35), [Cost.bernoulli(0.6), Cost.fixed(0.0)]),
        (tip, _started(tip, 0.4), [Cost.bernoulli(0.8), Cost.uniform(0.5, 2.0)]),
        (call, _started(call, 0.75), [Cost.fixed(1.0), Cost.choices([1.0, 5.0, 12.0], [0.3, 0.5, 0.2])]),
    ]
    return _world(rows, [("interruptions", 0.3, 1.0), ("staff minutes", 0.6, 12.0)], horizon, idle)


def advertising(horizon: int = 1500, idle: bool = True) -> World:
    """Return a campaign that buys placements in euros and impressions; the reward is a sale; slots may be left empty.

    Every format tires its audience at its own pace.

    >>> import roguewk as rw
    >>> rw.catalog.advertising().problem.scales
    array([  80., 5000.])
    """
    banner = everyday_arm("banner", rested=0.25, wear=0.15, half_life=5)
    video = everyday_arm("video", rested=0.55, wear=0.7, half_life=10)
    search = everyday_arm("search", rested=0.45, wear=0.35, half_life=2)
    letter = everyday_arm("newsletter", rested=0.6, wear=1.0, half_life=12)
    rows = [
        (banner, _started(banner, 0.25), [Cost.uniform(2.0, 6.0), Cost.uniform(1000.0, 5000.0)]),
        (video, _started(video, 0.45), [Cost.uniform(15.0, 40.0), Cost.uniform(300.0, 1500.0)]),
        (search, _started(search, 0.4), [Cost.beta(2, 6, scale=60.0), Cost.uniform(100.0, 600.0)]),
        (letter, _started(letter, 0.3), [Cost.choices([5.0, 80.0], [0.9, 0.1]), Cost.fixed(2000.0)]),
    ]
    return _world(rows, [("euros", 7.0, 80.0), ("impressions", 500.0, 5000.0)], horizon, idle)


_WORLDS: dict[str, Callable[..., World]] = {
    world.__name__: world
    for world in (
        paper, one_resource, many_arms, slow_recovery, two_dimensional, gaussian, messages, advertising,
        mobile_health,
    )
}  # fmt: skip


def names() -> list[str]:
    """List the worlds of the catalogue.

    >>> import roguewk as rw
    >>> rw.catalog.names()[:3]
    ['paper', 'one_resource', 'many_arms']
    """
    return list(_WORLDS)


def get(name: str, **options: Any) -> World:
    """Make a world of the catalogue by name; options are those of its function.

    >>> import roguewk as rw
    >>> rw.catalog.get("paper", horizon=50).problem.horizon
    50
    """
    if not isinstance(name, str):
        raise InputError(f"the name of a world is {shown(name)}: give one of {', '.join(_WORLDS)}")
    known(name, _WORLDS, "world")
    for option in options:
        known(option, inspect.signature(_WORLDS[name]).parameters, f"option of world {name!r}:")
    return _WORLDS[name](**options)
