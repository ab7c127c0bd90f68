"""The commands that fill a folder with tables and pictures."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from roguewk.cli.common import IDLE_HELP, THREADS_HELP, WORLD_HELP, chosen_world

Found = TypeVar("Found")


def add_folders(commands: Any) -> None:
    """Tell the parser of them."""
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
    explain.add_argument("--rounds", type=int, metavar="N", help="rounds to play (default 50, or all there are)")
    explain.add_argument(
        "--round", type=int, metavar="N", help="the round to explain, from 0 (default: the last pull and idle round)"
    )
    explain.set_defaults(run=_explain)

    quality = _add_quality(commands)

    compare = commands.add_parser("compare", help="every policy on every world; a table and pictures in a folder")
    compare.add_argument("worlds", metavar="WORLD", nargs="*", help="as for simulate (default: the catalogue)")
    compare.add_argument(
        "--policies", metavar="A,B", help="as for simulate (default: all, and with dynamics learned where they can)"
    )
    compare.add_argument("--replicates", type=int, default=100, metavar="N", help="runs of each policy (default 100)")
    compare.set_defaults(run=_compare)

    for command in (paper, growth, explain, quality, compare):
        folder = command.prog.replace(" ", "-")
        command.add_argument("--seed", type=int, default=0, help="default 0")
        command.add_argument("--out", default=folder, metavar="DIR", help=f"folder (default {folder})")
        command.add_argument("--quiet", action="store_true", help="print only the folder's name")
    for command in (paper, growth, quality, compare):
        command.add_argument("--threads", type=int, metavar="N", help=THREADS_HELP)


def _add_quality(commands: Any) -> argparse.ArgumentParser:
    quality: argparse.ArgumentParser = commands.add_parser(
        "quality", help="how near policies come to the bound; tables and a picture in a folder"
    )
    quality.add_argument("--policies", metavar="A,B", help="the first is judged (default roguewk-plan and two others)")
    quality.add_argument("--replicates", type=int, metavar="N", help="on the paper's world (default 100)")
    quality.add_argument("--worlds", type=int, metavar="N", help="random worlds (default 50; of each hostile family 4)")
    quality.add_argument(
        "--world-replicates", type=int, metavar="N", help="on each random world (default 40; hostile 50)"
    )
    quality.add_argument("--first-world", type=int, metavar="N", help="number of the first (default 0; hostile 100)")
    quality.add_argument("--hostile", action="store_true", help="families of worlds that are hard on policies instead")
    quality.add_argument(
        "--everyday",
        action="store_true",
        help="budgets that renew, caps, gaps, contexts and baselines instead",
    )
    quality.add_argument("--learned", action="store_true", help="what is lost where nobody knows the dynamics instead")
    quality.add_argument("--logs", action="store_true", help="how near fits of logs come to the truth instead")
    quality.add_argument("--coins", action="store_true", help="also as many worlds whose costs may be all or nothing")
    quality.add_argument(
        "--quick", action="store_true", help="40 replicates, 10 on each random world; one world of each hostile family"
    )
    quality.set_defaults(run=_quality)
    return quality


def _fill(
    options: argparse.Namespace,
    what: str,
    play: Callable[[Path, Any], Found],
    files: Callable[[Found], Mapping[str, bytes]],
    show: Callable[[Found], None],
    closing: tuple[str, str],
) -> None:
    """Play, with progress, write the files, and show what was found; `closing` says what to open."""
    from roguewk.problem.whole import write_all
    from roguewk.show.folder import results_folder
    from roguewk.show.terminal import busy, progress_bar

    with results_folder(options.out) as folder:
        with progress_bar(what, options.quiet) as progress:
            found = play(folder, progress)
        with busy("drawing figures", options.quiet):
            content = files(found)
        write_all(folder, content)
    if options.quiet:
        print(folder)
        return
    show(found)
    print(f"\n{closing[0]} are in {folder}; open {folder / closing[1]}")


def _paper(options: argparse.Namespace) -> None:
    from roguewk.experiment.paper.digest import show_paper
    from roguewk.experiment.paper.experiment import run_paper
    from roguewk.experiment.paper.files import paper_files

    def play(folder: Path, progress: Any) -> Any:
        return run_paper(options.replicates, options.seed, options.threads, progress, folder / "study")

    closing = "report, pictures and data", "report.html"
    _fill(options, "the paper's experiment", play, paper_files, show_paper, closing)


def _growth(options: argparse.Namespace) -> None:
    from roguewk.cli.settings import read_horizons, read_policies
    from roguewk.experiment.growth.digest import show_growth
    from roguewk.experiment.growth.files import growth_files
    from roguewk.experiment.growth.growth import HORIZONS, POLICIES, run_growth

    world = chosen_world(options)
    policies = POLICIES if options.policies is None else read_policies(options.policies)
    horizons = HORIZONS if options.horizons is None else read_horizons(options.horizons)

    def play(folder: Path, progress: Any) -> Any:
        return run_growth(world, policies, horizons, options.replicates, options.seed, options.threads, progress)

    closing = "tables and picture", "growth.svg"
    _fill(options, "growth of regret", play, growth_files, lambda found: show_growth(options.world, found), closing)


def _explain(options: argparse.Namespace) -> None:
    from roguewk.cli.settings import read_policies
    from roguewk.problem.whole import write_all
    from roguewk.show.folder import results_folder
    from roguewk.show.terminal import busy, show

    world = chosen_world(options)
    with results_folder(options.out) as folder:
        from roguewk.experiment.explain.explain import MOST_ROUNDS, POLICY, ROUNDS, one_policy, tell
        from roguewk.experiment.explain.files import explain_files

        name, parameters = one_policy(read_policies(POLICY if options.policy is None else options.policy))
        with busy("playing", options.quiet):
            needed = max(ROUNDS, 1 + (options.round or 0))
            rounds = min(needed, MOST_ROUNDS) if options.rounds is None else options.rounds
            story = tell(world, name, parameters, rounds, options.seed)
            told = story.telling(options.round)
            content = explain_files(story)
        write_all(folder, content)
    if options.quiet:
        print(folder)
        return
    if options.rounds is not None and (short := story.short_of(options.rounds)):
        show(short)
        print()
    for decision in told:
        print(f"Round {decision.round}\n\n{decision.explain()}\n")
    if story.over is not None:
        print(f"After {len(story.decisions)} rounds\n\n{story.over.explain()}\n")
    print(f"picture and numbers are in {folder}; open {folder / 'explain.svg'}")


def _hostile(options: argparse.Namespace) -> None:
    from roguewk.cli.settings import read_policies
    from roguewk.experiment.hostile.digest import show_hostile
    from roguewk.experiment.hostile.files import hostile_files
    from roguewk.experiment.hostile.hostile import POLICIES, QUICK, Settings, run_hostile
    from roguewk.experiment.hostile.suites import EVERYDAY, HOSTILE
    from roguewk.problem.errors import InputError

    suite = HOSTILE if options.hostile else EVERYDAY
    if options.coins or options.replicates is not None:
        what = "--coins" if options.coins else "--replicates"
        instead = "its worlds have costs of their own" if options.coins else "give --world-replicates"
        raise InputError(f"{what} does not go with --{suite}: {instead}")
    worlds, replicates = QUICK if options.quick else (Settings.worlds, Settings.replicates)
    settings = Settings(
        policies=POLICIES if options.policies is None else read_policies(options.policies),
        worlds=worlds if options.worlds is None else options.worlds,
        first_world=Settings.first_world if options.first_world is None else options.first_world,
        replicates=replicates if options.world_replicates is None else options.world_replicates,
        seed=options.seed,
        suite=suite,
    )

    def play(folder: Path, progress: Any) -> Any:
        return run_hostile(settings, options.threads, progress)

    _fill(options, f"{suite} worlds", play, hostile_files, show_hostile, ("tables and picture", f"{suite}.svg"))


def _learned(options: argparse.Namespace) -> None:
    from roguewk.experiment.unknown.digest import show_unknown
    from roguewk.experiment.unknown.files import unknown_files
    from roguewk.experiment.unknown.unknown import QUICK, Settings, run_unknown
    from roguewk.problem.errors import InputError

    for given, what in ((options.hostile, "--hostile"), (options.coins, "--coins"), (options.policies, "--policies")):
        if given:
            raise InputError(f"{what} does not go with --learned: its worlds and policies are its own")
    usual = Settings(**QUICK) if options.quick else Settings()
    given = {
        "replicates": options.replicates,
        "worlds": options.worlds,
        "first_world": options.first_world,
        "world_replicates": options.world_replicates,
        "seed": options.seed,
    }
    settings = replace(usual, **{name: value for name, value in given.items() if value is not None})

    def play(folder: Path, progress: Any) -> Any:
        return run_unknown(settings, options.threads, progress)

    _fill(options, "dynamics learned", play, unknown_files, show_unknown, ("tables and picture", "learned.svg"))


def _logs(options: argparse.Namespace) -> None:
    from roguewk.experiment.recovered.digest import show_recovered
    from roguewk.experiment.recovered.files import recovered_files
    from roguewk.experiment.recovered.recovered import QUICK, Settings, run_recovered
    from roguewk.problem.errors import InputError

    for name in ("hostile", "learned", "coins", "policies", "worlds", "world_replicates", "threads", "seed"):
        if getattr(options, name):
            what = name.replace("_", "-")
            raise InputError(f"--{what} does not go with --logs: give --replicates and --first-world, of logs")
    logs = QUICK if options.quick else Settings.logs
    settings = Settings(
        logs=logs if options.replicates is None else options.replicates,
        first_log=Settings.first_log if options.first_world is None else options.first_world,
    )

    def play(folder: Path, progress: Any) -> Any:
        return run_recovered(settings, progress)

    closing = "tables and picture", "recovered.svg"
    _fill(options, "logs and their fits", play, recovered_files, show_recovered, closing)


def _quality(options: argparse.Namespace) -> None:
    if options.logs:
        _logs(options)
        return
    if options.learned:
        _learned(options)
        return
    if options.hostile or options.everyday:
        _hostile(options)
        return
    from roguewk.cli.settings import read_policies
    from roguewk.experiment.quality.digest import show_quality
    from roguewk.experiment.quality.files import quality_files
    from roguewk.experiment.quality.quality import POLICIES, QUICK, Settings, run_quality

    usual = QUICK if options.quick else (Settings.replicates, Settings.world_replicates)
    settings = Settings(
        policies=POLICIES if options.policies is None else read_policies(options.policies),
        replicates=usual[0] if options.replicates is None else options.replicates,
        world_replicates=usual[1] if options.world_replicates is None else options.world_replicates,
        worlds=Settings.worlds if options.worlds is None else options.worlds,
        first_world=Settings.first_world if options.first_world is None else options.first_world,
        coins=options.coins,
        seed=options.seed,
    )

    def play(folder: Path, progress: Any) -> Any:
        return run_quality(settings, options.threads, progress)

    _fill(options, "shares of the bound", play, quality_files, show_quality, ("tables and picture", "quality.svg"))


def _compare(options: argparse.Namespace) -> None:
    from roguewk.cli.settings import read_policies, read_worlds
    from roguewk.experiment.compare.compare import run_compare, usual_policies, usual_worlds
    from roguewk.experiment.compare.digest import show_comparison
    from roguewk.experiment.compare.files import compare_files

    worlds = read_worlds(options.worlds) if options.worlds else usual_worlds()
    policies = usual_policies() if options.policies is None else read_policies(options.policies)

    def play(folder: Path, progress: Any) -> Any:
        return run_compare(worlds, policies, options.replicates, options.seed, options.threads, progress)

    closing = "table and pictures", "compare.svg"
    _fill(options, "every policy on every world", play, compare_files, show_comparison, closing)
