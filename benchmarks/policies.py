"""Every policy in the engine, one thread, three arms and three resources."""

from functools import partial

import roguewk as rw
from benchmarks.clock import line, seconds, work

REPLICATES = 200
LEARNED = {"roguewk-plan": 400.0, "roguewk-ts": 5.0, "roguewk-ucb": None, "recharging": None, "whittle": None}
FEWER = 20  # replicates where dynamics are learned
LOOK_AHEAD = ("roguewk-plan", "clairvoyant", "recovering", "rebounding", "balanced-exploration")  # no goal for these


def report() -> None:
    """Time per round on the paper's world."""
    world = rw.catalog.paper(budget=300)
    print("Every policy in the engine, one thread, per round of the paper's world")
    for name in rw.policies():
        rounds = float(rw.simulate(world, name, REPLICATES, threads=1).frame()["rounds"].sum())
        spent = seconds(partial(rw.simulate, world, name, REPLICATES, threads=1), 3) / rounds
        line(name, f"{spent * 1e6:.2f} us", "looks ahead" if name in LOOK_AHEAD else "wanted: 2 us")
    _report_learned(world)


def _report_learned(world: rw.World) -> None:
    """The same where nobody knows how arms wear off and recover."""
    print("The same where dynamics are learned, processor time")
    for name, goal in LEARNED.items():
        learning = partial(rw.simulate, world, (name, {"dynamics": "learned"}), FEWER, threads=1)
        rounds = float(learning().frame()["rounds"].sum())
        line(name, f"{work(learning, 3) / rounds * 1e6:.2f} us", f"wanted: {goal:g} us" if goal else "")
