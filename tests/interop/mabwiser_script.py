"""A script of everything that can be asked of a MAB, and what MABWiser answers to it.

`python -m tests.interop.mabwiser_script` records the answers where MABWiser is installed.
"""

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

FILE = Path(__file__).parent / "data" / "mabwiser_answers.json"
POLICIES: dict[str, dict[str, Any]] = {
    "EpsilonGreedy": {"epsilon": 0.4},
    "Random": {},
    "ThompsonSampling": {"binarizer": lambda arm, reward: reward > len(arm)},
    "UCB1": {"alpha": 0.7},
}
NAMES = ("a", "bb", "ccc", "dddd", "eeeee")
STEPS = 30
RECORDED = range(2)  # seeds
CONTAINERS = (list, np.array, pd.Series)
QUESTIONS = ("predict", "predict rows", "expect", "expect rows")
CHANGES = ("partial_fit", "partial_fit", "fit", "add_arm", "remove_arm", "warm_start")


class Script:
    """Asks and tells a MAB of either library the same, by the luck of its seed."""

    def __init__(self, library: Any, policy: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.arms = list(NAMES[:3])
        rule = getattr(library.LearningPolicy, policy)(**POLICIES[policy])
        self.mab = library.MAB(list(self.arms), rule, seed=seed)

    def answers(self) -> list[Any]:
        """What it says in all."""
        said = []
        self.tell("fit")
        for step in range(STEPS):
            self.tell(self.rng.choice(CHANGES))
            said.append(self.ask(QUESTIONS[step % len(QUESTIONS)]))
        return said

    def ask(self, question: str) -> Any:
        rows = [[0.0]] * self.rng.randint(1, 3) if question.endswith("rows") else None
        asked = self.mab.predict if question.startswith("predict") else self.mab.predict_expectations
        return copy.deepcopy(asked(rows))  # MABWiser goes on changing what it said of Thompson sampling

    def tell(self, change: str) -> None:
        if change in ("fit", "partial_fit"):
            decisions = self.rng.choices(self.arms, k=self.rng.randint(1, 6))
            rewards = [round(self.rng.gauss(2.0, 5.0), 1) for _ in decisions]
            getattr(self.mab, change)(self.rng.choice(CONTAINERS)(decisions), self.rng.choice(CONTAINERS)(rewards))
        elif change == "add_arm" and len(self.arms) < len(NAMES):
            arm = next(name for name in NAMES if name not in self.arms)
            self.arms.append(arm)
            self.mab.add_arm(arm)
        elif change == "remove_arm" and len(self.arms) > 2:
            self.mab.remove_arm(self.arms.pop(self.rng.randrange(len(self.arms))))
        elif change == "warm_start":
            features = {arm: [self.rng.gauss(0.0, 1.0) for _ in range(2)] for arm in self.arms}
            self.mab.warm_start(features, distance_quantile=self.rng.choice((0.0, 0.5, 0.8, 1.0)))


def main() -> None:
    """Record what MABWiser answers."""
    import mabwiser.mab  # type: ignore[import-not-found]  # not in our own environment
    from mabwiser._version import __version__  # type: ignore[import-not-found]

    answers = {name: [Script(mabwiser.mab, name, seed).answers() for seed in RECORDED] for name in POLICIES}
    lines = [f" {json.dumps(name)}: {json.dumps(said, default=float)}" for name, said in answers.items()]
    FILE.write_text('{"version": ' + json.dumps(__version__) + ",\n" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
