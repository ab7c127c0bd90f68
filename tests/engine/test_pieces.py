"""Work that is shared out is done once, all of it, whatever the number of workers."""

import threading
from itertools import pairwise

import pytest

from roguewk.engine import pieces
from roguewk.engine.pieces import share_out


def played(jobs: list[int], workers: int) -> tuple[list[list[tuple[int, int]]], list[tuple[int, int]]]:
    """The pieces of each job, in the order of rows, and what was told."""
    found: list[list[tuple[int, int]]] = [[] for _ in jobs]
    told: list[tuple[int, int]] = []
    lock = threading.Lock()

    def play(job: int, first: int, last: int) -> None:
        with lock:
            found[job].append((first, last))

    share_out(play, jobs, workers, lambda done, total: told.append((done, total)), lambda: None)
    return [sorted(each) for each in found], told


@pytest.mark.parametrize("seconds", [0.0, 1e-5, 1e-3, 1e9])
@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("jobs", [[1], [5], [100, 3, 50], [1, 1, 1, 1]])
def test_every_row_is_played_once_and_told_of(
    jobs: list[int], workers: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "SECONDS", seconds)
    found, told = played(jobs, workers)
    for rows, each in zip(jobs, found, strict=True):
        assert (each[0][0], each[-1][1]) == (0, rows)
        assert all(before[1] == after[0] for before, after in pairwise(each))
    assert [total for _, total in told] == [sum(jobs)] * len(told)
    assert told[-1][0] == sum(jobs)
    assert all(before < after for (before, _), (after, _) in pairwise(told))


def test_rows_that_take_long_are_handed_out_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is what this clock says: a row takes a second, and a piece should take a fifth of one."""
    now = iter(range(10**6))
    monkeypatch.setattr("roguewk.engine.pieces.time.perf_counter", lambda: float(next(now)))
    found, _ = played([20], 1)
    assert found == [[(row, row + 1) for row in range(20)]]


def test_what_goes_wrong_stops_the_others_first() -> None:
    stopped = threading.Event()

    def play(job: int, first: int, last: int) -> None:
        if first <= 3 < last:
            raise RuntimeError("row 3")

    with pytest.raises(RuntimeError, match="row 3"):
        share_out(play, [10], 1, lambda done, total: None, stopped.set)
    assert stopped.is_set()
