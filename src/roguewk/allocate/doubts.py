"""What finding out about arms is worth, to planners: how much better than believed a pull may well be."""

import math
from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import copy_into
from roguewk.problem.dynamics import dispersion, mean_reward, move_one
from roguewk.problem.family.compiled import variance
from roguewk.relax.curiosity import curiosity, worth_finding_out

COST_CURIOSITY = 0.7  # of what the Gittins index asks for: arms share budgets, so that most are tried anyway
TINY = 1e-12
FOR_EVER = 1e12  # rounds: what is seen of a level is never forgotten, and pulls do not use it up


@compiled
def state_doubt(part: Any, a: int, to_come: float) -> float:
    """How much more a pull may well bring than is believed, as far as finding out is worth while."""
    doubt = 0.0
    x, spare, arm = part.notes.states[a], part.beam.spare[0], part.dynamics.arms[a]
    for i in range(arm.dimension):
        spread = part.notes.spreads[a, i]
        if spread > 0.0:
            copy_into(spare, x)
            spare[i] = x[i] - spread
            lower = mean_reward(part.dynamics, a, spare)
            spare[i] = x[i] + spread
            doubt += (0.5 * (mean_reward(part.dynamics, a, spare) - lower)) ** 2
    if doubt == 0.0:
        return 0.0
    noise = variance(arm.family, mean_reward(part.dynamics, a, x)) * dispersion(arm)
    uses = to_come / part.memory.size
    if part.memory[a] < FOR_EVER:
        uses = min(to_come, part.memory[a])
        lost = _worn_by_pull(part, a)
        if lost > 0.0:  # each pull uses up some of what is better than believed: on average there is half of it
            uses = min(uses, 0.5 * math.sqrt(doubt) / lost)
    return worth_finding_out(doubt, noise, uses)


@compiled
def _worn_by_pull(part: Any, a: int) -> float:
    """How much less an arm brings after a pull than after a rest."""
    spare = part.beam.spare
    copy_into(spare[0], part.notes.states[a])
    move_one(part.dynamics, a, spare[0], 0.0, spare[1])
    rested = mean_reward(part.dynamics, a, spare[0])
    copy_into(spare[0], part.notes.states[a])
    move_one(part.dynamics, a, spare[0], 1.0, spare[1])
    return rested - mean_reward(part.dynamics, a, spare[0])


@compiled
def cost_doubt(part: Any, a: int, charge: float, to_come: float) -> float:
    """How much less a pull may well cost than is believed, as far as finding out is worth while; never all of it."""
    doubt = noise = 0.0
    for j in range(part.notes.doubts.shape[1]):
        doubt += (part.charges[j] * part.notes.doubts[a, j]) ** 2
        noise += part.charges[j] ** 2 * part.notes.noises[a, j]
    if doubt == 0.0:
        return 0.0
    spread = math.sqrt(math.log1p(doubt / max(charge * charge, TINY)))  # of its logarithm
    uses = to_come / part.notes.per_pull.size
    return charge - charge * math.exp(-COST_CURIOSITY * spread * curiosity(uses * doubt / max(noise, TINY)))
