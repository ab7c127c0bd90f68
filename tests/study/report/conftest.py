"""Pages, and a browser that stays open for all of their tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.study.invented import invented
from tests.study.report.browser import CHROMIUM, Browser, started
from tests.study.report.pages import STUDIES, page_of, planned


@pytest.fixture(scope="session")
def played() -> dict[str, Any]:
    return {name: invented(planned(source)) for name, source in STUDIES.items()}


@pytest.fixture(scope="session")
def pages(played: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    paths = {name: folder / f"{i}.html" for i, name in enumerate(played)}
    for name, path in paths.items():
        path.write_bytes(page_of(played[name]))
    return paths


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("there is no chromium on this machine")
    with started(tmp_path_factory.mktemp("profile")) as one:
        yield one
