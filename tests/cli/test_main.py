"""The command: one sentence for whatever is wrong, and the right exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import roguewk as rw
from roguewk import cli
from tests.cli.words import WORLD


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one sentence that this command ends with; it must write nothing."""
    before = sorted(Path().rglob("*"))
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert sorted(Path().rglob("*")) == before
    assert out == ""
    assert err.startswith("roguewk: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["simulate", "nope.toml"], "nope.toml"),
        (["check", "nope.toml"], "nope.toml"),
        (["check", "catalog:papr"], "'paper'"),
        (["check", "papr"], "unknown world or file 'papr': did you mean 'paper'?"),
        (["compare", "nowhere", "--out", "new"], "unknown world or file 'nowhere': known are paper, one_resource"),
        (["simulate", "catalog:paper:budgt=3"], "'budget'"),
        (["simulate", "catalog:paper:budget=-3"], "-3"),
        (["simulate", "catalog:paper:budget=nan"], "nan"),
        (["simulate", "catalog:"], "no name"),
        (["simulate", "world.toml", "--policies", "ucb2"], "'ucb1'"),
        (["simulate", "world.toml", "--policies", "ucb1,"], "no name"),
        (["simulate", "world.toml", "--policies", "ucb1,ucb1"], "'ucb1'"),
        (["simulate", "world.toml", "--policies", "sw-ucb:w1"], "key=value"),
        (["simulate", "world.toml", "--policies", "sw-ucb:w1=3:w1=4"], "twice"),
        (["simulate", "world.toml", "--policies", "sw-ucb:w1=2.5"], "w1"),
        (["simulate", "world.toml", "--policies", "sw-ucb:w9=2"], "w9"),
        (["simulate", "world.toml", "--replicates", "0"], "replicates"),
        (["simulate", "world.toml", "--seed", "-1"], "seed"),
        (["simulate", "world.toml", "--threads", "0"], "threads"),
        (["simulate", "world.toml", "--out", "runs.txt"], ".csv or .parquet"),
        (["simulate", "world.toml", "--out", "nowhere/runs.csv"], "nowhere"),
        (["paper", "--out", "world.toml"], "is a file"),
        (["paper", "--out", "world.toml/deeper"], "cannot be written"),
        (["paper", "--out", ""], "folder"),
        (["paper", "--replicates", "0", "--out", "new/deeper"], "replicates"),
        (["paper", "--replicates", "99999999", "--out", "new"], "replicates"),
        (["paper", "--seed", "-1", "--out", "new"], "seed"),
        (["paper", "--threads", "0", "--out", "new"], "threads"),
        (["growth", "nope.toml"], "nope.toml"),
        (["growth", "--horizons", "100,many", "--out", "new"], "'many'"),
        (["growth", "--horizons", "100,", "--out", "new"], "horizons"),
        (["growth", "--horizons", "100", "--out", "new"], "at least two"),
        (["growth", "--horizons", "1,100", "--out", "new"], "horizon is 1"),
        (["growth", "--horizons", "100,1e12", "--out", "new"], "horizon is 1000000000000"),
        (["growth", "--horizons", "20,40", "--policies", "ucb2", "--out", "new"], "'ucb1'"),
        (["growth", "--horizons", "20,40", "--replicates", "0", "--out", "new"], "replicates"),
        (["growth", "--horizons", "20,40", "--seed", "-1", "--out", "new"], "seed"),
        (["growth", "--horizons", "20,40", "--threads", "0", "--out", "new"], "threads"),
        (["growth", "--out", "world.toml"], "is a file"),
        (["quality", "--policies", "ucb2", "--out", "new"], "'ucb1'"),
        (["quality", "--policies", "ucb1,ucb1", "--out", "new"], "'ucb1'"),
        (["quality", "--replicates", "0", "--out", "new"], "replicates"),
        (["quality", "--world-replicates", "0", "--out", "new"], "world replicates"),
        (["quality", "--worlds", "0", "--out", "new"], "worlds"),
        (["quality", "--first-world", "-1", "--out", "new"], "first world"),
        (["quality", "--seed", "-1", "--out", "new"], "seed"),
        (["quality", "--threads", "0", "--out", "new"], "threads"),
        (["quality", "--out", "world.toml"], "is a file"),
        (["quality", "--hostile", "--coins", "--out", "new"], "--coins does not go with --hostile"),
        (["quality", "--hostile", "--replicates", "5", "--out", "new"], "give --world-replicates"),
    ],
)
def test_bad_input_gets_one_sentence_and_writes_nothing(
    world: str, words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert named in fails(capsys, *words)


def test_a_malformed_file_is_named(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.toml").write_text(WORLD.replace("horizon = 60", "horizn = 60"))
    sentence = fails(capsys, "simulate", "bad.toml", "--out", "runs.csv")
    assert "bad.toml" in sentence
    assert "horizn" in sentence


@pytest.mark.parametrize("words", [[], ["paint"], ["simulate"], ["paper", "--replicates", "ten"], ["worlds", "extra"]])
def test_a_mistyped_command_ends_with_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert end.value.code == 2
    assert "usage: roguewk" in capsys.readouterr().err


def test_an_interrupt_says_so_and_leaves_no_folder(
    world: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("roguewk.experiment.paper.experiment.run_paper", interrupted)
    assert cli.main(["paper", "--out", "new/deeper"]) == 130
    assert capsys.readouterr().err == "roguewk: stopped\n"
    assert os.listdir() == [world]


def test_a_disk_that_fills_up_leaves_earlier_files_as_they_were(
    world: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("runs.csv").write_text("an earlier result")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "No space left" in fails(capsys, "simulate", world, "--policies", "ucb1", "--out", "runs.csv")
    assert Path("runs.csv").read_text() == "an earlier result"


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"roguewk {rw.__version__}\n"


def run(*words: str, **options: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "roguewk", *words]
    place = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}
    stdout = options.get("stdout", subprocess.PIPE)
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True, env=place)


def test_help_loads_no_heavy_library() -> None:
    code = "import sys; from roguewk.cli import _parser; _parser().format_help(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "pandas", "matplotlib", "pyarrow", "rich"} & set(loaded)


def test_a_reader_that_leaves_early_causes_no_traceback(world: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = run("simulate", world, "--policies", "ucb1", stdout=writing)
    os.close(writing)
    _, err = process.communicate()
    assert "Traceback" not in err
    assert "Exception" not in err
    assert process.returncode == 141


def test_the_package_runs_as_a_module() -> None:
    process = run("worlds")
    out, err = process.communicate()
    assert process.returncode == 0
    assert out.startswith("paper ")
    assert err == ""
