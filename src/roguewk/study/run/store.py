"""The folder of a study: a file for every finished cell, whole or not there, and a note whose study it is."""

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from roguewk.problem.errors import InputError
from roguewk.study.folder import write_all
from roguewk.study.plan.cells import sources
from roguewk.study.plan.model import Study
from roguewk.study.plan.plain import study_to_data

NOTE = "study.json"
FORMAT = "roguewk study 1"
CELLS = "cells"


class Store:
    """Finished cells by key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cells = folder / CELLS

    def check(self, study: Study) -> None:
        """Refuse a folder that holds anything but this study."""
        note = read_note(self.folder)
        if note is None and self.folder.is_dir() and any(self.folder.iterdir()):
            raise InputError(f"--out '{self.folder}' holds other files: give a new folder, or that of this study")
        if note is not None and note["study"]["name"] != study.name:
            owner = note["study"]["name"]
            raise InputError(f"--out '{self.folder}' holds the study {owner!r}: give another folder, or delete it")

    def claim(self, study: Study) -> None:
        """Make the folder this study's own, unless it is another's."""
        self.check(study)
        note = {"format": FORMAT, "sources": sources(), "study": study_to_data(study)}
        write_all(self.folder, {NOTE: json.dumps(note, indent=1, allow_nan=False).encode()})
        self._cells.mkdir(exist_ok=True)
        for leftover in self._cells.glob(".*.tmp"):  # of a process that was killed
            with contextlib.suppress(OSError):
                leftover.unlink()

    def path(self, key: str) -> Path:
        """The file of a cell."""
        return self._cells / f"{key}.parquet"

    def finished(self, keys: Iterable[str], retry_failed: bool = False) -> set[str]:
        """Those of the cells whose files are there and sound; with `retry_failed`, not those with failures."""
        try:
            there = {each.name for each in os.scandir(self._cells)}
        except FileNotFoundError:
            return set()
        wanted = (key for key in keys if f"{key}.parquet" in there)
        return {key for key in wanted if self._is_sound(key, retry_failed)}

    def write(self, key: str, content: bytes) -> None:
        """Keep a finished cell."""
        write_all(self._cells, {f"{key}.parquet": content})

    def read(self, key: str) -> Any:
        """The table of a finished cell, without its notes."""
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(self.path(key)) as file:
            return file.read().replace_schema_metadata(None)

    def _is_sound(self, key: str, retry_failed: bool) -> bool:
        import pyarrow
        import pyarrow.parquet

        try:
            notes = pyarrow.parquet.read_metadata(self.path(key)).metadata or {}
        except (pyarrow.ArrowException, OSError):
            return False  # torn by a power cut, or someone's own file: worked out anew
        return notes.get(b"cell") == key.encode() and not (retry_failed and notes.get(b"failed") != b"0")


def read_note(folder: Path) -> dict[str, Any] | None:
    """What a folder says about its study; None if it is no study's."""
    try:
        note = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        return note if note["format"] == FORMAT and "name" in note["study"] and "sources" in note else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
