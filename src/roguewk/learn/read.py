"""Reads a log: every mistake is told in one sentence, and whatever was taken for granted in another."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.learn.columns import Labels, amounts, covariate, labels, shares, truths, values_of
from roguewk.learn.findings import findings, joined
from roguewk.learn.names import CONTEXT, COST, check_names, is_known
from roguewk.learn.rounds import LoggedRounds, Origin
from roguewk.learn.strange import strange
from roguewk.learn.table import Table, is_empty, open_table
from roguewk.learn.times import Times, check_unit, elapsed, times
from roguewk.problem.errors import InputError, shown, text, unique

ALL_ONE = "There is no column 'subject': all rows are taken to be of one."


@dataclass(frozen=True)
class Further:
    """The columns that a log has besides those it is made of."""

    kept: dict[str, Vector]
    left_out: list[str]
    contexts: dict[str, Any]  # (row,) names of values, "" where there is none; by name of the context

    @property
    def texts(self) -> list[str]:
        """Those that cannot be covariates as they are."""
        named = [CONTEXT + name for name in self.contexts]
        return [*self.left_out, *(name for name in named if name not in self.kept)]


def read_log(
    source: str | os.PathLike[str] | Any, *, arms: Iterable[str] | None = None, unit: str | None = None
) -> LoggedRounds:
    """Read who got what, when, and what happened: a row per subject and round.

    `source` is the name of a .csv or .parquet file, a pandas, polars or Arrow table, or what `rw.log_runs` returns. Its
    columns are `subject`, `round` or `time`, `arm` (empty: idle), `reward` (empty: not observed), `cost_` and a name
    for each resource, and if there are any `propensity`, `available`, further numbers, and `context_` and a name for
    each context, which `rw.replay` tells a policy; `effect`, and `probability_` beside a propensity, are passed over.
    `arms` are all that there are, in the order wanted; otherwise those in the log are taken. `unit` is that of the
    times: "seconds", "minutes", "hours", "days" or "weeks". Dates are otherwise counted in days if rows are half a day
    or more apart, at the median, in hours if half an hour or more, or in seconds. What is wrong with a log is refused
    in a sentence.

    >>> import pathlib, tempfile, roguewk as rw
    >>> path = pathlib.Path(tempfile.mkdtemp(), "log.csv")
    >>> _ = path.write_text('''subject,time,arm,reward,cost_minutes
    ... anna,2024-05-01,call,4.5,6
    ... anna,2024-05-03,,,0
    ... anna,2024-05-04,text,2.5,1
    ... ''')
    >>> log = rw.read_log(path, arms=["text", "call"])
    >>> log.time, log.unit, log.arm
    (array([0., 2., 3.]), 'days', array([ 1, -1,  0]))
    >>> try:
    ...     rw.read_log(path, arms=["text"])
    ... except rw.InputError as error:
    ...     print(str(error).removeprefix(f"{path}: "))
    arm is 'call' in row 2: give one of 'text', or leave the field empty for an idle round
    """
    wanted = _wanted(arms)
    check_unit(unit)
    table = open_table(source)
    check_names(table)
    subjects, given, clock = _subjects(table), _arms(table, wanted), times(table)
    order = np.lexsort((clock.values, subjects.places))
    _refuse_duplicates(table, subjects, clock, order)
    resources = [name for name in table.columns if name.startswith(COST)]
    costs = [amounts(table, name, least=0.0) for name in resources]
    size, further = order.size, _further(table)
    subject = subjects.places[order]
    time, unit = elapsed(clock, order, subject, unit)
    log = LoggedRounds(
        subjects=subjects.names,
        arms=given.names,
        resources=tuple(name.removeprefix(COST) for name in resources),
        regular=clock.regular,
        unit=unit,
        subject=subject,
        time=time,
        arm=given.places[order],
        reward=amounts(table, "reward")[order],
        costs=np.column_stack(costs)[order] if costs else np.zeros((size, 0)),
        propensity=shares(table, "propensity")[order] if "propensity" in table.columns else np.full(size, np.nan),
        available=truths(table, "available")[order] if "available" in table.columns else np.ones(size, dtype=bool),
        covariates={name: values[order] for name, values in further.kept.items()},
        texts=tuple(further.texts),
        contexts={name: values[order] for name, values in further.contexts.items()},
        found=(),
        origin=Origin(table.rows[order], table.text),
    )
    odd = (*strange(log), *[ALL_ONE] * ("subject" not in table.columns))
    return replace(log, found=(*findings(log), *odd, *_taken(table, subjects, clock, further)), strange=odd)


def as_log(log: Any, arms: Iterable[str] | None, unit: str | None) -> LoggedRounds:
    """What was read before as it is, or else what `read_log` makes of it."""
    if not isinstance(log, LoggedRounds):
        return read_log(log, arms=arms, unit=unit)
    for name, given in (("arms", arms), ("unit", unit)):
        if given is not None:
            raise InputError(f"{name} is {shown(given)}, but the log was read before: give it to rw.read_log instead")
    return log


def _wanted(arms: Any) -> list[str] | None:
    """The names of the arms, if they are given."""
    if arms is None:
        return None
    try:
        names = [] if isinstance(arms, str | bytes) else list(arms)
    except Exception:  # not a list, or whatever a class of the user's own raises
        names = []
    if not names:
        raise InputError(f"arms is {shown(arms)}: give a list of names, or leave it out")
    checked = [text(name, "name of an arm") for name in names]
    unique(checked, "arms")
    return checked


def _subjects(table: Table) -> Labels:
    if "subject" not in table.columns:
        return Labels(("all",), np.zeros(table.rows.size, dtype=np.int64))
    column = table.columns["subject"]
    table.refuse("subject", is_empty(column), "say whose row it is, or leave out the column if all are of one")
    return labels(column)


def _arms(table: Table, wanted: list[str] | None) -> Labels:
    found = labels(table.columns["arm"])
    if wanted is None:
        if not found.names:
            raise InputError(f"{table.where}: no row has an arm, so there is nothing to learn: give some, or arms=")
        return found
    lookup = np.array([*(wanted.index(name) if name in wanted else -1 for name in found.names), -1], dtype=np.int64)
    places = lookup[found.places]
    listed = shown(", ".join(map(repr, wanted)), str)
    strange = (places < 0) & (found.places >= 0)
    table.refuse("arm", strange, f"give one of {listed}, or leave the field empty for an idle round")
    return Labels(tuple(wanted), places)


def _refuse_duplicates(table: Table, subjects: Labels, clock: Times, order: NDArray[np.int64]) -> None:
    subject, time = subjects.places[order], clock.values[order]
    same = np.flatnonzero((np.diff(subject) == 0) & (np.diff(time) == 0))
    if not same.size:
        return
    pair = np.sort(order[same[0] : same[0] + 2])
    first, second = ([str(column.iloc[row]) for column in table.columns.values()] for row in pair)
    how, remedy = f"of subject {shown(subjects.names[subject[same[0]]])} at one time", "or correct the time"
    if "subject" not in table.columns:
        how, remedy = "at one time", "or add a column 'subject' if they are of several"
    if first == second:
        how = "exactly equal"
    more = f", and {same.size - 1:,} more are like that" if same.size > 1 else ""
    raise InputError(f"{table.where}: {table.named(pair)} are {how}{more}: keep one of them, {remedy}")


def _further(table: Table) -> Further:
    names = [name for name in table.columns if not is_known(name, table.columns) and not name.startswith(COST)]
    read = {name: covariate(table.columns[name]) for name in names}
    contexts = {name: values_of(table.columns[name]) for name in names if name.startswith(CONTEXT)}
    return Further(
        kept={name: values for name, values in read.items() if values is not None},
        left_out=[name for name, values in read.items() if values is None and name not in contexts],
        contexts={name.removeprefix(CONTEXT): values for name, values in contexts.items()},
    )


def _taken(table: Table, subjects: Labels, clock: Times, further: Further) -> list[str]:
    """What was made of the table, in sentences."""
    said = []
    by_subject = np.argsort(subjects.places, kind="stable")
    same = np.diff(subjects.places[by_subject]) == 0
    back = by_subject[1:][same & (np.diff(clock.values[by_subject]) < 0)]
    if back.size:
        said.append(f"Time goes backwards in {table.named(np.sort(back))}: rows were sorted.")
    elif (np.diff(subjects.places) != 0).sum() >= len(subjects.names):
        said.append("Rows of a subject do not follow each other: rows were sorted.")
    if clock.zoned:
        said.append("Times have zones: they were turned into those of UTC.")
    if further.contexts:
        said.append(f"Contexts, for replays: {joined(map(shown, further.contexts))}.")
    if further.kept:
        said.append(f"Further columns of numbers: {joined(map(shown, further.kept))}.")
    if further.left_out:
        said.append(f"Left out, as not only finite numbers are there: {joined(map(shown, further.left_out))}.")
    return said
