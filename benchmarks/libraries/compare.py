"""How fast other libraries are, beside ours: whole simulations, and called round by round from Python."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import roguewk as rw
from benchmarks.clock import line, seconds
from benchmarks.libraries.child import ROUNDS
from benchmarks.libraries.environment import UnavailableError, ask, folder_for_all, prepare
from benchmarks.libraries.rivals import LIBRARIES, MEANS, Library

OURS = {"ucb1": {}, "sw-ucb-gm": {"window": 200}, "roguewk-ucb": {}}
WITH_COSTS = "with costs"  # roguewk-ucb on the paper's world
COSTS = [0.15, 0.28, 0.25]  # within the budgets of the paper's world, so that no round is idle
GAMES = 100

Times = dict[str, float]  # microseconds per round


class Row(NamedTuple):
    """A policy of another library, and ours around the same time."""

    label: str
    called: float
    simulated: float
    our_called: Times
    our_simulated: Times


def _coins() -> rw.World:
    arms = [rw.Arm(f"arm {a}", A=0.5, B=0.0, alpha=float(np.log(p / (1 - p))), beta=1.0) for a, p in enumerate(MEANS)]
    return rw.World(rw.Problem(arms, [], ROUNDS), [0.0] * len(arms), [[] for _ in arms])


def _call(name: str, problem: rw.Problem, costs: list[float] | None) -> None:
    policy = rw.make_policy(name, problem, **OURS[name])
    for t in range(ROUNDS):
        policy.update(policy.select(), t % 2, costs)


def _our_called() -> Times:
    problem = _coins().problem
    times = {name: seconds(partial(_call, name, problem, None)) for name in OURS}
    tight = rw.catalog.paper(budget=0.3 * ROUNDS, horizon=ROUNDS).problem
    times[WITH_COSTS] = seconds(partial(_call, "roguewk-ucb", tight, COSTS))
    return {name: time / ROUNDS * 1e6 for name, time in times.items()}


def _our_simulated(games: int = GAMES) -> Times:
    world = _coins()
    return {
        name: seconds(partial(rw.simulate, world, (name, given), games, threads=1), 5) / games / ROUNDS * 1e6
        for name, given in OURS.items()
    }


def _rows(library: Library, folder: Path) -> list[Row]:
    """Theirs, with ours right before and right after."""
    before = _our_called(), _our_simulated()
    answer = ask(library, folder, "time")
    after = _our_called(), _our_simulated()
    called, simulated = ({key: (a[key] + b[key]) / 2 for key in a} for a, b in zip(before, after, strict=True))
    timed = [rival for rival in library.rivals if rival.timed]
    same = [f"= {rival.ours}" if rival.ours in OURS else "(nearest)" for rival in timed]
    labels = [f"{library.name} {answer['version']} {rival.policy}" for rival in timed]
    return [
        Row(f"{label} {note}", each["called"], each["simulated"], called, simulated)
        for label, note, each in zip(labels, same, answer["policies"], strict=True)
    ]


def _table(title: str, rows: list[tuple[str, float, Times]]) -> None:
    print(f"{title}\n  {'us per round, and how often ours fits in it':<43} {'':>6}", end="")
    print("".join(f" {name:>11}" for name in rows[0][2]))
    for label, theirs, ours in rows:
        print(f"  {label:<43} {theirs:>6.1f}" + "".join(f" {theirs / ours[name]:>9.1f} x" for name in ours))
    least = [min(ours[name] for _, _, ours in rows) for name in rows[0][2]]
    print(f"  {'ours, us per round, at best':<50}" + "".join(f" {time:>11.3f}" for time in least))


def _summary(rows: list[Row]) -> None:
    fastest = min(rows, key=lambda row: row.simulated / row.our_simulated["ucb1"])
    _table(
        f"Whole simulations: {len(MEANS)} Bernoulli arms, {ROUNDS:,} rounds, one core, ours {GAMES} games at a time",
        [(row.label, row.simulated, row.our_simulated) for row in rows],
    )
    ratio = fastest.simulated / fastest.our_simulated["ucb1"]
    line("our ucb1 over the fastest of them", f"{ratio:.0f} x", "wanted: 50 x")
    alone = _our_simulated(games=1)["ucb1"]
    line(f"the same, one game alone: {alone:.2f} us", f"{fastest.simulated / alone:.0f} x")
    _table(
        "Called round by round from Python: select and update; `with costs` is roguewk-ucb, 3 resources",
        [(row.label, row.called, row.our_called) for row in rows],
    )
    for row in rows:
        if row.label.startswith("river") and row.label.endswith("= ucb1"):
            for ours, where in ((WITH_COSTS, "the paper's world"), ("roguewk-ucb", "3 arms, no resources")):
                label = f"roguewk-ucb, {where}, over river's UCB"
                line(label, f"{row.our_called[ours] / row.called:.1f} x", "wanted: at most 4 x")


def report(keep: str | None = None) -> None:
    """Install them, time them; one line for each that cannot be had."""
    print("Other libraries, each installed in an environment of its own, which takes minutes", flush=True)
    rows: list[Row] = []
    with folder_for_all(keep) as folder:
        for library in LIBRARIES:
            try:
                prepare(library, folder)
                rows += _rows(library, folder)
            except UnavailableError as problem:
                print(f"  {library.name} is skipped, {problem}", flush=True)
    if rows:
        _summary(rows)
