"""What is lost where nobody knows how arms wear off and recover, and what is lost by believing what is wrong."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.engine.simulate import simulate
from roguewk.experiment.quality.random_worlds import random_world
from roguewk.experiment.unknown.forms import FORMS, odd_world
from roguewk.experiment.unknown.logged import told_by_log
from roguewk.experiment.unknown.play import expected_reward
from roguewk.problem.arm import Arm
from roguewk.problem.errors import whole
from roguewk.show.names import PLANNER
from roguewk.world import catalog
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

KNOWN, LEARNED, SAMPLED, NOTHING = "known", "learned", "roguewk-ts learned", "ts-lp-resolved"
LOGGED = "from a log"
LEARN = {"dynamics": "learned"}
POLICIES: dict[str, Any] = {
    KNOWN: PLANNER,
    LEARNED: (PLANNER, LEARN),
    SAMPLED: ("roguewk-ts", LEARN),
    NOTHING: NOTHING,
}
BUDGETS = (50.0, 100.0, 200.0, 300.0)
# Policies that model no dynamics: with several budgets, and without.
RIVALS = ("ts-lp-resolved", "sw-ucb", "primal-dual-bwk", "dual-descent", "ucb-bv2", "budgeted-ts")
UNPAID = ("ts-lp-resolved", "sw-ucb", "d-ucb", "exp3", "thompson-beta", "ucb1-tuned", "rexp3")
QUICK = {"replicates": 10, "worlds": 5, "world_replicates": 5, "odd_worlds": 1, "odd_replicates": 2}
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """What to play; the prior of the filter was chosen on random worlds 100 to 107."""

    replicates: int = 100
    worlds: int = 50
    first_world: int = 200
    world_replicates: int = 20
    odd_worlds: int = 4  # of each form, with a budget and without
    odd_replicates: int = 5
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("replicates", "worlds", "world_replicates", "odd_worlds", "odd_replicates"):
            whole(getattr(self, name), name.replace("_", " "), 1, 100_000)


@dataclass(frozen=True)
class Unknown:
    """Shares of what the planner earns that knows the dynamics, and in odd worlds of what the one earns that learns."""

    settings: Settings
    shares: "pd.DataFrame"  # world, policy, share
    misled: "pd.DataFrame"  # world, mistake, share, and that of the one that learns
    odd: "pd.DataFrame"  # form, budget, world, policy, share


def run_unknown(settings: Settings, threads: int | None = None, progress: Progress | None = None) -> Unknown:
    """Play everything; `progress` is called with the worlds played and to play."""
    import pandas

    worlds = list(_worlds(settings))
    mistaken = [name for name, _, _ in worlds if name.startswith("paper, idle")]
    odd = [(form, budget, n) for form in FORMS for budget in (True, False) for n in range(settings.odd_worlds)]
    total, done = len(worlds) + len(mistaken) + len(odd), 0

    def step() -> None:
        nonlocal done
        if progress is not None:
            progress(done, total)
        done += 1

    shares: list[dict[str, Any]] = []
    misled: list[dict[str, Any]] = []
    strange: list[dict[str, Any]] = []
    for name, world, replicates in worlds:
        step()
        rewards = _rewards(world, POLICIES, replicates, settings.seed, threads)
        told = told_by_log(world, settings.seed)
        rewards |= _rewards(told, {LOGGED: PLANNER}, replicates, settings.seed, threads)
        shares += [{"world": name, "policy": label, "share": rewards[label] / rewards[KNOWN]} for label in rewards]
        if name in mistaken:
            step()
            misled += _misled(name, world, rewards, settings, threads)
    for form, budget, number in odd:
        step()
        strange += _odd(form, number, budget, settings)
    step()
    return Unknown(settings, *(pandas.DataFrame(rows) for rows in (shares, misled, strange)))


def _worlds(settings: Settings) -> Iterator[tuple[str, World, int]]:
    for idle in (True, False):
        for budget in BUDGETS:
            name = f"paper, {'idle' if idle else 'must play'}, {budget:g}"
            yield name, catalog.paper(budget=budget, idle=idle), settings.replicates
    for number in range(settings.first_world, settings.first_world + settings.worlds):
        yield f"random {number}", random_world(number), settings.world_replicates


def _rewards(world: World, policies: Any, replicates: int, seed: int, threads: int | None) -> dict[str, float]:
    runs = simulate(world, policies, replicates, seed, threads=threads)
    return {label: float(runs.totals[label]["expected"].mean()) for label in runs.policies}


def _mistaken(arms: Sequence[Arm], retention: float, wear: float) -> list[Arm]:
    """The arms with retentions off by so much, and so many times the wear; the rested level stays."""
    found = []
    for arm in arms:
        kept, rested = float(arm.matrix[0, 0]), float(arm.pull_back[0]) / (1.0 - float(arm.matrix[0, 0]))
        other = min(max(kept + retention, 0.02), 0.98)
        changed = replace(arm, A=other, B=wear * float(arm.push[0]), K=rested * (1.0 - other), state=None)
        found.append(changed.widened(arm.box[:, 0]).widened(arm.box[:, 1]))
    return found


MISTAKES = {
    "retention 0.2 too high, half the wear": (0.2, 0.5),
    "retention 0.2 too high, wear 1.5 times": (0.2, 1.5),
    "retention 0.2 too low, half the wear": (-0.2, 0.5),
    "retention 0.2 too low, wear 1.5 times": (-0.2, 1.5),
}


def _misled(name: str, world: World, rewards: dict[str, float], settings: Settings, threads: int | None) -> Any:
    """What the planner earns that takes mistakes as known, beside the one that learns."""
    rows = []
    for mistake, (retention, wear) in MISTAKES.items():
        told = world.believe(_mistaken(world.arms, retention, wear))
        found = _rewards(told, {KNOWN: PLANNER}, settings.replicates, settings.seed, threads)
        row = {"world": name, "mistake": mistake, "share": found[KNOWN] / rewards[KNOWN]}
        rows.append({**row, "learned": rewards[LEARNED] / rewards[KNOWN]})
    return rows


def _odd(form: str, number: int, budget: bool, settings: Settings) -> list[dict[str, Any]]:
    world, policies = odd_world(form, number, budget), (PLANNER, *(RIVALS if budget else UNPAID))
    earned = {
        policy: np.mean([expected_reward(world, policy, settings.seed + r) for r in range(settings.odd_replicates)])
        for policy in policies
    }
    row = {"form": form, "budget": budget, "world": number}
    return [{**row, "policy": policy, "share": float(earned[policy] / earned[PLANNER])} for policy in policies]
