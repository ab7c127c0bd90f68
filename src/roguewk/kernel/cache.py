"""Machine code on disk that is never run when a bit of it has changed.

Numba would run such code, whatever it does then. So its files begin with a digest of the rest of them: a file that does
not match is as good as none, and the function is compiled anew. The digest lies in the file itself because a file is
replaced as a whole: two processes that save at once cannot leave the contents of one with the digest of the other.
"""

import contextlib
import hashlib
import pickle
from typing import Any

from numba.core.caching import IndexDataCacheFile

DIGEST = hashlib.sha256  # faster than others where processors have instructions for it, as nearly all do
WIDTH = DIGEST().digest_size


class _SoundFiles(IndexDataCacheFile):  # type: ignore[misc]  # numba has no types
    """The index of a function and its machine code, a file for each signature."""

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        # Two processes may have given the same name to the code of two signatures: the key says whose it is.
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> dict[Any, str]:
        found = self._load(self._index_path)
        return found[2] if found is not None and found[:2] == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._save(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._load(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._save(self._data_path(name), data)

    def _save(self, path: str, thing: Any) -> None:
        contents = self._dump(thing)
        with self._open_for_write(path) as file:
            file.write(DIGEST(contents).digest() + contents)

    def _load(self, path: str) -> Any:
        try:
            with open(path, "rb") as file:
                digest, contents = file.read(WIDTH), file.read()
            return pickle.loads(contents) if DIGEST(contents).digest() == digest else None
        except Exception:  # there is no file, or a pickle of another Numba's, which can raise anything
            return None


def make_sound(cache: Any) -> None:
    """Let the cache of a compiled function refuse damaged files, and do without those that cannot be written."""
    files = cache._cache_file
    cache._cache_file = _SoundFiles(files._cache_path, cache._impl.filename_base, files._source_stamp)
    load, save = cache.load_overload, cache.save_overload

    def load_if_sound(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # code that was saved whole, but not for this program
            return None

    def save_if_possible(signature: Any, result: Any) -> None:
        if not all(map(is_ours, signature)):
            return  # no other program could read an index with a class of this one's
        with contextlib.suppress(OSError):  # a full disk: the code is in memory all the same
            save(signature, result)

    cache.load_overload, cache.save_overload = load_if_sound, save_if_possible


def is_ours(kind: Any) -> bool:
    """Whether a type of compiled code is made of classes of this package only, so that its code is kept."""
    own = getattr(kind, "instance_class", None)
    inner = (*getattr(kind, "types", ()), *([kind.part] if hasattr(kind, "part") else []))
    return (own is None or own.__module__.startswith("roguewk.")) and all(map(is_ours, inner))
