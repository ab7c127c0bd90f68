"""A study from Python: worlds and policies in a TOML file, run once, kept in a folder.

The same as `roguewk study budgets.toml`, which also draws figures and a report. Running it
again finds every cell in the folder and works nothing out.
"""

from pathlib import Path

import roguewk as rw

Path("budgets.toml").write_text("""
replicates = 50
baseline = "roguewk-ucb"

[[world]]
world = "paper"
budget = [50, 100, 200]

[[policy]]
policy = ["roguewk-ucb", "roguewk-ucb-tuned", "sw-ucb"]
""")

if __name__ == "__main__":  # the workers are processes that read this file too
    results = rw.run_study("budgets.toml", "budgets-study")
    print(f"{len(results.cells)} cells, {len(results.frame())} runs")
    for row in results.comparisons.itertuples():
        if row.world == "all worlds":
            # Over several worlds, shares of the certified bounds are compared.
            print(f"{row.policy}: {row.difference:+.1%} ({row.low:+.1%} to {row.high:+.1%}), {row.verdict}")
            print(f"    a difference of {row.detectable:.1%} would have been found")

# Prints:
#
#     21 cells, 450 runs
#     roguewk-ucb-tuned: +16.2% (+16.0% to +16.4%), more
#         a difference of 0.3% would have been found
#     sw-ucb: -4.8% (-5.3% to -4.2%), less
#         a difference of 0.9% would have been found
