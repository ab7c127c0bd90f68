"""A part whose arrays lie side by side in one stretch of memory, so that all its contents are copied at once."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.handle import Handle
from roguewk.kernel.verbs import is_scratch, is_shared

WORD = 8  # bytes


class Arena(NamedTuple):
    """A part and its memory. Arenas cloned from the same part have the same layout."""

    part: Any
    memory: Any  # (word,)


def clone_in_arena(part: Any) -> Arena:
    """A copy of a part with memory of its own, except what is shared."""
    arrays: list[Any] = []
    _collect(part, arrays)
    starts = np.cumsum([0] + [-(-array.nbytes // WORD) for array in arrays])
    memory = np.zeros(starts[-1])
    places = iter(
        [
            np.ndarray(array.shape, array.dtype, buffer=memory, offset=WORD * int(start))
            if array.size
            else np.zeros_like(array)
            for array, start in zip(arrays, starts[:-1], strict=True)
        ]
    )
    return Arena(_rebuild(part, places), memory)


def _collect(part: Any, arrays: list[Any]) -> None:
    """The arrays that carry what a part knows, in order."""
    if isinstance(part, Handle):
        _collect(part.part, arrays)
    elif isinstance(part, np.ndarray):
        arrays.append(part)
    elif isinstance(part, tuple) and not is_shared(part) and not is_scratch(part):
        for each in part:
            _collect(each, arrays)


def _rebuild(part: Any, places: Any) -> Any:
    if is_shared(part):
        return part
    if isinstance(part, Handle):
        return Handle(_rebuild(part.part, places))
    if isinstance(part, np.ndarray):
        place = next(places)
        place[...] = part
        return place
    if isinstance(part, tuple):
        own = iter(_fresh(part)) if is_scratch(part) else places
        return type(part)(*(_rebuild(each, own) for each in part))
    return part


def _fresh(part: Any) -> list[Any]:
    """Memory elsewhere for what is worked out anew before it is used."""
    found: list[Any] = []
    for each in part:
        if isinstance(each, np.ndarray):
            found.append(np.zeros_like(each))
        elif isinstance(each, tuple) and not is_shared(each):
            found.extend(_fresh(each))
    return found
