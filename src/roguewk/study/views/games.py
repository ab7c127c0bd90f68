"""Single runs as short texts: a letter for the arm of a round, two for a reward or a state between its extremes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.show.numbers import short
from roguewk.study.run import trace
from roguewk.study.views.rounds import AFTER, Recorded, spread_evenly

if TYPE_CHECKING:
    import pandas as pd

LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
LEVELS = 64 * 64 - 1
MOST_ROUNDS = 2000
MOST_REPLICATES = 5
MOST_CHARACTERS = 800_000  # of all single runs together


def games_data(worlds: Sequence[Recorded]) -> list[dict[str, Any]]:
    """The single runs in the page, by world: fewer replicates, then fewer worlds, if they would be too long."""
    size = sum(_length(each) for each in worlds)  # of a replicate of everything
    replicates = int(min(MOST_REPLICATES, max(1, MOST_CHARACTERS // max(size, 1))))
    keep = len(worlds) if size <= MOST_CHARACTERS else max(1, int(len(worlds) * MOST_CHARACTERS / size))
    return [_world(worlds[i], replicates) for i in spread_evenly(len(worlds), keep)] if worlds else []


def state_columns(recorded: Recorded) -> list[tuple[int, str]]:
    """Arm and column of every state; an arm whose state is a vector has several."""
    return [(a, name) for name, a, _ in trace.state_columns(recorded.world.world)]


def _length(recorded: Recorded) -> int:
    states = sum(arm.dimension for arm in recorded.world.world.arms)
    rounds = min(recorded.world.world.problem.horizon, MOST_ROUNDS)
    return len(recorded.traces) * rounds * (2 + 2 + 2 * states)


def _world(recorded: Recorded, replicates: int) -> dict[str, Any]:
    problem = recorded.world.world.problem
    runs = {str(policy): _runs(frame, recorded, replicates) for policy, frame in recorded.traces.items()}
    return {
        "world": recorded.place,
        "arms": [arm.name for arm in problem.arms],
        "states": [arm for arm, _ in state_columns(recorded)],
        "runs": runs,
    }


def _runs(frame: "pd.DataFrame", recorded: Recorded, replicates: int) -> list[dict[str, Any]]:
    found = []
    for replicate in sorted(frame["replicate"].unique())[:replicates]:
        rows = frame[frame["replicate"] == replicate]
        first = rows.iloc[:MOST_ROUNDS]
        lived = first[first["arm"] != AFTER]  # states are known until the end
        found.append(
            {
                "replicate": int(replicate),
                "rounds": len(rows),
                **_ended(rows, recorded),
                "reward": short(rows["reward"].sum()),
                "arms": _packed(first["arm"].to_numpy() - AFTER, 1.0),
                "rewards": _scaled(first["reward"].to_numpy(dtype=np.float64)),
                "states": [_scaled(lived[name].to_numpy(dtype=np.float64)) for _, name in state_columns(recorded)],
            }
        )
    return found


def _ended(rows: "pd.DataFrame", recorded: Recorded) -> dict[str, Any]:
    """Where idle rounds bring something: how many rounds there were to the end, what came after, and the effect."""
    world = recorded.world.world
    if world.baseline is None:
        return {}
    after = rows["arm"] == AFTER
    effect = rows["expected_reward"].sum() - world.idle_means.sum()
    return {"lived": int((~after).sum()), "after": short(rows["reward"][after].sum()), "effect": short(effect)}


def _scaled(values: Vector) -> list[Any]:
    """Lowest and highest value, and the text of the values between them."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    return [short(low), short(high), _packed(values - low, LEVELS / (high - low) if high > low else 0.0)]


def _packed(values: Vector, scale: float) -> str:
    whole = np.rint(np.asarray(values) * scale).astype(np.int64)
    return "".join(np.stack([LETTERS[whole // 64], LETTERS[whole % 64]], axis=1).ravel().tolist())
