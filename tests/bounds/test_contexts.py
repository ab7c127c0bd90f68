"""Exact values and bounds of worlds with contexts, against a program of our own that goes through it by hand."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.bounds.in_contexts import build_context_game, try_context_prices
from roguewk.bounds.tiny import Tiny
from roguewk.bounds.upper import _minimise
from tests.problem.rules import Pull, Rules
from tests.problem.surrounded import days_of

HALF, COIN = rw.Cost.fixed(0.5), rw.Cost.bernoulli(0.5)
MOOD = rw.Context("mood", ["usual", "eager"], chances=[0.75, 0.25])
SKY = rw.Context("sky", ["sun", "rain", "never"], chances=[0.5, 0.5, 0.0])
HOUR = rw.Context("hour", cycle=["day", "night"])
WEEK = rw.Context("week", cycle=["work", "rest", "work"], each=2)

Pulls = tuple[tuple[int | None, tuple[float, ...]], ...]

# Contexts, what they do to two arms, resources, costs, gaps, and what else the problem has.
TINY: dict[str, dict[str, Any]] = {
    "drawn": {"contexts": [MOOD], "whens": [{"eager": 1.0}, {"usual": 0.3}]},
    "drawn, forbidden": {"contexts": [MOOD], "whens": [{"eager": False}, {"usual": False, "eager": -0.5}]},
    "drawn, all forbidden": {"contexts": [MOOD], "whens": [{"usual": False}, {"usual": False}]},
    "two drawn": {"contexts": [MOOD, SKY], "whens": [{"eager": 1.0, "rain": -1.0}, {"rain": False}]},
    "a cycle": {"contexts": [HOUR], "whens": [{"night": -1.5}, {"day": False}]},
    "two cycles": {"contexts": [HOUR, WEEK], "whens": [{"night": -1.0, "rest": 0.5}, {"rest": False}]},
    "both": {"contexts": [MOOD, HOUR], "whens": [{"eager": 1.0, "night": False}, {"night": 0.5, "eager": -0.5}]},
    "with a budget": {"contexts": [MOOD, HOUR], "whens": [{"eager": 1.5}, {"night": False}],
                      "resources": [rw.Resource("euros", 1.5)], "costs": [[HALF], [COIN]]},
    "with a budget that renews": {"contexts": [MOOD], "whens": [{"eager": 1.5}, None],
                                  "resources": [rw.Resource("hours", 1.0, every=3)], "costs": [[HALF], [COIN]]},
    "with a cap and a gap": {"contexts": [HOUR], "whens": [{"night": 1.0}, {"night": False}],
                             "resources": [rw.at_most(2, every=4)], "gaps": [rw.Gap(2, arms="arm 0")]},
    "with a baseline": {"contexts": [MOOD], "whens": [{"eager": 1.0}, {"usual": False}],
                        "baseline": rw.Baseline(0.5, at_end=0.3)},
    "with a drift, a cap and a gap": {"contexts": [HOUR], "whens": [{"night": 1.0}, {"night": -0.5}],
                                      "resources": [rw.at_most(1, every=2), rw.Resource("hours", 1.0, every=3)],
                                      "costs": [[HALF], [COIN]], "gaps": [rw.Gap(2, arms="arm 0")],
                                      "baseline": rw.Baseline(0.1, at_end=0.8)},
    "with a drift that ends it": {"contexts": [], "whens": [None, None], "resources": [rw.at_most(1, every=2)],
                                  "gaps": [rw.Gap(3, arms="arm 1")], "baseline": rw.Baseline(0.7, at_end=0.05)},
    "with a baseline and a budget": {"contexts": [MOOD, HOUR], "whens": [{"eager": 1.0}, {"night": -0.5}],
                                     "resources": [rw.Resource("euros", 1.0)], "costs": [[HALF], [COIN]],
                                     "baseline": rw.Baseline(0.4)},
    "at a loss": {"contexts": [MOOD], "whens": [{"usual": -1.5, "eager": -1.0}, {"usual": -1.2, "eager": -1.4}],
                  "family": "gaussian", "resources": [rw.Resource("euros", 1.0)], "costs": [[HALF], [COIN]]},
}  # fmt: skip


def tiny(name: str, idle: bool, horizon: int) -> rw.World:
    """Two arms of which the first is better and wears more; what policies are told of chances does not matter."""
    of = {"resources": [], "costs": [[], []], "gaps": [], "baseline": None, "family": "bernoulli", **TINY[name]}
    sigma = 0.5 if of["family"] == "gaussian" else None
    arms = [
        rw.everyday_arm(f"arm {a}", rested=r, wear=wear, half_life=h, family=of["family"], sigma=sigma, when=when)
        for a, ((r, wear, h), when) in enumerate(zip([(0.8, 1.5, 1.5), (0.5, 0.4, 1.0)], of["whens"], strict=True))
    ]
    told = [rw.Context(each.name, each.values) if each.drawn and horizon % 2 else each for each in of["contexts"]]
    problem = rw.Problem(arms, of["resources"], horizon, idle, gaps=of["gaps"], contexts=told, baseline=of["baseline"])
    return rw.World(problem, [0.0, 0.0], of["costs"], contexts=of["contexts"])


class ByHand:
    """The largest expected reward, by going through every game that can be played, and every draw in it."""

    def __init__(self, world: rw.World) -> None:
        self.world, self.problem, self.days = world, world.problem, days_of(world)
        self.names = [arm.name for arm in world.arms]
        self.idle = world.idle_means
        self.known: dict[Pulls, float] = {}

    def draws(self, t: int) -> list[tuple[float, dict[str, str]]]:
        """What the contexts may be in a round, with chances."""
        drawn = [context for context in self.world.contexts if context.drawn]
        found = []
        for combination in itertools.product(*(range(len(context.values)) for context in drawn)):
            pairs = list(zip(drawn, combination, strict=True))
            chance = math.prod((context.chances or ())[i] for context, i in pairs)
            if chance > 0:
                found.append((chance, self.days.at(t, {context.name: context.values[i] for context, i in pairs})))
        return found

    def mean_reward(self, a: int, game: Pulls, shift: float) -> float:
        arm = self.world.arms[a]
        x = float(self.world.x0[a][0])
        for pulled, _ in game:
            x = arm.matrix.item() * x + arm.push.item() * (pulled == a)
        level = arm.alpha + arm.weights.item() * x + shift
        return level if arm.family == "gaussian" else 1.0 / (1.0 + math.exp(-level))

    def may(self, game: Pulls) -> list[int]:
        """The arms that limits allow after this game."""
        told = [each for each in self.problem.resources if each.counts is None]
        largest = {
            name: {each.name: cost.largest for each, cost in zip(told, row, strict=False)}
            for name, row in zip(self.names, self.world.costs, strict=True)
        }
        rules = Rules(self.problem, largest)
        for t, (arm, costs) in enumerate(game):
            if arm is not None:
                rules.pulls[t] = Pull(self.names[arm])
                rules.tell(t, list(costs))
        return [self.names.index(name) for name in rules.free(len(game))]

    def ended(self, game: Pulls) -> bool:
        told = [each for each in self.problem.resources if each.counts is None]
        return any(
            each.every is None and sum(c[j] for arm, c in game if arm is not None) > each.budget * (1 + 1e-9)
            for j, each in enumerate(told)
        )

    def outcomes(self, a: int) -> list[tuple[float, tuple[float, ...]]]:
        found: list[tuple[float, tuple[float, ...]]] = [(1.0, ())]
        for cost in self.world.costs[a][: len(self.problem.told)]:
            found = [(p * q, (*costs, each)) for p, costs in found for q, each in cost.atoms or ()]
        return [(chance, costs) for chance, costs in found if chance > 0]

    def value(self, game: Pulls = ()) -> float:
        """What the best play expects from here on."""
        t = len(game)
        if t == self.problem.horizon:
            return 0.0
        if game not in self.known:
            self.known[game] = sum(chance * self.best(game, values) for chance, values in self.draws(t))
        return self.known[game]

    def best(self, game: Pulls, values: dict[str, str]) -> float:
        """The same once the contexts of the round are seen."""
        t = len(game)
        may = [a for a in self.may(game) if self.days.allows(self.names[a], values)]
        options = [] if may and not self.problem.idle else [self.idle[t] + self.value((*game, (None, ())))]
        for a in may:
            found = 0.0
            for chance, costs in self.outcomes(a):
                after = (*game, (a, costs))
                now = self.mean_reward(a, game, self.days.shift(self.names[a], values))
                found += chance * (float(self.idle[t:].sum()) if self.ended(after) else now + self.value(after))
            options.append(found)
        return float(max(options))


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", list(TINY))
def test_exact_values_keep_to_the_contexts_and_no_bound_is_below_them(name: str, idle: bool) -> None:
    for horizon in (4, 5):
        world = tiny(name, idle, horizon)
        by_hand = ByHand(world).value()
        assert rw.exact(world).value == pytest.approx(by_hand, abs=1e-9)
        bound = rw.upper_bound(world)
        assert bound.value >= by_hand - 1e-9
        if bound.status == "exact":
            assert bound.value == pytest.approx(by_hand)


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", list(TINY))
def test_no_prices_give_less_than_the_exact_value(name: str, idle: bool) -> None:
    """The Lagrangian part alone, at its best prices and at any others."""
    world = tiny(name, idle, 6)
    exact = rw.exact(world).value - world.idle_means.sum()
    game = build_context_game(world, 1e-4)
    bound, _ = _minimise(game)
    assert bound.value >= exact - 1e-9
    assert bound.value <= 6 * max(exact, 0.3)
    rng = np.random.default_rng(3)
    for _ in range(15):
        prices = rng.exponential(0.1, len(game.budgets) + 1) * (rng.random(len(game.budgets) + 1) < 0.7)
        assert try_context_prices(game, prices).bound >= exact - 1e-9


@pytest.mark.parametrize("drift", [(0.1, 0.8), (0.7, 0.05)])
@pytest.mark.parametrize("beside", [[], [rw.at_most(1, every=2, name="beside")]])
def test_a_period_as_long_as_a_game_that_drifts_has_one_price_and_no_bound_is_below_the_exact_value(
    beside: list[rw.Resource], drift: tuple[float, float], monkeypatch: Any
) -> None:
    arms = [
        rw.everyday_arm(f"arm {a}", rested=rested, wear=wear, half_life=half_life)
        for a, (rested, wear, half_life) in enumerate([(0.8, 1.5, 1.5), (0.5, 0.4, 1.0)])
    ]
    limits: Any = ([rw.at_most(2, every=6)], [[], []]), ([rw.Resource("hours", 1.5, every=6)], [[COIN], [HALF]])
    for resources, costs in limits:
        baseline = rw.Baseline(drift[0], at_end=drift[1])
        world = rw.World(rw.Problem(arms, [*resources, *beside], 6, baseline=baseline), [0.0, 0.0], costs)
        by_hand = ByHand(world).value()
        assert rw.exact(world).value == pytest.approx(by_hand, abs=1e-9)
        monkeypatch.setattr("roguewk.bounds.upper.tiny_value", lambda world, idle: Tiny(math.inf, exact=False))
        bound = rw.upper_bound(world)
        assert by_hand - 1e-9 <= bound.value <= by_hand + 0.5
        assert bound.prices.shape == (len(world.problem.resources),)


def test_what_is_pulled_at_prices_is_how_the_bound_falls_with_them() -> None:
    """By the envelope theorem, pulls in an occasion are the slope of an arm's worth in the price of its rounds."""
    world = tiny("both", True, 40)
    game = build_context_game(world, 1e-5)
    rng = np.random.default_rng(4)
    arms = len(game.lattices)
    for _ in range(5):
        prices = np.append(rng.uniform(0.0, 0.3, len(game.budgets)), 0.05)
        trial = try_context_prices(game, prices)
        pulls = trial.pulls.reshape(arms, -1).sum(axis=0) @ game.groups
        for k in range(pulls.size):
            up, down = prices.copy(), prices.copy()
            place = len(game.budgets) - pulls.size + k
            up[place] += 1e-4
            down[place] -= 1e-4
            slope = (try_context_prices(game, up).bound - try_context_prices(game, down).bound) / 2e-4
            assert slope == pytest.approx(game.budgets[place] - pulls[k], abs=0.05)


