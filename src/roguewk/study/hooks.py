"""What a study tells while it runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roguewk.study.plan.cells import Cell
    from roguewk.study.plan.model import Study
    from roguewk.study.results import Results
    from roguewk.study.run.runner import Work


class Hooks:
    """What `run_study` calls on the way, in this order; a subclass listens to what it wants to know.

    >>> import dataclasses, roguewk as rw, tempfile
    >>> class Size(rw.Hooks):
    ...     def sized(self, study, cells):
    ...         print(f"{len(cells)} cells")
    >>> paper = rw.load_study("paper")
    >>> few = dataclasses.replace(paper, worlds=paper.worlds[:2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rw.run_study(few, folder, engine="threads", replicates=2, hooks=Size())
    14 cells
    """

    def sized(self, study: "Study", cells: Sequence["Cell"]) -> None:
        """The study is checked, and these are its cells; nothing has been compiled or played."""

    def planned(self, work: "Work") -> None:
        """It is known what is missing, and how long it will take."""

    def progress(self, done: int, total: int, share: float) -> None:
        """So many cells are done out of the total, and this share of the work that was missing."""

    def finished(self, results: "Results") -> None:
        """Every cell is there; the folder is not yet anyone else's."""
