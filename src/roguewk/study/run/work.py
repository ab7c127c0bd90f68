"""Work a cell out, wherever this process runs; the result is the content of a Parquet file."""

import math
import time
from typing import Any, NamedTuple

import numpy as np
import pyarrow

from roguewk.bounds.upper import upper_bound
from roguewk.engine.runs import Runs
from roguewk.engine.simulate import simulate
from roguewk.engine.specs import Name
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem
from roguewk.show.tables import arrow_bytes
from roguewk.study.plan.cells import BOUND, TRACE, Task, sources
from roguewk.study.plan.code import load_code, policy_named
from roguewk.study.run.trace import trace_table
from roguewk.world.plain import world_from_data
from roguewk.world.world import World


class Done(NamedTuple):
    """A cell that is worked out: its key, the content of its file, and the seconds that the work itself took."""

    key: str
    content: bytes
    seconds: float


def work(task: Task) -> Done:
    """Work a cell out."""
    if task.sources != sources():
        raise InputError(
            f"a worker has roguewk {sources()}, the study has {task.sources}: install the same one everywhere"
        )
    if task.code:
        load_code(task.code)
    world = world_from_data(task.world)
    begin = time.perf_counter()
    table = _bound(world) if task.kind == BOUND else _played(world, policy_named(task.policy, task.code), task)
    seconds = time.perf_counter() - begin
    failed = table.num_rows - table["failed"].null_count
    return Done(task.key, arrow_bytes(table, {"cell": task.key, "failed": str(failed)}), seconds)


def _bound(world: World) -> Any:
    schema = pyarrow.schema([("bound", "f8"), ("gap", "f8"), ("failed", pyarrow.string())])
    try:
        bound = upper_bound(world)
        if not math.isfinite(bound.value):
            raise InputError(f"the bound is {bound.value}, which is no number")
    except (ValueError, ArithmeticError) as error:  # also of numbers at the edge of what a computer can hold
        reason = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
        return pyarrow.table([[None], [None], [reason]], schema=schema)
    return pyarrow.table([[bound.value], [bound.gap], [None]], schema=schema)


def _played(world: World, policy: Name, task: Task) -> Any:
    """The table of a block; if anything goes wrong, of its replicates one by one."""
    try:
        return _table(world, policy, task, task.first, task.last)
    except MemoryError:
        raise
    except (Exception, SystemExit):  # a policy of one's own may fail in one replicate and not in another
        return pyarrow.concat_tables(_alone(world, policy, task, each) for each in range(task.first, task.last))


def _alone(world: World, policy: Name, task: Task, replicate: int) -> Any:
    try:
        return _table(world, policy, task, replicate, replicate + 1)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # counted and shown, never dropped
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        schema = _table(world.with_problem(horizon=1), _FirstArm, task._replace(settings={}), 0, 1).schema
        values = {"replicate": replicate, "failed": reason}
        return pyarrow.table([[values.get(name)] for name in schema.names], schema=schema)


class _FirstArm:
    """A policy that cannot fail, to know the columns of a table by."""

    def __init__(self, problem: Problem, seed: int) -> None:
        pass

    def select(self) -> int:
        return 0

    def update(self, decision: Any, reward: float, costs: Any) -> None:
        pass


def _table(world: World, policy: Name, task: Task, first: int, last: int) -> Any:
    kept = task.kind == TRACE
    runs = simulate(world, (policy, task.settings), last - first, task.seed, kept, threads=1, first_replicate=first)
    return trace_table(runs) if kept else _run_table(runs)


def _run_table(runs: Runs) -> Any:
    table = runs.frame("arrow").drop_columns(["policy"])
    lost = ~np.isfinite(table["expected_reward"].to_numpy())
    reasons = ["the reward is not a number" if each else None for each in lost]
    return table.append_column("failed", pyarrow.array(reasons, pyarrow.string()))
