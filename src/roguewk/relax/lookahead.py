"""Which arm now: look some rounds ahead, one arm a round, and beyond them trust what each arm is worth alone.

Looking one round ahead is the index rule: an arm's reward now, less its price, less the worth that the pull wears off.
Where several arms want the same round, looking further helps; but as the worth of arms that stand alone knows nothing
of such collisions, it can also make a plan put off for ever what it should do now. So depths are tried out on the
dynamics themselves, which are known: the one that earns most over the next rounds is used.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Scratch, copy_into
from roguewk.problem.dynamics import Dynamics, mean_reward, move_all, move_one, shifted_reward
from roguewk.relax.worth import Worth, read

DEPTHS = (1, 3, 6)  # rounds to look ahead
WIDTHS = (1, 6, 12)  # sequences of arms that are followed for each
WIDEST = max(WIDTHS)
TRIAL = 150  # rounds over which depths are compared
BETTER = 1e-3  # rewards that a greater depth must earn more over a trial
IDLE = -1


class Beam(NamedTuple):
    """Working memory: the sequences of arms that are followed, and their best continuations."""

    states: Scratch[Vector]  # (sequence, arm, coordinate)
    earned: Scratch[Vector]  # (sequence,)
    first: Scratch[Any]  # (sequence,) arm
    next_states: Scratch[Vector]  # the same for one round more
    next_earned: Scratch[Vector]
    next_first: Scratch[Any]
    scores: Scratch[Vector]  # (sequence,)
    parents: Scratch[Any]  # (sequence,)
    arms: Scratch[Any]  # (sequence,)
    gains: Scratch[Vector]  # (arm,) of pulling, in the sequence at hand
    spare: Scratch[Vector]  # (2, coordinate)
    trial: Scratch[Vector]  # (arm, coordinate)


class Scene(NamedTuple):
    """What looking ahead is told of the arms."""

    worth: Worth
    dynamics: Dynamics
    tables: Vector  # (arm, node) worth now
    charges: Vector  # (arm,) prices of a pull
    states: Vector  # (arm, coordinate)
    shifts: Vector  # (arm,) of levels by the contexts of this round


def build_beam(arms: int, coordinates: int) -> Beam:
    """Working memory for so many arms."""

    def sequences() -> tuple[Vector, Vector, Any]:
        return np.zeros((WIDEST, arms, coordinates)), np.zeros(WIDEST), np.zeros(WIDEST, dtype=np.int64)

    parents, chosen = np.zeros((2, WIDEST), dtype=np.int64)
    spare = np.zeros(arms), np.zeros((2, coordinates)), np.zeros((arms, coordinates))
    return Beam(*sequences(), *sequences(), np.zeros(WIDEST), parents, chosen, *spare)


@compiled
def wear(worth: Worth, dynamics: Dynamics, a: int, x: Vector, table: Vector, spare: Vector) -> tuple[float, float]:
    """What arm `a` in state `x` is worth after resting a round, and how much more (mostly less) after a pull."""
    copy_into(spare[0], x)
    move_one(dynamics, a, spare[0], 0.0, spare[1])
    rested = read(worth.grids[a], table, spare[0])
    copy_into(spare[0], x)
    move_one(dynamics, a, spare[0], 1.0, spare[1])
    return rested, read(worth.grids[a], table, spare[0]) - rested


@compiled_apart
def look_ahead(beam: Beam, scene: Scene, available: Any, may_idle: bool, depth: int, width: int) -> int:
    """The first arm of the best sequence; `available` holds for the first round; IDLE is no arm."""
    copy_into(beam.states[0], scene.states)
    beam.earned[0], beam.first[0] = 0.0, IDLE
    following = 1
    for ahead in range(depth):
        kept = _continue(beam, scene, available, may_idle, ahead == 0, following, width)
        if kept == 0:
            return IDLE
        _step(beam, scene, kept, ahead == 0)
        following = kept
        settled = True
        for s in range(1, following):
            settled = settled and beam.first[s] == beam.first[0]
        if settled:
            break
    return int(beam.first[0])


@compiled_apart
def _continue(beam: Beam, scene: Scene, available: Any, may_idle: bool, now: bool, following: int, width: int) -> int:
    """Rank every arm after every sequence; the number of continuations kept."""
    dynamics, charges = scene.dynamics, scene.charges
    kept = 0
    for s in range(following):
        base = beam.earned[s]
        for a in range(charges.size):
            rested, worn = wear(scene.worth, dynamics, a, beam.states[s, a], scene.tables[a], beam.spare)
            base += rested
            shift = scene.shifts[a] if now else 0.0
            beam.gains[a] = shifted_reward(dynamics, a, beam.states[s, a], shift) - charges[a] + worn
        for a in range(IDLE if may_idle else 0, charges.size):
            if now and a >= 0 and not available[a]:
                continue
            score = base + beam.gains[a] if a >= 0 else base
            if kept == width and score <= beam.scores[width - 1]:
                continue
            place = min(kept, width - 1)
            while place > 0 and beam.scores[place - 1] < score:
                beam.scores[place] = beam.scores[place - 1]
                beam.parents[place], beam.arms[place] = beam.parents[place - 1], beam.arms[place - 1]
                place -= 1
            beam.scores[place], beam.parents[place], beam.arms[place] = score, s, a
            kept = min(kept + 1, width)
    return kept


@compiled
def _step(beam: Beam, scene: Scene, kept: int, now: bool) -> None:
    """Play the continuations."""
    dynamics, charges = scene.dynamics, scene.charges
    for s in range(kept):
        parent, arm = beam.parents[s], beam.arms[s]
        copy_into(beam.next_states[s], beam.states[parent])
        beam.next_earned[s] = beam.earned[parent]
        if arm >= 0:
            shift = scene.shifts[arm] if now else 0.0
            beam.next_earned[s] += shifted_reward(dynamics, arm, beam.states[parent, arm], shift) - charges[arm]
        beam.next_first[s] = arm if now else beam.first[parent]
        move_all(dynamics, beam.next_states[s], arm, beam.spare[0])
    for s in range(kept):
        copy_into(beam.states[s], beam.next_states[s])
        beam.earned[s], beam.first[s] = beam.next_earned[s], beam.next_first[s]


@compiled_apart
def best_depth(beam: Beam, scene: Scene, everything: Any, may_idle: bool, rounds: int) -> int:
    """Which of DEPTHS earns most in a trial over so many rounds, the worth of the arms in the end included."""
    worth, dynamics, charges = scene.worth, scene.dynamics, scene.charges
    trial = Scene(worth, dynamics, scene.tables, charges, beam.trial, scene.shifts)
    best, chosen = -np.inf, 0
    for d in range(len(DEPTHS)):
        copy_into(beam.trial, scene.states)
        total = 0.0
        for _ in range(min(rounds, TRIAL)):
            arm = look_ahead(beam, trial, everything, may_idle, DEPTHS[d], WIDTHS[d])
            if arm >= 0:
                total += mean_reward(dynamics, arm, beam.trial[arm]) - charges[arm]
            move_all(dynamics, beam.trial, arm, beam.spare[0])
        for a in range(charges.size):
            total += read(worth.grids[a], scene.tables[a], beam.trial[a])
        if total > best + BETTER:
            best, chosen = total, d
    return chosen
