"""What idle rounds bring, as compiled code sees it."""

from typing import Any

import numpy as np

from roguewk.kernel.compile import compiled_apart
from roguewk.kernel.records import record_type
from roguewk.problem.baseline import Baseline
from roguewk.problem.family.compiled import mean_of_level
from roguewk.problem.family.registry import family_code

LINE = record_type(("reward", "level", "step", "sigma"), ("family", "last"))


def build_line(baseline: Baseline | None, horizon: int) -> Any:
    """(1,) record of a baseline whose reward is known, none where idle rounds bring nothing."""
    if baseline is None:
        return np.zeros(0, dtype=LINE)
    line, (first, last) = np.zeros(1, dtype=LINE), baseline.levels()
    line["reward"], line["level"], line["step"] = baseline.reward, first, (last - first) / max(horizon - 1, 1)
    line["family"], line["last"] = family_code(baseline.family), horizon - 1
    line["sigma"] = 1.0 if baseline.sigma is None else baseline.sigma
    return line


@compiled_apart
def line_mean(line: Any, round_: int) -> float:
    """What an idle round brings on average; after the last round as in the last."""
    if line.step == 0.0:
        return line.reward
    return mean_of_level(line.family, line.level + line.step * min(round_, line.last))
