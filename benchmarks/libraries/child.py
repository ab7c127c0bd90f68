"""Runs in a library's own environment, without ours: plays its policies and prints one line of JSON.

`python -m benchmarks.libraries.river time` says how long a round takes, `... record` what is lost on average.
"""

import contextlib
import json
import random
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

from benchmarks.clock import seconds
from benchmarks.libraries.rivals import LIBRARIES, MEANS, Library, Rival

Player = tuple[Callable[[], int], Callable[[int, int], object]]  # select() and update(arm, reward)
Make = Callable[[str, Mapping[str, Any], int, int], Player]  # of policy, constants, number of arms, seed

ROUNDS, REPEATS = 10_000, 5
CHECKPOINTS = (10, 20, 50, 100, 200, 300, 400, 600, 800, 1000)
REPLICATES = 1000


def _called(make: Make, rival: Rival) -> None:
    """Select and update, and nothing else."""
    select, update = make(rival.policy, rival.constants, len(MEANS), 1)
    for t in range(ROUNDS):
        update(select(), t % 2)


def _simulated(make: Make, rival: Rival) -> float:
    """A game, as short as Python has it."""
    select, update = make(rival.policy, rival.constants, len(MEANS), 1)
    chance, total = random.Random(1).random, 0
    for _ in range(ROUNDS):
        arm = select()
        reward = 1 if chance() < MEANS[arm] else 0
        update(arm, reward)
        total += reward
    return total


def _time(make: Make, library: Library) -> list[dict[str, Any]]:
    """Microseconds per round, the best of some repeats."""
    return [
        {
            "policy": rival.policy,
            "called": seconds(partial(_called, make, rival), REPEATS) / ROUNDS * 1e6,
            "simulated": seconds(partial(_simulated, make, rival), REPEATS) / ROUNDS * 1e6,
        }
        for rival in library.rivals
        if rival.timed
    ]


def _losses(make: Make, rival: Rival, replicate: int) -> list[float]:
    """(checkpoint,) what is lost so far, in expectation, with the arms in any order."""
    world = random.Random(f"world {replicate}")
    means = world.sample(MEANS, len(MEANS))
    select, update = make(rival.policy, rival.constants, len(MEANS), replicate)
    lost, kept = 0.0, []
    for t in range(1, CHECKPOINTS[-1] + 1):
        arm = select()
        update(arm, 1 if world.random() < means[arm] else 0)
        lost += max(MEANS) - means[arm]
        if t in CHECKPOINTS:
            kept.append(lost)
    return kept


def _record(make: Make, library: Library) -> list[dict[str, Any]]:
    """Mean and standard error of what is lost at each checkpoint."""
    recorded = []
    for rival in library.rivals:
        if not rival.recorded:
            continue
        columns = list(zip(*(_losses(make, rival, r) for r in range(REPLICATES)), strict=True))
        means = [sum(column) / REPLICATES for column in columns]
        squares = [sum((x - mean) ** 2 for x in column) for column, mean in zip(columns, means, strict=True)]
        errors = [(square / (REPLICATES - 1) / REPLICATES) ** 0.5 for square in squares]
        curve = {"mean": [round(mean, 4) for mean in means], "standard_error": [round(error, 5) for error in errors]}
        recorded.append({"policy": rival.policy, "constants": rival.constants, **curve})
    return recorded


def main(name: str, make: Make) -> None:
    """Do what the command line asks for."""
    library = next(each for each in LIBRARIES if each.name == name)
    work = {"time": _time, "record": _record}[sys.argv[1]]
    with contextlib.redirect_stdout(sys.stderr):  # some libraries talk
        policies = work(make, library)
    print(json.dumps({"version": version(name), "policies": policies}))
