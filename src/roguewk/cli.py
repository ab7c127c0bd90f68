"""The command `roguewk`. Heavy libraries load inside the commands, so that help is quick."""

import argparse
import contextlib
import json
import math
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import roguewk
from roguewk.problem.errors import InputError

if TYPE_CHECKING:
    from roguewk.problem.world import World

WRONG, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
IDLE_HELP = "allow idle rounds, whatever the world says"
THREADS_HELP = "default: all processors; results do not depend on it"
WORLD_HELP = "a TOML file, or catalog:NAME[:option=value...] (see `roguewk worlds`)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit code."""
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a ± must not fail in an old terminal
    options = _parser().parse_args(argv)
    try:
        options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _say("stopped", INTERRUPTED)
    except InputError as error:
        return _say(str(error), WRONG)
    except MemoryError:
        return _say("there is not enough memory: ask for fewer replicates or a shorter horizon", WRONG)
    except OSError as error:
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}: nothing more was written", WRONG)
    return 0


def _say(sentence: str, code: int) -> int:
    if sys.stderr is not None:
        print(f"roguewk: {' '.join(sentence.split())}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Point stdout to nowhere: Python flushes it once more when it ends, and would complain."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="roguewk", description=(roguewk.__doc__ or "").splitlines()[0])
    parser.add_argument("--version", action="version", version=f"roguewk {roguewk.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    _add_studies(commands)
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

    policies = commands.add_parser("policies", help="the policies, their parts, parameters and papers")
    policies.add_argument("name", metavar="NAME", nargs="?", help="show this one with its parameters")
    policies.add_argument("--parts", action="store_true", help="show the parts that policies are made of")
    policies.set_defaults(run=_policies)
    commands.add_parser("worlds", help="the worlds of the catalogue").set_defaults(run=_worlds)
    for command in (check, bound, theorem, simulate, policies):
        command.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_studies(commands: Any) -> None:
    """The commands that fill a folder."""
    paper = commands.add_parser("paper", help="run the paper's experiment; figures, report and data in a folder")
    paper.add_argument("--replicates", type=int, default=10, help="runs of each policy at each budget (default 10)")
    paper.set_defaults(run=_paper)

    growth = commands.add_parser("growth", help="how regret grows with the horizon; tables and a picture in a folder")
    growth.add_argument(
        "world", metavar="WORLD", nargs="?", default="catalog:paper", help=f"{WORLD_HELP}; default paper"
    )
    growth.add_argument("--idle", action=argparse.BooleanOptionalAction, help=IDLE_HELP)
    growth.add_argument("--policies", metavar="A,B", help="as for simulate (default: the main ones)")
    growth.add_argument("--horizons", metavar="T,T", help="default: 100 to 100,000 by half powers of ten")
    growth.add_argument("--replicates", type=int, default=200, help="up to 5,000 rounds, fewer beyond (default 200)")
    growth.set_defaults(run=_growth)

    explain = commands.add_parser("explain", help="why a policy does what it does: words, and a picture in a folder")
    explain.add_argument("world", metavar="WORLD", help=WORLD_HELP)
    explain.add_argument("--idle", action=argparse.BooleanOptionalAction, help=IDLE_HELP)
    explain.add_argument("--policy", metavar="A", help="as one of simulate's (default roguewk-plan)")
    explain.add_argument("--rounds", type=int, default=50, metavar="N", help="rounds to play (default 50)")
    explain.add_argument(
        "--round", type=int, metavar="N", help="the round to explain, from 0 (default: the last pull and idle round)"
    )
    explain.set_defaults(run=_explain)

    quality = commands.add_parser(
        "quality", help="how near policies come to the bound; tables and a picture in a folder"
    )
    quality.add_argument("--policies", metavar="A,B", help="the first is judged (default roguewk-plan and two others)")
    quality.add_argument("--replicates", type=int, metavar="N", help="on the paper's world (default 200)")
    quality.add_argument("--worlds", type=int, default=50, metavar="N", help="random worlds (default 50)")
    quality.add_argument("--world-replicates", type=int, metavar="N", help="on each random world (default 100)")
    quality.add_argument("--first-world", type=int, default=0, metavar="N", help="number of the first one (default 0)")
    quality.add_argument("--coins", action="store_true", help="also as many worlds whose costs may be all or nothing")
    quality.add_argument("--quick", action="store_true", help="40 replicates, 10 on each random world")
    quality.set_defaults(run=_quality)

    compare = commands.add_parser("compare", help="every policy on every world; a table and pictures in a folder")
    compare.add_argument("worlds", metavar="WORLD", nargs="*", help="as for simulate (default: the catalogue)")
    compare.add_argument("--policies", metavar="A,B", default="all", help="as for simulate (default: all)")
    compare.add_argument("--replicates", type=int, default=100, metavar="N", help="runs of each policy (default 100)")
    compare.set_defaults(run=_compare)

    for command in (paper, growth, explain, quality, compare):
        folder = command.prog.replace(" ", "-")
        command.add_argument("--seed", type=int, default=0, help="default 0")
        command.add_argument("--out", default=folder, metavar="DIR", help=f"folder (default {folder})")
        command.add_argument("--quiet", action="store_true", help="print only the folder's name")
    for command in (paper, growth, quality, compare):
        command.add_argument("--threads", type=int, metavar="N", help=THREADS_HELP)


def _world(options: argparse.Namespace) -> "World":
    from roguewk.study.settings import read_world

    world = read_world(options.world)
    return world if options.idle is None else world.with_problem(idle=options.idle)


def _print_json(data: object) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def _paper(options: argparse.Namespace) -> None:
    from roguewk.study.folder import results_folder, write_all
    from roguewk.study.terminal import progress_bar

    with results_folder(options.out) as folder:
        from roguewk.study.paper import run_paper
        from roguewk.study.publish import paper_files

        with progress_bar("the paper's experiment", options.quiet) as progress:
            paper = run_paper(options.replicates, options.seed, options.threads, progress)
        write_all(folder, paper_files(paper))
    if not options.quiet:
        from roguewk.study.digest import show_paper

        show_paper(paper)
        print(f"\nreport, pictures and data are in {folder}; open {folder / 'report.html'}")
    else:
        print(folder)


def _growth(options: argparse.Namespace) -> None:
    from roguewk.study.folder import results_folder, write_all
    from roguewk.study.settings import read_horizons, read_policies
    from roguewk.study.terminal import progress_bar

    world = _world(options)
    with results_folder(options.out) as folder:
        from roguewk.study.growth import HORIZONS, POLICIES, run_growth
        from roguewk.study.growth_files import growth_files

        policies = POLICIES if options.policies is None else read_policies(options.policies)
        horizons = HORIZONS if options.horizons is None else read_horizons(options.horizons)
        with progress_bar("growth of regret", options.quiet) as progress:
            growth = run_growth(world, policies, horizons, options.replicates, options.seed, options.threads, progress)
        write_all(folder, growth_files(growth))
    if not options.quiet:
        from roguewk.study.digest import show_growth

        show_growth(options.world, growth)
        print(f"\ntables and picture are in {folder}; open {folder / 'growth.svg'}")
    else:
        print(folder)


def _explain(options: argparse.Namespace) -> None:
    from roguewk.study.folder import results_folder, write_all
    from roguewk.study.settings import read_policies

    world = _world(options)
    with results_folder(options.out) as folder:
        from roguewk.study.explain import POLICY, one_policy, tell
        from roguewk.study.explain_files import explain_files

        name, parameters = one_policy(read_policies(POLICY if options.policy is None else options.policy))
        story = tell(world, name, parameters, options.rounds, options.seed)
        told = story.telling(options.round)
        write_all(folder, explain_files(story))
    if options.quiet:
        print(folder)
        return
    for decision in told:
        print(f"Round {decision.round}\n\n{decision.explain()}\n")
    if story.over is not None:
        print(f"After {len(story.decisions)} rounds\n\n{story.over.explain()}\n")
    print(f"picture and numbers are in {folder}; open {folder / 'explain.svg'}")


def _quality(options: argparse.Namespace) -> None:
    from roguewk.study.folder import results_folder, write_all
    from roguewk.study.settings import read_policies
    from roguewk.study.terminal import progress_bar

    with results_folder(options.out) as folder:
        from roguewk.study.quality import POLICIES, QUICK, Settings, run_quality
        from roguewk.study.quality_files import quality_files

        usual = QUICK if options.quick else (Settings.replicates, Settings.world_replicates)
        settings = Settings(
            policies=POLICIES if options.policies is None else read_policies(options.policies),
            replicates=usual[0] if options.replicates is None else options.replicates,
            world_replicates=usual[1] if options.world_replicates is None else options.world_replicates,
            worlds=options.worlds,
            first_world=options.first_world,
            coins=options.coins,
            seed=options.seed,
        )
        with progress_bar("shares of the bound", options.quiet) as progress:
            quality = run_quality(settings, options.threads, progress)
        write_all(folder, quality_files(quality))
    if not options.quiet:
        from roguewk.study.digest import show_quality

        show_quality(quality)
        print(f"\ntables and picture are in {folder}; open {folder / 'quality.svg'}")
    else:
        print(folder)


def _compare(options: argparse.Namespace) -> None:
    from roguewk.study.folder import results_folder, write_all
    from roguewk.study.settings import read_policies
    from roguewk.study.terminal import progress_bar

    with results_folder(options.out) as folder:
        from roguewk.study.compare import named_worlds, run_compare
        from roguewk.study.compare_files import compare_files

        worlds, policies = named_worlds(options.worlds), read_policies(options.policies)
        with progress_bar("every policy on every world", options.quiet) as progress:
            found = run_compare(worlds, policies, options.replicates, options.seed, options.threads, progress)
        write_all(folder, compare_files(found))
    if not options.quiet:
        from roguewk.study.digest import show_comparison

        show_comparison(found)
        print(f"\ntable and pictures are in {folder}; open {folder / 'compare.svg'}")
    else:
        print(folder)


def _check(options: argparse.Namespace) -> None:
    report = roguewk.check_assumptions(_world(options))
    if options.json:
        _print_json(report.to_data())
    else:
        print(report)


def _bound(options: argparse.Namespace) -> None:
    world = _world(options)
    bound = roguewk.upper_bound(world, round_prices="varying" if options.varying else "constant")
    prices = dict(zip([each.name for each in world.problem.resources], bound.prices.tolist(), strict=True))
    gap = bound.gap if math.isfinite(bound.gap) else None
    if options.json:
        found = {"value": bound.value, "prices": prices, "round_price": bound.round_price}
        varying = {"round_prices": bound.round_prices.tolist()} if options.varying else {}
        _print_json({**found, **varying, "gap": gap, "status": bound.status, "idle": world.problem.idle})
        return
    rounds = "idle rounds allowed" if world.problem.idle else "every round plays"
    print(f"No policy can expect to earn more than {bound.value:,.2f} ({rounds}).")
    for name, price in prices.items():
        print(f"One more unit of {name!r} would add {price:.4g}.")
    print(f"One more round would add {bound.round_price:.4g}{' on average' if options.varying else ''}.")
    print(f"The price iteration has {bound.status}{'' if gap is None else f' (gap {gap:.2g})'}.")


def _theorem(options: argparse.Namespace) -> None:
    world = _world(options)
    analysis = roguewk.theorem(world, plan=roguewk.nlp(world) if options.nlp else None)
    if options.json:
        _print_json(analysis.to_data())
    else:
        print(analysis)


def _simulate(options: argparse.Namespace) -> None:
    from roguewk.study.folder import check_file, write_all
    from roguewk.study.settings import read_policies
    from roguewk.study.terminal import progress_bar

    out = None if options.out is None else check_file(options.out, (".csv", ".parquet"))
    world = _world(options)
    policies = read_policies(options.policies)
    if options.policies == "all":
        from roguewk.engine.simulate import refusal

        left_out = [name for name, _ in policies if refusal(world, name, {})]
        policies = [each for each in policies if each[0] not in left_out]
        if left_out and not options.json:
            print(f"left out, as they do not fit this world: {', '.join(left_out)}", file=sys.stderr)
    with progress_bar("simulating") as progress:
        runs = roguewk.simulate(
            world, policies, options.replicates, options.seed, threads=options.threads, progress=progress
        )
    if out is not None:
        from roguewk.study.tables import csv_bytes, parquet_bytes

        content = csv_bytes if out.suffix.lower() == ".csv" else parquet_bytes
        write_all(out.parent, {out.name: content(runs.frame())})
    from roguewk.study.digest import show_simulation
    from roguewk.study.summary import simulation_data

    if options.json:
        _print_json(simulation_data(options.world, runs, policies))
        return
    show_simulation(options.world, runs, policies)
    if out is not None:
        print(f"a row per run is in {options.out}")


def _policies(options: argparse.Namespace) -> None:
    from roguewk.study.listing import policies_data, show_parts, show_policies, show_policy

    if options.parts and options.name is not None:
        raise InputError(f"NAME {options.name!r} and --parts are given: give one of them")
    if options.json:
        _print_json(policies_data(options.name, options.parts))
    elif options.parts:
        show_parts()
    elif options.name is not None:
        show_policy(options.name)
    else:
        show_policies()


def _worlds(options: argparse.Namespace) -> None:
    from roguewk.study.digest import show_worlds

    show_worlds()
