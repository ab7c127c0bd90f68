"""PyBandits, in its own environment."""

from collections.abc import Mapping
from typing import Any

from pybandits import smab  # type: ignore[import-not-found]  # not in our own environment

from benchmarks.libraries import child


def make(policy: str, constants: Mapping[str, Any], arms: int, seed: int) -> child.Player:
    """The policy of this name, whose arms have strings for names."""
    names = [str(arm) for arm in range(arms)]
    made = getattr(smab, policy).cold_start(action_ids=set(names), random_seed=seed, **constants)

    def select() -> int:
        chosen, _ = made.predict()
        return int(chosen[0])

    def update(arm: int, reward: int) -> None:
        made.update(actions=[names[arm]], rewards=[reward])

    return select, update


if __name__ == "__main__":
    child.main("PyBandits", make)