def one_arm(contexts: list[rw.Context], when: Any, horizon: int) -> rw.World:
    arm = rw.everyday_arm("tip", rested=0.7, wear=0.8, half_life=3, when=when)
    return rw.World(rw.Problem([arm], [], horizon, idle=True, contexts=contexts), [0.0], [[]])


@pytest.mark.parametrize(("contexts", "when"), [
    ([MOOD], {"eager": 1.0, "usual": -0.5}),
    ([HOUR], {"night": False}),
    ([MOOD, HOUR], {"night": -1.0, "eager": False}),
])  # fmt: skip
def test_the_bound_of_one_arm_without_budgets_is_its_dynamic_program(contexts: Any, when: Any) -> None:
    """On a grid a hundred times as fine, by NumPy."""
    world, horizon = one_arm(contexts, when, 50), 50
    arm, by_hand = world.arms[0], ByHand(one_arm(contexts, when, 50))
    low = arm.push.item() / (1 - arm.matrix.item())
    x = np.linspace(low, 0.0, 20_001)
    value = np.zeros(x.size)
    for t in reversed(range(horizon)):
        rested = np.interp(arm.matrix.item() * x, x, value)
        pulled = np.interp(arm.matrix.item() * x + arm.push.item(), x, value)
        after = np.zeros(x.size)
        for chance, values in by_hand.draws(t):
            level = arm.alpha + x + by_hand.days.shift("tip", values)
            best = np.maximum(rested, 1 / (1 + np.exp(-level)) + pulled)
            after += chance * (best if by_hand.days.allows("tip", values) else rested)
        value = after
    bound = rw.upper_bound(world)
    assert value[-1] - 1e-6 <= bound.value <= value[-1] + 2e-3


