"""Play policies against a world, many times over."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from roguewk.engine.rollout import HORIZON, TOTAL, Curves, build_bench, build_curves, rollout
from roguewk.engine.runs import Runs
from roguewk.engine.truth import Truth, build_truth
from roguewk.kernel.compile import compiling
from roguewk.policy.parts import Parts
from roguewk.policy.recipe import Recipe
from roguewk.policy.registry import LARGEST_SEED, recipe
from roguewk.problem.arms import Vector
from roguewk.problem.errors import InputError, text, truth_value, unique, whole
from roguewk.problem.world import World, check_world

Spec = str | tuple[str, Mapping[str, Any]]
ROUNDS_AT_ONCE = 200_000  # a piece of work lasts some hundredths of a second, so progress and Ctrl-C are prompt
MOST_REPLICATES = 10**8
MOST_CURVES = 8e9  # bytes


class _Job(NamedTuple):
    """A policy with the space for its results."""

    label: str
    parts: Parts
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
) -> Runs:
    """Play each policy `replicates` times; every policy meets the same luck, whatever the number of threads.

    A policy is a name or a pair of a name and its parameters; a dict gives policies labels of your own. `curves` keeps
    every round. `progress` is called with the replicates done and to do.

    >>> import roguewk as rw
    >>> runs = rw.simulate(rw.catalog.paper(budget=100), ["roguewk-ucb", ("sw-ucb", {"w1": 30})], replicates=20)
    >>> frame = runs.frame()
    >>> list(frame["policy"].unique()), len(frame)
    (['roguewk-ucb', 'sw-ucb w1=30'], 40)
    """
    replicates = whole(replicates, "replicates", 1, MOST_REPLICATES)
    key = np.uint64(whole(seed, "seed", 0, LARGEST_SEED))
    workers = os.cpu_count() or 1 if threads is None else whole(threads, "threads", 1, 4096)
    truth = build_truth(check_world(world))
    kept = world.problem.horizon if truth_value(curves, "curves") else 0
    size = kept * replicates * (18 + truth.budgets.nbytes + truth.x0.nbytes)
    if size > MOST_CURVES:
        raise InputError(
            f"curves would take {size / 1e9:.0f} GB a policy: ask for fewer replicates or a shorter horizon"
        )
    recipes = [(label, recipe(name), given) for label, name, given in _labelled(policies)]
    jobs = [_job(world, truth, label, how, how.complete(given), replicates, kept) for label, how, given in recipes]
    for job in jobs:
        with compiling(f"the engine for {job.label!r}"):
            _play(truth, job, 0, key, 0, 1, Event())  # no rounds: only compiles
    _share_out(truth, jobs, world.problem.horizon, key, workers, progress)
    return Runs(
        world,
        tuple(job.label for job in jobs),
        replicates,
        int(key),
        {job.label: job.totals for job in jobs},
        {job.label: job.spent for job in jobs},
        {job.label: job.curves for job in jobs} if curves else {},
    )


def _labelled(policies: Any) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Label, name and parameters of each policy."""
    if isinstance(policies, Mapping):
        found = [(text(label, "label of a policy"), *_spec(spec)) for label, spec in policies.items()]
    else:
        lone = isinstance(policies, str) or (isinstance(policies, tuple) and _is_pair(policies))
        specs = [policies] if lone else policies if isinstance(policies, Sequence) else []
        found = [(_label(*_spec(spec)), *_spec(spec)) for spec in specs]
    if not found:
        raise InputError(f"policies are {policies!r}: give the name of at least one policy")
    unique((label for label, _, _ in found), "policies")
    return found


def _spec(spec: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(spec, str):
        return spec, {}
    if not _is_pair(spec):
        raise InputError(f"policy {spec!r} is neither a name nor a pair of name and parameters: give one of them")
    return spec[0], spec[1]


def _is_pair(spec: Any) -> bool:
    return isinstance(spec, tuple | list) and len(spec) == 2 and isinstance(spec[1], Mapping)


def _label(name: str, parameters: Mapping[str, Any]) -> str:
    return f"{name} {', '.join(f'{key}={value}' for key, value in parameters.items())}".strip()


def _job(
    world: World, truth: Truth, label: str, how: Recipe, parameters: Mapping[str, Any], replicates: int, kept: int
) -> _Job:
    parts = how.parts(world.problem, told_truth(how, world, parameters))
    totals = np.zeros(replicates, dtype=TOTAL)
    spent = np.zeros((replicates, len(world.problem.resources)))
    return _Job(label, parts, totals, spent, build_curves(truth, replicates if kept else 0, kept))


def told_truth(how: Recipe, world: World, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a policy, with the truth for one that knows it and was not given another."""
    if not how.knows_truth or parameters["x0"] is not None or parameters["costs"] is not None:
        return parameters
    return {**parameters, "x0": [x0.tolist() for x0 in world.x0], "costs": world.mean_costs.tolist()}


def _share_out(
    truth: Truth,
    jobs: Sequence[_Job],
    horizon: int,
    key: np.uint64,
    workers: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    replicates = jobs[0].totals.size
    size = max(1, min(ROUNDS_AT_ONCE // horizon, -(-replicates // workers)))
    stop = Event()
    with ThreadPoolExecutor(workers) as pool:
        futures = {
            pool.submit(_play, truth, job, horizon, key, first, min(first + size, replicates), stop): job
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


def _play(truth: Truth, job: _Job, horizon: int, key: np.uint64, first: int, last: int, stop: Event) -> None:
    rows = slice(first, last)
    curves = Curves(*(array[rows] for array in job.curves))
    bench = build_bench(truth, job.parts)
    totals, spent = job.totals[rows], job.spent[rows]
    # Only a lone replicate can be played in stretches: the bench remembers where it stood.
    stretch = ROUNDS_AT_ONCE if last - first == 1 else max(horizon, 1)
    for begin in range(0, max(horizon, 1), stretch):
        end = min(begin + stretch, horizon)
        rollout(truth, job.parts, bench, begin, end, key, first, totals, spent, curves)
        if stop.is_set() or (last - first == 1 and totals["stopped_by"][0] != HORIZON):
            return
