"""Record the regret of other libraries for tests/interop/test_libraries.py: `python -m benchmarks.libraries.record`.

Takes some minutes; `--keep FOLDER` keeps the environments for the next time.
"""

import argparse
import json
from pathlib import Path

from benchmarks.libraries.child import CHECKPOINTS, REPLICATES
from benchmarks.libraries.environment import ROOT, UnavailableError, ask, folder_for_all
from benchmarks.libraries.rivals import LIBRARIES, MEANS, Library

FILE = ROOT / "tests" / "interop" / "data" / "regret_curves.json"


def _curves(library: Library, folder: Path) -> list[dict[str, object]]:
    answer = ask(library, folder, "record")
    recorded = [rival for rival in library.rivals if rival.recorded]
    return [
        {
            "library": library.name,
            "version": answer["version"],
            "policy": rival.policy,
            "constants": rival.constants,
            "ours": rival.ours,
            "parameters": rival.parameters,
            "note": rival.note,
            "mean": curve["mean"],
            "standard_error": curve["standard_error"],
        }
        for rival, curve in zip(recorded, answer["policies"], strict=True)
    ]


def _readable(curves: list[dict[str, object]]) -> str:
    """JSON with a line per field."""
    head = {"means": MEANS, "replicates": REPLICATES, "checkpoints": CHECKPOINTS}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rows = [
        "    {\n"
        + ",\n".join(f"      {json.dumps(key)}: {json.dumps(value)}" for key, value in row.items())
        + "\n    }"
        for row in curves
    ]
    return "\n".join(["{", *lines, '  "curves": [', ",\n".join(rows), "  ]", "}", ""])


def main() -> None:
    """All libraries or, where one is missing, nothing."""
    parser = argparse.ArgumentParser(description="Record the regret of other libraries.")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the environments here and use them again")
    keep = parser.parse_args().keep
    curves: list[dict[str, object]] = []
    with folder_for_all(keep) as folder:
        for library in LIBRARIES:
            if not any(rival.recorded for rival in library.rivals):
                continue
            print(f"recording {library.name} ...", flush=True)
            try:
                curves += _curves(library, folder)
            except UnavailableError as problem:
                raise SystemExit(f"{library.name}: {problem}; nothing was written") from None
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(_readable(curves), encoding="utf-8")
    print(f"wrote {FILE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
