"""Vowpal Wabbit, in its own environment."""

import random
from collections.abc import Mapping
from typing import Any

from vowpalwabbit import Workspace  # type: ignore[import-not-found]  # not in our own environment

from benchmarks.libraries import child


def make(policy: str, constants: Mapping[str, Any], arms: int, seed: int) -> child.Player:
    """Its contextual bandit with a context that never changes: it gives probabilities, of which the caller draws."""
    options = " ".join(f"--{key} {value}" for key, value in constants.items())
    made, luck = Workspace(f"--quiet --cb_explore {arms} {options}"), random.Random(seed)
    ids, chances = range(arms), [0.0] * arms

    def select() -> int:
        chances[:] = made.predict("|")
        return luck.choices(ids, chances)[0]

    def update(arm: int, reward: int) -> None:
        made.learn(f"{arm + 1}:{-reward}:{chances[arm]} |")

    return select, update


if __name__ == "__main__":
    child.main("vowpalwabbit", make)
