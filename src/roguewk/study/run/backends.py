"""joblib's backends, made to work elsewhere also with a single worker.

joblib works everything out in the calling process as soon as a backend speaks of one worker. So these speak of two at
least, and have as many as asked for; the second task waits until the first is done.
"""

from typing import Any

from joblib.externals.loky import get_reusable_executor
from joblib.parallel import LokyBackend, ThreadingBackend

from roguewk.study.run.children import deaf

TWO = 2


class Processes(LokyBackend):  # type: ignore[misc]  # joblib has no types
    """Processes of this machine."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        """What joblib believes."""
        return int(super().effective_n_jobs(max(TWO, n_jobs)))

    def configure(self, n_jobs: int = 1, parallel: Any = None, **settings: Any) -> int:
        """Make the pool, of the right size before its processes start."""
        believed = int(super().configure(n_jobs, parallel, **settings))
        get_reusable_executor(max_workers=n_jobs, reuse=True)
        return believed

    def submit(self, func: Any, callback: Any = None) -> Any:
        """Hand work over; processes start when there is some."""
        with deaf():
            return super().submit(func, callback)


def queueing(backend: Any) -> Any:
    """A class of joblib backends, for clusters that let tasks wait by themselves."""

    class Queueing(backend):  # type: ignore[misc]  # known only when it runs
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(TWO, int(super().effective_n_jobs(n_jobs)))

    return Queueing


class Actors(ThreadingBackend):  # type: ignore[misc]  # joblib has no types
    """joblib's pool of threads with Ray's of actors in its place; Ray's own backend has no results before the last."""

    def effective_n_jobs(self, n_jobs: int) -> int:
        """What joblib believes."""
        return max(TWO, n_jobs)

    def configure(self, n_jobs: int = 1, parallel: Any = None, **settings: Any) -> int:
        """Make the pool."""
        import ray
        from ray.util.multiprocessing import Pool

        if not ray.cluster_resources().get("CPU"):
            raise ConnectionError("no node of the cluster answers")  # its pool would say KeyError: 'CPU'
        self.parallel = parallel
        self._pool = Pool(n_jobs)
        return self.effective_n_jobs(n_jobs)
