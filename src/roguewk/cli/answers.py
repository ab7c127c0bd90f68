"""The commands that answer a question about worlds and policies."""

import argparse
import contextlib
import json
import math
import os
from pathlib import Path
from typing import Any, Literal

import roguewk
from roguewk.cli.common import IDLE_HELP, WORLD_HELP, chosen_world, print_json
from roguewk.cli.models import add_model_options, compared, comparison_data, model_settings
from roguewk.problem.duration import in_words
from roguewk.problem.errors import InputError
from roguewk.show.terminal import busy, complain, show


def add_answers(commands: Any) -> None:
    """Tell the parser of them."""
    check = commands.add_parser("check", help="which of the paper's assumptions a world meets, with the numbers")
    check.set_defaults(run=_check)
    bound = commands.add_parser("bound", help="what no policy can earn more than, and the prices of the budgets")
    bound.add_argument(
        "--varying", action="store_true", help="let the price of a round vary: lower over short horizons"
    )
    bound.set_defaults(run=_bound)
    theorem = commands.add_parser("theorem", help="every number of the paper's analysis, and whether it holds here")
    theorem.add_argument("--nlp", action="store_true", help="solve the paper's nonlinear program too (needs CasADi)")
    theorem.set_defaults(run=_theorem)
    simulate = commands.add_parser("simulate", help="play policies against a world, many times over")
    simulate.set_defaults(run=_simulate)
    for command in (check, bound, theorem, simulate):
        command.add_argument("world", metavar="WORLD", help=WORLD_HELP)
        command.add_argument("--idle", action=argparse.BooleanOptionalAction, help=IDLE_HELP)
    simulate.add_argument(
        "--policies",
        metavar="A,B",
        help="such as ucb1,sw-ucb:w1=30,rogue/wilson/lp, or all (default: the main ones)",
    )
    simulate.add_argument("--replicates", type=int, default=10, help="runs of each policy (default 10)")
    simulate.add_argument("--seed", type=int, default=0, help="default 0")
    simulate.add_argument("--threads", type=int, metavar="N", help="default: all processors")
    simulate.add_argument("--out", metavar="FILE", help="also write a row per run to this .csv or .parquet file")

    fit = commands.add_parser("fit", help="how arms wear off and recover by a log, with intervals and verdicts")
    fit.add_argument("log", metavar="LOG", help="a .csv or .parquet file: subject, round or time, arm, reward")
    add_model_options(fit)
    fit.add_argument("--out", metavar="DIR", help="folder of the report (default roguewk-fit; with --json none)")
    fit.add_argument("--no-report", action="store_true", help="write no report")
    fit.set_defaults(run=_fit)

    policies = commands.add_parser("policies", help="the policies, their parts, parameters and papers")
    policies.add_argument("name", metavar="NAME", nargs="?", help="show this one with its parameters")
    policies.add_argument("--parts", action="store_true", help="show the parts that policies are made of")
    policies.set_defaults(run=_policies)
    commands.add_parser("worlds", help="the worlds of the catalogue").set_defaults(run=_worlds)
    for command in (check, bound, theorem, simulate, fit, policies):
        command.add_argument("--json", action="store_true", help="print JSON")


def _check(options: argparse.Namespace) -> None:
    report = roguewk.check_assumptions(chosen_world(options))
    if options.json:
        print_json(report.to_data())
    else:
        print(report)


def _fit(options: argparse.Namespace) -> None:
    from roguewk.show.folder import results_folder

    if options.no_report and options.out is not None:
        raise InputError(f"--out {options.out!r} and --no-report are given: give one of them")
    where = options.out if options.json or options.no_report else options.out or "roguewk-fit"
    with busy("reading the log", options.json):
        log = roguewk.read_log(options.log, unit=options.unit)
    if not options.json:
        for sentence in log.found:
            show(sentence)
        print()
    with contextlib.nullcontext() if where is None else results_folder(where) as folder:
        models = compared(log, options)
        with busy("fitting the log", options.json):
            found = roguewk.fit(log, options.family, start=options.start, **model_settings(options))
        if options.json:
            arms, effects = (json.loads(table.to_json(orient="records")) for table in (found.frame(), found.effects))
            told = {"found": list(log.found), "arms": arms, "effects": effects}
            if found.baseline is not None:
                told["baseline"] = found.baseline.to_data()
            print_json({**told, "log_likelihood": found.log_likelihood, **comparison_data(models)})
        else:
            print(found)
            if models is not None:
                print(f"\n{models}")
        if folder is not None:
            judged = _write_report(found, log, os.path.basename(options.log), folder, models)
    if folder is not None and not options.json:
        print()
        for sentence in judged:
            show(sentence)
        print(f"\nreport and estimates are in {folder}; open {folder / 'report.html'}")


def _write_report(
    fit: "roguewk.Fit",
    log: "roguewk.LoggedRounds",
    name: str,
    folder: Path,
    models: "roguewk.ModelComparison | None",
) -> list[str]:
    """What its checks say of the model: in a sentence, and what is strange."""
    from roguewk.problem.whole import write_all
    from roguewk.report.findings import look_into
    from roguewk.report.page import fit_page
    from roguewk.report.words import checks, verdict_on_model
    from roguewk.show.tables import csv_bytes
    from roguewk.show.terminal import progress_bar

    with progress_bar("the report") as progress:
        findings = look_into(fit, log, progress)
        page = fit_page(findings, f"{name}: how arms wear off and recover", models)
    write_all(folder, {"report.html": page, "arms.csv": csv_bytes(fit.frame())})
    made = checks(findings)
    return [verdict_on_model(made, findings.account.reward.size), *(each.sentence for each in made if each.strange)]


