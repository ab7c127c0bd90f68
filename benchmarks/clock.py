"""Timing for the benchmarks."""

import time
from collections.abc import Callable


def seconds(action: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of a few runs, which other programs disturb the least."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def work(action: Callable[[], object], repeats: int = 3) -> float:
    """Processor time of all threads, the least of a few runs: fairer than the clock where other programs run too."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def line(what: str, value: str, wanted: str = "") -> None:
    """One result."""
    print(f"  {what:<58} {value:>12}   {wanted}".rstrip(), flush=True)
