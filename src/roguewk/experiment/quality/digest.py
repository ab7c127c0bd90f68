"""Shares of the bound, and goals, as text for a terminal."""

from collections.abc import Mapping
from typing import Any

from roguewk.experiment.quality.goals import WORST_GOAL, spread, verdicts, with_error
from roguewk.experiment.quality.quality import JUDGED_BUDGETS, MODES, Quality
from roguewk.show.terminal import in_parts, show, show_table
from roguewk.show.words import count

WORST_SHOWN = 5


def show_quality(quality: Quality) -> None:
    """Shares of the bound, times, and every goal with its verdict."""
    settings = quality.settings
    sizes = f"{count(settings.replicates, 'replicate')}, seed {settings.seed}"
    show(f"The paper's world: share of the bound, ± standard error ({sizes})")
    paper = quality.paper[quality.paper["budget"].isin(JUDGED_BUDGETS)]
    cells = {(row["idle"], row["budget"], row["policy"]): _share(row) for row in paper.to_dict("records")}
    places = [(idle, budget) for idle in MODES for budget in JUDGED_BUDGETS]
    for part in in_parts(quality.policies):
        rows = [[MODES[idle], str(budget), *(cells[idle, budget, each] for each in part)] for idle, budget in places]
        show_table(("rounds", "budget", *part), rows, numbers=range(1, 2 + len(part)))
    for kind in settings.kinds:
        _show_worlds(quality, kind)
    for timing in quality.timings:
        show(f"{timing.what}: {1000 * timing.seconds:,.0f} ms")
    print(f"\nGoals of {quality.judged}:")
    for verdict in verdicts(quality):
        show(str(verdict), hanging="    ")


def _share(row: Mapping[Any, Any]) -> str:
    return with_error(row["fraction"], row["standard_error"])


def _show_worlds(quality: Quality, kind: str) -> None:
    """A row per policy, then the judged policy's worst worlds."""
    settings, of_kind = quality.settings, quality.worlds[quality.worlds["kind"] == kind]
    coins = "" if kind == "plain" else " whose costs may be all or nothing"
    sizes = count(settings.world_replicates, "replicate")
    show(f"{count(settings.worlds, 'random world')}{coins}: share of the bound ({sizes})")
    rows = []
    for policy in quality.policies:
        found = spread(of_kind[of_kind["policy"] == policy])
        worst = with_error(found.worst, found.worst_error)
        rows.append([policy, with_error(found.average, found.error), worst, str(found.worst_world), str(found.missed)])
    show_table(("policy", "average", "worst", "its world", f"below {WORST_GOAL:g}"), rows, numbers=range(1, 5))
    show(f"The worst worlds of {quality.judged}:")
    judged = of_kind[of_kind["policy"] == quality.judged].nsmallest(WORST_SHOWN, "fraction")
    names = ("world", "arms", "resources", "horizon")
    shown = [[*(str(row[key]) for key in names), MODES[row["idle"]], _share(row)] for row in judged.to_dict("records")]
    show_table((*names, "rounds", "share"), shown, numbers=(0, 1, 2, 3, 5))