def test_contexts_that_do_nothing_do_nothing_to_the_bound() -> None:
    for world in (
        rw.catalog.paper(budget=100, idle=True),
        rw.catalog.messages(),
        rw.catalog.two_dimensional(idle=True),
    ):
        problem = world.problem
        idle = rw.Problem(world.arms, problem.resources, problem.horizon, True, contexts=[MOOD, HOUR, WEEK])
        with_, without = rw.upper_bound(rw.World(idle, world.x0, world.costs)), rw.upper_bound(world, idle=True)
        assert with_.value == pytest.approx(without.value, rel=5e-4)
        assert with_.prices == pytest.approx(without.prices, rel=0.15, abs=0.02)


def test_no_policy_beats_the_bound_and_the_planner_comes_near() -> None:
    arms = [
        rw.everyday_arm("walk", rested=0.5, wear=0.6, half_life=6, when={"rest": 0.8, "rain": False}),
        rw.everyday_arm("read", rested=0.4, wear=0.3, half_life=3, when={"rain": 0.7, "night": -1.0}),
        rw.everyday_arm("call", rested=0.6, wear=0.9, half_life=10, when={"night": False, "eager": 1.2}),
    ]
    for budget in (25.0, 80.0):
        problem = rw.Problem(arms, [rw.Resource("minutes", budget)], 300, idle=True, contexts=[MOOD, SKY, HOUR, WEEK])
        world = rw.World(problem, [0.0] * 3, [[0.3], [0.2], [rw.Cost.uniform(0.2, 0.8)]])
        bound = rw.upper_bound(world)
        assert bound.status == "converged"
        names = ["clairvoyant", "roguewk-plan", "roguewk-ucb", "roguewk-ts", "ucb1", "ts-lp-resolved", "whittle"]
        summary = rw.simulate(world, names, replicates=60, seed=2).summary()
        earned = dict(zip(summary["policy"], summary["expected_reward"].to_numpy(), strict=True))
        error = 4 * float(summary["standard_error"].max())
        assert max(earned.values()) <= bound.value + error
        assert earned["clairvoyant"] > 0.85 * bound.value
        assert earned["roguewk-plan"] > earned["ucb1"]


