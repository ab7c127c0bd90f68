"""A small log that examples and tests learn from."""

from typing import Any

import numpy as np

from roguewk.learn.rounds import LoggedRounds


def invented_log(subjects: int = 150, rounds: int = 40, seed: int = 1) -> LoggedRounds:
    """Calls and texts sent at random, one in three rounds each; made, not measured.

    A call works 70 % of the time when rested, loses 0.9 log-odds by each use and has a half-life of 4 rounds; a text
    works 50 % of the time and does not wear. The levels of subjects differ by 0.7 log-odds.

    >>> from roguewk.learn.example import invented_log
    >>> invented_log().arms
    ('call', 'text')
    """
    chance = np.random.default_rng(seed)
    own, worn = 0.7 * chance.standard_normal(subjects), np.zeros(subjects)
    arm: Any = np.empty((subjects, rounds), np.int64)
    reward = np.full((subjects, rounds), np.nan)
    for t in range(rounds):
        arm[:, t] = chance.integers(-1, 2, subjects)
        level = own + np.where(arm[:, t] == 0, np.log(0.7 / 0.3) - 0.9 * worn, 0.0)
        outcome = chance.random(subjects) < 1 / (1 + np.exp(-level))
        reward[:, t] = np.where(arm[:, t] >= 0, outcome, np.nan)
        worn = 0.5 ** (1 / 4) * worn + (arm[:, t] == 0)
    size = subjects * rounds
    minutes = np.where(arm < 0, 0.0, np.where(arm == 0, chance.uniform(2.0, 6.0, arm.shape), 0.5))
    return LoggedRounds(
        subjects=tuple(f"subject {s + 1}" for s in range(subjects)),
        arms=("call", "text"),
        resources=("minutes",),
        regular=True,
        unit="rounds",
        subject=np.repeat(np.arange(subjects), rounds),
        time=np.tile(np.arange(1.0, rounds + 1), subjects),
        arm=arm.ravel(),
        reward=reward.ravel(),
        costs=minutes.reshape(size, 1),
        propensity=np.full(size, 1 / 3),
        available=np.ones(size, dtype=bool),
        covariates={},
        found=(),
    )
