"""Studies from Python: run one, or open the folder of one."""

import dataclasses
import functools
import os
from pathlib import Path
from typing import Any

from roguewk.problem.errors import InputError
from roguewk.show.folder import results_folder
from roguewk.study.plan.cells import sources
from roguewk.study.plan.model import Study
from roguewk.study.plan.plain import study_from_data
from roguewk.study.plan.read import check_size, load_study
from roguewk.study.results import Results
from roguewk.study.run.engines import check_engine, count_workers
from roguewk.study.run.runner import Progress, do_work, plan_work
from roguewk.study.run.store import NOTE, Store, read_note


def run_study(
    study: Study | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    engine: str = "local",
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    retry_failed: bool = False,
    replicates: int | None = None,
    seed: int | None = None,
) -> Results:
    """Run a study, or go on with it, and keep its cells in the folder `out`; `replicates`, `seed` replace its own.

    The engine is "local" (processes), "threads", "dask", "ray" or "spark"; results do not depend on it. `progress` is
    called with the cells done, the cells in all, and the share of the work that is done.

    >>> import roguewk as rw, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = rw.run_study("paper", folder, engine="threads", replicates=2)
    ...     len(results.frame())
    180
    """
    chosen = changed(study if isinstance(study, Study) else load_study(study), replicates, seed)
    check_engine(engine, workers, address)
    with results_folder(os.fspath(out)) as folder:
        store = Store(folder)
        store.claim(chosen)
        count = functools.partial(count_workers, engine, workers, address)
        do_work(plan_work(chosen, store, retry_failed, count=count), engine, workers, address, progress)
    return Results(chosen, store, sources())


def changed(study: Study, replicates: int | None, seed: int | None) -> Study:
    """The study with other replicates or another seed, where these are not None."""
    sizes = check_size(
        {
            "replicates": study.replicates if replicates is None else replicates,
            "seed": study.seed if seed is None else seed,
        }
    )
    return dataclasses.replace(study, replicates=sizes["replicates"], seed=sizes["seed"])


def find_study(where: str, yes: bool) -> tuple[Study, str]:
    """The study in a file, or of a folder, and the folder it goes to unless another is given."""
    note = read_note(Path(where)) if Path(where).is_dir() else None
    if note is not None:
        return noted_study(Path(where), note), where
    if Path(where).is_dir():
        raise InputError(f"'{where}' is a folder, and not that of a study: give a TOML file, or the folder of a study")
    study = load_study(where, yes=yes)
    return study, f"{study.name}-study"


def open_results(folder: str | os.PathLike[str]) -> Results:
    """The results in the folder of a study, as far as it is finished.

    >>> import roguewk as rw, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rw.run_study("paper", folder, engine="threads", replicates=2)
    ...     rw.open_results(folder).study.title
    "The paper's experiment"
    """
    where = Path(folder)
    note = read_note(where)
    if note is None:
        raise InputError(f"'{where}' is not the folder of a study: give the one that a study was run with")
    return Results(noted_study(where, note), Store(where), note["sources"])


def noted_study(folder: Path, note: dict[str, Any]) -> Study:
    """The study that a folder says it is of."""
    try:
        return study_from_data(note["study"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"'{folder / NOTE}' is damaged: run the study again, its finished cells are kept") from None
