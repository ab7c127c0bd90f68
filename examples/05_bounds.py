"""What could anyone earn? A certified bound, the share of it that policies reach, and
what one more unit is worth.
"""

import roguewk as rw

world = rw.catalog.paper(budget=100, idle=True)
bound = rw.upper_bound(world)
print(f"nobody can expect more than {bound.value:.1f}")
for resource, price in zip(world.problem.resources, bound.prices, strict=True):
    print(f"one more unit of {resource.name} would add {price:.2f}")

runs = rw.simulate(world, ["clairvoyant", "roguewk-plan", "roguewk-ucb", "ucb1"], replicates=100)
for policy, share in runs.fraction.items():
    print(f"{policy:<13} reaches {share:6.1%} of it")

# Of tiny worlds the true optimum can be found, and the bound lies above it.
arm = rw.Arm("call", A=0.5, B=-1.0, K=0.5)
problem = rw.Problem([arm], [rw.Resource("staff", 2.0)], horizon=6, idle=True)
tiny = rw.World(problem, x0=[0.0], costs=[[rw.Cost.bernoulli(0.5)]])
print(f"a tiny world: optimum {rw.exact(tiny).value:.3f}, bound {rw.upper_bound(tiny).value:.3f}")

# Prints:
#
#     nobody can expect more than 274.0
#     one more unit of resource 1 would add 0.00
#     one more unit of resource 2 would add 2.05
#     one more unit of resource 3 would add 0.00
#     clairvoyant   reaches  99.8% of it
#     roguewk-plan  reaches  99.1% of it
#     roguewk-ucb   reaches  59.1% of it
#     ucb1          reaches  48.0% of it
#     a tiny world: optimum 1.856, bound 1.856
