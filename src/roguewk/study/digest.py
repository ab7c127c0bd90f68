"""Results and catalogues as text for a terminal."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from roguewk.engine.runs import Runs
from roguewk.problem import catalog
from roguewk.study.compare import Comparison
from roguewk.study.goals import WORST_GOAL, spread, verdicts, with_error
from roguewk.study.growth import Exponent, Growth
from roguewk.study.measures import quartiles, told
from roguewk.study.paper import POLICIES, Paper
from roguewk.study.plan.model import ALL_WORLDS
from roguewk.study.quality import JUDGED_BUDGETS, MODES, Quality
from roguewk.study.report import SHOWN_BUDGETS
from roguewk.study.results import Results
from roguewk.study.stats.resample import COVERAGE
from roguewk.study.summary import policy_summaries
from roguewk.study.terminal import show, show_table
from roguewk.study.words import count, percent

WORST_SHOWN = 5


def show_paper(paper: Paper) -> None:
    """The verdict, the claims and a small table."""
    for sentence in paper.verdict():
        show(sentence)
    rows = [[each.claim, "yes" if each.holds else "no", each.finding] for each in paper.claims]
    show_table(("the paper", "here?", "numbers"), rows)
    table = quartiles(paper.runs, "reward")
    bounds = paper.bounds.set_index("budget")["bound"]
    shown = [
        [str(budget), *(" ".join(told(table, each, budget)) for each in POLICIES), f"{bounds[budget]:.0f}"]
        for budget in SHOWN_BUDGETS
    ]
    show("Cumulative reward, median (and quartiles), and what no policy can expect to earn more than:")
    show_table(("budget", *POLICIES, "bound"), shown, numbers=range(5))


def show_growth(world: str, growth: Growth) -> None:
    """Regret at every horizon, then the fitted exponents."""
    problem = growth.world.problem
    rounds = "idle rounds allowed" if problem.idle else "every round plays"
    show(f"{world}: regret against the bound, ± standard error ({rounds}, seed {growth.seed})")
    for part in _in_parts([each.policy for each in growth.exponents]):
        cells = {(row["horizon"], row["policy"]): _regret(row) for row in growth.table.to_dict("records")}
        bounds = growth.table.groupby("horizon")["bound"].first()
        rows = [
            [f"{horizon:,}", f"{bounds[horizon]:,.0f}", *(cells[horizon, each] for each in part)]
            for horizon in growth.horizons
        ]
        show_table(("horizon", "bound", *part), rows, numbers=range(2 + len(part)))
    show("Exponents of T fitted to the regret, over all horizons and over the last decade, and the share of the bound:")
    last = growth.table[growth.table["horizon"] == growth.horizons[-1]].set_index("policy")["fraction"]
    fits = [[each.policy, *_fit(each), percent(float(last[each.policy]))] for each in growth.exponents]
    fits.append([growth.theorem.policy, f"{growth.theorem.value:.3f}", "", *_fit(growth.theorem)[2:], ""])
    head = ("policy", "exponent", f"{percent(COVERAGE, 0)} interval", "last decade", f"T = {growth.horizons[-1]:,}")
    show_table(head, fits, numbers=range(1, 5))


def _in_parts(policies: Sequence[str]) -> list[Sequence[str]]:
    """Three policies fit beside each other."""
    return [policies[i : i + 3] for i in range(0, len(policies), 3)]


def _regret(row: Mapping[Any, Any]) -> str:
    error = row["standard_error"]
    return f"{row['regret_upper']:,.1f}" + (f" ± {error:,.1f}" if math.isfinite(error) else "")


def _fit(exponent: Exponent) -> tuple[str, str, str]:
    value, late = (f"{each:.3f}" if math.isfinite(each) else "unknown" for each in (exponent.value, exponent.late))
    if not math.isfinite(exponent.low):
        return value, "unknown", late
    return f"{value} ± {exponent.error:.3f}", f"{exponent.low:.3f} to {exponent.high:.3f}", late


def show_quality(quality: Quality) -> None:
    """Shares of the bound, times, and every goal with its verdict."""
    settings = quality.settings
    sizes = f"{count(settings.replicates, 'replicate')}, seed {settings.seed}"
    show(f"The paper's world: share of the bound, ± standard error ({sizes})")
    paper = quality.paper[quality.paper["budget"].isin(JUDGED_BUDGETS)]
    cells = {(row["idle"], row["budget"], row["policy"]): _share(row) for row in paper.to_dict("records")}
    places = [(idle, budget) for idle in MODES for budget in JUDGED_BUDGETS]
    for part in _in_parts(quality.policies):
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


def show_simulation(world: str, runs: Runs, policies: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Two tables with a row per policy: what it earned, and what it spent."""
    sizes = f"{count(runs.replicates, 'replicate')} of {count(runs.world.problem.horizon, 'round')}, seed {runs.seed}"
    show(f"{world}: {sizes}")
    summaries = policy_summaries(runs, policies)
    means = ("expected_reward", "plays", "rounds")
    earned = [[each["policy"], _with_error(each), *(f"{each[key]:.1f}" for key in means)] for each in summaries]
    show_table(("policy", "mean reward", "expected", "plays", "rounds"), earned, numbers=range(1, 5))
    if runs.world.problem.resources:
        spent = [[each["policy"], _shares(each["stopped_by"]), _shares(each["share_of_budget"])] for each in summaries]
        several = len(runs.world.problem.resources) > 1
        show_table(("policy", "stopped by", "share of budget spent"), spent, lines=several)


