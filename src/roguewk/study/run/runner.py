"""Run a study: work out the cells that are not there yet, and keep each as soon as it is done."""

from collections.abc import Callable

from roguewk.study.plan.cells import make_task, plan_cells
from roguewk.study.plan.model import Study
from roguewk.study.run.engines import started
from roguewk.study.run.store import Store

Progress = Callable[[int, int], None]


def fill(
    study: Study,
    store: Store,
    engine: str,
    workers: int | None,
    address: str | None,
    progress: Progress | None,
    retry_failed: bool,
) -> None:
    """Work out what is missing; `progress` is called with the cells done and to do."""
    cells = plan_cells(study)
    have = store.finished((cell.key for cell in cells), retry_failed)
    missing = [cell for cell in cells if cell.key not in have]
    with started(engine, workers, address) as (run, _jobs):
        for done, each in enumerate(run(make_task(study, cell) for cell in missing), start=1):
            store.write(each.key, each.content)
            if progress:
                progress(len(have) + done, len(cells))
