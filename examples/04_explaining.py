"""Why this arm now? Every decision explains itself in words, and has the numbers for
those who want to go on.
"""

import roguewk as rw

world = rw.catalog.mobile_health()
policy = rw.make_policy("roguewk-plan", world.problem, seed=1)
for t in range(60):
    decision = policy.select()
    if decision.arm is not None:
        policy.update(decision, reward=t % 2, costs=[1.0, 1.5])
        last_pull = decision

print(f"Round {last_pull.round}")
print(last_pull.explain())

outlook = last_pull.outlook  # what the planner saw in each arm, in rewards
print(f"\nLooking {outlook.ahead} rounds ahead:")
for arm, now, wear in zip(world.problem.arms, outlook.now, outlook.wear, strict=True):
    print(f"{arm.name:<18}{now:.2f} now for {-wear:.2f} later")

# Prints:
#
#     Round 57
#     Arm 'reminder' is played: it promises 0.288 now, wears off 0.0939 of what it can
#     earn later, takes resources worth 0.198 and is credited 0.00448 for what is yet
#     to be learned, 0.000133 in all. The runner-up, an idle round, comes to 0,
#     0.000133 less.
#
#       arm                reward now    wear   price  learning     sum
#       reminder                0.288  -0.094  -0.198     0.004   0.000  played
#       personal tip            0.303  -0.133  -0.198     0.008  -0.021
#       call from a coach       0.333  -0.219  -0.198     0.008  -0.077
#       (idle round)                                              0.000
#
#     A pull of 'reminder' is taken to need 1 of 'interruptions' at 0.198 a unit;
#     'staff minutes' has no price.
#
#     Looking 6 rounds ahead:
#     reminder          0.29 now for 0.09 later
#     personal tip      0.30 now for 0.13 later
#     call from a coach 0.33 now for 0.22 later
