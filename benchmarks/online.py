"""The online object, called round by round from Python."""

from functools import partial
from typing import Any

import roguewk as rw
from benchmarks.clock import line, seconds
from roguewk.policy.registry import MAIN

ROUNDS = 900


def _play(name: str, problem: rw.Problem, **settings: Any) -> None:
    policy = rw.make_policy(name, problem, **settings)
    costs = [0.15, 0.3, 0.25]
    for t in range(ROUNDS):
        policy.update(policy.select(), t % 2, costs)


def report() -> None:
    """Select and update, making the policy included."""
    problem = rw.catalog.paper(budget=300).problem
    print("The online object, select and update, per round")
    for name in MAIN:
        if name == "clairvoyant":
            continue  # it plans as roguewk-plan does
        spent = seconds(partial(_play, name, problem), 5) / ROUNDS
        line(name, f"{spent * 1e6:.1f} us", "wanted: 100 us" if name == "roguewk-plan" else "wanted: 15 us")
    spent = seconds(partial(_play, "roguewk-plan", problem, dynamics="learned"), 5) / ROUNDS
    line("roguewk-plan, dynamics learned", f"{spent * 1e6:.1f} us", "wanted: 1,000 us")
