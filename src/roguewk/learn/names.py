"""The names of a log's columns: what they are, and which one is meant where one is missing."""

import re
from collections.abc import Iterable

from roguewk.learn.findings import joined
from roguewk.learn.table import Table
from roguewk.problem.errors import InputError, shown

COLUMNS = "subject, round or time, arm, reward and cost_<resource>"
NEEDED = ("arm", "reward")
KNOWN = {"subject", "round", "time", "arm", "reward", "propensity", "available", "effect"}
COST, CONTEXT = "cost_", "context_"
PROBABILITY = "probability_"  # of an action, beside the propensity: rw.log_runs writes them, and nothing reads them
# What people call these columns, the likeliest first, in small letters and with nothing between words.
MEANT = {
    "subject": "subject subjects subjectid subj user userid participant participantid patient patientid person personid"
    " customer customerid client clientid member memberid individual individualid respondent respondentid"
    " visitor visitorid player playerid uid pid id",
    "time": "time timestamp datetime date times ts createdat sentat eventtime",
    "round": "round rounds roundnumber decisionpoint step timestep t day trial period week",
    "arm": "arm arms armname armid action actions actionid treatment treatments intervention message messagetype"
    " notification variant option choice offer condition",
    "reward": "reward rewards outcome outcomes y response result success conversion converted click clicked clicks"
    " open opened responded answered engagement payoff score value",
}


def is_known(name: str, names: Iterable[str]) -> bool:
    """Whether a column among others of these names is one that a log is made of, and so no covariate.

    >>> is_known("effect", []), is_known("probability_call", ["propensity"]), is_known("probability_rain", ["arm"])
    (True, True, False)
    """
    return name in KNOWN or (name.startswith(PROBABILITY) and "propensity" in names)


def check_names(table: Table) -> None:
    """Refuse a table that lacks a column, or has one too many."""
    names = set(table.columns)
    if {"round", "time"} <= names:
        raise InputError(f"{table.where}: there are columns 'round' and 'time': keep the one that recovery goes by")
    lacking = [name for name in NEEDED if name not in names]
    clock = ["'round' or 'time'"] * (not names & {"round", "time"})
    if lacking or clock:
        listed = shown(", ".join(table.columns), str)
        what = joined([*map(repr, lacking), *clock])
        raise InputError(
            f"{table.where}: there is no column {what}, but {listed}: {_remedy(table, names, lacking, clock)}"
        )
    if COST in names:
        raise InputError(f"{table.where}: column {COST!r} names no resource: call it {COST!r} and a name")
    other = None if "subject" in names else _meant("subject", names)
    if other is not None:
        told = f"there is no column 'subject', but {shown(other)}"
        remedy = "rename it to 'subject' if it says whose row it is, or leave that column out if all rows are of one"
        raise InputError(f"{table.where}: {told}: {remedy}")


def _meant(column: str, names: set[str]) -> str | None:
    """The column that is probably meant by another name."""
    plain = {re.sub(r"[\W_]+", "", name).lower(): name for name in sorted(names - KNOWN) if not name.startswith(COST)}
    return next((plain[word] for word in MEANT[column].split() if word in plain), None)


def _remedy(table: Table, names: set[str], lacking: list[str], clock: list[str]) -> str:
    """What to do where columns are missing: which to rename, as far as that can be guessed."""
    if len(names) == 1 and table.text:
        return "separate columns by commas"
    wanted = [*["subject"] * ("subject" not in names), *lacking]
    found = {column: other for column in wanted if (other := _meant(column, names)) is not None}
    if clock:
        found |= next(({column: other} for column in ("time", "round") if (other := _meant(column, names))), {})
    if not found:
        return f"name them as {COLUMNS}"
    renamed = joined([f"{shown(other)} to {column!r}" for column, other in found.items()])
    all_found = len(found.keys() - {"subject"}) == len(lacking) + len(clock)
    return f"rename {renamed}" + ("" if all_found else f", and name the others as {COLUMNS}")
