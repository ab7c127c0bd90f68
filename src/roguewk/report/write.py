"""Write the report of a fit to a file."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from roguewk.learn.comparison import ModelComparison
from roguewk.learn.read import read_log
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.errors import InputError, shown
from roguewk.problem.whole import write_all
from roguewk.report.findings import look_into
from roguewk.report.page import fit_page

ENDINGS = (".html", ".htm")


def write_fit_report(
    fit: Fit, log: Any, path: str | os.PathLike[str], *, comparison: ModelComparison | None = None
) -> None:
    """Write a page that shows a fit beside the log it was made of: curves with bands, data against model, checks.

    `log` is what `rw.fit` was given, and `comparison`, if its table is to be on the page too, what `rw.compare_models`
    makes of it. The page is one HTML file that needs nothing else; one that is there is replaced.

    >>> import os, roguewk as rw, tempfile
    >>> from roguewk.learn.example import invented_log
    >>> log = invented_log()
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> rw.write_fit_report(rw.fit(log), log, path)
    >>> os.path.getsize(path) < 200_000
    True
    """
    if not isinstance(fit, Fit):
        raise InputError(f"the fit is {shown(fit)}: give what rw.fit returns")
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path is {shown(path)}: give a file name that ends in {' or '.join(ENDINGS)}")
    where = os.fsdecode(path)
    target = Path(where)
    if "\0" in where or target.suffix.lower() not in ENDINGS:
        raise InputError(f"path is {shown(where)}: give a file name that ends in {' or '.join(ENDINGS)}")
    if not target.parent.is_dir():
        raise InputError(f"path is {shown(where)}: there is no such folder: make it first")
    read = log if isinstance(log, LoggedRounds) else read_log(log)
    if comparison is not None:
        _check_comparison(comparison, read)
    write_all(target.parent, {target.name: fit_page(look_into(fit, read), models=comparison)})


def _check_comparison(comparison: ModelComparison, log: LoggedRounds) -> None:
    if not isinstance(comparison, ModelComparison):
        raise InputError(f"comparison is {shown(comparison)}: give what rw.compare_models returns, or leave it out")
    pulls = int(((log.arm >= 0) & ~np.isnan(log.reward)).sum())
    if comparison.pulls != pulls:
        raise InputError(
            f"the comparison is of {comparison.pulls:,} pulls with an outcome, and the log has {pulls:,}: give that of"
            " the same log"
        )
