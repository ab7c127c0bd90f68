"""Reports of many logs, and a browser that stays open for all of their tests."""

from pathlib import Path

import pytest

from roguewk.report.page import fit_page
from tests.report.logs import NAMES, found_in
from tests.study.report.conftest import browser as browser


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    paths = {name: folder / f"{i}.html" for i, name in enumerate(NAMES)}
    for name, path in paths.items():
        path.write_bytes(fit_page(found_in(name)))
    return paths
