"""The files of a finished study, beside its cells."""

from collections.abc import Collection
from pathlib import Path

from roguewk.show.folder import remove_leftovers
from roguewk.show.tables import arrow_bytes, csv_bytes
from roguewk.study.page.figures import study_figures
from roguewk.study.page.report import study_page
from roguewk.study.plan.model import FIGURES, KINDS
from roguewk.study.results import Results


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
    """Remove figures that an earlier form of the study left, and leftovers; whatever else is there stays."""
    for name in FIGURES:
        for kind in KINDS:
            path = folder / f"{name}.{kind}"
            if path.name not in kept and (path.is_symlink() or path.is_file()):
                path.unlink(missing_ok=True)
    remove_leftovers(folder)
