"""Work in pieces that take about as long each, so that progress is told in time and Ctrl-C is heard."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

SECONDS = 0.2  # that a piece takes, more or less
LEAST = 0.02  # seconds: less, and handing pieces out would count

Play = Callable[[int, int, int], None]  # (job, first row, row after the last)
Told = Callable[[int, int], None]  # (rows done, rows in all)


class _Piece(NamedTuple):
    job: int
    first: int
    last: int


class _Rows:
    """The rows of a job that are still to be given out, and how long one takes."""

    def __init__(self, rows: int) -> None:
        self.rows, self.given, self.pace = rows, 0, 0.0

    def take(self, job: int, workers: int) -> _Piece:
        """The next piece: at first a single row, as nobody knows how long one takes."""
        left = self.rows - self.given
        most, least = (int(seconds / self.pace) if self.pace else 1 for seconds in (SECONDS, LEAST))
        size = min(max(min(most, -(-left // workers)), least, 1), left)
        self.given += size
        return _Piece(job, self.given - size, self.given)


def share_out(play: Play, jobs: Sequence[int], workers: int, told: Told, stop: Callable[[], None]) -> None:
    """Have the rows of all jobs played, so many of each; whatever happens before the end, `stop` is called first."""
    queue, running = [_Rows(rows) for rows in jobs], dict[Future[float], _Piece]()
    done, total = 0, sum(jobs)

    def timed(piece: _Piece) -> float:
        begin = time.perf_counter()
        play(*piece)
        return time.perf_counter() - begin

    with ThreadPoolExecutor(workers) as pool:
        try:
            while done < total:
                for job, rows in enumerate(queue):
                    while rows.given < rows.rows and len(running) < workers:
                        piece = rows.take(job, workers)
                        running[pool.submit(timed, piece)] = piece
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    piece = running.pop(future)
                    size = piece.last - piece.first
                    queue[piece.job].pace = future.result() / size
                    done += size
                    told(done, total)
        except BaseException:
            stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
