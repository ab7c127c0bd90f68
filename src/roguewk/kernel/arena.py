"""All the memory of a part in one block, so that another of its kind is made by copying the block.

A block holds the part in native form, then what it has learned, side by side, then its scratch. Within it, addresses
point to other places in it; in a copy they are moved by as much as the block is. Constants lie elsewhere and are
shared.
"""

import itertools
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from roguewk.kernel.handle import WORD, Handle, words_of
from roguewk.kernel.memory import Kind, Leaf, declared, leaves


def _words(array: Any) -> int:
    return -(-array.nbytes // WORD)


class Arena:
    """A part laid out in a block; `clone` makes others. Compiled code takes an arena for a handle of its head.

    `head(part, address, learned)` makes what compiled code is given of the part, in place, of the address of its native
    form, and of what it has learned, (word,).
    """

    __slots__ = ("__dict__", "_numba_type_", "address", "block", "learned", "mold")

    def __init__(self, part: Any, head: Callable[[Any, int, Any], Any]) -> None:
        self.mold = _Mold(part, head)
        self._numba_type_ = self.mold.head._numba_type_
        self._take(self.mold.block)

    def _take(self, block: Any) -> None:
        self.block = block
        self.address = int(block.ctypes.data)
        self.learned = block[self.mold.learned]  # (word,) the state

    def clone(self) -> "Arena":
        """Another part with the same contents and memory of its own."""
        twin = Arena.__new__(Arena)
        twin.mold = self.mold
        twin._numba_type_ = self._numba_type_
        twin._take(self.block.copy())
        twin.block.view(np.int64)[self.mold.pointers] += twin.address - self.address
        return twin

    def place_of(self, array: Any) -> slice:
        """Which words of the block an array of this arena's part takes."""
        start = (int(array.ctypes.data) - self.address) // WORD
        return slice(start, start + _words(array)) if array.size else slice(0, 0)

    @property
    def head(self) -> Any:
        """What compiled code is given of the part that all clones were made from."""
        return self.mold.head.part

    @cached_property
    def part(self) -> Any:
        """The part, whose arrays are this arena's."""
        return self.mold.rebuilt(self.block)


def twin_of(part: Any) -> Any:
    """A copy of a part with learned memory of its own, outside any block."""
    if isinstance(part, Handle):
        return Handle(twin_of(part.part))
    if isinstance(part, np.ndarray):
        return part.copy()
    if isinstance(part, tuple):
        said = declared(type(part))
        kept = [said[name] is Kind.CONSTANT for name in said]
        return type(part)(*(each if keep else twin_of(each) for each, keep in zip(part, kept, strict=True)))
    return part


class _Mold:
    """How the parts of an arena and of its clones are laid out."""

    def __init__(self, part: Any, head: Callable[[Any, int, Any], Any]) -> None:
        found = {id(leaf.array): leaf for leaf in leaves(part) if leaf.kind is not Kind.CONSTANT}
        self.source = part
        at = words_of(head(part, 0, np.zeros(1)))
        native = at + _native_words(part)
        learned = [leaf for leaf in found.values() if leaf.kind is Kind.LEARNED]
        scratch = [leaf for leaf in found.values() if leaf.kind is Kind.SCRATCH]
        self.places = _places([*learned, *scratch], native)  # of an array by its identity
        size = sum(_words(leaf.array) for leaf in learned)
        self.learned = slice(native, native + size)
        self.block = np.zeros(native + size + sum(_words(leaf.array) for leaf in scratch))
        for leaf in found.values():
            self._place(leaf.array, self.block)[...] = leaf.array
        placed = self.rebuilt(self.block, self.block[at:native])
        handle = Handle(placed, self.block[at : at + words_of(placed)])
        self.head = Handle(head(placed, handle.address, self.block[self.learned]), self.block[:at])
        self.handle = handle
        self.pointers = self._pointers(native)

    def _place(self, array: Any, block: Any) -> Any:
        """The view of a block that stands for an array."""
        if not array.size:
            return array
        return np.ndarray(array.shape, array.dtype, buffer=block, offset=WORD * self.places[id(array)])

    def rebuilt(self, block: Any, room: Any = None) -> Any:
        """The part with its arrays in this block; handles within it are kept in `room`, if it is given."""
        rooms = None if room is None else iter(_rooms(self.source, room))
        return self._rebuilt(self.source, block, rooms)

    def _rebuilt(self, part: Any, block: Any, rooms: Any) -> Any:
        if isinstance(part, Handle):
            inner = self._rebuilt(part.part, block, rooms)
            return Handle(inner, None if rooms is None else next(rooms))
        if isinstance(part, np.ndarray):
            return self._place(part, block) if id(part) in self.places else part
        if isinstance(part, tuple):
            return type(part)(*(self._rebuilt(each, block, rooms) for each in part))
        return part

    def _pointers(self, native: int) -> Any:
        """The words that point into the block: no other number in a part's native form looks like such an address."""
        first, words = int(self.block.ctypes.data), self.block[:native].view(np.int64)
        return np.flatnonzero((words >= first) & (words < first + self.block.nbytes))


def _places(found: list[Leaf], first: int) -> dict[int, int]:
    starts = np.cumsum([first, *(_words(leaf.array) for leaf in found)]).tolist()
    return {id(leaf.array): start for leaf, start in zip(found, starts[:-1], strict=True)}


def _handles(part: Any) -> list[Handle]:
    """The handles within a part, inner ones first."""
    if isinstance(part, Handle):
        return [*_handles(part.part), part]
    return [handle for each in part for handle in _handles(each)] if isinstance(part, tuple) else []


def _native_words(part: Any) -> int:
    return words_of(part) + sum(words_of(handle.part) for handle in _handles(part))


def _rooms(part: Any, room: Any) -> list[Any]:
    """Where the handles within a part are kept: behind the part itself."""
    sizes = [words_of(part), *(words_of(handle.part) for handle in _handles(part))]
    ends = np.cumsum(sizes).tolist()
    return [room[start:end] for start, end in itertools.pairwise(ends)]
