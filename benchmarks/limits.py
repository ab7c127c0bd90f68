"""How often limits are broken in millions of rounds (never, or something is wrong), and what planning with them takes.

Worlds with budgets that renew, caps and gaps, that were drawn as those of `roguewk quality --everyday` and never looked
at; outcomes at once, late, and partly missing. What happened is judged here from arms and costs alone.
"""

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import roguewk as rw
from benchmarks.clock import line, seconds
from roguewk.experiment.hostile.everyday import everyday_world

ROUNDS = 300_000
FAMILIES = ("renewing", "caps", "gaps", "all together")
FIRST = 5_000  # world
POLICIES = ("roguewk-plan", "roguewk-ucb", "ts-lp-resolved", "whittle", "ucb1", "exp3")
OUTCOMES = (rw.Outcomes(), rw.Outcomes(delay=(0, 40)), rw.Outcomes(delay=10, missing=0.2))
REPLICATES = 10
SLACK = 1e-9  # of a budget


def report() -> None:
    """Time rounds and count breaks."""
    _time_rounds()
    _count()


def _time_rounds() -> None:
    """The catalogue's deployment has weekly budgets, caps, a gap, places and weekdays, and a baseline."""
    world = rw.catalog.mobile_health()
    rounds = world.problem.horizon
    for policy in ("roguewk-plan", "recharging", "ts-lp-resolved"):
        simulated = seconds(partial(rw.simulate, world, policy, 4, threads=1), 3) / (4 * rounds)
        online = seconds(partial(_play, world, policy), 3) / rounds
        wanted = "wanted: 500 us, 200 us" if policy == "roguewk-plan" else ""
        line(f"{policy}, simulated, online", f"{simulated * 1e6:.1f} us, {online * 1e6:.1f} us a round", wanted)


def _play(world: rw.World, name: str) -> None:
    policy = rw.make_policy(name, world.problem)
    places = itertools.cycle(["home", "work", "home", "driving", "home"])
    for t in range(world.problem.horizon):
        decision = policy.select(context=next(places))
        if decision.arm is not None:
            policy.update(decision, costs=[5.0 * decision.arm])
        policy.update(decision, reward=t % 3 == 0)


def _count() -> None:
    rounds = broken = ended = 0
    for world, policy in games():
        runs = rw.simulate(world, policy, REPLICATES, seed=3, curves=True)
        curves, totals = runs.curves[runs.policies[0]], runs.totals[runs.policies[0]]
        rounds += int(totals["rounds"].sum())
        broken += sum(count_broken(world.problem, *game) for game in zip(curves.arms, curves.costs, strict=True))
        if policy == "roguewk-plan":
            ended += int((totals["stopped_by"] >= 0).sum())
        if rounds >= ROUNDS:
            break
    line("rounds with limits", f"{rounds:,}", f"{len(POLICIES)} policies, wanted: {ROUNDS:,}")
    line("limits broken", f"{broken}", "wanted: 0")
    line("games that a budget ended, roguewk-plan", f"{ended}", "wanted: 0")


def games() -> Iterator[tuple[rw.World, str]]:
    """Worlds without end, each with every policy and one kind of outcomes."""
    for number in itertools.count(FIRST):
        for k, family in enumerate(FAMILIES):
            world = everyday_world(family, number).with_outcomes(OUTCOMES[(number + k) % len(OUTCOMES)])
            for policy in POLICIES:
                yield world, policy


def count_broken(problem: rw.Problem, arms: Any, costs: Any) -> int:
    """Periods in which more was taken than there was, and pulls that followed others too soon; `arms` is (round,)."""
    broken, rounds, horizon = 0, np.arange(arms.size), problem.horizon
    for j, resource in enumerate(problem.resources):
        if not resource.hard:
            continue
        period = horizon if resource.every is None else int(problem.periods[j])
        named = [not resource.counts or arm.name in resource.counts for arm in problem.arms]
        taken = costs[:, j] if resource.counts is None else (arms >= 0) * np.array(named)[arms]
        by_period = np.bincount(rounds // period, weights=taken)
        granted = resource.budget * np.ones(by_period.size)
        if resource.carry_over:
            by_period, granted = np.cumsum(by_period), np.cumsum(granted)
        broken += int((by_period > granted * (1 + SLACK)).sum())
    for gap in problem.gaps:
        kept_apart = np.array([gap.arms is None or arm.name in gap.arms for arm in problem.arms])
        pulled = np.flatnonzero((arms >= 0) & kept_apart[arms])
        broken += int((np.diff(pulled) < problem.gap_rounds(gap)).sum())
    return broken


if __name__ == "__main__":
    report()
