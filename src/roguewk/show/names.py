"""The policies that pictures and texts know by name."""

OURS, THEIRS, NAIVE = "roguewk-ucb", "sw-ucb", "ucb1"
PLANNER, CLAIRVOYANT = "roguewk-plan", "clairvoyant"  # not in the paper
