"""Every Python example and every world in the README and the docs runs as it stands."""

import re
import tomllib
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.problem.plain import world_from_data

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for place, block in enumerate(re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)):
            found.append((f"{page.name} {place + 1}", block))
    return found


@pytest.mark.parametrize(("where", "code"), _blocks("python"), ids=lambda value: value[:20])
def test_python_examples_run(where: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, where, "exec"), {})
    assert "print(" not in code or capsys.readouterr().out


@pytest.mark.parametrize(("where", "code"), _blocks("toml"), ids=lambda value: value[:20])
def test_worlds_in_the_docs_load(where: str, code: str) -> None:
    world = world_from_data(tomllib.loads(code), where)
    assert rw.simulate(world, "roguewk-ucb", replicates=1).frame()["plays"][0] > 0


def test_pages_link_only_to_files_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert "://" not in target
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_readme_is_short_and_starts_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) < 120
    assert [line.split("#")[0].strip() for line in lines[2:4]] == ["make run", "make test"]
