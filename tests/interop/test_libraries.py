"""Average regret as other public libraries have it; `python -m benchmarks.libraries.record` records theirs."""

import functools
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.libraries.child import CHECKPOINTS, REPLICATES
from benchmarks.libraries.rivals import LIBRARIES, MEANS

import roguewk as rw
from roguewk.kernel.arrays import Vector
from tests.judge import coins

RECORDED = json.loads((Path(__file__).parent / "data" / "regret_curves.json").read_text(encoding="utf-8"))
CURVES = RECORDED["curves"]
OURS = 500  # replicates for each order of the arms
ERRORS = 4.0  # standard errors: 1 comparison in 16,000 goes wrong by chance, and there are some 170


def _name(curve: dict[str, Any]) -> str:
    return f"{curve['library']} {curve['policy']} {curve['constants']}"


@functools.cache
def _regret(policy: str, *given: tuple[str, float]) -> tuple[Vector, Vector]:
    """(checkpoint,) mean and standard error; the arms come in every order, so none is favoured by ties."""
    orders = list(itertools.permutations(MEANS))
    by_order = np.zeros((len(orders), OURS, len(CHECKPOINTS)))
    for i, means in enumerate(orders):
        world = coins(*means, rounds=CHECKPOINTS[-1])
        runs = rw.simulate(world, {"ours": (policy, dict(given))}, OURS, seed=i, curves=True)
        lost = np.cumsum(max(MEANS) - runs.curves["ours"].expected, axis=1)
        by_order[i] = lost[:, np.array(CHECKPOINTS) - 1]
    spread = by_order.var(axis=1, ddof=1).mean(axis=0)
    return by_order.mean(axis=(0, 1)), np.sqrt(spread / (len(orders) * OURS))


@pytest.mark.parametrize("curve", CURVES, ids=_name)
def test_average_regret_agrees_with_another_library(curve: dict[str, Any]) -> None:
    mean, error = _regret(curve["ours"], *curve["parameters"].items())
    difference = np.abs(mean - np.array(curve["mean"]))
    allowed = ERRORS * np.hypot(error, np.array(curve["standard_error"]))
    assert (difference <= allowed).all(), (difference / allowed * ERRORS).round(1)


def test_a_slightly_wider_radius_would_be_noticed() -> None:
    curve = next(each for each in CURVES if each["library"] == "river" and each["parameters"] == {"scale": 1.0})
    mean, error = _regret("ucb1", ("scale", 1.1))
    allowed = ERRORS * np.hypot(error, np.array(curve["standard_error"]))
    assert np.abs(mean - np.array(curve["mean"]))[-1] > 2 * allowed[-1]


def test_the_recorded_curves_are_those_that_the_libraries_are_asked_for() -> None:
    asked = [
        {"library": library.name, "policy": rival.policy, "constants": rival.constants, "ours": rival.ours}
        | {"parameters": rival.parameters, "note": rival.note}
        for library in LIBRARIES
        for rival in library.rivals
        if rival.recorded
    ]
    assert [{key: curve[key] for key in asked[0]} for curve in CURVES] == asked
    assert RECORDED["means"] == list(MEANS)
    assert RECORDED["checkpoints"] == list(CHECKPOINTS)
    assert RECORDED["replicates"] == REPLICATES
    for curve in CURVES:
        assert curve["version"]
        assert len(curve["mean"]) == len(curve["standard_error"]) == len(CHECKPOINTS)
        assert np.all(np.diff(curve["mean"]) > 0)
        assert min(curve["standard_error"]) > 0
