"""Logs that tests make up."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from roguewk.learn.rounds import LoggedRounds


def log_of(subject: Any, time: Any, arm: Any, reward: Any, *, regular: bool = True, arms: int | None = None) -> Any:
    """A log of these columns."""
    subject, arm = np.asarray(subject), np.asarray(arm)
    size, count = subject.size, int(arm.max(initial=0)) + 1 if arms is None else arms
    return LoggedRounds(
        subjects=tuple(f"s{s}" for s in range(int(subject.max(initial=-1)) + 1)),
        arms=tuple("abcdefgh"[:count]),
        resources=(),
        regular=regular,
        unit="rounds" if regular else "hours",
        subject=subject,
        time=np.asarray(time, dtype=np.float64),
        arm=arm,
        reward=np.asarray(reward, dtype=np.float64),
        costs=np.zeros((size, 0)),
        propensity=np.full(size, np.nan),
        available=np.ones(size, dtype=bool),
        covariates={},
        found=(),
    )


def simulated(
    seed: int,
    subjects: int = 200,
    rounds: int = 60,
    *,
    level: Sequence[float] = (0.4, 0.0, 0.8),
    wear: Sequence[float] = (0.8, 0.6, 1.0),
    half_life: Sequence[float] = (3.0, 6.0, 10.0),
    chance: float = 0.2,
    spread: float = 0.7,
    family: str = "bernoulli",
    schedule: Callable[[int], int] | None = None,
) -> Any:
    """Arms sent at random, each with this chance in a round, or by a schedule that all subjects share."""
    luck = np.random.default_rng(seed)
    own, worn = spread * luck.standard_normal(subjects), np.zeros((subjects, len(level)))
    everyone = np.arange(subjects)
    arm, reward = np.empty((subjects, rounds), np.int64), np.full((subjects, rounds), np.nan)
    for t in range(rounds):
        drawn = np.floor(luck.random(subjects) / chance).astype(np.int64)
        sent = np.where(drawn < len(level), drawn, -1) if schedule is None else np.full(subjects, schedule(t))
        at = np.maximum(sent, 0)
        eta = np.asarray(level)[at] - np.asarray(wear)[at] * worn[everyone, at] + own
        arm[:, t], reward[:, t] = sent, np.where(sent >= 0, _drawn(luck, eta, family), np.nan)
        worn *= 0.5 ** (1 / np.asarray(half_life))
        worn[everyone, at] += sent >= 0
    time = np.tile(np.arange(rounds), subjects)
    return log_of(np.repeat(everyone, rounds), time, arm.ravel(), reward.ravel(), arms=len(level))


def _drawn(luck: np.random.Generator, eta: Any, family: str) -> Any:
    if family == "gaussian":
        return eta + luck.standard_normal(eta.size)
    if family == "poisson":
        return luck.poisson(np.exp(eta)).astype(float)
    mean = 1 / (1 + np.exp(-eta))
    return luck.beta(10 * mean, 10 * (1 - mean)) if family == "bounded" else (luck.random(eta.size) < mean) * 1.0
