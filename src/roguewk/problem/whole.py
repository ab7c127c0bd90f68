"""Files on disk: whole or not at all."""

import os
from collections.abc import Mapping
from pathlib import Path


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files under other names first, so that a full disk leaves earlier results as they were."""
    written: dict[Path, Path] = {}
    try:
        for name, content in files.items():
            spare = folder / f".{name}.{os.getpid()}.tmp"
            written[spare] = folder / name
            spare.write_bytes(content)
        for spare, target in written.items():
            os.replace(spare, target)
    finally:
        for spare in written:
            spare.unlink(missing_ok=True)
