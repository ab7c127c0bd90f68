"""Every Python example, every command and every world in the README and the docs runs as it stands."""

import doctest
import inspect
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import roguewk as rw
from roguewk import cli
from roguewk.problem.plain import is_unknown, problem_from_data
from roguewk.study.plan.read import study_from_text
from roguewk.world import catalog
from roguewk.world.plain import world_from_data

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
API = (DOCS / "api.md").read_text()


def _blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """The blocks in a language, each with the block of plain text right below it: what it prints."""
    found = re.findall(rf"^```{language}\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", page.read_text(), re.M | re.S)
    return [(code, output) for code, output in found]


def _with_arms(page: Path, *, unknown: bool) -> list[str]:
    """The worlds of a page, in TOML, or its problems, whose arms nobody knows; studies have no arms."""
    found = []
    for code, _ in _blocks(page, "toml"):
        arms = tomllib.loads(code).get("arm", [])
        if arms and any(is_unknown(arm) and "costs" not in arm for arm in arms) is unknown:
            found.append(code)
    return found


def _worlds(page: Path) -> list[str]:
    return _with_arms(page, unknown=False)


def _prints(printed: str, shown: str) -> bool:
    """Whether this was printed, but for spaces at the ends of lines; `...` stands for anything."""
    want, got = ("\n".join(line.rstrip() for line in text.splitlines()).strip("\n") for text in (shown, printed))
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


def _enter_folder_of(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of one's own, in which the page's first world is world.toml."""
    monkeypatch.chdir(folder)
    for world in _worlds(page)[:1]:
        Path("world.toml").write_text(world)


PYTHON = [
    pytest.param(page, code, shown, id=f"{page.name} {place}")
    for page in PAGES
    for place, (code, shown) in enumerate(_blocks(page, "python"), start=1)
]
WORLDS = [(page.name, code) for page in PAGES for code in _worlds(page)]
PROBLEMS = [(page.name, code) for page in PAGES for code in _with_arms(page, unknown=True)]
STUDIES = [code for page in PAGES for code, _ in _blocks(page, "toml") if "policy" in tomllib.loads(code)]
WITH_COMMANDS = [page for page in PAGES if _blocks(page, "console")]


@pytest.mark.parametrize(("page", "code", "shown"), PYTHON)
def test_python_examples_run_and_print_what_is_shown(
    page: Path,
    code: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _enter_folder_of(page, tmp_path, monkeypatch)
    exec(compile(code, page.name, "exec"), {})
    printed = capsys.readouterr().out
    assert "print(" not in code or printed
    assert not shown or _prints(printed, shown), printed


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.name)
def test_commands_print_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _enter_folder_of(page, tmp_path, monkeypatch)
    for block, _ in _blocks(page, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            name, *words = shlex.split(command)
            assert name == "roguewk", f"{command!r} is no command of ours: show it in a block without a language"
            assert cli.main(words) == 0, command
            printed = capsys.readouterr().out
            assert _prints(printed, shown), f"{command} printed\n{printed}"


@pytest.mark.parametrize(("where", "code"), WORLDS, ids=lambda value: value[:20])
def test_worlds_in_the_docs_load(where: str, code: str) -> None:
    world = world_from_data(tomllib.loads(code), where)
    assert rw.simulate(world, "roguewk-ucb", replicates=1).frame()["plays"][0] > 0


@pytest.mark.parametrize(("where", "code"), PROBLEMS, ids=lambda value: value[:20])
def test_problems_in_the_docs_load_and_start_a_policy(where: str, code: str) -> None:
    problem = problem_from_data(tomllib.loads(code), where)
    assert rw.make_policy("roguewk-plan", problem).select().status


@pytest.mark.parametrize("code", STUDIES)
def test_studies_in_the_docs_can_be_run(code: str, tmp_path: Path) -> None:
    assert study_from_text(code, "docs", tmp_path).policies


def test_the_pages_have_examples_commands_and_worlds_to_test() -> None:
    assert len(PYTHON) >= 10
    assert {"README.md", "getting-started.md"} <= {where for where, _ in WORLDS}
    assert DOCS / "getting-started.md" in WITH_COMMANDS
    assert STUDIES
    assert "learning.md" in dict(PROBLEMS)


def test_pages_link_only_to_files_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            assert "://" not in target
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_landing_page_describes_every_page_that_it_lists() -> None:
    text = (DOCS / "index.md").read_text()
    trees = "\n".join(re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.M | re.S))
    listed = {re.sub(r".*<(.*)>", r"\1", line) for line in trees.splitlines() if line and not line.startswith(":")}
    assert listed == {page.stem for page in DOCS.glob("*.md")} - {"index"}
    for name in sorted(listed):
        assert f"]({name}.md)" in text, f"index.md lists {name} in a toctree: add a line that says what it is"


def _directive(name: str) -> str:
    thing = getattr(rw, name)
    kind = "class" if inspect.isclass(thing) else "function" if callable(thing) else "data"
    return f".. auto{kind}:: {name}"


def test_the_api_page_has_every_public_name() -> None:
    public = set(vars(rw)["__all__"]) - {"catalog"}  # which has a section of its own
    shown = set(re.findall(r"^\.\. auto(?:class|function|exception|data):: (\w+)$", API, re.M))
    missing = "\n".join(_directive(name) for name in sorted(public - shown))
    assert not missing, f"docs/api.md lacks public names: add each to the group where it belongs\n{missing}"
    assert not shown - public, "docs/api.md shows names that are not public: take them out"


def test_the_api_page_has_every_world_of_the_catalogue() -> None:
    shown = re.findall(r"^\.\. autofunction:: roguewk\.catalog\.(\w+)$", API, re.M)
    assert shown == ["names", "get", *catalog.names()]


def test_the_examples_page_includes_every_example() -> None:
    shown = re.findall(r"^```\{literalinclude\} \.\./(.*)$", (DOCS / "examples.md").read_text(), re.M)
    assert shown == sorted(str(path.relative_to(ROOT)) for path in (ROOT / "examples").glob("*.py"))


def test_the_built_pages_need_no_network_and_their_sources_stay_as_they_are(tmp_path: Path) -> None:
    before = sorted(DOCS.rglob("*"))
    places = ["-d", str(tmp_path / "trees"), str(DOCS), str(tmp_path / "pages")]
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-n", "-W", "-b", "html", *places], check=True)
    assert sorted(DOCS.rglob("*")) == before
    pages = list((tmp_path / "pages").glob("*.html"))
    assert {page.stem for page in DOCS.glob("*.md")} <= {page.stem for page in pages}
    for page in pages:
        loaded = re.findall(r"<(?:script|img|link|iframe)[^>]*?(?:src|href)=\"([^\"]*)", page.read_text())
        assert loaded
        assert not [address for address in loaded if "//" in address], page.name


def test_the_readme_is_short_and_starts_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) < 120
    assert [line.split("#")[0].strip() for line in lines[2:4]] == ["make run", "make test"]
