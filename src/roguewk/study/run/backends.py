"""joblib's backends, made to work elsewhere also with a single worker.

joblib works everything out in the calling process as soon as a backend speaks of one worker. So these speak of two at
least, and have as many as asked for; the second task waits until the first is done.
"""

from concurrent.futures import Future
from typing import Any

from joblib.parallel import ParallelBackendBase, ThreadingBackend

from roguewk.study.run.children import deaf, start_pool

TWO = 2


class Processes(ParallelBackendBase):  # type: ignore[misc]  # joblib has no types
    """Processes of this machine; joblib's own pool is everyone's, and lives on for minutes."""

    supports_retrieve_callback = True

    def __init__(self) -> None:
        super().__init__()
        self._pool: Any = None

    def effective_n_jobs(self, n_jobs: int) -> int:
        """What joblib believes."""
        return max(TWO, n_jobs)

    def configure(self, n_jobs: int = 1, parallel: Any = None, **settings: Any) -> int:
        """Make the pool."""
        self.parallel = parallel
        self._pool = start_pool(n_jobs, self._prepare_worker_env(n_jobs))
        return self.effective_n_jobs(n_jobs)

    def submit(self, func: Any, callback: Any = None) -> Any:
        """Hand work over; processes start when there is some."""
        from joblib.externals.loky.process_executor import ShutdownExecutorError

        try:
            with deaf():
                future = self._pool.submit(func)
        except ShutdownExecutorError:
            # A thread of joblib's handed it over while Ctrl-C ended the pool: refused, it would print a traceback.
            return Future()
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, future: Any) -> Any:
        """What came of it."""
        return future.result()

    def terminate(self) -> None:
        """End the pool."""
        if self._pool is not None:
            self._pool.shutdown(kill_workers=True)
            self._pool = None

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """End the pool in the middle of the work; joblib asks for the next one by itself."""
        self.terminate()


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