def _bound(options: argparse.Namespace) -> None:
    from roguewk.show.terminal import progress_bar

    world = chosen_world(options)
    kind: Literal["constant", "varying"] = "varying" if options.varying else "constant"
    with progress_bar("looking for the prices of budgets and rounds", always=options.varying) as progress:
        bound = roguewk.upper_bound(world, round_prices=kind, progress=progress)
    prices = dict(zip([each.name for each in world.problem.resources], bound.prices.tolist(), strict=True))
    gap = bound.gap if math.isfinite(bound.gap) else None
    constant = _why_constant(world) if options.varying else ""
    if options.json:
        if constant:
            complain(constant)
        found = {"value": bound.value, "prices": prices, "round_price": bound.round_price}
        varying = {"round_prices": bound.round_prices.tolist()} if options.varying else {}
        by_context = _prices_by_context(world, bound)
        found |= {"round_price_by_context": by_context} if by_context else {}
        found |= {} if world.baseline is None else {"baseline": bound.baseline, "effect": bound.effect}
        print_json({**found, **varying, "gap": gap, "status": bound.status, "idle": world.problem.idle})
        return
    what = [name for name, some in (("limits", world.problem.limited), ("contexts", world.contexts)) if some]
    forced = f"every round plays that {' and '.join(what)} allow" if what else "every round plays"
    rounds = "idle rounds allowed" if world.problem.idle else forced
    show(f"No policy can expect to earn more than {bound.value:,.2f} ({rounds}).")
    if world.baseline is not None:
        part = f"Doing nothing brings {bound.baseline:,.2f} of that"
        show(f"{part}, so that the effect of pulls is at most {bound.effect:,.2f}.")
    if constant:
        show(constant)
    for resource, period in zip(world.problem.resources, world.problem.periods.tolist(), strict=True):
        unit = "unit of" if resource.counts is None else "pull within the cap"
        once = "" if resource.every is None else f" in one period of {in_words(period, world.problem.rounds_per_day)}"
        show(f"One more {unit} {resource.name!r}{once} would add {prices[resource.name]:.4g}.")
    by_context = _prices_by_context(world, bound)
    parts = ", ".join(f"{price:.4g} in context {values}" for values, price in by_context.items())
    average = " on average" if options.varying or by_context else ""
    show(f"One more round would add {bound.round_price:.4g}{average}{f': {parts}' if parts else ''}.")
    show(f"The price iteration has {bound.status}{'' if gap is None else f' (gap {gap:.2g})'}.")


def _why_constant(world: "roguewk.World") -> str:
    """Why prices do not vary though that was asked for; empty if they do."""
    idle = world.idle_means
    drifts = world.problem.limited and idle[0] != idle[-1]
    if not (world.contexts or drifts):
        return ""
    why = "there are contexts" if world.contexts else "limits meet a baseline that drifts"
    return f"Prices that vary from round to round are not worked out where {why}: this is the bound of constant ones."


def _prices_by_context(world: "roguewk.World", bound: "roguewk.Bound") -> dict[str, float]:
    """What one more round would add, on average over what is drawn, by the values of the contexts that go round."""
    import numpy as np

    from roguewk.problem.calendar import calendar_of

    turning = [context for context in world.contexts if not context.drawn]
    if not turning or not bound.round_prices.any():
        return {}
    calendar = calendar_of(turning, world.problem.rounds_per_day)
    places = np.resize(calendar.phases, world.problem.horizon)
    return {
        ", ".join(values): float(bound.round_prices[places == k].mean())
        for k, values in enumerate(calendar.occasions)
        if (places == k).any()
    }


def _theorem(options: argparse.Namespace) -> None:
    world = chosen_world(options)
    analysis = roguewk.theorem(world, plan=roguewk.nlp(world) if options.nlp else None)
    if options.json:
        print_json(analysis.to_data())
    else:
        print(analysis)


def _simulate(options: argparse.Namespace) -> None:
    from roguewk.cli.settings import read_policies
    from roguewk.problem.whole import write_all
    from roguewk.show.folder import check_file
    from roguewk.show.terminal import progress_bar

    out = None if options.out is None else check_file(options.out, (".csv", ".parquet"))
    world = chosen_world(options)
    policies = read_policies(options.policies)
    if options.policies == "all":
        from roguewk.engine.simulate import refusal

        left_out = [name for name, _ in policies if refusal(world, name, {})]
        policies = [each for each in policies if each[0] not in left_out]
        if left_out and not options.json:
            complain(f"left out, as they do not fit this world: {', '.join(left_out)}")
    with progress_bar("simulating") as progress:
        runs = roguewk.simulate(
            world, policies, options.replicates, options.seed, threads=options.threads, progress=progress
        )
    if out is not None:
        from roguewk.show.tables import csv_bytes, parquet_bytes

        content = csv_bytes if out.suffix.lower() == ".csv" else parquet_bytes
        write_all(out.parent, {out.name: content(runs.frame())})
    from roguewk.cli.simulation import show_simulation, simulation_data

    if options.json:
        print_json(simulation_data(options.world, runs, policies))
        return
    show_simulation(options.world, runs, policies)
    if out is not None:
        print(f"a row per run is in {options.out}")


def _policies(options: argparse.Namespace) -> None:
    from roguewk.cli.listing import policies_data, show_parts, show_policies, show_policy

    if options.parts and options.name is not None:
        raise InputError(f"NAME {options.name!r} and --parts are given: give one of them")
    if options.json:
        print_json(policies_data(options.name, options.parts))
    elif options.parts:
        show_parts()
    elif options.name is not None:
        show_policy(options.name)
    else:
        show_policies()


def _worlds(options: argparse.Namespace) -> None:
    from roguewk.cli.listing import show_worlds

    show_worlds()
