"""Logs that tests make up in which more than each arm's own wear is at work."""

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.learn.logs import log_of


class Truth(NamedTuple):
    """What is at work; wear and half-life of the further states, each nothing unless it is said."""

    level: Sequence[float] = (0.8, 0.4, 1.2)
    wear: Sequence[float] = (0.8, 0.6, 1.0)
    half_life: Sequence[float] = (3.0, 4.0, 5.0)
    spread: float = 0.7
    hour: float = 0.0  # per unit of a covariate that is uniform from 0 to 24
    trend: float = 0.0  # per round
    common: tuple[float, float] = (0.0, 1.0)
    second: tuple[float, float] = (0.0, 1.0)


def rich(
    seed: int, truth: Truth, subjects: int = 200, rounds: int = 60, *, chance: float = 0.2, normal: bool = False
) -> Any:
    """Arms sent at random, each with this chance in a round, with coins or normal rewards of noise 1."""
    luck, arms, everyone = np.random.default_rng(seed), len(truth.level), np.arange(subjects)
    own = truth.spread * luck.standard_normal(subjects)
    worn, slowly, tired = np.zeros((subjects, arms)), np.zeros((subjects, arms)), np.zeros(subjects)
    arm, reward = np.empty((subjects, rounds), np.int64), np.full((subjects, rounds), np.nan)
    hour = luck.uniform(0, 24, (subjects, rounds))
    for t in range(rounds):
        drawn = np.floor(luck.random(subjects) / chance).astype(np.int64)
        sent = np.where(drawn < arms, drawn, -1)
        at = np.maximum(sent, 0)
        eta = np.asarray(truth.level)[at] - np.asarray(truth.wear)[at] * worn[everyone, at] + own
        eta += truth.hour * hour[:, t] + truth.trend * t
        eta -= truth.second[0] * slowly[everyone, at] + truth.common[0] * tired
        outcome = eta + luck.standard_normal(subjects) if normal else luck.random(subjects) < 1 / (1 + np.exp(-eta))
        arm[:, t], reward[:, t] = sent, np.where(sent >= 0, outcome, np.nan)
        worn *= 0.5 ** (1 / np.asarray(truth.half_life))
        slowly *= 0.5 ** (1 / truth.second[1])
        worn[everyone, at] += sent >= 0
        slowly[everyone, at] += sent >= 0
        tired = 0.5 ** (1 / truth.common[1]) * tired + (sent >= 0)
    log = log_of(
        np.repeat(everyone, rounds), np.tile(np.arange(rounds), subjects), arm.ravel(), reward.ravel(), arms=arms
    )
    return dataclasses.replace(log, covariates={"hour": hour.ravel()})
