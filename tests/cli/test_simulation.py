"""What `roguewk simulate` shows and writes."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli


def test_simulate_prints_a_table_that_fits_80_columns(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", world, "--policies", "ucb1,sw-ucb:w1=30:cost_scale=0.5", "--replicates", "5"]) == 0
    out, err = capsys.readouterr()
    assert "sw-ucb w1=30, cost_scale=0.5" in out
    assert "staff [b]" in out
    assert max(map(len, out.splitlines())) <= 80
    assert err == ""


def test_simulate_as_json_has_the_summary_and_every_run(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", world, "--policies", "roguewk-ucb,ucb1", "--replicates", "4", "--seed", "3", "--json"]
    assert cli.main(words) == 0
    data = json.loads(capsys.readouterr().out)
    frame = rw.simulate(rw.load_world(world), ["roguewk-ucb", "ucb1"], replicates=4, seed=3).frame()
    assert pd.DataFrame(data["runs"]).equals(frame)
    assert (data["world"], data["seed"], data["replicates"]) == (world, 3, 4)
    assert [each["policy"] for each in data["policies"]] == ["roguewk-ucb", "ucb1"]
    ucb1 = frame[frame["policy"] == "ucb1"]
    told = data["policies"][1]
    assert told["reward"] == pytest.approx(ucb1["reward"].mean())
    assert told["share_of_budget"]["staff [b]"] == pytest.approx(ucb1["spent_staff [b]"].mean() / 12)
    assert sum(told["stopped_by"].values()) == pytest.approx(1)


def test_a_lone_replicate_has_no_standard_error(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", world, "--policies", "ucb1", "--replicates", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policies"][0]["standard_error"] is None


@pytest.mark.parametrize("name", ["runs.csv", "runs.parquet"])
def test_simulate_writes_its_runs(world: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text("an earlier result")
    assert cli.main(["simulate", world, "--policies", "ucb1", "--replicates", "3", "--out", name]) == 0
    assert name in capsys.readouterr().out
    frame = pd.read_csv(name) if name.endswith("csv") else pd.read_parquet(name)
    expected = rw.simulate(rw.load_world(world), "ucb1", replicates=3).frame()
    pd.testing.assert_frame_equal(frame, expected, check_dtype=False)
    assert sorted(os.listdir()) == sorted([name, world])


def test_threads_change_nothing(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for threads in ("1", "3"):
        assert cli.main(["simulate", world, "--policies", "sw-ucb", "--threads", threads, "--json"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
