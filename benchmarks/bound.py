"""The bound on what any policy can earn, over growing horizons and with many arms."""

from functools import partial

import roguewk as rw
from benchmarks.clock import line, seconds
from benchmarks.scaling import many_arms


def report() -> None:
    """Where every round plays, machine code on disk."""
    print("The bound, every round playing")
    base = 0.0
    for horizon in (1_000, 10_000, 100_000):
        spent = seconds(partial(rw.upper_bound, rw.catalog.paper(budget=0.3 * horizon, horizon=horizon)))
        base = base or spent
        line(f"the paper's world, T = {horizon:,}: {spent:.3f} s, over T = 1,000", f"{spent / base:.1f} x")
    spent = seconds(partial(rw.upper_bound, many_arms(20, 4, 5_000)))
    line("m = 20, d = 4, T = 5,000", f"{spent:.2f} s", "wanted: 10 s")
    short = rw.catalog.slow_recovery(horizon=60)
    constant, varying = (rw.upper_bound(short, round_prices=kind).value for kind in ("constant", "varying"))
    spent = seconds(partial(rw.upper_bound, short, round_prices="varying"))
    line(f"varying round prices over 60 rounds: {spent:.2f} s, the bound", f"{varying / constant:.3f} x")
