"""Results and catalogues as text for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from roguewk.engine.runs import Runs
from roguewk.policy.recipe import COMMON, Parameter
from roguewk.policy.registry import RECIPES
from roguewk.problem import catalog
from roguewk.study.measures import quartiles, told
from roguewk.study.paper import POLICIES, Paper
from roguewk.study.report import SHOWN_BUDGETS
from roguewk.study.summary import policy_summaries
from roguewk.study.terminal import show, show_table
from roguewk.study.words import count


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


def policies_data() -> list[dict[str, Any]]:
    """Every policy with its parameters as plain data."""
    return [
        {
            "name": each.name,
            "summary": each.summary,
            "parameters": {
                key: {"default": parameter.default, "meaning": parameter.meaning}
                for key, parameter in {**each.parameters, **COMMON}.items()
            },
        }
        for each in RECIPES.values()
    ]


def show_policies() -> None:
    """Every policy with its parameters."""
    for each in RECIPES.values():
        show(f"{each.name}  {each.summary}", hanging="    ")
        _show_parameters(each.parameters)
        print()
    show("every policy also takes")
    _show_parameters(COMMON)


def _show_parameters(parameters: Mapping[str, Parameter]) -> None:
    for key, parameter in parameters.items():
        show(f"{f'{key}={parameter.default}'.lower():<26}{parameter.meaning}", indent="    ", hanging=" " * 30)


def show_worlds() -> None:
    """Every world of the catalogue, its size and its first line."""
    for name in catalog.names():
        problem = catalog.get(name).problem
        story = (getattr(catalog, name).__doc__ or "").strip().splitlines()[0].removeprefix("Return ")
        show(f"{name:<17}{story[:1].upper()}{story[1:]}", hanging=" " * 17)
        sizes = [count(len(problem.arms), "arm"), count(len(problem.resources), "resource")]
        sizes += [count(problem.horizon, "round"), *(["idle rounds allowed"] if problem.idle else [])]
        show(", ".join(sizes), indent=" " * 17)
