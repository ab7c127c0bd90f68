"""A policy's state as plain data or as bytes, with a checksum so that a damaged one is never continued.

What was learned is one stretch of memory. As data it is written field by field, for people; as bytes as it is. Both say
which policy, parameters and problem they belong to. The checksum has no key, so it tells damage, not intent: what is
read is checked number by number before it is used.
"""

import copy
import functools
import hashlib
import itertools
import json
import math
import struct
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import LARGEST_SEED
from roguewk.kernel.memory import Kind, leaves
from roguewk.part.room import damaged
from roguewk.policy.machine import IDLE, NEVER
from roguewk.policy.open_pull import WAITING, OpenPull, Pending
from roguewk.problem.errors import InputError, known, shown, text, whole
from roguewk.problem.plain import problem_to_data
from roguewk.problem.problem import Problem

FORMAT = "roguewk policy 4"
MAGIC = b"roguewk\x04"
LARGEST_REPLICATE = 2**63 - 1
MOST_BYTES = 1 << 30  # when unpacked: far more than any policy learns
_SIZES = struct.Struct("<16sIII")  # checksum, length of the head, number of open pulls, numbers of each
_FEWEST, _MOST = 5, 1 << 16  # numbers of an open pull beside its round and arm: memo and reward, and costs
_NEVER = "never"  # as JSON has it, where what has not come is null
_KEYS = ("format", "policy", "parameters", "problem", "digest", "seed", "replicate", "pending", "learned")


class Saved(NamedTuple):
    """What a state says, before it is believed; `learned` are words, or arrays by their paths."""

    policy: str
    parameters: Mapping[str, Any]
    problem: Any  # plain data, or None
    digest: str  # of the problem
    seed: int
    replicate: int
    pending: Pending
    learned: Any


@functools.lru_cache(maxsize=256)
def problem_digest(problem: Problem) -> str:
    """A name for all that a problem says; functions of one's own count by their names."""
    return _sha(_canonical(problem_to_data(problem, functions_by_name=True)))[:32]


def identity_of(policy: str, parameters: Mapping[str, Any], digest: str, seed: int, replicate: int) -> str:
    """Whose decisions are whose: the same for a policy that is replayed."""
    return _sha(_canonical([policy, parameters, digest, seed, replicate]))[:16]


def _canonical(content: Any) -> bytes:
    try:
        return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        raise damaged("it holds what JSON cannot") from None


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def state_to_data(saved: Saved, part: Any) -> dict[str, Any]:
    """The state as plain data for JSON; `part` holds what was learned."""
    content = {
        "format": FORMAT,
        **copy.deepcopy(saved._replace(learned=None)._asdict()),
        "pending": [[round_, pull.arm, *map(_told, _numbers(pull))] for round_, pull in saved.pending.items()],
        "learned": {path: _to_lists(array) for path, array in _learned(part).items()},
    }
    if saved.problem is None:
        del content["problem"]
    return {**content, "checksum": _sha(_canonical(content))}


def state_to_bytes(saved: Saved) -> bytes:
    """The state as bytes, without the problem."""
    head = _canonical([saved.policy, saved.parameters, saved.digest, saved.seed, saved.replicate])
    rows = [(round_, pull.arm, _numbers(pull)) for round_, pull in saved.pending.items()]
    width = len(rows[0][2]) if rows else _FEWEST
    row = _row(width)
    body = zlib.compress(b"".join(row.pack(round_, arm, *numbers) for round_, arm, numbers in rows)
                         + saved.learned.tobytes(), 1)  # fmt: skip
    check = hashlib.blake2b(head + body, digest_size=16).digest()
    return MAGIC + _SIZES.pack(check, len(head), len(rows), width) + head + body


def _row(width: int) -> struct.Struct:
    """Round, arm and so many numbers of an open pull."""
    return struct.Struct(f"<qq{width}d")


def _numbers(pull: OpenPull) -> tuple[float, ...]:
    return *pull.memo, pull.reward, *pull.costs


def _told(value: float) -> float | str | None:
    """A number of an open pull for JSON."""
    if value == WAITING:
        return None
    return _NEVER if math.isnan(value) else value


def _untold(value: Any) -> float:
    if value is None:
        return WAITING
    return NEVER if value == _NEVER else _real(value)


def data_to_saved(state: Mapping[str, Any]) -> Saved:
    """What plain data says, if it is whole."""
    said = state.get("format")
    if said != FORMAT:
        what = f"the state is of the format {shown(said)} and not {FORMAT!r}"
        raise InputError(f"{what}: give what policy.state() of this version returned")
    content = {key: value for key, value in state.items() if key != "checksum"}
    if state.get("checksum") != _sha(_canonical(content)):
        raise damaged("its checksum does not match")
    for key in content:
        known(text(key, "a key of the state"), _KEYS, "key of the state:")
    for key in _KEYS:
        if key not in content and key != "problem":
            raise damaged(f"it has no {key!r}")
    rows = content["pending"]
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) >= 2 + _FEWEST for row in rows):
        raise damaged("its open pulls are not rows of numbers")
    pending = [(row[0], row[1], list(map(_untold, row[2:]))) for row in rows]
    head = [content[key] for key in ("policy", "parameters", "digest", "seed", "replicate")]
    return _saved(head, content.get("problem"), pending, content["learned"])


