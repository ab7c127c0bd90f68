"""A first simulation: three policies play the paper's world under the same luck.

An arm wears off when it is pulled and recovers when it rests; three resources with a
budget of 100 each limit the pulls. A policy that plans ahead rests its arms at the
right time, one that ignores both soon has spent everything.
"""

import roguewk as rw

world = rw.catalog.paper(budget=100, idle=True)
runs = rw.simulate(world, ["roguewk-plan", "roguewk-ucb", "ucb1"], replicates=100, seed=1)

print(f"{runs.replicates} games of at most {world.problem.horizon} rounds")
for row in runs.summary().itertuples():
    print(f"{row.policy:<14}{row.reward:6.1f} +- {row.standard_error:.1f} in {row.rounds:4.0f} rounds")

frame = runs.frame()  # a row per policy and replicate
plan, ucb1 = (frame[frame["policy"] == name]["reward"].to_numpy() for name in ("roguewk-plan", "ucb1"))
print(f"roguewk-plan earns more than ucb1 in {(plan > ucb1).mean():.0%} of the games")

# Prints:
#
#     100 games of at most 1000 rounds
#     roguewk-plan   271.4 +- 0.7 in 1000 rounds
#     roguewk-ucb    161.8 +- 0.6 in  228 rounds
#     ucb1           133.2 +- 0.8 in  211 rounds
#     roguewk-plan earns more than ucb1 in 100% of the games
