"""The engine against the SciPy implementation of Algorithm 1, and two threads against one."""

from functools import partial

import roguewk as rw
from benchmarks import reference
from benchmarks.clock import line, seconds
from benchmarks.reference import LiteralRogueUCB, RogueUCB

ROUNDS, REPLICATES = 300, 4000


def report() -> None:
    """Time per round on the paper's world, T = 1000, B = 300."""
    world = rw.catalog.paper(budget=300)
    print("ROGUEwK-UCB on the paper's world, T = 1000, B = 300")
    slow = seconds(lambda: reference.run(world, RogueUCB, rounds=ROUNDS)) / ROUNDS
    literal = seconds(lambda: reference.run(world, LiteralRogueUCB, rounds=ROUNDS)) / ROUNDS
    rounds = int(rw.simulate(world, "roguewk-ucb", REPLICATES).frame()["rounds"].sum())
    one, two = (
        seconds(partial(rw.simulate, world, "roguewk-ucb", REPLICATES, threads=threads), 5) / rounds
        for threads in (1, 2)
    )
    line("SciPy word for word (minimise, SLSQP, linprog), per round", f"{literal * 1e3:.2f} ms")
    line("SciPy with brentq for scalar states, per round", f"{slow * 1e3:.2f} ms")
    line("engine, one thread, per round", f"{one * 1e6:.3f} us")
    line("engine over SciPy word for word, one thread", f"{literal / one:,.0f} x", "wanted: 8,000 x")
    line("engine over SciPy with brentq, one thread", f"{slow / one:,.0f} x")
    line("two threads over one", f"{one / two:.2f} x", "wanted: 1.8 x")