def bytes_to_saved(state: bytes) -> Saved:
    """What bytes say, if they are whole."""
    if not state.startswith(MAGIC):
        raise InputError("the bytes are not a state of this version: give what policy.to_bytes() returned")
    try:
        check, length, count, width = _SIZES.unpack_from(state, len(MAGIC))
    except struct.error:
        raise damaged("it is too short") from None
    begin = len(MAGIC) + _SIZES.size
    head, body = state[begin : begin + length], state[begin + length :]
    if hashlib.blake2b(head + body, digest_size=16).digest() != check:
        raise damaged("its checksum does not match")
    if not _FEWEST <= width <= _MOST:
        raise damaged("its open pulls are not rows of numbers")
    row = _row(width)
    try:
        content = json.loads(head)
        inflate = zlib.decompressobj()
        plain = inflate.decompress(body, count * row.size + MOST_BYTES)
        pulls = list(row.iter_unpack(plain[: count * row.size]))
    except (ValueError, zlib.error, struct.error, RecursionError):
        raise damaged("it cannot be unpacked") from None
    if not isinstance(content, list) or len(content) != 5 or not inflate.eof or len(pulls) != count:
        raise damaged("it cannot be unpacked")
    pending = [(round_, arm, numbers) for round_, arm, *numbers in pulls]
    return _saved(content, None, pending, plain[count * row.size :])


def _saved(head: list[Any], problem: Any, pending: list[Any], learned: Any) -> Saved:
    policy, parameters, digest, seed, replicate = head
    if not isinstance(parameters, Mapping) or not isinstance(digest, str):
        raise damaged("its parameters or its problem are not named")
    rows: Pending = {}
    for round_, arm, numbers in pending:
        where = whole(round_, "the round of an open pull in the state", 0)
        first, second, third, fourth, reward, *costs = numbers
        pull = OpenPull(
            whole(arm, "the arm of an open pull in the state", IDLE),
            (first, second, third, fourth),
            reward,
            tuple(costs),
        )
        if where in rows or not all(map(math.isfinite, pull.memo)):
            raise damaged(f"round {where} is not an open pull")
        rows[where] = pull
    return Saved(
        text(policy, "the policy of the state"),
        parameters,
        problem,
        digest,
        whole(seed, "the seed of the state", 0, LARGEST_SEED),
        whole(replicate, "the replicate of the state", 0, LARGEST_REPLICATE),
        rows,
        learned,
    )


def _learned(part: Any) -> dict[str, Any]:
    """Arrays by their paths, but for empty ones, which say nothing."""
    return {leaf.path: leaf.array for leaf in leaves(part) if leaf.kind is Kind.LEARNED and leaf.array.size}


def _to_lists(array: Any) -> Any:
    if array.dtype.names is None:
        return _plain(array.tolist())
    return {name: _plain(array[name].tolist()) for name in array.dtype.names}


def _plain(value: Any) -> Any:
    """Numbers in lists, infinite ones as text: JSON has none."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if math.isfinite(value) else str(value)


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise damaged(f"{shown(value)} is not a number")
    try:
        return float(value)
    except OverflowError:
        raise damaged("a number is too large") from None


def fill_learned(part: Any, learned: Any, words: Vector) -> None:
    """Write what a state says was learned into a part, whose learned memory is `words`."""
    if isinstance(learned, bytes):
        if len(learned) != words.nbytes:
            raise damaged(f"it has {len(learned)} bytes where {words.nbytes} were learned")
        words[:] = np.frombuffer(learned, dtype=np.float64)
        return
    if not isinstance(learned, Mapping):
        raise damaged("what was learned is no table")
    mine = _learned(part)
    if set(mine) != set(learned):
        raise damaged("what was learned does not fit the policy")
    for path, array in mine.items():
        _fill(array, learned[path], path)


def _fill(array: Any, saved: Any, path: str) -> None:
    if array.dtype.names is None:
        _fill_numbers(array, saved, path)
        return
    if not isinstance(saved, Mapping) or set(saved) != set(array.dtype.names):
        raise damaged(f"{path!r} does not fit the policy")
    for name in array.dtype.names:
        _fill_numbers(array[name], saved[name], f"{path}.{name}")


def _fill_numbers(array: Any, saved: Any, path: str) -> None:
    numbers = _flat(saved, array.shape, path)
    kind = float if array.dtype.kind == "f" else int
    if set(map(type, numbers)) - {kind}:
        numbers = [_real(_infinite(value)) if kind is float else whole(value, f"{path!r} of the state", -LARGEST_SEED)
                   for value in numbers]  # fmt: skip
    try:
        array[...] = np.array(numbers, dtype=array.dtype).reshape(array.shape)
    except OverflowError:
        raise damaged(f"{path!r} holds a number that is too large") from None


def _flat(saved: Any, shape: tuple[int, ...], path: str) -> list[Any]:
    """The numbers of lists in lists, which must have this shape."""
    rows = [saved]
    for size in shape:
        if not all(type(row) is list and len(row) == size for row in rows):
            raise damaged(f"{path!r} does not fit the problem")
        rows = list(itertools.chain.from_iterable(rows))
    return rows


def _infinite(value: Any) -> Any:
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value
