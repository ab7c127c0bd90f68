"""What is said while something is compiled."""

import re

import numba
import pytest

from roguewk.kernel.compile import compiling

NOTICE = r"roguewk: compiling {}, only this once \.\.\. \d+ s\n"


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


def test_of_notices_within_others_the_outermost_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    with compiling("all of it"), compiling("a part of it"):
        compile_something()
    assert re.fullmatch(NOTICE.format("all of it"), capsys.readouterr().err)
    with compiling("another thing"):
        compile_something()
    assert re.fullmatch(NOTICE.format("another thing"), capsys.readouterr().err)
