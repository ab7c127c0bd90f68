"""The command that says which trial would tell most, by a log."""

import argparse
import json
from typing import Any

import roguewk
from roguewk.cli.common import print_json
from roguewk.cli.models import add_level_options, check_round_length, covariates


def add_design(commands: Any) -> None:
    """Tell the parser of it."""
    command = commands.add_parser("design", help="which spacing of pulls would narrow the half-life of an arm most")
    command.add_argument("log", metavar="LOG", help="a .csv or .parquet file: subject, round or time, arm, reward")
    command.add_argument("--arm", metavar="NAME", help="of which the trial is to tell (may be left out if it is alone)")
    command.add_argument("--subjects", type=int, default=50, metavar="N", help="further ones (default 50)")
    command.add_argument("--rounds", type=int, default=60, metavar="N", help="of each subject (default 60)")
    command.add_argument("--pulls", type=int, metavar="N", help="that a subject may get at the most (default: any)")
    command.add_argument(
        "--round-length", type=float, metavar="TIME", help="how long a round is, in the unit of clock times"
    )
    add_level_options(command)
    command.add_argument("--seed", type=int, default=0, help="default 0")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_design)


def _design(options: argparse.Namespace) -> None:
    from roguewk.show.terminal import busy, show

    with busy("fitting the log", options.json):
        log = roguewk.read_log(options.log, unit=options.unit)
        check_round_length(log, options.round_length)
        fit = roguewk.fit(
            log, options.family, start=options.start, covariates=covariates(options), baseline=options.baseline
        )
    with busy("weighing schedules", options.json):
        found = fit.design(
            options.arm,
            subjects=options.subjects,
            rounds=options.rounds,
            pulls=options.pulls,
            round_length=options.round_length,
            seed=options.seed,
        )
    if options.json:
        rows = json.loads(found.frame().to_json(orient="records"))  # which writes what is not finite as null
        told = {"arm": found.arm, "round_length": found.round_length, "unit": found.unit, "advice": found.advice}
        print_json({**told, "plan": found.plan(), "schedules": rows})
        return
    print(found)
    print()
    show(f"the best schedule gives {found.arm!r} in the rounds {', '.join(map(str, found.plan()))}")
