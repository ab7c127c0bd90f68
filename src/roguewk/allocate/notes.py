"""What planners work out anew every round."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.memory import Scratch

NOW, WEAR, CHARGE, LEARNING = range(4)  # columns of the outlook
LATER = 1  # beside NOW


class Notes(NamedTuple):
    """What is worked out anew every round."""

    states: Scratch[Vector]  # (arm, coordinate) on average
    spreads: Scratch[Vector]  # (arm, coordinate)
    doubts: Scratch[Vector]  # (arm, resource)
    noises: Scratch[Vector]  # (arm, resource)
    dearest: Scratch[Vector]  # (arm, resource)
    credits: Scratch[Vector]  # (arm,) what a pull is worth besides its reward, to prices
    allowed: Scratch[Any]  # (arm,) which arms may be pulled
    chances: Scratch[Vector]  # (arm,) how often it is available
    costs: Scratch[Vector]  # (arm, row) means; the rows are resources and gaps, of which a pull takes a turn
    remaining: Scratch[Vector]  # (row,) of the budgets
    steps: Scratch[Vector]  # (row,) part of what is left until it renews that a pull takes
    hazards: Scratch[Vector]  # (row,) root of all rounds over those until it renews
    fixed: Scratch[Vector]  # (row,) prices that are not looked for, below 0 for others
    shifts: Scratch[Vector]  # (arm,) of levels this round
    more_pulls: Scratch[Vector]  # (arm, way) per round to come, beyond what the tables have; none without cycles
    more_rewards: Scratch[Vector]  # (arm, way)
    per_pull: Scratch[Vector]  # (arm,) what a pull is charged
    tables: Scratch[Vector]  # (arm, node) worth now
    outlook: Scratch[Vector]  # (arm, column): why, for those who ask
    idle: Scratch[Vector]  # (2,) what an idle round brings, which a pull does without: NOW, and later on average


def build_notes(arms: int, resources: int, rows: int, coordinates: int, nodes: int, ways: int) -> Notes:
    """Space for what is worked out."""
    return Notes(
        states=np.zeros((arms, coordinates)),
        spreads=np.zeros((arms, coordinates)),
        doubts=np.zeros((arms, resources)),
        noises=np.zeros((arms, resources)),
        dearest=np.zeros((arms, resources)),
        credits=np.zeros(arms),
        allowed=np.ones(arms, dtype=np.bool_),
        chances=np.ones(arms),
        costs=np.zeros((arms, rows)),
        remaining=np.zeros(rows),
        steps=np.zeros(rows),
        hazards=np.ones(rows),
        fixed=np.zeros(rows),
        shifts=np.zeros(arms),
        more_pulls=np.zeros((arms, ways)),
        more_rewards=np.zeros((arms, ways)),
        per_pull=np.zeros(arms),
        tables=np.zeros((arms, nodes)),
        outlook=np.zeros((arms, 4)),
        idle=np.zeros(2),
    )
