import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.cli import settings
from roguewk.show.folder import write_all
from roguewk.world import catalog
from tests.judge import MAIN

WORLD = """
horizon = 60
[[resource]]
name = "staff [b]"
budget = 12
[[arm]]
name = "walk"
rested = 0.6
wear = 0.5
half_life = 2
costs = [{ uniform = [0.1, 0.3] }]
[[arm]]
name = "call"
rested = 0.8
wear = 0.9
half_life = 4
costs = [{ fixed = 0.5 }]
"""


@pytest.fixture(scope="module", autouse=True)
def _engine() -> None:
    rw.simulate(rw.catalog.paper(horizon=5), list(MAIN), replicates=1)  # compiles, and says so only here
    rw.upper_bound(rw.catalog.paper(horizon=5))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("world.toml").write_text(WORLD)
    return "world.toml"


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


def test_idle_rounds_can_be_allowed_from_the_command_line(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    sentences = []
    for word in ("--idle", "--no-idle"):
        assert cli.main(["check", world, word, "--json"]) == 0
        sentences.append(json.loads(capsys.readouterr().out)["checks"][-1]["sentence"])
    assert "Idle rounds are allowed" in sentences[0]
    assert "Idle rounds are allowed" not in sentences[1]


def test_check_reports_every_assumption(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", world]) == 0
    assert capsys.readouterr().out.strip() == str(rw.check_assumptions(rw.load_world(world)))


def test_the_catalogue_is_at_hand_with_its_options() -> None:
    assert settings.read_world("catalog:paper:budget=50:idle=true").problem.idle
    assert settings.read_world("catalog:paper:budget=50").problem.budgets.tolist() == [50.0] * 3


def test_policies_are_listed_with_what_they_are_for_and_their_papers(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies"]) == 0
    text = capsys.readouterr().out
    assert cli.main(["policies", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["policies"]
    assert {each["name"]: each["summary"] for each in data} == rw.policies()
    for each in data:
        assert f" {each['name']} " in text
        assert each["reference"].split()[0].rstrip(",") in text
        assert set(each["parameters"]) >= {"doubling", "restart"}
        assert set(each["parts"]) == {"rewards", "costs", "allocate"}
    assert max(map(len, text.splitlines())) <= 80


def test_a_policy_is_shown_with_its_parts_parameters_defaults_and_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies", "--json"]) == 0
    for each in json.loads(capsys.readouterr().out)["policies"]:
        assert cli.main(["policies", each["name"]]) == 0
        text = capsys.readouterr().out
        for name, parameter in each["parameters"].items():
            assert f"{name}={parameter['default']}".lower() in text
            assert parameter["meaning"].split()[0] in text
        for role, part in each["parts"].items():
            assert f"{role:<10}{part}: " in text
        assert max(map(len, text.splitlines())) <= 80
    assert cli.main(["policies", "ucb2"]) != 0
    assert "unknown policy 'ucb2': did you mean 'ucb1'?" in capsys.readouterr().err


def test_parts_are_listed_by_role_with_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies", "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["parts"]
    assert cli.main(["policies", "--parts"]) == 0
    text = capsys.readouterr().out
    for role, each in parts.items():
        assert f"\n{role}\n" in f"\n{text}"
        assert all(f"    {part['name']} " in text for part in each)
    assert max(map(len, text.splitlines())) <= 80


def test_worlds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["worlds"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name} " in f"\n{out}" for name in catalog.names())
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["simulate", "nope.toml"], "nope.toml"),
        (["check", "nope.toml"], "nope.toml"),
        (["check", "catalog:papr"], "'paper'"),
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


def test_no_file_is_replaced_until_all_are_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(OSError, match="name too long"):
        write_all(tmp_path, {"a": b"new", "b" * 300: b"new"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"roguewk {rw.__version__}\n"


def run(*words: str, **options: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "roguewk", *words]
    place = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
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


def test_bound_says_what_no_policy_can_earn_more_than(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bound", "catalog:paper:budget=100", "--idle", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == rw.upper_bound(rw.catalog.paper(budget=100), idle=True).value
    assert set(found) == {"value", "prices", "round_price", "gap", "status", "idle"}
    assert cli.main(["bound", "catalog:paper:budget=100", "--idle"]) == 0
    assert "more than 274." in capsys.readouterr().out


def test_bound_may_let_round_prices_vary(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bound", "catalog:slow_recovery:horizon=30"]
    values = []
    for word in ([], ["--varying"]):
        assert cli.main([*words, *word, "--json"]) == 0
        values.append(json.loads(capsys.readouterr().out))
    assert values[1]["value"] < values[0]["value"]
    assert len(values[1]["round_prices"]) == 30
    assert values[1]["gap"] is None
    assert cli.main([*words, "--varying"]) == 0
    out = capsys.readouterr().out
    assert "on average" in out
    assert "nan" not in out
