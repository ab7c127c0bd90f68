"""How long cells will take, from a few replicates of each policy played beforehand; that also compiles."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.problem.duration import whole_rounds
from roguewk.problem.problem import Problem
from roguewk.study.plan.cells import BOUND, RUNS, Cell, Task, make_task
from roguewk.study.plan.model import PLAIN, Study
from roguewk.study.run.children import deaf, start_pool, stopping_once
from roguewk.study.run.work import Done, work

TRIALS = 3  # worlds in which a policy is tried
REPLICATES = 20
QUICK = 10.0  # seconds
LONGEST_TRIAL = 20_000  # rounds of a trial
MOST_LOADING = 1.5  # seconds: what took longer was compiled, which workers need not do again


class Forecast(NamedTuple):
    """What is known beforehand of the cells of a study."""

    seconds: list[float]  # that each cell will take
    bound: Done | None  # which was worked out to know
    loading: float  # seconds until a worker has the machine code of all policies


class TrialError(Exception):
    """Code of one's own ended the process that tried it; the words say whose."""


def forecast(study: Study, cells: Sequence[Cell]) -> Forecast:
    """How long these cells of this study will take."""
    bound = next((cell for cell in cells if cell.kind == BOUND), None)
    first = _bound(make_task(study, bound)) if bound else None
    policies = sorted({cell.policy for cell in cells} - {-1})
    own = [study.policies[policy].origin == PLAIN for policy in policies]
    with _apart() if any(own) else contextlib.nullcontext(work) as apart:
        tried = {p: _try(study, p, cells, apart if mine else work) for p, mine in zip(policies, own, strict=True)}
    seconds = [_seconds(cell, tried, first) for cell in cells]
    return Forecast(seconds, first, sum(each.loading for each in tried.values()))


def _bound(task: Task) -> Done:
    """A bound; one that is quick is worked out twice, as the first time includes compiling."""
    done = work(task)
    return work(task) if done.seconds < QUICK else done


@contextlib.contextmanager
def _apart() -> Iterator[Callable[[Task], Done]]:
    """Plays in a process of its own, which code of one's own may end."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    def play(task: Task) -> Done:
        try:
            with deaf():
                tried = pool.submit(work, task)
            return tried.result()
        except BrokenProcessPool:
            raise TrialError(f"policy {task.policy!r} ended the process that tried it") from None

    pool = start_pool(1)
    with stopping_once():
        try:
            yield play
        finally:
            pool.shutdown(kill_workers=True)  # after Ctrl-C, it may still play, perhaps for ever


class _Trials(NamedTuple):
    """Worlds in which a policy was tried, by place: seconds that any cell takes there, and a replicate on top."""

    worlds: list[int]
    fixed: list[float]
    each: list[float]
    loading: float  # seconds more that the first of all cells took


def _seconds(cell: Cell, trials: dict[int, _Trials], bound: Done | None) -> float:
    if cell.kind == BOUND:
        return bound.seconds if bound else 0.0
    worlds, fixed, each, _ = trials[cell.policy]
    return float(np.interp(cell.world, worlds, fixed) + (cell.last - cell.first) * np.interp(cell.world, worlds, each))


def _try(study: Study, policy: int, cells: Iterable[Cell], play: Callable[[Task], Done]) -> _Trials:
    worlds = sorted({cell.world for cell in cells if cell.policy == policy})
    chosen = sorted({worlds[i * (len(worlds) - 1) // (TRIALS - 1)] for i in range(TRIALS)})
    found, loading = _Trials(chosen, [], [], 0.0), 0.0
    for place in chosen:
        task, stretch = _short(study, Cell(RUNS, place, policy, 0, 1, ""))
        first, plain = play(task).seconds, play is not work
        alone = first
        if not plain or alone < QUICK:
            alone = play(task).seconds  # without compiling, or loading what was compiled
        loading += min(max(first - alone, 0.0), MOST_LOADING)
        if plain:
            several, count = 2 * alone, 2  # in plain Python, whatever surrounds the play hardly counts
        else:
            several, count = play(task._replace(last=REPLICATES)).seconds, REPLICATES
        each = max(several - alone, 0.0) / (count - 1)
        found.fixed.append(max(alone - each, 0.0))
        found.each.append(each * stretch)
    return found._replace(loading=loading)


def _short(study: Study, cell: Cell) -> tuple[Task, float]:
    """The task of a trial, and how many times longer the real one is."""
    task, problem = make_task(study, cell), study.worlds[cell.world].world.problem
    if problem.horizon <= LONGEST_TRIAL:
        return task, 1.0
    stretch = problem.horizon / LONGEST_TRIAL
    shorter = {**task.world, "horizon": LONGEST_TRIAL}
    for key in {"resource", "limit"} & set(shorter):
        shorter[key] = [_shortened(each, problem, stretch) for each in shorter[key]]
    return task._replace(world=shorter), stretch


def _shortened(table: Mapping[str, Any], problem: Problem, stretch: float) -> dict[str, Any]:
    """A resource or a limit of a game that is so many times shorter."""
    if "every" in table:
        period = whole_rounds(table["every"], problem.rounds_per_day, "every")
        return {**table, "every": min(period, LONGEST_TRIAL)}
    return {**table, "budget": table["budget"] / stretch} if "budget" in table else dict(table)
