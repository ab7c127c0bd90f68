"""SMPyBandits, in its own environment."""

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.special

from benchmarks.libraries import child

# SMPyBandits 0.9.7 imports two names that current NumPy and SciPy have dropped.
vars(np).setdefault("in1d", np.isin)
vars(scipy.special).setdefault("btdtri", scipy.special.betaincinv)
policies = importlib.import_module("SMPyBandits.Policies")


def make(policy: str, constants: Mapping[str, Any], arms: int, seed: int) -> child.Player:
    """The policy of this name."""
    np.random.seed(seed)  # the only generator it knows
    made = getattr(policies, policy)(arms, **constants)
    made.startGame()
    return made.choice, made.getReward


if __name__ == "__main__":
    child.main("SMPyBandits", make)
