"""How policies fare in a suite of worlds, as text for a terminal."""

from roguewk.experiment.hostile.goals import beaten, goals, learning
from roguewk.experiment.hostile.hostile import Hostile
from roguewk.show.terminal import in_parts, show, show_table
from roguewk.show.words import count

SHOWN = 10  # worlds in which another policy is ahead


def show_hostile(hostile: Hostile) -> None:
    """A row per family, the worlds in which another policy is ahead, and every goal with its verdict."""
    settings = hostile.settings
    sizes = f"{count(settings.worlds, 'world')} each, {count(settings.replicates, 'replicate')}, seed {settings.seed}"
    show(f"{settings.chosen.title}: share of the bound, average of a family ({sizes})")
    averages = hostile.shares.pivot_table(index="family", columns="policy", values="share", sort=False)
    for part in in_parts(hostile.policies):
        rows = [[str(family), *(f"{row[policy]:.3f}" for policy in part)] for family, row in averages.iterrows()]
        rows.append(["all", *(f"{averages[policy].mean():.3f}" for policy in part)])
        show_table(("family", *part), rows, numbers=range(1, 1 + len(part)))
    ahead = beaten(hostile.shares[hostile.shares["policy"].isin(learning(hostile))])
    if not ahead.empty:
        show(f"Where another learning policy is surely more than a point ahead of {hostile.judged}:")
        shown = [
            [row["family"], str(row["world"]), row["policy"], f"{-row['gap']:.3f} ± {row['gap_error']:.3f}"]
            for row in ahead.head(SHOWN).to_dict("records")
        ]
        show_table(("family", "world", "policy", "ahead by"), shown, numbers=(1, 3))
    print(f"\nGoals of {hostile.judged}:")
    for goal in goals(hostile):
        show(str(goal), hanging="    ")
