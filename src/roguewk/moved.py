"""Modules that have moved: importing one under its old name says the new one."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from typing import Any

MOVED = {
    "roguewk.allocate.verbs": "roguewk.part.verbs, roguewk.part.desk and roguewk.part.status",
    "roguewk.allocate.simplex": "roguewk.relax.simplex",
    "roguewk.engine.game": "roguewk.world.game",
    "roguewk.engine.truth": "roguewk.world.truth",
    "roguewk.estimate.verbs": "roguewk.part.verbs",
    "roguewk.kernel.memo": "roguewk.part.desk",
    "roguewk.policy.parts": "roguewk.policy.machine",
    "roguewk.problem.arms": "roguewk.problem.arm",
    "roguewk.problem.assumptions": "roguewk.bounds.assumptions",
    "roguewk.problem.catalog": "roguewk.world.catalog",
    "roguewk.problem.files": "roguewk.world.files",
    "roguewk.problem.model": "roguewk.problem.problem and roguewk.problem.resource",
    "roguewk.problem.parameter": "roguewk.part.parameter",
    "roguewk.problem.part": "roguewk.part.part",
    "roguewk.problem.world": "roguewk.world.world and roguewk.world.cost",
}


class _Moved(MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> None:
        """Asked last, so only for what is nowhere else."""
        if fullname in MOVED:
            raise ModuleNotFoundError(f"{fullname} is now {MOVED[fullname]}: import from there", name=fullname)


def tell_of_moves() -> None:
    """Let imports of what has moved say where it is."""
    if not any(isinstance(finder, _Moved) for finder in sys.meta_path):
        sys.meta_path.append(_Moved())
