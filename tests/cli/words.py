"""What commands are given, and how they fail."""

WORLD = """
horizon = 60
[[resource]]
name = "staff [b]"
budget = 12
[[arm]]
name = "walk"
rested = 0.6
wear = 0.5
half_life = 2
costs = [{ uniform = [0.1, 0.3] }]
[[arm]]
name = "call"
rested = 0.8
wear = 0.9
half_life = 4
costs = [{ fixed = 0.5 }]
"""
