"""MABWiser, in its own environment."""

from collections.abc import Mapping
from typing import Any

from mabwiser.mab import MAB, LearningPolicy  # type: ignore[import-not-found]  # not in our own environment

from benchmarks.libraries import child


def make(policy: str, constants: Mapping[str, Any], arms: int, seed: int) -> child.Player:
    """The policy of this name; UCB1 meets each arm once first."""
    made = MAB(list(range(arms)), getattr(LearningPolicy, policy)(**constants), seed=seed)
    unseen = list(reversed(range(arms))) if policy == "UCB1" else [0]  # it cannot predict before the first reward

    def select() -> int:
        return unseen.pop() if unseen else made.predict()

    def update(arm: int, reward: int) -> None:
        made.partial_fit([arm], [reward])

    return select, update


if __name__ == "__main__":
    child.main("MABWiser", make)
