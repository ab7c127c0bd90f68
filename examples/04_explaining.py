"""Why this arm now? Every decision explains itself in words, and has the numbers for
those who want to go on.
"""

import roguewk as rw

world = rw.catalog.messages()
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
#     Round 58
#     Arm 'call from a coach' is played: it promises 0.535 now, wears off 0.34 of what
#     it can earn later, takes resources worth 0.198 and is credited 0.00314 for what
#     is yet to be learned, 0.000198 in all. The runner-up, an idle round, comes to 0,
#     0.000198 less.
#
#       arm                reward now    wear   price  learning     sum
#       call from a coach       0.535  -0.340  -0.198     0.003   0.000  played
#       reminder                0.234  -0.060  -0.198     0.001  -0.022
#       personal tip            0.277  -0.117  -0.198     0.002  -0.036
#       (idle round)                                              0.000
#
#     A pull of 'call from a coach' is taken to need 1 of 'interruptions' at 0.198 a
#     unit; 'staff minutes' has no price.
#
#     Looking 6 rounds ahead:
#     reminder          0.23 now for 0.06 later
#     personal tip      0.28 now for 0.12 later
#     call from a coach 0.54 now for 0.34 later
