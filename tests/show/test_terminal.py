"""What the terminal shows while work is under way."""

import io
import sys
import time

import pytest

from roguewk.kernel.beat import PAUSES
from roguewk.show.terminal import busy, cell_progress, complain, progress_bar


class Terminal(io.StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        return True


def test_what_is_under_way_is_said_before_anybody_knows_how_much_of_it_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("weighing") as tell:
        for _ in range(1000):  # a thread draws
            if "weighing" in screen.getvalue():
                break
            time.sleep(0.01)
        assert "weighing" in screen.getvalue()
        assert "%" not in screen.getvalue()
        assert tell is not None
        tell(1, 4)
        tell(4, 4)
    assert "100%" in screen.getvalue()
    with progress_bar("weighing", quiet=True) as silent:
        assert silent is None


def test_errors_fit_the_terminal_and_stay_one_line_where_programs_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = f"roguewk: {' '.join(['unheard-of'] * 20)}: give {'x' * 100}"
    complain(sentence)
    assert capsys.readouterr().err == f"{sentence}\n"
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    complain(sentence)
    *lines, last = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert last == "x" * 100
    assert " ".join([*lines, last]) == sentence


def test_nothing_is_silent_for_long_where_nobody_watches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("roguewk.kernel.beat.POLL", 0.001)
    monkeypatch.setattr("roguewk.kernel.beat.PAUSES", ((float("inf"), 0.002),))

    def waited_for(words: str) -> None:
        told = ""
        for _ in range(5000):
            told += capsys.readouterr().err
            if words in told:
                return
            time.sleep(0.002)
        raise AssertionError(told)

    with busy("weighing", always=True):
        waited_for("roguewk: weighing: 1 s so far\n")
    with progress_bar("weighing", always=True):
        waited_for("roguewk: weighing: 1 s so far\n")
    with cell_progress() as tell:
        waited_for("roguewk: starting the workers, and their first cells: 1 s so far\n")
        assert tell is not None
        tell(1, 100, 0.01)
        waited_for("roguewk: 1 of 100 cells")
    capsys.readouterr()
    with busy("weighing"), busy("weighing", quiet=True, always=True):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_who_waits_for_long_is_told_less_often() -> None:
    pauses = [next(pause for end, pause in PAUSES if waited < end) for waited in (0.0, 59.0, 61.0, 1e4)]
    assert pauses[:2] == [1.7, 1.7]
    assert sorted(pauses) == pauses


def test_progress_is_lines_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with cell_progress() as tell:
        assert tell is not None
        for done in range(51, 101):
            tell(done, 100, (done - 50) / 50)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == [f"roguewk: {done} of 100 cells" for done in range(60, 101, 10)]
    assert all(" a second" in line for line in lines)
    with cell_progress(quiet=True) as silent:
        assert silent is None


def test_rates_are_told_in_the_unit_that_says_something(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr("roguewk.show.terminal.time.monotonic", lambda: now[0])
    monkeypatch.setattr("roguewk.kernel.beat.PAUSES", ((float("inf"), float("inf")),))
    with cell_progress() as tell:
        assert tell is not None
        for done, seconds in ((1, 40.0), (2, 80.0), (3, 1e5)):
            now[0] = seconds
            tell(done, 10, done / 10)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[1] for line in lines] == [" 1.5 a minute", " 1.5 a minute", " about 64 h 49 min left"]
