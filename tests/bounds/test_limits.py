"""Exact values and bounds of worlds with limits, against a program of our own that goes through everything by hand."""

import math
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from tests.problem.rules import Pull, Rules

HOUR, HALF, COIN = rw.Cost.fixed(1.0), rw.Cost.fixed(0.5), rw.Cost.bernoulli(0.5)
UNEVEN = rw.Cost.choices([0.2, 0.6, 1.0], [0.5, 0.3, 0.2])

# Resources, gaps and horizon; costs are those of two arms, by resource that has costs.
TINY: dict[str, tuple[list[rw.Resource], list[rw.Gap], list[list[rw.Cost]]]] = {
    "renews": ([rw.Resource("hours", 1.0, every=3)], [], [[HOUR], [HALF]]),
    "renews, last period short": ([rw.Resource("hours", 1.5, every=4)], [], [[COIN], [HALF]]),
    "renews, uneven costs": ([rw.Resource("hours", 1.3, every=3)], [], [[UNEVEN], [COIN]]),
    "carries over": ([rw.Resource("hours", 0.6, every=2, carry_over=True)], [], [[HOUR], [COIN]]),
    "capped": ([rw.at_most(2)], [], [[], []]),
    "one capped": ([rw.at_most(1, every=3, arms="arm 0")], [], [[], []]),
    "cap carries over": ([rw.at_most(1, every=2, carry_over=True)], [], [[], []]),
    "gap": ([], [rw.Gap(3, arms="arm 0")], [[], []]),
    "gap of all": ([], [rw.Gap(2)], [[], []]),
    "renews beside a budget that ends": (
        [rw.Resource("hours", 1.0, every=3), rw.Resource("euros", 1.5)], [], [[COIN, HALF], [HALF, COIN]],
    ),
    "capped beside a budget that ends": ([rw.Resource("euros", 1.5), rw.at_most(1, 2, "arm 0")], [], [[COIN], [HALF]]),
    "all together": (
        [rw.Resource("hours", 1.2, every=3), rw.Resource("euros", 2.0), rw.at_most(1, every=2, arms="arm 1")],
        [rw.Gap(2, arms="arm 0")],
        [[COIN, HALF], [HALF, COIN]],
    ),
}  # fmt: skip


def tiny(name: str, idle: bool, horizon: int = 6) -> rw.World:
    """Two arms of which the first is better and wears more, rested at the start, as everybody knows."""
    resources, gaps, costs = TINY[name]
    arms = [
        rw.everyday_arm(f"arm {a}", rested=rested, wear=wear, half_life=half_life, known_start="rested")
        for a, (rested, wear, half_life) in enumerate([(0.8, 1.5, 1.5), (0.5, 0.4, 1.0)])
    ]
    problem = rw.Problem(arms, resources, horizon, idle, gaps=gaps)
    return rw.World(problem, [0.0, 0.0], [[cost.told() for cost in row] for row in costs])


class ByHand:
    """The largest expected reward, by going through every game that can be played, pull by pull."""

    def __init__(self, world: rw.World) -> None:
        self.world, self.problem = world, world.problem
        self.names = [arm.name for arm in world.arms]
        self.told = [resource for resource in self.problem.resources if resource.counts is None]
        self.largest = {
            name: {each.name: cost.largest for each, cost in zip(self.told, row, strict=False)}
            for name, row in zip(self.names, world.costs, strict=True)
        }
        self.known: dict[Any, float] = {}

    def mean_reward(self, a: int, pulls: tuple[int | None, ...]) -> float:
        """Of an arm after these pulls, by the formulas of the paper, with the numbers of the arm."""
        arm = self.world.arms[a]
        x = float(self.world.x0[a][0])
        for pulled in pulls:
            x = arm.matrix.item() * x + arm.push.item() * (pulled == a) + arm.pull_back.item()
        return 1.0 / (1.0 + math.exp(-(arm.alpha + arm.weights.item() * x)))

    def may(self, game: tuple[tuple[int | None, tuple[float, ...]], ...]) -> list[int]:
        """The arms that limits allow after this game."""
        rules = Rules(self.problem, self.largest)
        for t, (arm, costs) in enumerate(game):
            if arm is not None:
                rules.pulls[t] = Pull(self.names[arm])
                rules.tell(t, list(costs))
        return [self.names.index(name) for name in rules.free(len(game))]

    def ended(self, game: tuple[tuple[int | None, tuple[float, ...]], ...]) -> bool:
        """Whether a budget for the whole game is overspent."""
        for j, resource in enumerate(self.told):
            spent = sum(costs[j] for arm, costs in game if arm is not None)
            if resource.every is None and spent > resource.budget * (1 + 1e-9):
                return True
        return False

    def value(self, game: tuple[tuple[int | None, tuple[float, ...]], ...] = ()) -> float:
        """What the best play expects from here on."""
        if len(game) == self.problem.horizon:
            return 0.0
        if game not in self.known:
            may, pulls = self.may(game), tuple(arm for arm, _ in game)
            options = [] if may and not self.problem.idle else [self.value((*game, (None, ())))]
            for a in may:
                now, found = self.mean_reward(a, pulls), 0.0
                for chance, costs in self.outcomes(a):
                    after = (*game, (a, costs))
                    if not self.ended(after):
                        found += chance * (now + self.value(after))
                options.append(found)
            self.known[game] = max(options)
        return self.known[game]

    def outcomes(self, a: int) -> list[tuple[float, tuple[float, ...]]]:
        """What a pull may take, with chances."""
        found: list[tuple[float, tuple[float, ...]]] = [(1.0, ())]
        for cost in self.world.costs[a][: len(self.told)]:
            assert cost.atoms is not None
            found = [(p * q, (*costs, each)) for p, costs in found for q, each in cost.atoms]
        return [(chance, costs) for chance, costs in found if chance > 0]


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", list(TINY))
def test_exact_values_and_bounds_keep_to_the_rules(name: str, idle: bool) -> None:
    world = tiny(name, idle, horizon=5)
    by_hand = ByHand(world).value()
    assert rw.exact(world).value == pytest.approx(by_hand, abs=1e-9)
    for round_prices in ("constant", "varying"):
        assert rw.upper_bound(world, round_prices=round_prices).value >= by_hand - 1e-9


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", list(TINY))
def test_bounds_by_prices_alone_are_no_lower_than_exact_values(name: str, idle: bool, monkeypatch: Any) -> None:
    world = tiny(name, idle, horizon=8 if "uneven" not in name and "together" not in name else 6)
    exact = rw.exact(world).value
    monkeypatch.setattr("roguewk.bounds.upper.tiny_value", lambda world, idle: _Unknown())
    for round_prices in ("constant", "varying"):
        bound = rw.upper_bound(world, round_prices=round_prices)
        assert exact - 1e-9 <= bound.value <= 4 * exact
        assert bound.prices.shape == (len(world.problem.resources),)


class _Unknown:
    value, exact = math.inf, False


def test_roguewk_plan_earns_no_more_than_the_exact_value_and_on_average_nearly_that() -> None:
    shares = {}
    for name in TINY:
        world = tiny(name, idle=True)
        exact = rw.exact(world).value
        runs = rw.simulate(world, "roguewk-plan", replicates=400, seed=3)
        earned = runs.frame()["expected_reward"]
        error = earned.std() / math.sqrt(len(earned))
        assert earned.mean() <= exact + 4 * error + 1e-9
        shares[name] = earned.mean() / exact
    assert np.mean(list(shares.values())) > 0.9
    assert min(shares.values()) > 0.65
