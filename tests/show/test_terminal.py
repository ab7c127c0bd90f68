"""What the terminal shows while work is under way."""

import pytest

from roguewk.show.terminal import cell_progress


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
