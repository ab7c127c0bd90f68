"""How near the policies come to what nobody can beat: on the paper's world, and on many random ones.

Shares are of the certified bound, which the best policy may not reach: they are never too large. The luck of a cell is
the same for all policies.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.bounds.upper import Bound, upper_bound
from roguewk.engine.runs import Runs
from roguewk.engine.simulate import simulate
from roguewk.engine.specs import Spec
from roguewk.experiment.paper.choices import BUDGETS
from roguewk.experiment.quality.random_worlds import KINDS, LARGEST_SEED, bounded_random_world, drawn
from roguewk.policy.registry import recipe
from roguewk.problem.errors import InputError, whole
from roguewk.show.names import CLAIRVOYANT, OURS, PLANNER
from roguewk.world import catalog
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

POLICIES: tuple[Spec, ...] = (PLANNER, CLAIRVOYANT, OURS, (PLANNER, {"dynamics": "learned"}))
JUDGED_BUDGETS = (50, 100, 200, 300)
MODES = {True: "idle", False: "must play"}
QUICK = (40, 10)  # replicates on the paper's world and on each random one
MOST_REPLICATES, MOST_WORLDS = 100_000, 100_000
TIMED, TRIES = 3, 7  # replicates of the paper's world; the quickest try counts
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """What to play; the first policy is the one that is judged.

    Random worlds are numbered from `first_world` on; `coins` adds as many whose costs may be all or nothing.
    """

    policies: Sequence[Spec] = POLICIES
    replicates: int = 100
    world_replicates: int = 40
    worlds: int = 50
    first_world: int = 0
    coins: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.policies:
            raise InputError("there is no policy to judge: give at least one")
        whole(self.replicates, "replicates", 1, MOST_REPLICATES)
        whole(self.worlds, "worlds", 1, MOST_WORLDS)
        whole(self.world_replicates, "world replicates", 1, MOST_REPLICATES)
        whole(self.first_world, "first world", 0, LARGEST_SEED - MOST_WORLDS)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The families of random worlds."""
        return tuple(KINDS) if self.coins else ("plain",)


class Timing(NamedTuple):
    """How long something takes."""

    what: str
    seconds: float


@dataclass(frozen=True)
class Quality:
    """A row per mode, budget and policy in `paper`; one per family, world and policy in `worlds`."""

    settings: Settings
    policies: tuple[str, ...]
    paper: "pd.DataFrame"
    worlds: "pd.DataFrame"
    timings: tuple[Timing, ...]

    @property
    def judged(self) -> str:
        """The policy that the goals are for."""
        return self.policies[0]


def run_quality(settings: Settings, threads: int | None = None, progress: Progress | None = None) -> Quality:
    """Play everything; `progress` is called with the work done and to do."""
    import pandas

    work = _Work(settings, progress)
    paper = [row for idle in MODES for budget in BUDGETS for row in _on_paper(settings, idle, budget, threads, work)]
    numbers = range(settings.first_world, settings.first_world + settings.worlds)
    worlds = [row for kind in settings.kinds for i in numbers for row in _on_world(settings, kind, i, threads, work)]
    policies = tuple(dict.fromkeys(row["policy"] for row in worlds))
    return Quality(settings, policies, pandas.DataFrame(paper), pandas.DataFrame(worlds), _timings())


def _on_paper(settings: Settings, idle: bool, budget: int, threads: int | None, work: "_Work") -> list[dict[str, Any]]:
    """Policies that know the truth, or learn dynamics, are for comparison: they play only where a goal is."""
    world, progress = catalog.paper(budget=budget, idle=idle), work.part(settings.replicates)
    specs = [each for each in settings.policies if budget in JUDGED_BUDGETS or not _for_comparison(each)]
    if not specs:
        return []
    runs = simulate(world, specs, settings.replicates, settings.seed, threads=threads, progress=progress)
    return [{"idle": idle, "budget": budget, **row} for row in _shares(runs, upper_bound(world))]


def _on_world(settings: Settings, kind: str, number: int, threads: int | None, work: "_Work") -> list[dict[str, Any]]:
    world, bound = bounded_random_world(number, kind)
    n = settings.world_replicates
    runs = simulate(world, settings.policies, n, settings.seed, threads=threads, progress=work.part(n))
    return [{"kind": kind, "world": number, **_sizes(world), **row} for row in _shares(runs, bound)]


def _for_comparison(spec: Spec) -> bool:
    name, parameters = spec if isinstance(spec, tuple) else (spec, {})
    return not callable(name) and (recipe(name).knows_truth or parameters.get("dynamics") == "learned")


def _sizes(world: World) -> dict[str, Any]:
    problem = world.problem
    sizes = {"arms": len(problem.arms), "resources": len(problem.resources), "horizon": problem.horizon}
    return {**sizes, "idle": problem.idle}


def _shares(runs: Runs, bound: Bound) -> list[dict[str, Any]]:
    rows = []
    for label in runs.policies:
        earned = runs.totals[label]["expected"]
        error = float(earned.std(ddof=1) / np.sqrt(runs.replicates)) if runs.replicates > 1 else np.nan
        shares = {"fraction": float(earned.mean()) / bound.value, "standard_error": error / bound.value}
        row = {"policy": label, "replicates": runs.replicates, "bound": bound.value, "bound_gap": bound.gap}
        rows.append({**row, "expected_reward": float(earned.mean()), **shares})
    return rows


def _timings() -> tuple[Timing, ...]:
    paper = catalog.paper(idle=True)
    large = drawn(np.random.default_rng(0), 20, 4, 5000, True, KINDS["plain"])
    rounds = int(simulate(paper, PLANNER, TIMED).totals[PLANNER]["rounds"].sum())
    planning = _quickest(lambda: simulate(paper, PLANNER, TIMED, threads=1)) * 1000 / rounds
    return (
        Timing("planning 1,000 rounds of the paper's world, on one core", planning),
        Timing("the bound of the paper's world", _quickest(lambda: upper_bound(paper))),
        Timing("the bound of a world of 20 arms, 4 resources, 5,000 rounds", _quickest(lambda: upper_bound(large))),
    )


def _quickest(action: Callable[[], object]) -> float:
    """Seconds of the try that other programs disturbed the least."""
    spent = []
    for _ in range(TRIES):
        start = time.perf_counter()
        action()
        spent.append(time.perf_counter() - start)
    return min(spent)


class _Work:
    """Progress of each simulation as progress of all, in replicates; all policies of a replicate count as one."""

    def __init__(self, settings: Settings, tell: Progress | None) -> None:
        on_paper = len(MODES) * len(BUDGETS) * settings.replicates
        self.total = on_paper + len(settings.kinds) * settings.worlds * settings.world_replicates
        self.before = 0
        self.tell = tell

    def part(self, replicates: int) -> Progress:
        """What the next simulation shall call."""
        before = self.before
        self.before += replicates

        def within(done: int, of: int) -> None:
            if self.tell is not None:
                self.tell(before + replicates * done // of, self.total)

        return within
