"""river, in its own environment."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from river import bandit, proba, stats  # type: ignore[import-not-found]  # not in our own environment

from benchmarks.libraries import child


def _in_batches(length: int, arms: range, fresh: Callable[[], Any]) -> child.Player:
    """A policy that is made anew every so many rounds."""
    now, done = fresh(), 0

    def select() -> int:
        nonlocal now
        if done and done % length == 0:
            now = fresh()
        return int(now.pull(arms))

    def update(arm: int, reward: int) -> None:
        nonlocal done
        done += 1
        now.update(arm, reward)

    return select, update


def make(policy: str, constants: Mapping[str, Any], arms: int, seed: int) -> child.Player:
    """The policy of this name."""
    ids = range(arms)
    if policy == "Exp3 in batches":
        seeds = iter(range(seed * 1000, seed * 1000 + 1000))
        return _in_batches(
            constants["batch"], ids, lambda: bandit.Exp3(gamma=constants["gamma"], seed=f"batch {next(seeds)}")
        )
    if policy == "UCB of EWMean":
        made = bandit.UCB(delta=1, reward_obj=stats.EWMean(**constants), seed=seed)
    elif policy == "ThompsonSampling":
        made = bandit.ThompsonSampling(reward_obj=proba.Beta(), seed=seed)
    else:
        made = getattr(bandit, policy)(**constants, seed=seed)
    return partial(made.pull, ids), made.update


if __name__ == "__main__":
    child.main("river", make)
