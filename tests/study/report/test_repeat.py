"""All that is needed to repeat a study."""

import re

from roguewk.study.plan.read import load_study
from roguewk.study.report.page import study_page
from roguewk.study.study import changed
from tests.study.invented import SMALL, invented, planned


def test_the_page_says_all_that_is_needed_to_repeat_the_study() -> None:
    page = study_page(invented(planned(SMALL))).decode()
    shown = re.sub(r"<[^>]*>", " ", page).replace("&quot;", '"').replace("&#x27;", "'")
    assert SMALL.strip() in shown
    for name in ("roguewk study small.toml", "numpy", "numba", "pyarrow", "Python", "seed", "radius_scale"):
        assert name in shown
    assert "rounds of 5 replicates" in shown
    other = study_page(invented(changed(planned(SMALL), 7, 8))).decode()
    assert "rounds of 4 replicates" in study_page(invented(changed(planned(SMALL), 4, None))).decode()
    assert "<code>roguewk study small.toml --replicates 7 --seed 8</code>" in other
    assert "<code>roguewk study paper</code>" in study_page(invented(load_study("paper"), traced=0)).decode()
