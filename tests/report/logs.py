"""Logs of many kinds, each with its fit and what the report finds in it."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.report.findings import Findings, look_into
from tests.learn.logs import log_of, simulated

HOSTILE = "</script><img src=x onerror=alert(1)>"


def _irregular() -> Any:
    """Normal rewards, far from zero, at times of a clock."""
    log, luck = simulated(61, subjects=40, family="gaussian"), np.random.default_rng(1)
    time = log.time + luck.uniform(0, 0.9, log.time.size)
    return dataclasses.replace(log, regular=False, unit="hours", time=time, reward=1000 + 50 * log.reward)


def _hostile() -> Any:
    log = invented_log(40)
    return dataclasses.replace(
        log,
        arms=(HOSTILE, "text"),
        subjects=tuple(f"{HOSTILE} {s}" for s in range(40)),
        resources=(HOSTILE,),
        found=(HOSTILE,),
    )


def _many_arms() -> tuple[Any, rw.Fit]:
    """Calls and texts under three hundred names; not fitted, as that takes long, but said to be what they are."""
    log, luck = invented_log(), np.random.default_rng(2)
    names = 2 * luck.integers(0, 150, log.arm.size)
    many = dataclasses.replace(
        log, arms=tuple(f"arm {a}" for a in range(300)), arm=np.where(log.arm >= 0, log.arm + names, -1)
    )
    pulls = np.bincount(many.arm[many.arm >= 0], minlength=300).tolist()
    fit = found_in("invented").fit
    arms = tuple(dataclasses.replace(fit.arms[a % 2], name=f"arm {a}", pulls=pulls[a]) for a in range(300))
    means, deviations = (np.tile(table, (150, 1)) for table in (fit.mean_costs, fit.sd_costs))
    return many, dataclasses.replace(fit, arms=arms, mean_costs=means, sd_costs=deviations)


def _evenly_spaced() -> Any:
    return simulated(82, subjects=60, rounds=40, schedule=lambda t: 0 if t % 4 == 0 else -1)


def _ten_rows() -> Any:
    return log_of([0] * 10, range(10), [0] * 10, [1, 0, 1, 1, 0, 1, 0, 0, 1, np.nan])


LOGS: dict[str, tuple[Callable[[], Any], str]] = {
    "invented": (invented_log, "bernoulli"),
    "counts": (lambda: simulated(3, subjects=50, rounds=40, family="poisson"), "poisson"),
    "irregular": (_irregular, "gaussian"),
    "shares": (lambda: simulated(8, subjects=40, rounds=30, family="bounded"), "bounded"),
    "one subject": (lambda: simulated(93, subjects=1, rounds=100), "bernoulli"),
    "ten rows": (_ten_rows, "bernoulli"),
    "evenly spaced": (_evenly_spaced, "bernoulli"),
    "hostile": (_hostile, "bernoulli"),
}
MANY_ARMS = "many arms"
NAMES = (*LOGS, MANY_ARMS)


@functools.cache
def found_in(name: str) -> Findings:
    if name == MANY_ARMS:
        log, fit = _many_arms()
        return look_into(fit, log)
    make, family = LOGS[name]
    log = make()
    return look_into(rw.fit(log, family), log)
