"""What is believed of the arms, where it is not the truth: the [[belief]] tables of a world file, both ways."""

from collections.abc import Sequence
from typing import Any

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import RESTED, Arm
from roguewk.problem.errors import InputError, known, text, unique
from roguewk.problem.plain import (
    ARM_KEYS,
    EVERYDAY,
    LINEAR,
    UNKNOWN,
    Data,
    is_unknown,
    label_of,
    placed,
    read_arm,
    read_table,
)

HIDDEN = ("x0", "start", "costs")  # keys of an [[arm]] that tell the truth
OPEN = ("dynamics", "like")  # keys of an [[arm]] by which policies are not told how it moves
UNTOLD = ("available", "known_start")  # keys of a [[belief]] that may be "unknown", whatever the [[arm]] says
_KEPT = ("family", "sigma", "available", "when")  # what is as in the [[arm]], however the belief is written


def read_beliefs(
    tables: Sequence[Any], written: Sequence[Data], arms: Sequence[Arm], x0: Sequence[Vector]
) -> list[Arm]:
    """The arms as they are believed to be; `written` are their own tables, from which keys not given are taken."""
    believed, names = list(arms), [arm.name for arm in arms]
    for place, table in enumerate(tables):
        what = label_of(table, "belief", place)
        read_table(table, (*ARM_KEYS, *HIDDEN), ("name",), what, "each as a table [[belief]]")
        for key in HIDDEN:
            if key in table:
                raise InputError(f"{what} has {key!r}: leave it out, costs and states are learned and never told")
        known(text(table["name"], f"name of {what}"), names, f"arm of {what}:")
        a = names.index(table["name"])
        if table.get("family", arms[a].family) != arms[a].family:
            raise InputError(f"{what} has another 'family': leave it out, what kind of reward an arm brings is known")
        with placed("belief"):
            believed[a] = _believed(table, written[a], a, x0[a])
            if table.get("known_start") != UNKNOWN:
                believed[a] = _knowing_start(believed[a], arms[a], written[a])
    unique((table["name"] for table in tables), "beliefs")
    return believed


def left_open(written: Sequence[Data]) -> list[Data]:
    """The beliefs in arms of which the world file says in their own tables that policies are not told how they move."""
    return [
        {"name": table["name"], **{key: table[key] for key in OPEN if key in table}}
        for table in written
        if leaves_open(table)
    ]


def leaves_open(table: Data) -> bool:
    """Whether an arm's own table says that policies are not told how it moves; one with a prior says it all itself."""
    return "dynamics" in table or ("like" in table and "prior" not in table)


def _believed(table: Data, true: Data, place: int, x0: Vector) -> Arm:
    own = EVERYDAY if "rested" in true else LINEAR
    other = LINEAR if "rested" in true else EVERYDAY
    # Written the other way, the state counts from elsewhere: neither numbers nor state set of the arm mean anything.
    complete = is_unknown(table) or any(key in table for key in other)
    kept = _KEPT if complete else (*_KEPT, "state", *own)
    if "wear" in table or "worn" in table:
        kept = tuple(key for key in kept if key not in ("wear", "worn"))  # one is told in place of the other
    merged = {**{key: true[key] for key in kept if key in true}, **table}
    if isinstance(table.get("when"), dict) and isinstance(true.get("when"), dict):
        # What is forbidden everybody knows, so a belief need not say it again.
        merged["when"] = {
            **{value: effect for value, effect in true["when"].items() if effect is False},
            **table["when"],
        }
    merged = {key: value for key, value in merged.items() if key not in UNTOLD or value != UNKNOWN}
    arm = read_arm(merged, place)
    # As the true arm's: the same numbers believed must be the same arm.
    return arm if complete or "state" in merged or arm.dimension != len(x0) else arm.widened(x0)


def _knowing_start(believed: Arm, true: Arm, written: Data) -> Arm:
    """The believed arm with what is known of the true one's start, which is no matter of belief."""
    if true.known_start is None or believed.known_start is not None:
        return believed
    if RESTED in (written.get("start"), written.get("x0")):
        return believed.knowing(RESTED)
    if believed.dimension != true.dimension:
        return believed
    inside = (true.starts[:, 0] >= believed.box[:, 0]).all() and (true.starts[:, 1] <= believed.box[:, 1]).all()
    return believed.knowing(true.known_start) if inside else believed


def belief_to_data(believed: Data, true: Data) -> Data:
    """The keys of an arm's table that are believed to be different."""
    kept = ("name", "prior", "like", *(LINEAR if "like" in believed else ()))  # never taken from the [[arm]]
    data = {key: value for key, value in believed.items() if key in kept or value != true.get(key)}
    shifted: Data = {} if "when" in believed or "when" not in true else {"when": {}}
    return data | shifted | {key: UNKNOWN for key in UNTOLD if key in true and key not in believed}
