"""The files of a finished study, beside its cells."""

import re
from collections.abc import Collection
from pathlib import Path

from roguewk.study.page.figures import study_figures
from roguewk.study.page.report import study_page
from roguewk.study.plan.model import FIGURES, KINDS
from roguewk.study.results import Results
from roguewk.study.tables import arrow_bytes, csv_bytes


def figure_files(results: Results) -> dict[str, bytes]:
    """The figures by file name."""
    return study_figures(results, results.summary, results.comparisons)


def table_files(results: Results) -> dict[str, bytes]:
    """The study itself, its tables and its report by file name."""
    return {
        "study.toml": results.study.source.encode(),
        "runs.parquet": arrow_bytes(results.runs),
        "summary.csv": csv_bytes(results.summary),
        "comparisons.csv": csv_bytes(results.comparisons),
        "bounds.csv": csv_bytes(results.bounds),
        "report.html": study_page(results, results.summary, results.comparisons),
    }


def remove_earlier_figures(folder: Path, kept: Collection[str]) -> None:
    """Remove figures that an earlier form of the study left, and half-written ones; whatever else is there stays."""
    name = rf"(?:{'|'.join(FIGURES)})\.(?:{'|'.join(KINDS)})"
    ours = re.compile(rf"{name}|\.{name}\.\d+\.tmp")
    for path in folder.iterdir():
        if ours.fullmatch(path.name) and path.name not in kept and (path.is_symlink() or path.is_file()):
            path.unlink(missing_ok=True)
