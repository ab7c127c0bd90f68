"""Studies from Python: run one, or open the folder of one."""

import dataclasses
import functools
import os
from pathlib import Path
from typing import Any, NamedTuple

from roguewk.problem.errors import InputError, known, truth_value
from roguewk.problem.plain import placed
from roguewk.show.folder import results_folder
from roguewk.study.hooks import Hooks
from roguewk.study.plan.cells import Cell, plan_cells, sources
from roguewk.study.plan.checks import check_size
from roguewk.study.plan.model import Study
from roguewk.study.plan.plain import study_from_data
from roguewk.study.plan.read import load_study, shipped
from roguewk.study.results import Results
from roguewk.study.run.engines import check_engine, count_workers
from roguewk.study.run.runner import Progress, Work, do_work, plan_work
from roguewk.study.run.store import NOTE, Note, Store, read_note


class Options(NamedTuple):
    """How a study is run, see `run_study`."""

    engine: str = "local"
    workers: int | None = None
    address: str | None = None
    retry_failed: bool = False
    replicates: int | None = None
    seed: int | None = None
    yes: bool = False
    prune: bool = False
    trust: bool = False


class _Found(NamedTuple):
    """A study, its cells, and the folder that it goes to."""

    study: Study
    cells: list[Cell]
    folder: str


def run_study(
    study: Study | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    progress: Progress | None = None,
    hooks: Hooks | None = None,
    **options: Any,
) -> Results:
    """Run a study, its file or its folder, or go on with it, and keep its cells in the folder `out`.

    Without `out`, that is the folder itself, or one called after the file. `progress` is called with the cells done,
    the cells in all, and the share of the work that is done; `hooks` are told of more. The options are:

    - `engine` ("local" processes, "threads", "dask", "ray", "spark"), `workers` and `address`: where the work is done;
      results do not depend on it;
    - `replicates` and `seed`, instead of the study's own;
    - `retry_failed`: work cells with failed runs out again; `prune`: delete cells that the study no longer has;
    - `yes`: allow huge sweeps, and the folder of another study;
    - `trust`: run the code that came with a folder.

    >>> import roguewk as rw, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = rw.run_study("paper", folder, engine="threads", replicates=2)
    ...     len(results.frame())
    180
    """
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {progress!r}: give a function of cells done, cells in all and a share")
    told, how = hooks or Hooks(), _checked(options)
    found = _find(study, out, how)
    with results_folder(found.folder) as folder:
        store = Store(folder)
        work = _plan(found, store, how, told, dry=False)
        do_work(work, how.engine, how.workers, how.address, progress or told.progress)
        results = Results(found.study, store, sources())
        told.finished(results)
    return results


def plan_study(
    study: Study | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    hooks: Hooks | None = None,
    **options: Any,
) -> Work:
    """What `run_study` would do, and how long it would take; the folder stays as it is."""
    how = _checked(options)
    found = _find(study, out, how)
    return _plan(found, Store(Path(found.folder)), how, hooks or Hooks(), dry=True)


def open_results(folder: str | os.PathLike[str]) -> Results:
    """The results in the folder of a study, as far as it is finished; code that came with it is not run.

    >>> import dataclasses, roguewk as rw, tempfile
    >>> paper = rw.load_study("paper")
    >>> few = dataclasses.replace(paper, worlds=paper.worlds[:2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rw.run_study(few, folder, engine="threads", replicates=2)
    ...     rw.open_results(folder).study.title
    "The paper's experiment"
    """
    where = Path(_path(folder, "the folder of a study", "the one that a study was run with"))
    note = read_note(where)
    if note is None:
        raise InputError(f"'{where}' is not the folder of a study: give the one that a study was run with")
    return Results(_noted_study(where, note), Store(where), note.sources)


def changed(study: Study, replicates: int | None, seed: int | None) -> Study:
    """The study with other replicates or another seed, where these are not None."""
    size = check_size(study.replicates if replicates is None else replicates, study.seed if seed is None else seed)
    return dataclasses.replace(study, replicates=size[0], seed=size[1])


def _checked(given: dict[str, Any]) -> Options:
    for key in given:
        known(key, Options._fields, "option of a study:")
    options = Options(**given)
    for key, default in Options._field_defaults.items():
        if isinstance(default, bool):
            truth_value(getattr(options, key), key)
    check_engine(options.engine, options.workers, options.address)
    return options


def _find(study: Any, out: Any, how: Options) -> _Found:
    """The study in a file, of a folder, or as it is."""
    if isinstance(study, Study):
        found, home = study, f"{study.name}-study"
    else:
        found, home = _read(_path(study, "the path of a study", "the name of a TOML file"), how.yes)
    if found.foreign and found.code and not how.trust:
        raise InputError(
            f"the study {found.title!r} is that of a folder and brings code, which would run here: read `code` in its "
            f"{NOTE}, then say --trust (trust=True in Python), or run the study from its own file"
        )
    chosen = changed(found, how.replicates, how.seed)
    return _Found(chosen, plan_cells(chosen), home if out is None else _path(out, "out", "the name of a folder"))


def _read(where: str, yes: bool) -> tuple[Study, str]:
    """The study, and the folder that it goes to unless another is given."""
    folder = Path(where)
    if folder.is_dir():
        note = read_note(folder)
        if note is not None:
            return _noted_study(folder, note), where
        if where not in shipped():
            raise InputError(
                f"'{where}' is a folder, and not that of a study: give a TOML file, or the folder of a study"
            )
    study = load_study(where, yes=yes)
    return study, f"{study.name}-study"


def _plan(found: _Found, store: Store, how: Options, hooks: Hooks, dry: bool) -> Work:
    hooks.sized(found.study, found.cells)
    store.check(found.study, how.yes) if dry else store.claim(found.study, how.yes)
    count = functools.partial(count_workers, how.engine, how.workers, how.address)
    work = plan_work(found.study, store, how.retry_failed, dry, count, found.cells, how.engine == "threads")
    if how.prune and not dry:
        store.prune({*work.seconds, *work.finished})
    hooks.planned(work)
    return work


def _noted_study(folder: Path, note: Note) -> Study:
    """The study that a folder says it is of."""
    with placed(str(folder / NOTE)):
        return study_from_data(note.study)


def _path(given: Any, what: str, remedy: str) -> str:
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(path, str) or not path or "\0" in path:
        raise InputError(f"{what} is {given!r}: give {remedy}")
    return path
