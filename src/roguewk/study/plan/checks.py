"""What holds of every study, whether it is read from its file or from the note in its folder."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from roguewk.kernel.luck import LARGEST_SEED
from roguewk.problem.errors import InputError, known, text, truth_value, unique, whole
from roguewk.study.plan.model import ALL_WORLDS, FIGURES, KINDS, PlannedPolicy, PlannedWorld, Plot, Record

MOST_REPLICATES = 10**7
MOST_TRACES = 1000


def check_keys(table: Any, keys: Sequence[str], what: str) -> Mapping[str, Any]:
    """A table without unknown keys."""
    if not isinstance(table, Mapping):
        raise InputError(f"{what} is {table!r}: write a table")
    for key in table:
        known(text(key, f"key of {what}"), keys, f"key of {what}:")
    return table


def check_size(replicates: Any, seed: Any) -> tuple[int, int]:
    """Replicates and seed."""
    return whole(replicates, "replicates", 1, MOST_REPLICATES), whole(seed, "seed", 0, LARGEST_SEED)


def check_labels(worlds: Sequence[PlannedWorld], policies: Sequence[PlannedPolicy]) -> None:
    """Every world and every policy has a label of its own, which nothing else is called by."""
    unique((each.label for each in worlds), "worlds")
    unique((each.label for each in policies), "policies")
    if ALL_WORLDS in {each.label for each in worlds}:
        raise InputError(f"{ALL_WORLDS!r} is the label of a world and of the average over them: give another label")


def check_baseline(given: Any, policies: Sequence[PlannedPolicy]) -> str:
    """The label of one of the policies."""
    baseline = text(given, "baseline")
    known(baseline, [each.label for each in policies], "baseline")
    return baseline


def check_record(table: Any) -> Record:
    """What is kept; defaults for what is not said."""
    check_keys(table, ("traces", "bound"), "[record]")
    return Record(
        traces=whole(table.get("traces", Record.traces), "traces of [record]", 0, MOST_TRACES),
        bound=truth_value(table.get("bound", Record.bound), "bound of [record]"),
    )


def check_plot(table: Any, planned: Iterable[PlannedWorld | PlannedPolicy]) -> Plot:
    """What is drawn; defaults for what is not said."""
    check_keys(table, ("x", "figures", "kinds"), "[plot]")
    x, settings = table.get("x"), dict.fromkeys(key for each in planned for key in each.settings)
    if x is not None and not settings:
        raise InputError(f"x of [plot] is {x!r}, but no world or policy has a setting: leave it out")
    if x is not None:
        known(text(x, "x of [plot]"), settings, "x of [plot]")
    return Plot(x, _some(table, "figures", FIGURES), _some(table, "kinds", KINDS))


def _some(table: Mapping[str, Any], key: str, options: tuple[str, ...]) -> tuple[str, ...]:
    chosen = table.get(key, list(options))
    if not isinstance(chosen, list):
        raise InputError(f"{key} of [plot] is {chosen!r}: give a list of some of {', '.join(options)}")
    for each in chosen:
        known(text(each, f"one of {key} of [plot]"), options, f"one of {key} of [plot]:")
    return tuple(dict.fromkeys(chosen))
