"""How policies fare in a suite of families of worlds: shares of the certified bound, and who earns more.

The luck of a world is the same for all policies, so they are compared replicate by replicate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.bounds.upper import upper_bound
from roguewk.engine.runs import Runs
from roguewk.engine.simulate import simulate
from roguewk.engine.specs import Spec
from roguewk.experiment.hostile.suites import HOSTILE, SUITES, Suite
from roguewk.problem.errors import InputError, known, whole
from roguewk.show.names import CLAIRVOYANT, OURS, PLANNER

if TYPE_CHECKING:
    import pandas as pd

RIVALS = ("recharging", "roguewk-ts", "roguewk-ucb-tuned", OURS)
POLICIES = (PLANNER, CLAIRVOYANT, *RIVALS)
QUICK = (1, 10)  # worlds of each family, and replicates
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """What to play; the first policy is the one that is judged."""

    policies: Sequence[Spec] = POLICIES
    families: Sequence[str] | None = None  # all of the suite
    worlds: int = 4  # of each family
    first_world: int = 100  # the planner's constants were chosen on worlds below that, or on others
    replicates: int = 50
    seed: int = 0
    suite: str = HOSTILE

    def __post_init__(self) -> None:
        known(self.suite, SUITES, "suite of worlds")
        if self.families is None:
            object.__setattr__(self, "families", tuple(self.chosen.families))
        if not self.policies or not self.families:
            raise InputError("there is no policy to judge, or no family: give at least one of each")
        for family in self.families:
            known(family, self.chosen.families, f"family of {self.suite} worlds")
        whole(self.worlds, "worlds", 1, 100_000)
        whole(self.replicates, "replicates", 1, 100_000)

    @property
    def chosen(self) -> Suite:
        """The suite itself."""
        return SUITES[self.suite]


@dataclass(frozen=True)
class Hostile:
    """A row per family, world and policy in `shares`; `gap` is how much more the judged policy has of the bound."""

    settings: Settings
    policies: tuple[str, ...]
    shares: "pd.DataFrame"

    @property
    def judged(self) -> str:
        """The policy that the goals are for."""
        return self.policies[0]


def run_hostile(settings: Settings, threads: int | None = None, progress: Progress | None = None) -> Hostile:
    """Play everything; `progress` is called with the worlds played and to play."""
    import pandas

    rows: list[dict[str, Any]] = []
    policies: tuple[str, ...] = ()
    numbers = range(settings.first_world, settings.first_world + settings.worlds)
    places = [(family, number) for family in settings.families or () for number in numbers]
    for done, (family, number) in enumerate(places):
        if progress is not None:
            progress(done, len(places))
        world = settings.chosen.make(family, number)
        bound = upper_bound(world).effect
        runs = simulate(world, settings.policies, settings.replicates, settings.seed, threads=threads)
        policies = runs.policies
        rows += [{"family": family, "world": number, "bound": bound, **row} for row in _shares(runs, bound)]
    if progress is not None:
        progress(len(places), len(places))
    return Hostile(settings, policies, pandas.DataFrame(rows))


def _shares(runs: Runs, bound: float) -> list[dict[str, Any]]:
    """Shares of the bound; where idle rounds bring something, of what pulls can bring beyond that."""
    idling, problem = float(runs.world.idle_means.sum()), runs.world.problem
    judged = (runs.totals[runs.policies[0]]["expected"] - idling) / bound
    rows = []
    for label in runs.policies:
        totals = runs.totals[label]
        share = (totals["expected"] - idling) / bound
        early = (totals["stopped_by"] >= 0) & (totals["rounds"] < 0.95 * problem.horizon) & problem.idle
        row = {"policy": label, "share": float(share.mean()), "standard_error": _error(share)}
        gap = {"gap": float((judged - share).mean()), "gap_error": _error(judged - share)}
        rows.append({**row, **gap, "ended_early": float(early.mean())})
    return rows


def _error(values: Any) -> float:
    return float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else np.nan
