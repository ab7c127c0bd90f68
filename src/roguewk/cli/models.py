"""The options of `roguewk fit` that say which model is fitted, and the comparison of models."""

import argparse
import json
from typing import Any

import roguewk
from roguewk.problem.errors import InputError
from roguewk.show.terminal import progress_bar


def add_level_options(command: argparse.ArgumentParser) -> None:
    """Tell the parser of a command that fits a log of those that every such command has."""
    command.add_argument(
        "--family", default="bernoulli", help="of rewards: bernoulli (default), gaussian, poisson, bounded"
    )
    command.add_argument(
        "--unit", help="of times: seconds, minutes, hours, days or weeks (default: by the gaps of dates)"
    )
    command.add_argument("--start", default="rested", help="rested (default), or unknown: subjects may begin worn")
    command.add_argument(
        "--covariates", metavar="A,B", help="columns of numbers that add to levels, such as hour,weekday"
    )
    command.add_argument(
        "--no-baseline",
        dest="baseline",
        action="store_const",
        const=None,
        default="log",
        help="leave out what idle rows brought",
    )


def add_model_options(fit: argparse.ArgumentParser) -> None:
    """Tell the parser of `roguewk fit` of them."""
    add_level_options(fit)
    fit.add_argument("--trend", action="store_true", help="let levels change steadily with time since the first row")
    fit.add_argument("--common", action="store_true", help="let every pull wear all arms, by a state that they share")
    fit.add_argument("--second", metavar="KIND", help="a second wear of each arm: slow to recover, or permanent")
    fit.add_argument(
        "--wear-varies", action="store_true", help="let subjects differ in their wear, beside their levels"
    )
    fit.add_argument(
        "--compare", action="store_true", help="also ask which model predicts subjects that are left out best"
    )


def covariates(options: argparse.Namespace) -> list[str]:
    """Those that were named."""
    return [] if options.covariates is None else [name.strip() for name in options.covariates.split(",")]


def model_settings(options: argparse.Namespace) -> dict[str, Any]:
    """What `roguewk.fit` is told of them."""
    return {
        "covariates": covariates(options),
        "baseline": options.baseline,
        "trend": options.trend,
        "common": options.common,
        "second": options.second,
        "wear_varies": options.wear_varies,
    }


def compared(log: Any, options: argparse.Namespace) -> "roguewk.ModelComparison | None":
    """Which model is best, if that was asked."""
    if not options.compare:
        return None
    if options.trend or options.common or options.second is not None or options.wear_varies:
        raise InputError("--compare tries all models: leave out --trend, --common, --second and --wear-varies")
    with progress_bar("comparing models", options.json) as progress:
        return roguewk.compare_models(
            log, options.family, start=options.start, covariates=covariates(options), progress=progress
        )


def comparison_data(found: "roguewk.ModelComparison | None") -> dict[str, Any]:
    """The comparison for JSON; nothing if there is none."""
    if found is None:
        return {}
    return {"best": found.best, "models": json.loads(found.frame().to_json(orient="records"))}


def check_round_length(log: "roguewk.LoggedRounds", given: float | None) -> None:
    """Refuse to guess how long a round of a log with clock times is."""
    if not log.regular and given is None:
        raise InputError(f"the log has clock times: say how long a round is, in {log.unit}, with --round-length")
