"""A new policy without a line of algorithm: a reward estimate, a cost estimate and an
allocation that exist.

The paper's algorithm is rogue/hoeffding/lp. Its bounds on costs are so wide that
budgets hardly count at first; narrower ones are a word away. `roguewk policies
--parts` lists all parts.
"""

import roguewk as rw

world = rw.catalog.paper(budget=100, idle=True)
published = {"rewards": "rogue", "costs": "hoeffding", "allocate": "lp"}
candidates = {
    "as published": published,
    "Wilson's cost bounds": {**published, "costs": "wilson"},
    "... and what is left per round": {**published, "costs": "wilson", "resolve": True},
    "... the dynamics unknown": {"rewards": "ucb1", "costs": "wilson", "allocate": "lp", "resolve": True},
}
runs = rw.simulate(world, candidates, replicates=100)

rewards = runs.frame().pivot(index="replicate", columns="policy", values="reward")
for label in candidates:
    gain = rewards[label] - rewards["as published"]  # under the same luck, so differences are sharp
    print(f"{label:<32}{rewards[label].mean():6.1f}  {gain.mean():+6.1f} +- {gain.std() / len(gain) ** 0.5:.1f}")

# Prints:
#
#     as published                     161.7    +0.0 +- 0.0
#     Wilson's cost bounds             233.8   +72.1 +- 0.9
#     ... and what is left per round   244.6   +82.9 +- 0.7
#     ... the dynamics unknown         215.7   +54.0 +- 0.8
