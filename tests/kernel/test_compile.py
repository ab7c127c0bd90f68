"""What is said while something is compiled."""

import re
import sys
import time
from typing import Any, NamedTuple

import numba
import pytest

import roguewk as rw
from roguewk.kernel.beat import beating
from roguewk.kernel.compile import compiling
from roguewk.kernel.native import is_kept, native

NOTICE = r"roguewk: compiling {}, in every process anew \.\.\.+ \d+ s\n"


def compile_something() -> None:
    @numba.njit  # type: ignore[untyped-decorator]  # numba has no types
    def double(x: float) -> float:
        return 2 * x

    assert double(1.0) == 2.0


def test_a_notice_is_given_once_and_only_if_something_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    with compiling("nothing"):
        pass
    assert capsys.readouterr().err == ""
    with compiling("two things"):
        compile_something()
        compile_something()
    assert re.fullmatch(NOTICE.format("two things"), capsys.readouterr().err)


def test_only_what_is_kept_is_said_to_be_compiled_only_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = [True, False]
    monkeypatch.setattr("roguewk.kernel.compile.is_kept", lambda *_: kept.pop(0))
    with compiling("two things"):
        compile_something()
        compile_something()
    told = capsys.readouterr().err
    assert re.fullmatch(
        r"roguewk: compiling two things, only this once \.{3,} \d+ s, some of it in every process anew\n", told
    )


def test_code_of_the_package_is_kept_and_code_with_classes_or_functions_of_ones_own_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Mine(NamedTuple):
        number: float

    def first(numbers: Any) -> float:
        return float(numbers[0])

    package = native(first)
    numbers, mine = numba.typeof((1.0, 2.0)), numba.typeof(Mine(1.0))
    assert is_kept(package, (numbers,))
    assert not is_kept(package, (mine,))
    assert not is_kept(numba.njit(first), (numbers,))
    monkeypatch.setattr("roguewk.kernel.native.cache_folder", lambda: "/tmp/roguewk-abc")
    assert not is_kept(package, (numbers,))


def test_arms_with_functions_of_their_own_are_compiled_in_every_process(capsys: pytest.CaptureFixture[str]) -> None:
    def fades(x: float, pulled: float) -> float:
        return 0.5 * x - 0.25 * pulled

    arm = rw.Arm("own", h=fades, alpha=0.3, state=(-1, 1))
    rw.make_policy("roguewk-ucb", rw.Problem([arm], [rw.Resource("r", 3.0)], 5))
    told = capsys.readouterr().err
    assert told.startswith("roguewk: compiling what policy 'roguewk-ucb' is made of, ")
    assert "in every process anew" in told  # at the end, where other code was compiled first


def test_of_notices_within_others_the_outermost_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    with compiling("all of it"), compiling("a part of it"):
        compile_something()
    assert re.fullmatch(NOTICE.format("all of it"), capsys.readouterr().err)
    with compiling("another thing"):
        compile_something()
    assert re.fullmatch(NOTICE.format("another thing"), capsys.readouterr().err)


def test_compiling_for_long_is_told_with_dots_and_other_signs_of_life_wait(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("roguewk.kernel.beat.POLL", 0.001)
    monkeypatch.setattr("roguewk.kernel.beat.PAUSES", ((float("inf"), 0.002),))
    with compiling("two things"), beating(lambda _: print("alive", file=sys.stderr)):
        compile_something()
        capsys.readouterr()
        told = ""
        for _ in range(5000):
            told += capsys.readouterr().err
            if told.count(".") > 2:
                break
            time.sleep(0.002)
    assert set(told) == {"."}
    assert "alive" not in capsys.readouterr().err
