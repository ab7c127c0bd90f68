"""Deciding round by round: rewards that come late or never, arms that are out of
reach, saving and going on.
"""

import json
from pathlib import Path

import roguewk as rw

problem = rw.catalog.messages().problem
policy = rw.make_policy("roguewk-plan", problem, seed=3)

for day in range(4):
    waiting = []  # rounds whose reward has not come yet
    for _ in range(5):
        no_coach = day < 2
        decision = policy.select(available=["reminder", "personal tip"] if no_coach else None)
        if decision.arm is not None:  # None: silence is better now
            print(f"day {day}, round {decision.round:2d}: {decision.name}")
            policy.update(decision, costs={"interruptions": 1.0, "staff minutes": 1.5})
            waiting.append(decision.round)
    # In the evening the rewards come in, the latest first; that of round 1 will never be known.
    for round_ in reversed(waiting):
        policy.update(round_, reward=None if round_ == 1 else round_ % 2)

print(f"after {policy.round} rounds, {policy.spent[1]:g} staff minutes are spent")
Path("policy.json").write_text(json.dumps(policy.state()))

# Tomorrow, perhaps on another machine:
later = rw.restore_policy(json.loads(Path("policy.json").read_text()))
same = all(later.select().arm == policy.select().arm for _ in range(50))
print(f"restored, it decides {'the same' if same else 'differently'}")

# Prints:
#
#     day 0, round  0: personal tip
#     day 0, round  2: reminder
#     day 1, round  9: reminder
#     day 2, round 10: call from a coach
#     day 3, round 16: reminder
#     day 3, round 17: personal tip
#     after 20 rounds, 9 staff minutes are spent
#     restored, it decides the same