def _with_error(summary: Mapping[str, Any]) -> str:
    error = summary["standard_error"]
    return f"{summary['reward']:.1f}" + ("" if error is None else f" ± {error:.1f}")


def _shares(shares: Mapping[str, float]) -> str:
    return "\n".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())


def show_comparison(comparison: Comparison) -> None:
    """Each policy's average share of the bound, its best and its worst world."""
    table = comparison.shares()
    rows = []
    for policy in table.index:
        shares = {name: float(share) for name, share in table.loc[policy].items() if not math.isnan(share)}
        if not shares:
            rows.append([str(policy), "", "", "fits none of them"])
            continue
        ends = (max(shares, key=lambda name: shares[name]), min(shares, key=lambda name: shares[name]))
        told_ends = [f"{name} {100 * shares[name]:.0f} %" for name in ends]
        rows.append([str(policy), f"{100 * sum(shares.values()) / len(shares):.1f}", *told_ends])
    show_table(["policy", "average %", "best on", "worst on"], rows, numbers=(1,))
    if table.isna().any(axis=None):
        show("Averages are over the worlds that a policy fits; compare.csv says why it does not fit the others.")


def show_worlds() -> None:
    """Every world of the catalogue, its size and its first line."""
    for name in catalog.names():
        problem = catalog.get(name).problem
        story = (getattr(catalog, name).__doc__ or "").strip().splitlines()[0].removeprefix("Return ")
        show(f"{name:<17}{story[:1].upper()}{story[1:]}", hanging=" " * 17)
        sizes = [count(len(problem.arms), "arm"), count(len(problem.resources), "resource")]
        sizes += [count(problem.horizon, "round"), *(["idle rounds allowed"] if problem.idle else [])]
        show(", ".join(sizes), indent=" " * 17)


def show_study(results: Results) -> None:
    """For every policy its average over worlds, and how it compares with the baseline."""
    study, summary = results.study, results.summary
    groups = summary.groupby("policy", sort=False)
    lost, played = groups["failed"].sum(), groups["reward"].count()
    averages = groups[["reward", "share"]].mean().to_dict("index")
    many = len(study.worlds) > 1
    uneven = bool((played < len(study.worlds)).any()) and many
    table = results.comparisons
    judged = (table[table["world"] == ALL_WORLDS] if many else table).set_index("policy").to_dict("index")
    rows = []
    for policy in (each.label for each in study.policies if each.label in averages):
        against = ["baseline", ""] if policy == study.baseline else ["", ""]
        if policy in judged:
            against = [_difference(judged[policy]), str(judged[policy]["verdict"])]
        row = [policy, _known(averages[policy]["reward"]), percent(averages[policy]["share"]), *against]
        rows.append([*row, *([str(played[policy])] if uneven else []), *([str(lost[policy])] if lost.any() else [])])
    over = "the worlds that a policy played" if uneven else count(len(study.worlds), "world")
    where = f", averages over {over}" if many else ""
    show(f"Rewards{where}; differences from {study.baseline!r} under the same luck, with 95 % intervals:")
    head = ["policy", "reward", "of bound", "difference", "verdict"]
    head += [*(["worlds"] if uneven else []), *(["failed"] if lost.any() else [])]
    show_table(head, rows, numbers=(1, 2, 3, 5, 6))


def _known(value: float, sign: str = "") -> str:
    return f"{value:{sign},.1f}" if math.isfinite(value) else "unknown"


def _difference(row: Mapping[Any, Any]) -> str:
    found = _known(row["difference"], "+")
    if not math.isfinite(row["low"]):
        return found
    return f"{found} ({_known(row['low'], '+')} to {_known(row['high'], '+')})"
