"""A world of one's own in Python: what one can do, what is limited, and the truth
that policies have to find out.

The same can be written as a TOML file, see docs/world-files.md. A policy is only ever
given `problem`.
"""

import roguewk as rw

arms = [
    rw.everyday_arm("reminder", rested=0.4, wear=0.3, half_life=3),  # the way people think
    rw.everyday_arm("call", rested=0.8, wear=1.2, half_life=10),
    rw.Arm("letter", A=0.9, B=-0.4, K=0.1, alpha=-0.5, beta=0.6),  # or with the letters of the paper
]
resources = [rw.Resource("minutes", budget=400.0, largest_cost=15.0), rw.Resource("euros", budget=90.0)]
problem = rw.Problem(arms, resources, horizon=365, idle=True)

nothing = rw.Cost.fixed(0.0)
world = rw.World(
    problem,
    x0=[0.0, -1.0, 0.5],  # where each arm starts; 0 is rested for the arms the way people think
    costs=[
        [rw.Cost.uniform(0.0, 1.0), nothing],
        [rw.Cost.choices([2.0, 15.0], weights=[4, 1]), nothing],
        [rw.Cost.fixed(1.0), rw.Cost.beta(8, 2)],
    ],
)

print(rw.check_assumptions(world).verdict)
runs = rw.simulate(world, ["roguewk-plan", "sw-ucb"], replicates=50)
for row in runs.summary().itertuples():
    print(f"{row.policy:<13} earns {row.reward:5.1f} and spends {row.spent_minutes:3.0f} minutes")

# Prints:
#
#     1, 2, 3, 4, 5, 6, X, B hold.
#     roguewk-plan  earns 111.7 and spends 377 minutes
#     sw-ucb        earns  51.8 and spends 405 minutes
