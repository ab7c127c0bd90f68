"""The folder of a study: a file for every finished cell, whole or not there, and a note whose study it is."""

import hashlib
import json
import os
from collections.abc import Collection, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from roguewk.problem.errors import InputError
from roguewk.problem.whole import write_all
from roguewk.show.folder import remove_leftovers
from roguewk.study.plan.cells import sources
from roguewk.study.plan.model import Study
from roguewk.study.plan.plain import study_to_data

NOTE = "study.json"
FORMAT = "roguewk study 2"
CELLS, FIGURES_FOLDER = "cells", "figures"


class Output(StrEnum):
    """The files that are made from the cells, all of them anew whenever the results are written."""

    STUDY = "study.toml"
    RUNS = "runs.parquet"
    SUMMARY = "summary.csv"
    COMPARISONS = "comparisons.csv"
    BOUNDS = "bounds.csv"
    REPORT = "report.html"


class Note(NamedTuple):
    """What a folder says about its study, which nobody has checked yet, and the code that worked its cells out."""

    sources: str
    study: dict[str, Any]


class Store:
    """Finished cells by key. A file's name has the hash of the inputs, and a hash of the content to know damage by."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cells = folder / CELLS
        self._files: dict[str, Path] = {}
        self._damaged: dict[str, list[Path]] = {}

    def check(self, study: Study, take_over: bool = False) -> None:
        """Refuse a folder that holds anything but this study; `take_over` allows another study's."""
        note = read_note(self.folder)
        ours = {NOTE, CELLS, FIGURES_FOLDER, *Output}
        if note is None and self.folder.is_dir() and any(name not in ours for name in _visible(self.folder)):
            raise InputError(f"--out '{self.folder}' holds other files: give a new folder, or that of this study")
        if note is not None and not _is_of(note, study) and not take_over:
            theirs = note.study.get("file")
            raise InputError(f"--out '{self.folder}' holds the study of {theirs!r}: give another folder, or say --yes")

    def claim(self, study: Study, take_over: bool = False) -> None:
        """Make the folder this study's own, unless it is another's."""
        self.check(study, take_over)
        note = {"format": FORMAT, "sources": sources(), "study": study_to_data(study)}
        write_all(self.folder, {NOTE: json.dumps(note, indent=1, allow_nan=False).encode()})
        self._cells.mkdir(exist_ok=True)
        for folder in (self.folder, self._cells):
            remove_leftovers(folder)

    def finished(self, keys: Iterable[str], retry_failed: bool = False) -> set[str]:
        """Those of the cells whose files are there and sound; with `retry_failed`, not those with failures."""
        wanted, there = list(keys), self._there()
        for key in wanted:
            for path in there.get(key, []) if key not in self._files else []:
                if _is_sound(path):
                    self._files[key] = path
                else:
                    self._damaged.setdefault(key, []).append(path)
        found = {key for key in wanted if key in self._files}
        return {key for key in found if not (retry_failed and _has_failures(self._files[key]))}

    def write(self, key: str, content: bytes) -> None:
        """Keep a finished cell; a damaged file of the same cell goes."""
        name = f"{key}-{_digest(content)}.parquet"
        write_all(self._cells, {name: content})
        for path in self._damaged.pop(key, []):
            if path.name != name:
                path.unlink(missing_ok=True)
        self._files[key] = self._cells / name

    def read(self, key: str) -> Any:
        """The table of a finished cell, without its notes."""
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(self._files[key]) as file:
            return file.read().replace_schema_metadata(None)

    def prune(self, keys: Collection[str]) -> int:
        """Delete the cells that are none of these, and say how many."""
        extra = [path for key, paths in self._there().items() if key not in keys for path in paths]
        for path in extra:
            path.unlink(missing_ok=True)
        return len(extra)

    def _there(self) -> dict[str, list[Path]]:
        """The files of cells, sound or not, by key."""
        found: dict[str, list[Path]] = {}
        for name in _visible(self._cells) if self._cells.is_dir() else []:
            if name.endswith(".parquet"):
                found.setdefault(name.partition("-")[0], []).append(self._cells / name)
        return found


def _is_of(note: Note, study: Study) -> bool:
    """Whether a folder is this study's: begun with the same file, or with one that said the same and has moved."""
    file, source = note.study.get("file"), note.study.get("source")
    return bool(file == study.file or (source and source == study.source))


def _visible(folder: Path) -> list[str]:
    return [each.name for each in os.scandir(folder) if not each.name.startswith(".")]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _is_sound(path: Path) -> bool:
    """Whether a file has the content that its name speaks of; if not, the cell is worked out anew."""
    try:
        return path.stem.partition("-")[2] == _digest(path.read_bytes())
    except OSError:
        return False


def _has_failures(path: Path) -> bool:
    import pyarrow.parquet

    return bool((pyarrow.parquet.read_metadata(path).metadata or {}).get(b"failed") != b"0")


def read_note(folder: Path) -> Note | None:
    """What a folder says about its study; None if it is no study's, or damaged."""
    try:
        note = json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    sound = isinstance(note, dict) and note.get("format") == FORMAT and isinstance(note.get("study"), dict)
    return Note(note["sources"], note["study"]) if sound and isinstance(note.get("sources"), str) else None
