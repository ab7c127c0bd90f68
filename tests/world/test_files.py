from pathlib import Path
from typing import Any

import pytest

from roguewk.problem.errors import InputError
from roguewk.world.files import load_world

WORLD = """
horizon = 1000
[[resource]]
name = "staff"
budget = 300.0
[[arm]]
name = "call"          # the linear way
A = 0.2
B = -0.5
K = 0.8
alpha = 0.2
beta = 0.8
x0 = 0.1
costs = [{ uniform = [0.1, 0.2] }]
[[arm]]
name = "walk"          # the everyday way
rested = 0.6
wear = 0.5
half_life = 2
costs = [0.3]
"""


def refusal(path: Any) -> str:
    with pytest.raises(InputError) as caught:
        load_world(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_world_file_is_read_by_path_or_name(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "world.toml"
    path.write_text(WORLD, encoding=encoding)
    for name in (path, str(path)):
        assert [arm.name for arm in load_world(name).problem.arms] == ["call", "walk"]


def test_a_file_with_windows_line_ends_is_read(tmp_path: Path) -> None:
    path = tmp_path / "world.toml"
    path.write_bytes(WORLD.replace("\n", "\r\n").encode())
    assert load_world(path).problem.horizon == 1000


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert (
        refusal(tmp_path / "none.toml") == f"{tmp_path}/none.toml: there is no such file: check the path, or write one"
    )


def test_a_directory_is_no_world(tmp_path: Path) -> None:
    assert f"{tmp_path}: this is a directory" in refusal(tmp_path)


def test_bytes_that_are_not_utf8_are_told(tmp_path: Path) -> None:
    path = tmp_path / "world.toml"
    path.write_bytes(b'horizon = 10\nname = "caf\xe9"\n')
    assert f"{path}: byte 24 is not UTF-8" in refusal(path)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (WORLD + "\nbeta 3\n", "line 22"),
        (WORLD.replace("0.2", "0.2.1", 1), "line 8"),
        (WORLD.replace('"call"', '"call'), "line 7"),
        ("horizon = 1\nhorizon = 2\n\n", "line 2"),
        ("x = " + "[" * 5000, "nested too deeply"),
        ("horizon = " + "9" * 5000, "not TOML"),
        ("horizon = 9\nidle = true\n[idle]\nreward = 0.2", "`idle = true` stands beside [idle], which takes its place"),
        ("horizon = 0x" + "f" * 5000, "a whole number has"),
    ],
)
def test_a_slip_in_the_toml_is_told_with_its_line(tmp_path: Path, text: str, hint: str) -> None:
    path = tmp_path / "world.toml"
    path.write_text(text)
    message = refusal(path)
    assert message.startswith(f"{path}: ")
    assert hint in message


def test_a_mistake_in_the_world_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "world.toml"
    path.write_text(WORLD.replace("budget = 300.0", "budget = -1"))
    assert refusal(path) == f"{path}: budget of resource 'staff' is -1: give a positive number"


@pytest.mark.parametrize("path", [None, 3, "bad\0name", ["a"]])
def test_a_path_that_is_none_is_refused(path: Any) -> None:
    assert refusal(path)
