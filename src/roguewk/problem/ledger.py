"""Money: what is spent, and when a budget is over."""

SLACK = 1e-9  # of a budget: rounding must not end a game
