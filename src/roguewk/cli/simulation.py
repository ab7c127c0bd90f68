"""A simulation in a few lines, for people and as data."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from roguewk.engine.runs import Runs
from roguewk.policy.registry import recipe
from roguewk.show.terminal import show, show_table
from roguewk.show.words import count


def simulation_data(world: str, runs: Runs, policies: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Everything about a simulation as plain data for JSON; numbers that do not exist are None."""
    return {
        "world": world,
        "seed": runs.seed,
        "replicates": runs.replicates,
        "policies": policy_summaries(runs, policies),
        "runs": [{str(key): _plain(value) for key, value in row.items()} for row in runs.frame().to_dict("records")],
    }


def policy_summaries(runs: Runs, policies: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """For each policy its parameters, means, what stopped it how often, and the share of each budget it spent."""
    frame = runs.frame()
    resources, totals = runs.world.problem.resources, runs.world.problem.totals.tolist()
    per_play = "effect_per_play" if _effect(runs) else "reward_per_play"
    summaries = []
    for row, (name, parameters) in zip(runs.summary().to_dict("records"), policies, strict=True):
        mine = frame[frame["policy"] == row["policy"]]
        ends = mine["stopped_by"].value_counts(normalize=True)
        means = ("reward", "standard_error", "expected_reward", *_effect(runs), "plays", "rounds", per_play)
        summaries.append(
            {
                "policy": row["policy"],
                "name": name,
                "parameters": recipe(name).complete(parameters),
                **{key: _plain(row[key]) for key in means},
                "stopped_by": {str(end): float(share) for end, share in ends.items()},
                "spent": {each.name: _plain(row[f"spent_{each.name}"]) for each in resources},
                "share_of_budget": {
                    each.name: _plain(row[f"spent_{each.name}"] / total)
                    for each, total in zip(resources, totals, strict=True)
                },
            }
        )
    return summaries


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def show_simulation(world: str, runs: Runs, policies: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Two tables with a row per policy: what it earned, and what it spent."""
    sizes = f"{count(runs.replicates, 'replicate')} of {count(runs.world.problem.horizon, 'round')}, seed {runs.seed}"
    show(f"{world}: {sizes}")
    summaries = policy_summaries(runs, policies)
    means = ("expected_reward", *_effect(runs), "plays", "rounds")
    earned = [[each["policy"], _with_error(each), *(f"{each[key]:.1f}" for key in means)] for each in summaries]
    heads = ("policy", "mean reward", *(name.removesuffix("_reward") for name in means))
    show_table(heads, earned, numbers=range(1, len(heads)))
    unused = [each["policy"] for each in summaries if not recipe(each["name"]).uses_contexts]
    if runs.world.contexts and unused:
        show(f"Of contexts these mind only which arms they forbid: {', '.join(unused)}.")
    if runs.world.problem.resources:
        spent = [[each["policy"], _shares(each["stopped_by"]), _shares(each["share_of_budget"])] for each in summaries]
        several = len(runs.world.problem.resources) > 1
        show_table(("policy", "stopped by", "share of budget spent"), spent, lines=several)


def _effect(runs: Runs) -> tuple[str, ...]:
    """The column of effects, where idle rounds bring something."""
    return () if runs.world.baseline is None else ("effect",)


def _with_error(summary: Mapping[str, Any]) -> str:
    error = summary["standard_error"]
    return f"{summary['reward']:.1f}" + ("" if error is None else f" ± {error:.1f}")


def _shares(shares: Mapping[str, float]) -> str:
    return "\n".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
