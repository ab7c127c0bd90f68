"""Policies in worlds that are not of our form, round by round."""

import numpy as np

from roguewk.experiment.unknown.forms import OddWorld
from roguewk.policy.registry import make_policy


def expected_reward(world: OddWorld, policy: str, seed: int) -> float:
    """What a policy earns on average over the luck of the rewards it sees, which is the same for all policies."""
    player, form = make_policy(policy, world.problem, seed), world.begin()
    luck = np.random.default_rng([seed, world.problem.horizon])
    earned = 0.0
    for draws in luck.random((world.problem.horizon, len(world.problem.arms))):
        decision, pulled = player.select(), np.zeros(len(world.problem.arms))
        if decision.arm is not None:
            mean = float(form.means[decision.arm])
            costs = [float(world.costs[decision.arm])] if world.problem.resources else []
            player.update(decision, reward=int(draws[decision.arm] < mean), costs=costs)
            earned += mean
            pulled[decision.arm] = 1.0
        form.move(pulled)
    return earned
