"""The cells of a study: pieces of work that can be done anywhere, in any order, each known by a hash of its inputs."""

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import roguewk
from roguewk.kernel.native import PACKAGE, source_hash
from roguewk.problem.plain import Data
from roguewk.study.plan.model import PLAIN, PlannedPolicy, Study
from roguewk.study.plan.policies import all_parameters
from roguewk.world.plain import world_to_data

RUNS, TRACE, BOUND = "runs", "trace", "bound"
# A cell lasts about a second, so little is lost when something stops; plain Python takes fifty times as long.
ROUNDS_IN_A_CELL, PLAIN_ROUNDS = 1_000_000, 20_000
FORMAT = 1


class Cell(NamedTuple):
    """Replicates from `first` to `last` of a policy in a world, by their places in the study; a bound has none."""

    kind: str
    world: int
    policy: int
    first: int
    last: int
    key: str


class Task(NamedTuple):
    """All that another machine has to know to work a cell out."""

    key: str
    kind: str
    world: Data
    policy: str | Mapping[str, str]
    settings: Mapping[str, Any]
    code: str
    seed: int
    first: int
    last: int
    sources: str


@functools.cache
def sources() -> str:
    """A name for the code that works cells out."""
    return f"{roguewk.__version__} {source_hash(PACKAGE)}"


def plan_cells(study: Study, code: str | None = None) -> list[Cell]:
    """Every cell of a study, as worked out by this `code`, by default the present one."""
    worlds = [_digest(world_to_data(each.world)) for each in study.worlds]
    policies = [_digest(_identity(each, study.code)) for each in study.policies]
    return list(_cells(study, worlds, policies, code or sources()))


def block_size(horizon: int, plain: bool) -> int:
    """Replicates in a cell: never a matter of engines or workers, and full blocks stay when replicates are added."""
    return max(1, (PLAIN_ROUNDS if plain else ROUNDS_IN_A_CELL) // horizon)


def make_task(study: Study, cell: Cell) -> Task:
    """A cell with all its inputs."""
    policy = study.policies[cell.policy]
    name, settings = ("", {}) if cell.kind == BOUND else (policy.name, policy.settings)
    data = world_to_data(study.worlds[cell.world].world)
    return Task(cell.key, cell.kind, data, name, settings, study.code, study.seed, cell.first, cell.last, sources())


def _cells(study: Study, worlds: list[str], policies: list[str], code: str) -> Iterator[Cell]:
    for i, planned in enumerate(study.worlds):
        if study.record.bound:
            yield Cell(BOUND, i, -1, 0, 0, _digest([FORMAT, code, BOUND, worlds[i]]))
        for j, policy in enumerate(study.policies):
            if (planned.label, policy.label) in study.skipped:
                continue
            size = block_size(planned.world.problem.horizon, policy.origin == PLAIN)
            blocks = [(RUNS, first, min(first + size, study.replicates)) for first in range(0, study.replicates, size)]
            traces = min(study.record.traces, study.replicates)
            for kind, first, last in [*blocks, *([(TRACE, 0, traces)] if traces else [])]:
                inputs = [FORMAT, code, kind, worlds[i], policies[j], study.seed, first, last]
                yield Cell(kind, i, j, first, last, _digest(inputs))


def _identity(policy: PlannedPolicy, code: str) -> Any:
    """What makes a policy what it is: all its parameters, also those not given."""
    return [policy.name, all_parameters(policy), code]


def _digest(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
