"""The command that says what a better schedule would earn, by a log."""

import argparse
from typing import Any

import roguewk
from roguewk.cli.common import print_json
from roguewk.cli.models import add_level_options, check_round_length, covariates
from roguewk.problem.errors import InputError


def add_whatif(commands: Any) -> None:
    """Tell the parser of it."""
    command = commands.add_parser("whatif", help="what the planner would earn more than what was done in a log")
    command.add_argument(
        "log", metavar="LOG", help="a .csv or .parquet file: subject, round or time, arm, reward, costs"
    )
    command.add_argument(
        "--budget",
        metavar="NAME=AMOUNT",
        action="append",
        help="per subject, of a resource or of pulls; may be given several times (default: what was spent on average)",
    )
    command.add_argument("--horizon", type=int, metavar="N", help="rounds (default: those of the middle subject)")
    add_level_options(command)
    command.add_argument("--draws", type=int, default=20, help="from what the fit leaves open (default 20)")
    command.add_argument("--seed", type=int, default=0, help="default 0")
    command.add_argument(
        "--round-length",
        type=float,
        metavar="TIME",
        help="how long a round is, in the log's unit; needed for clock times",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_whatif)


def _whatif(options: argparse.Namespace) -> None:
    from roguewk.experiment.whatif.words import basis, caveat, data, effect, head, headline, rows
    from roguewk.show.terminal import busy, progress_bar, show, show_table

    budgets = read_budgets(options.budget or [])
    with busy("fitting the log"):
        log = roguewk.read_log(options.log, unit=options.unit)
        check_round_length(log, options.round_length)
        fit = roguewk.fit(
            log, options.family, start=options.start, covariates=covariates(options), baseline=options.baseline
        )
    with progress_bar("simulating") as progress:
        found = roguewk.what_if(
            log,
            budgets,
            options.horizon,
            fit=fit,
            draws=options.draws,
            seed=options.seed,
            round_length=options.round_length,
            progress=progress,
        )
    if options.json:
        print_json(data(found))
        return
    for sentence in (headline(found), effect(found), caveat(found)):
        if sentence:
            show(sentence)
    show_table(head(found), rows(found), numbers=(1,))
    show(basis(found))


def read_budgets(typed: list[str]) -> dict[str, float]:
    """Budgets by name.

    >>> read_budgets(["minutes=60", "visits=2.5"])
    {'minutes': 60.0, 'visits': 2.5}
    """
    budgets: dict[str, float] = {}
    for each in typed:
        name, equals, amount = (part.strip() for part in each.rpartition("="))
        try:
            value = float(amount)
        except ValueError:
            equals = ""
        if not (name and equals):
            example = name or ("minutes" if "=" in each or not amount else amount)
            raise InputError(f"--budget {each!r} is no budget: write it as {example}=60")
        if name in budgets:
            raise InputError(f"the budget of {name!r} is given twice: give it once")
        budgets[name] = value
    return budgets
