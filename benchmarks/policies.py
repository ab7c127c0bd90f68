"""Every policy in the engine, one thread, three arms and three resources."""

from functools import partial

import roguewk as rw
from benchmarks.clock import line, seconds

REPLICATES = 200
LOOK_AHEAD = ("roguewk-plan", "clairvoyant", "recovering", "rebounding", "balanced-exploration")  # no goal for these


def report() -> None:
    """Time per round on the paper's world."""
    world = rw.catalog.paper(budget=300)
    print("Every policy in the engine, one thread, per round of the paper's world")
    for name in rw.policies():
        rounds = float(rw.simulate(world, name, REPLICATES, threads=1).frame()["rounds"].sum())
        spent = seconds(partial(rw.simulate, world, name, REPLICATES, threads=1), 3) / rounds
        line(name, f"{spent * 1e6:.2f} us", "looks ahead" if name in LOOK_AHEAD else "wanted: 2 us")
