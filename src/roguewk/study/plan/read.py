"""Study files: TOML, validated whole before anything runs."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from roguewk.problem.errors import InputError, known, listed, text
from roguewk.problem.plain import check_plain, placed
from roguewk.study.plan.checks import check_baseline, check_keys, check_labels, check_plot, check_record, check_size
from roguewk.study.plan.fit import Fit
from roguewk.study.plan.model import PLAIN, PlannedPolicy, PlannedWorld, Study
from roguewk.study.plan.policies import plan_policies
from roguewk.study.plan.sweep import count_settings
from roguewk.study.plan.worlds import flat_settings, plan_worlds
from roguewk.world.files import parse_toml, read_text

TOP = ("title", "replicates", "seed", "baseline", "unfit", "code", "world", "policy", "record", "plot")
UNFIT = ("refuse", "skip")
REPLICATES = 100
MOST_PAIRS = 100_000  # of world and policy; more are surely a slip of the pen unless said twice


def shipped() -> dict[str, str]:
    """The studies that come with the package, by name.

    >>> "paper" in shipped()
    True
    """
    folder = resources.files("roguewk.study") / "shipped"
    files = {each.name.removesuffix(".toml"): each for each in folder.iterdir() if each.name.endswith(".toml")}
    return {name: files[name].read_text(encoding="utf-8") for name in sorted(files)}


def load_study(path: str | os.PathLike[str], *, yes: bool = False) -> Study:
    """Read a study from a TOML file, or one that comes with the package by its name; `yes` allows huge sweeps.

    >>> import roguewk as rw
    >>> rw.load_study("paper").replicates
    10
    """
    where = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(where, str):
        raise InputError(f"the path of a study is {path!r}: give the name of a TOML file")
    own = shipped()
    if where in own and not Path(where).is_file():
        return study_from_text(own[where], where, Path(), yes=yes)
    study = study_from_text(read_text(where), where, Path(where).parent, yes=yes)
    return replace(study, file=str(Path(where).resolve()))


def study_from_text(source: str, where: str, folder: Path, *, yes: bool = False) -> Study:
    """The study in this text; paths in it are relative to `folder`."""
    data = parse_toml(source, where)
    with placed(where):
        return _study(data, where, source, folder, yes)


def _study(data: Mapping[str, Any], where: str, source: str, folder: Path, yes: bool) -> Study:
    name = Path(where).stem
    check_plain(data)
    check_keys(data, TOP, "the study")
    tables = {kind: _tables(data, kind) for kind in ("world", "policy")}
    _count(tables, yes)
    code = read_text(str(folder / text(data["code"], "code"))) if "code" in data else ""
    worlds = [each for i, table in enumerate(tables["world"]) for each in plan_worlds(table, i, folder)]
    policies = [each for i, table in enumerate(tables["policy"]) for each in plan_policies(table, i, code)]
    check_labels(worlds, policies)
    replicates, seed = check_size(data.get("replicates", REPLICATES), data.get("seed", 0))
    return Study(
        name=name,
        title=text(data.get("title", name), "title"),
        replicates=replicates,
        seed=seed,
        baseline=check_baseline(data.get("baseline", policies[0].label), policies),
        worlds=tuple(worlds),
        policies=tuple(policies),
        record=check_record(data.get("record", {})),
        plot=check_plot(data.get("plot", {}), [*worlds, *policies]),
        skipped=_unfit(worlds, policies, data.get("unfit", UNFIT[0])),
        code=code,
        source=source,
        file=where,
    )


def _tables(data: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    tables = data.get(kind, [])
    if not isinstance(tables, list) or not all(isinstance(each, Mapping) for each in tables):
        raise InputError(f"{kind} is {tables!r}: write each one as a table [[{kind}]]")
    if not tables:
        raise InputError(f"the study has no {kind}: add a table [[{kind}]]")
    return tables


def _count(tables: Mapping[str, list[Mapping[str, Any]]], yes: bool) -> None:
    """Multiply sweeps out in mind before doing it."""
    worlds = sum(count_settings({**flat_settings(each), "world": each.get("world")}) for each in tables["world"])
    policies = sum(count_settings(each) for each in tables["policy"])
    if worlds * policies > MOST_PAIRS and not yes:
        raise InputError(
            f"the sweeps multiply to {worlds * policies:,} pairs of world and policy ({worlds:,} worlds): "
            "shorten a list, or say --yes"
        )


def _unfit(worlds: Sequence[PlannedWorld], policies: Sequence[PlannedPolicy], rule: Any) -> dict[tuple[str, str], str]:
    """The pairs that do not fit each other, with the reason, if the study wants them skipped."""
    known(text(rule, "unfit"), UNFIT, "value of unfit")
    fit, found = Fit(), {}
    for policy in policies:
        for world in worlds:
            reason = "" if policy.origin == PLAIN else fit.refusal(world.world, policy)
            if reason:
                found[world.label, policy.label] = reason
    if found and rule == "refuse":
        raise InputError(_refused(found))
    return found


def _refused(found: Mapping[tuple[str, str], str]) -> str:
    (world, first), reason = next(iter(found.items()))
    alone = len({place for place, _ in found}) == 1
    others = [repr(policy) if alone else f"{policy!r} in {place!r}" for place, policy in found if policy != first]
    elsewhere = [repr(place) for place, policy in found if policy == first and place != world]
    more = f"; it does not fit {listed(elsewhere)} either" if elsewhere else ""
    more += f"; likewise {listed(others)}" if others else ""
    return f'in world {world!r}, {reason}{more}; or add `unfit = "skip"` to the study'
