"""The files of a finished study, beside its cells."""

from collections.abc import Collection
from pathlib import Path

from roguewk.problem.errors import InputError
from roguewk.problem.whole import write_all
from roguewk.show.folder import remove_leftovers, results_folder
from roguewk.show.tables import arrow_bytes, csv_bytes
from roguewk.study.figures.study import study_figures
from roguewk.study.plan.model import FIGURES, KINDS
from roguewk.study.report.page import study_page
from roguewk.study.results import Results
from roguewk.study.run.store import FIGURES_FOLDER, Output


def write_results(results: Results) -> None:
    """Write tables, figures and the report of a study into its folder; figures that it no longer asks for go.

    >>> import dataclasses, os, roguewk as rw, tempfile
    >>> paper = rw.load_study("paper")
    >>> few = dataclasses.replace(paper, worlds=paper.worlds[:2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = rw.run_study(few, folder, engine="threads", replicates=2)
    ...     rw.write_results(results)
    ...     sorted(os.listdir(folder))[:5]
    ['bounds.csv', 'cells', 'comparisons.csv', 'figures', 'report.html']
    """
    if not isinstance(results, Results):
        raise InputError(f"what shall be written is {results!r}: give what run_study or open_results returns")
    with results_folder(str(results.store.folder)) as home:
        folder, figures = home / FIGURES_FOLDER, study_figures(results)
        folder.mkdir(exist_ok=True)
        write_all(folder, figures)
        _remove_earlier_figures(folder, figures)
        write_all(home, table_files(results))


def table_files(results: Results) -> dict[str, bytes]:
    """The study itself, its tables and its report by file name."""
    return {
        Output.STUDY: results.study.source.encode(),
        Output.RUNS: arrow_bytes(results.runs),
        Output.SUMMARY: csv_bytes(results.summary),
        Output.COMPARISONS: csv_bytes(results.comparisons),
        Output.BOUNDS: csv_bytes(results.bounds),
        Output.REPORT: study_page(results),
    }


def _remove_earlier_figures(folder: Path, kept: Collection[str]) -> None:
    """Remove figures that an earlier form of the study left, and leftovers; whatever else is there stays."""
    for name in FIGURES:
        for kind in KINDS:
            path = folder / f"{name}.{kind}"
            if path.name not in kept and (path.is_symlink() or path.is_file()):
                path.unlink(missing_ok=True)
    remove_leftovers(folder)
