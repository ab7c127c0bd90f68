"""Modules import each other in one direction only, also within functions and for types alone."""

import ast
from pathlib import Path

import roguewk

ROOT = Path(roguewk.__file__).parent


def modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = ("roguewk", *path.relative_to(ROOT).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imported(path: Path, known: set[str]) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{name.name}" for name in node.names}
            found |= names & known or {node.module} & known
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names} & known
    return found


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def test_no_module_imports_itself_by_way_of_others() -> None:
    paths = modules()
    graph = {name: imported(path, set(paths)) - {name} for name, path in paths.items()}
    assert len(graph) > 250
    assert [name for name in graph if name in reached(graph, name)] == []


def test_files_and_functions_are_short() -> None:
    for path in ROOT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
                assert length < 50, f"{path}: {node.name}"