def test_the_paper_has_no_contexts_and_says_so() -> None:
    world = tiny("drawn", True, 6)
    for refused in (rw.theorem, rw.nlp):
        with pytest.raises(rw.InputError, match=r"differ by contexts: take rw\.upper_bound"):
            refused(world)
    report = rw.check_assumptions(world)
    assert next(check for check in report.checks if check.label == "6").holds is False
    assert "C" not in [check.label for check in report.checks]
    never = rw.Arm("walk", alpha=0.0, when={"day": False, "night": False})
    report = rw.check_assumptions(rw.Problem([never, rw.Arm("read", alpha=0.0)], [], 9, contexts=[HOUR]))
    assert "'walk' is forbidden in all that there may be" in report.checks[-1].sentence


def test_rewards_below_zero_are_seen_where_only_contexts_make_them() -> None:
    """Who must play at a loss is glad of a budget that is over: the smallest costs would bound too low."""
    world = tiny("at a loss", False, 4)
    problem, fewer = world.problem, [[rw.Cost.choices([0.2, 1.0])], [COIN]]
    uneven = rw.World(problem, world.x0, [[rw.Cost.uniform(0.2, 1.0)], [COIN]], contexts=[MOOD])
    by_hand = rw.exact(rw.World(problem, world.x0, fewer, contexts=[MOOD])).value
    assert by_hand < 0
    assert rw.upper_bound(uneven).value >= by_hand - 1e-9
