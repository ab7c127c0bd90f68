"""Play policies against a world, many times over."""

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from roguewk.engine.plain import Maker, play_plain
from roguewk.engine.rollout import HORIZON, TOTAL, Curves, build_bench, build_curves, rollout
from roguewk.engine.runs import Runs
from roguewk.engine.specs import Name, Spec, labelled
from roguewk.kernel.arena import Arena
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.kernel.handle import Handle
from roguewk.policy.registry import recipe
from roguewk.policy.saved import LARGEST_SEED
from roguewk.policy.templates import template
from roguewk.problem.errors import InputError, shown, truth_value, whole
from roguewk.world.truth import Truth, build_truth
from roguewk.world.world import World, check_world

ROUNDS_AT_ONCE = 200_000  # a piece of work lasts some hundredths of a second, so progress and Ctrl-C are prompt
MOST_REPLICATES = 10**8
LARGEST_REPLICATE = 2**62
MOST_CURVES = 8e9  # bytes


class _Job(NamedTuple):
    """A policy with the space for its results."""

    label: str
    start: Arena | Maker  # its parts before the first round, or what makes it, if it is in plain Python
    totals: Any  # (replicate,)
    spent: Vector  # (replicate, resource)
    curves: Curves


def simulate(
    world: World,
    policies: Spec | Sequence[Spec] | Mapping[str, Spec],
    replicates: int = 10,
    seed: int = 0,
    curves: bool = False,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    first_replicate: int = 0,
) -> Runs:
    """Play each policy `replicates` times; every policy meets the same luck, whatever the number of threads.

    A policy is a name, a pair of a name and its parameters, or three parts such as `{"rewards": "rogue", "costs":
    "wilson", "allocate": "lp"}`, with parameters beside them, or a class of your own (see PlainPolicy); a dict gives
    policies labels of your own. `curves` keeps every round. `progress` is called with the replicates done and to do.
    Replicates are numbered from `first_replicate`: a number stands for its luck, so blocks of them add up to the whole.

    >>> import roguewk as rw
    >>> runs = rw.simulate(rw.catalog.paper(budget=100), ["roguewk-ucb", ("sw-ucb", {"w1": 30})], replicates=20)
    >>> frame = runs.frame()
    >>> list(frame["policy"].unique()), len(frame)
    (['roguewk-ucb', 'sw-ucb w1=30'], 40)
    """
    replicates = whole(replicates, "replicates", 1, MOST_REPLICATES)
    key = np.uint64(whole(seed, "seed", 0, LARGEST_SEED))
    begin = whole(first_replicate, "first_replicate", 0, LARGEST_REPLICATE)
    workers = os.cpu_count() or 1 if threads is None else whole(threads, "threads", 1, 4096)
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {shown(progress)}: give a function of the replicates done and to do")
    truth = build_truth(check_world(world))
    kept = world.problem.horizon if truth_value(curves, "curves") else 0
    size = kept * replicates * (18 + truth.budgets.nbytes + truth.x0.nbytes)
    if size > MOST_CURVES:
        raise InputError(
            f"curves would take {size / 1e9:.0f} GB a policy: ask for fewer replicates or a shorter horizon"
        )
    jobs = [_job(world, truth, label, name, given, replicates, kept) for label, name, given in labelled(policies)]
    for job in jobs:
        with compiling(f"the engine for {job.label!r}"):
            _play(world, truth, job, 0, key, begin, 0, 1, Event())  # no rounds: only compiles
    _share_out(world, truth, jobs, key, begin, workers, progress)
    return Runs(
        world,
        tuple(job.label for job in jobs),
        replicates,
        int(key),
        {job.label: job.totals for job in jobs},
        {job.label: job.spent for job in jobs},
        {job.label: job.curves for job in jobs} if curves else {},
        begin,
    )


def _job(
    world: World, truth: Truth, label: str, name: Name, given: Mapping[str, Any], replicates: int, kept: int
) -> _Job:
    start: Arena | Maker
    if callable(name):
        start = functools.partial(name, **given)
    else:
        how = recipe(name)
        start = template(how, world.problem, told_truth(world, how.complete(given))).arena
    totals = np.zeros(replicates, dtype=TOTAL)
    spent = np.zeros((replicates, len(world.problem.resources)))
    curves = build_curves(truth, replicates if kept else 0, kept)
    return _Job(label, start, totals, spent, curves)


def told_truth(world: World, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a policy, with the truth where it wants that and was not given another."""
    truth = {"x0": [x0.tolist() for x0 in world.x0], "costs": world.mean_costs.tolist()}
    asked = {key: value for key, value in truth.items() if key in parameters and parameters[key] is None}
    return {**parameters, **asked}


def refusal(world: World, name: str | Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """Why a policy cannot play in a world; empty if it can. Wrong parameters are an error, wherever they are."""
    how = recipe(name)
    complete = told_truth(world, how.complete(parameters))
    try:
        how.parts(world.problem, complete)
    except InputError as error:
        return str(error)
    return ""


def _share_out(
    world: World,
    truth: Truth,
    jobs: Sequence[_Job],
    key: np.uint64,
    begin: int,
    workers: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    replicates, horizon = jobs[0].totals.size, world.problem.horizon
    size = max(1, min(ROUNDS_AT_ONCE // horizon, -(-replicates // workers)))
    stop = Event()
    with ThreadPoolExecutor(workers) as pool:
        futures = {
            pool.submit(_play, world, truth, job, horizon, key, begin, first, min(first + size, replicates), stop): job
            for job in jobs
            for first in range(0, replicates, size)
        }
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                if progress is not None:
                    progress(min(done * size, len(jobs) * replicates), len(jobs) * replicates)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _play(
    world: World,
    truth: Truth,
    job: _Job,
    horizon: int,
    key: np.uint64,
    begin: int,
    first: int,
    last: int,
    stop: Event,
) -> None:
    """Play into the rows from `first` to `last`; row 0 is replicate `begin`."""
    if not isinstance(job.start, Arena):
        for r in range(first, last if horizon else first):
            if not stop.is_set():
                curves = Curves(*(array[r : r + 1] for array in job.curves))
                play_plain(world, job.label, job.start, begin + r, int(key), job.totals[r], job.spent[r], curves)
        return
    rows = slice(first, last)
    curves = Curves(*(array[rows] for array in job.curves))
    policy = job.start.clone()
    bench, recorded = map(Handle, (build_bench(truth, policy.part.desk.taken), curves))
    totals, spent = job.totals[rows], job.spent[rows]
    # Only a lone replicate can be played in stretches: the bench remembers where it stood.
    stretch = ROUNDS_AT_ONCE if last - first == 1 else max(horizon, 1)
    for since in range(0, max(horizon, 1), stretch):
        until = min(since + stretch, horizon)
        rollout(policy, bench, recorded, since, until, key, begin + first, totals, spent)
        if stop.is_set() or (last - first == 1 and totals["stopped_by"][0] != HORIZON):
            return
