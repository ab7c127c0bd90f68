"""Every example runs as a script and prints what its last comment says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def _promised(text: str) -> list[str]:
    """The lines below `# Prints:`, without the marks of a comment."""
    _, _, comment = text.partition("\n# Prints:\n#\n")
    return [line.removeprefix("#").removeprefix("     ") for line in comment.splitlines()]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_prints_what_it_says(path: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, path], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    promised = _promised(path.read_text())
    assert promised
    assert [line.rstrip() for line in done.stdout.splitlines()] == promised


def test_examples_are_short_numbered_and_say_what_they_show() -> None:
    assert len(EXAMPLES) >= 7
    for number, path in enumerate(EXAMPLES, start=1):
        assert path.name.startswith(f"{number:02d}_")
        text = path.read_text()
        assert text.startswith('"""')
        assert len(text.splitlines()) < 50
