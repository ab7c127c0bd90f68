"""What is lost where nobody knows the dynamics, as text for a terminal."""

from roguewk.experiment.unknown.goals import best_rivals, goals
from roguewk.experiment.unknown.unknown import KNOWN, Unknown
from roguewk.show.terminal import show, show_table
from roguewk.show.words import count


def show_unknown(unknown: Unknown) -> None:
    """Shares by world, what mistakes cost, worlds of other forms, and every goal with its verdict."""
    settings = unknown.settings
    sizes = f"{count(settings.replicates, 'replicate')}, {settings.world_replicates} on random worlds"
    show(f"Share of what the planner earns that knows the dynamics ({sizes}, seed {settings.seed})")
    table = unknown.shares.pivot_table(index="world", columns="policy", values="share", sort=False).drop(columns=KNOWN)
    paper = table[table.index.str.startswith("paper")]
    random = table[table.index.str.startswith("random")]
    rows = [[str(name), *(f"{value:.3f}" for value in row)] for name, row in paper.iterrows()]
    rows.append([f"random worlds ({len(random)})", *(f"{value:.3f}" for value in random.mean())])
    rows.append(["worst of them", *(f"{value:.3f}" for value in random.min())])
    show_table(("world", *table.columns), rows, numbers=range(1, 1 + table.shape[1]))
    show("The same for a planner that takes mistakes as known, beside one that learns")
    mistakes = unknown.misled.groupby("mistake", sort=False)[["share", "learned"]].mean()
    rows = [[str(name), f"{row['share']:.3f}", f"{row['learned']:.3f}"] for name, row in mistakes.iterrows()]
    show_table(("mistake, paper's world, idle", "misled", "learned"), rows, numbers=(1, 2))
    show("Worlds that learning does not expect: the best policy that models no dynamics, as a share of the planner")
    rows = [
        [row["form"], "yes" if row["budget"] else "no", row["policy"], f"{row['share']:.3f}", f"{row['most']:.3f}"]
        for row in best_rivals(unknown).to_dict("records")
    ]
    show_table(("form", "budget", "policy", "average", "at most"), rows, numbers=(3, 4))
    print("\nGoals of roguewk-plan with learned dynamics:")
    for goal in goals(unknown):
        show(str(goal), hanging="    ")
