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
#     Round 59
#     Arm 'reminder' is played: it promises 0.288 now, wears off 0.0971 of what it can
#     earn later, takes resources worth 0.193 and is credited 0.0022 for costs yet to
#     be learned, 0.000546 in all. The runner-up, an idle round, comes to 0, 0.000546
#     less.
#
#       arm                reward now    wear   price  learning     sum
#       reminder                0.288  -0.097  -0.193     0.002   0.001  played
#       call from a coach       0.456  -0.292  -0.191     0.007  -0.019
#       personal tip            0.307  -0.137  -0.193     0.003  -0.020
#       (idle round)                                              0.000
#
#     A pull of 'reminder' is taken to need 0.992 of 'interruptions' at 0.195 a unit;
#     'staff minutes' has no price.
#
#     Looking 3 rounds ahead:
#     reminder          0.29 now for 0.10 later
#     personal tip      0.31 now for 0.14 later
#     call from a coach 0.46 now for 0.29 later
