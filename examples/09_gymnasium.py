"""A world as a Gymnasium environment: for agents from elsewhere, under the engine's own luck.

A greedy rule that pulls the legal arm that has rested longest.
"""

import gymnasium
import numpy as np

import roguewk.interop.environment  # noqa: F401  # registers roguewk/Paper-v0 and the others

environment = gymnasium.make("roguewk/Paper-v0", budget=100)
for episode in range(3):
    observation, info = environment.reset(seed=1 if episode == 0 else None)
    earned, over = 0.0, False
    while not over:
        recency = np.where(info["action_mask"], observation["recency"], 2.0)
        observation, reward, terminated, truncated, info = environment.step(int(recency.argmin()))
        earned, over = earned + reward, terminated or truncated
    print(f"episode {info['replicate']}: {earned:.0f} in {info['round']} rounds, stopped by {info['stopped_by']}")

# Prints:
#
#     episode 0: 161 in 222 rounds, stopped by resource 2
#     episode 1: 168 in 225 rounds, stopped by resource 2
#     episode 2: 168 in 224 rounds, stopped by resource 2
