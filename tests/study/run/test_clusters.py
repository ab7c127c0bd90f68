"""Clusters: as many tasks as they have workers, and one sentence if they are not there."""

import os
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.study.run import clusters, engines, runner
from roguewk.study.run.engines import EngineError, count_workers
from tests.study.run.playing import content, dask_cluster, need, noting, run_apart


def test_a_cluster_with_a_single_thread_does_all_the_work_and_gives_the_same_bytes(tmp_path: Path) -> None:
    path, notes = noting(tmp_path)
    rw.run_study(path, tmp_path / "straight", engine="threads")
    (notes / str(os.getpid())).unlink()
    with dask_cluster(tmp_path) as (address, _, worker):
        assert count_workers("dask", None, address) == count_workers("dask", 5, address) == 1
        done = run_apart(path, tmp_path / "out", engine="dask", address=address)
        assert done.returncode == 0, done.stderr
        assert [each.name for each in notes.iterdir()] == [str(worker.pid)]
    assert content(tmp_path / "out") == content(tmp_path / "straight")


def test_fewer_workers_than_a_cluster_has_get_fewer_tasks_at_once() -> None:
    need("dask")
    import distributed

    with distributed.LocalCluster(1, threads_per_worker=3, processes=False, dashboard_address=":0") as cluster:
        for workers, sent in ((1, 1), (2, 2), (3, 6), (None, 6), (9, 6)):
            with clusters.ENGINES["dask"](workers, cluster.scheduler_address) as (jobs, settings):
                assert (jobs, settings["pre_dispatch"]) == (min(workers or 3, 3), sent)


@pytest.mark.parametrize("moment", ["client", "workers"])
def test_a_dask_cluster_of_our_own_that_does_not_start_is_told_without_an_address(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    need("dask")

    def client(*_: object, **__: object) -> None:
        raise OSError("timed out")

    monkeypatch.setattr(clusters, "here", lambda _: 0)  # workers
    if moment == "client":
        monkeypatch.setattr("distributed.Client", client)
    reason = "OSError: timed out" if moment == "client" else "RuntimeError: no worker started"
    with pytest.raises(EngineError) as caught, engines.started("dask", None, None):
        pytest.fail("it starts")
    assert str(caught.value) == f"Dask on this machine failed ({reason})"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "dsk"}, "unknown engine 'dsk': did you mean 'dask'"),
        ({"workers": 0}, "workers is 0"),
        ({"address": "tcp://127.0.0.1:1"}, "engine 'local' is on this machine"),
        ({"engine": "dask", "address": "tcp://127.0.0.1:1"}, "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
        ({"engine": "dask", "address": "nonsense"}, "no Dask scheduler answers at 'nonsense'"),
        ({"engine": "ray", "address": "127.0.0.1:1"}, "no Ray cluster answers at '127.0.0.1:1'"),
        ({"replicates": 0}, "replicates is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_engines_that_are_not_there_are_told_in_one_sentence(
    small: Path, tmp_path: Path, options: dict[str, object], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "address" in options:
        need(str(options.get("engine")))
    monkeypatch.setattr(clusters, "SECONDS_TO_ANSWER", 1)
    monkeypatch.setattr(runner, "forecast", lambda *_: pytest.fail("something is played first"))
    with pytest.raises(rw.InputError) as caught:
        rw.run_study(small, tmp_path / "out", **options)  # type: ignore[arg-type]  # wrong on purpose
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
