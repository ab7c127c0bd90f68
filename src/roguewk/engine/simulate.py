"""Play policies against a world, many times over."""

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from roguewk.engine.pieces import share_out
from roguewk.engine.plain import Maker, make_plain, play_plain
from roguewk.engine.post import build_post
from roguewk.engine.rollout import Sheet, Stretch, build_sheet, rollout
from roguewk.engine.runs import Runs
from roguewk.engine.specs import Name, Spec, labelled
from roguewk.kernel.arena import Arena
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.kernel.handle import Handle
from roguewk.kernel.luck import LARGEST_SEED
from roguewk.policy.machine import compile_machine
from roguewk.policy.recipe import Recipe
from roguewk.policy.registry import recipe
from roguewk.policy.templates import template
from roguewk.problem.arm import Arm
from roguewk.problem.errors import InputError, shown, truth_value, whole
from roguewk.problem.ledger import WITHIN
from roguewk.problem.problem import Problem
from roguewk.world.game import Game
from roguewk.world.round import build_motion
from roguewk.world.truth import Truth, build_truth
from roguewk.world.world import World, check_world

ROUNDS_AT_ONCE = 10_000  # of a lone replicate: half a second of a planner's, so that Ctrl-C is prompt
MOST_REPLICATES = 10**8
LARGEST_REPLICATE = 2**62
MOST_CURVES = 8e9  # bytes


class _Job(NamedTuple):
    """A policy with the space for its results."""

    label: str
    start: Arena | Maker  # its parts before the first round, or what makes it, if it is in plain Python
    sheet: Sheet


class _Stage(NamedTuple):
    """What all pieces of the work have in common; row 0 of every sheet is replicate `begin`."""

    world: World
    truth: Truth
    seed: np.uint64
    begin: int
    stop: Event


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
    policies labels of your own. In a world with contexts, policies that do not look at them (`roguewk policies` tells
    which) play as if all rounds were alike, but for arms that are forbidden. `curves` keeps every round. `progress` is
    called with the replicates done and to do. Replicates are numbered from `first_replicate`: a number stands for its
    luck, so blocks of them add up to the whole.

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
    jobs = [
        _Job(label, _start(world, name, given), build_sheet(truth, replicates, kept))
        for label, name, given in labelled(policies)
    ]
    stage = _Stage(world, truth, key, begin, Event())
    for job in jobs:
        with compiling(f"the engine for {job.label!r}"):
            _play(stage, job, 0, 1, 0)  # no rounds: only compiles

    def play(job: int, first: int, last: int) -> None:
        _play(stage, jobs[job], first, last, world.problem.horizon)

    share_out(play, [replicates] * len(jobs), workers, progress or (lambda done, total: None), stage.stop.set)
    return Runs(
        world,
        tuple(job.label for job in jobs),
        replicates,
        int(key),
        {job.label: job.sheet.totals for job in jobs},
        {job.label: job.sheet.spent for job in jobs},
        {job.label: job.sheet.curves for job in jobs} if curves else {},
        begin,
    )


def _start(world: World, name: Name, given: Mapping[str, Any]) -> Arena | Maker:
    if callable(name):
        return functools.partial(name, **given)
    how = recipe(name)
    return template(how, told_problem(world, how), told_truth(world, how.complete(given))).arena


def told_problem(world: World, how: Recipe) -> Problem:
    """What a policy is told of a world: who knows the truth also how arms move and what comes."""
    problem = world.problem
    if not how.knows_truth:
        return problem
    if world.baseline is not None and not world.baseline.known:
        problem = replace(problem, baseline=replace(world.baseline, known=True))
    if problem.contexts != world.contexts:
        problem = replace(problem, contexts=world.contexts)
    return problem.believe(world.arms) if problem.unknown else problem


def told_truth(world: World, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a policy, with the truth where it wants that and was not given another.

    That truth is where arms start and what they cost; how they move is told by the problem, rightly or wrongly.
    """
    told = world.arms if world.problem.unknown else world.problem.arms
    truth = {
        "x0": lambda: list(map(_told_state, told, world.x0)),
        "costs": world.mean_costs.tolist,
        "largest": lambda: [[cost.largest for cost in row] for row in world.costs],
    }
    asked = {key: tell() for key, tell in truth.items() if key in parameters and parameters[key] is None}
    return {**parameters, **asked}


def _told_state(believed: Arm, x0: Vector) -> list[float]:
    """Where an arm starts, or the nearest state that is believed to be possible."""
    if believed.dimension != x0.size:
        raise InputError(
            f"arm {believed.name!r} starts in a state of {x0.size} coordinates and is believed to have"
            f" {believed.dimension}: give this policy x0 as it would have it"
        )
    told: list[float] = np.clip(x0, believed.box[:, 0], believed.box[:, 1]).tolist()
    return told


def refusal(world: World, name: str | Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """Why a policy cannot play in a world; empty if it can. Wrong parameters are an error, wherever they are."""
    how = recipe(name)
    complete = how.complete(parameters)
    try:
        how.parts(told_problem(world, how), told_truth(world, complete))
    except InputError as error:
        return str(error)
    return ""


def _play(stage: _Stage, job: _Job, first: int, last: int, horizon: int) -> None:
    """Play so many rounds into the rows from `first` to `last`."""
    if isinstance(job.start, Arena):
        _play_compiled(stage, job.start, job.sheet.rows(first, last), stage.begin + first, horizon)
        return
    for row in range(first, last if horizon else first):
        if not stage.stop.is_set():
            game = Game(stage.world, int(stage.seed), stage.begin + row)
            policy = make_plain(job.label, job.start, game, int(stage.seed))
            play_plain(game, policy, job.label, job.sheet.rows(row, row + 1))


def _play_compiled(stage: _Stage, start: Arena, sheet: Sheet, replicate: int, horizon: int) -> None:
    compile_machine(start, "the policy")
    policy = start.clone()
    post = build_post(stage.world.outcomes, stage.truth.budgets.size)
    motion, mail, paper = map(Handle, (build_motion(stage.world.problem, stage.truth), post, sheet))
    # Only a lone replicate can be played in stretches: its motion remembers where it stood.
    lone = sheet.totals.size == 1
    stretch = ROUNDS_AT_ONCE if lone else max(horizon, 1)
    for since in range(0, max(horizon, 1), stretch):
        until = min(since + stretch, horizon)
        rollout(policy, motion, mail, paper, Stretch(since, until, stage.seed, replicate))
        if stage.stop.is_set() or (lone and sheet.totals["stopped_by"][0] != WITHIN):
            return
