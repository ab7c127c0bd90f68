"""From a log in a file to decisions: what wears off, what another schedule would
have earned, and a policy for the next person.
"""

import roguewk as rw
from roguewk.learn.example import invented_log

# A CSV file with the columns subject, round, arm, reward, cost_minutes, as your own log would be.
log = invented_log()
with open("log.csv", "w") as file:
    file.write("subject,round,arm,reward,cost_minutes\n")
    for row in range(log.arm.size):
        arm = "" if log.arm[row] < 0 else log.arms[log.arm[row]]
        reward = "" if log.arm[row] < 0 else f"{log.reward[row]:g}"
        subject, time = log.subjects[log.subject[row]], int(log.time[row])
        file.write(f"{subject},{time},{arm},{reward},{log.costs[row, 0]:g}\n")

fit = rw.fit("log.csv")
print(fit)

# The next person, who has 40 minutes in 60 rounds, up to the half of them.
policy = rw.make_policy("roguewk-plan", fit.problem(horizon=60, budgets={"minutes": 40.0}), seed=1)
pulls = 0
for t in range(30):
    decision = policy.select()
    if decision.arm is not None:  # None: a round of rest
        pulls += 1
        policy.update(decision, reward=int(t % 3 > 0), costs=[4.0 if decision.name == "call" else 0.5])
print(f"\n{pulls} pulls in 30 rounds, {policy.spent[0]:g} minutes; of this person is now believed:")
print(policy.beliefs()[["arm", "rested", "rested_low", "rested_high"]].round(2).to_string(index=False))

# Prints:
#
#     4,025 pulls of 2 arms by 150 subjects, bernoulli rewards
#     subjects' levels differ by 0.56 (0.46 to 0.67) log-odds; in brackets 95 %
#
#     arm   rested               wear (log-odds)      half-life (rounds)
#     call  0.69 (0.64 to 0.74)  0.81 (0.65 to 0.98)  4.7 (3.8 to 6)
#       wears off and recovers
#     text  0.49 (0.47 to 0.6)   0 (-0.086 to 0.2)    ? (0 to inf)
#       none seen
#
#     30 pulls in 30 rounds, 18.5 minutes; of this person is now believed:
#      arm  rested  rested_low  rested_high
#     call    0.71        0.45         0.88
#     text    0.66        0.49         0.80
