"""Time per round as the horizon and the number of arms grow."""

import numpy as np

import roguewk as rw
from benchmarks.clock import line, seconds

ROUNDS = 1_000_000


def _per_round(world: rw.World) -> float:
    replicates = max(1, ROUNDS // world.problem.horizon)
    rounds = int(rw.simulate(world, "roguewk-ucb", replicates).frame()["rounds"].sum())
    return seconds(lambda: rw.simulate(world, "roguewk-ucb", replicates, threads=1)) / rounds


def many_arms(count: int, resource_count: int = 3, horizon: int = 10_000) -> rw.World:
    rng = np.random.default_rng(count)
    arms = [
        rw.Arm(f"arm {a}", A=rng.uniform(0.2, 0.7), B=rng.uniform(-2, -0.5), K=0.8, alpha=0.2, beta=0.8, state=(-7, 7))
        for a in range(count)
    ]
    resources = [rw.Resource(f"resource {j}", 0.3 * horizon) for j in range(resource_count)]
    costs = [[rw.Cost.uniform(0.1, rng.uniform(0.2, 0.9)) for _ in resources] for _ in arms]
    return rw.World(rw.Problem(arms, resources, horizon), [0.1] * count, costs)


def report() -> None:
    """Both, as ratios."""
    print("Time per round of ROGUEwK-UCB, one thread")
    base = 0.0
    for horizon in (1_000, 10_000, 100_000):
        spent = _per_round(rw.catalog.paper(budget=0.3 * horizon, horizon=horizon))
        base = base or spent
        line(f"T = {horizon:,}: {spent * 1e6:.3f} us, over T = 1,000", f"{spent / base:.2f} x", "wanted: flat")
    # There the linear program is solved in 45 % of the rounds at T = 1,000 and in 94 % at T = 100,000; here never.
    base = 0.0
    for horizon in (1_000, 100_000):
        spent = _per_round(rw.catalog.paper(budget=10.0 * horizon, horizon=horizon))
        base = base or spent
        line(f"T = {horizon:,}, budgets ample: {spent * 1e6:.3f} us", f"{spent / base:.2f} x", "wanted: flat")
    base = 0.0
    for count in (3, 10, 25, 50):
        spent = _per_round(many_arms(count)) / count
        base = base or spent
        line(f"m = {count}: {spent * count * 1e6:.3f} us, per arm over m = 3", f"{spent / base:.2f} x", "near-linear")
