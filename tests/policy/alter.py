"""Alter saved states number by number, give them right checksums, and go on with what is not refused.

Run as a program of its own, which must neither crash nor hang: `python -m tests.policy.alter NAME ...`; it prints how
many states were tried and how many refused.
"""

import json
import struct
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import roguewk as rw
from roguewk.policy.saved import _canonical, _sha

EACH = 40  # altered states of a policy in a world
WHOLES: tuple[Any, ...] = (
    -1,
    0,
    1,
    2,
    7,
    10**9,
    -(10**9),
    2**62,
    -(2**63),
    2**63 - 1,
    10**400,
    39.0,
    True,
    None,
    "x",
    [],
)
REALS: tuple[Any, ...] = (-1.0, 0.5, 1e9, -1e9, 1e300, -1e300, "inf", "-inf", "nan", 5, 10**400, None, [1.0], {})


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths_of(inner, (*path, key))
    else:
        yield path


def started(name: str, problem: rw.Problem) -> rw.Policy:
    policy = rw.make_policy(name, problem, seed=3)
    for t in range(12):
        decision = policy.select()
        if decision.arm is not None and t % 4:
            policy.update(decision, t % 2, 0.3 * problem.scales)
    return policy


def altered(state: Any, rng: Any) -> Any:
    """A few numbers exchanged for others, and a checksum that is right."""
    result = json.loads(json.dumps(state))
    paths = [path for path in paths_of(result) if path[0] in ("learned", "pending", "seed", "replicate")]
    for _ in range(int(rng.integers(1, 4))):
        path = paths[int(rng.integers(len(paths)))]
        place = result
        for key in path[:-1]:
            place = place[key]
        choices = WHOLES if isinstance(place[path[-1]], int) else REALS
        place[path[-1]] = choices[int(rng.integers(len(choices)))]
    del result["checksum"]
    return {**result, "checksum": _sha(_canonical(result))}


def altered_words(policy: rw.Policy, rng: Any) -> bytes:
    """Bytes whose words are changed, as anyone could write them."""
    twin = rw.restore_policy(policy.to_bytes(), problem=policy.problem)
    for _ in range(int(rng.integers(1, 6))):
        if twin.learned.size:
            word = struct.unpack("<d", rng.bytes(8))[0]
            at = int(rng.integers(twin.learned.size))
            twin.learned[at] = (word, 0.0, 1e300, -1e300, np.inf)[int(rng.integers(5))]
    return twin.to_bytes()


def go_on(state: Any, problem: rw.Problem) -> bool:
    """Whether a state was taken, and then everything done with it."""
    try:
        policy = rw.restore_policy(state, problem)
    except rw.InputError:
        return False
    for round_ in list(policy.pending):
        policy.update(round_, 1, 0.3 * problem.scales)
    for t in range(8):
        decision = policy.preview()
        decision = policy.select()
        if decision.arm is not None:
            policy.update(decision, t % 2, 0.1 * problem.scales)
    policy.to_bytes()
    return True


def main(names: list[str]) -> None:
    tried = refused = 0
    rng = np.random.default_rng(sum(map(ord, "".join(names))))
    worlds = [rw.catalog.paper(), rw.catalog.two_dimensional()]
    for name in names:
        for world in worlds:
            problem = world.problem
            try:
                policy = started(name, problem)
            except rw.InputError:
                continue  # a policy that does not fit this world
            state = policy.state()
            for turn in range(EACH):
                with np.errstate(all="ignore"):
                    changed = altered(state, rng) if turn % 3 else altered_words(policy, rng)
                    refused += not go_on(changed, problem)
                tried += 1
    print(tried, refused)


if __name__ == "__main__":
    main(sys.argv[1:])
