"""The data in the page."""

import json

import pytest

from roguewk.show.style import PALE
from roguewk.study.report.embed import page_data
from roguewk.study.report.page import study_page
from roguewk.study.views.colours import policy_looks
from tests.study.figures.drawing import CROWDS
from tests.study.invented import SMALL, drawn, invented, planned


def test_a_large_study_makes_a_page_below_three_megabytes() -> None:
    source = SMALL.replace("replicates = 30", "replicates = 1000").replace("horizon = 50", "horizon = 1000")
    budgets = ", ".join(str(10 * i) for i in range(1, 31))
    study = planned(
        source.replace("[5, 10]", f"[{budgets}]") + '[[policy]]\npolicy = "sw-ucb"\nw1 = [1,2,3,4,5,6,7,8]\n'
    )
    assert (len(study.worlds), len(study.policies)) == (30, 10)
    played = invented(study, traced=5)
    data = page_data(played)
    assert len(json.dumps(data["games"])) < 1_000_000
    assert len(data["games"]) == 6
    assert len(study_page(played)) < 3_000_000


def test_axes_are_called_as_people_call_them() -> None:
    world = SMALL.replace('"paper"', '"messages"').replace("horizon = 50\n", "half_life = [3, 5]\n")
    study = planned(world.replace("budget = ", 'budget."staff minutes" = '))
    data = page_data(invented(study, traced=0))
    assert [view["key"] for view in data["views"]] == ["half-life", "budget of staff minutes"]
    assert [group["label"] for group in data["views"][0]["groups"]] == [
        "budget of staff minutes 5",
        "budget of staff minutes 10",
    ]
    assert data["layouts"][1]["label"] == "budget of staff minutes by half-life"
    figures = drawn(invented(planned(study.source + '[plot]\nfigures = ["reward"]\n'), traced=0))
    assert figures["reward"].axes[0].get_xlabel() == "half-life"


@pytest.mark.parametrize("name", ["50 policies, 8 worlds", "a parameter"])
def test_a_policy_looks_the_same_in_the_page_and_in_figures(name: str) -> None:
    figures = '[plot]\nfigures = ["reward"]\n' if "[plot]" not in CROWDS[name] else 'figures = ["reward"]\n'
    study = planned(CROWDS[name].replace("replicates = 30", "replicates = 3") + figures)
    data = invented(study, traced=0)
    looks = policy_looks(data)
    page = page_data(data)
    style = study_page(data).decode()
    for i, (label, look) in enumerate(looks.items()):
        own = page["policies"][i]
        assert (own["label"], own["marker"], own["pale"]) == (label, look.marker, look is PALE)
        assert f"--p{i}:{look.colour};" in style
    lines = {line.get_label(): line for line in drawn(data)["reward"].axes[0].get_lines()}
    if own_lines := page["views"][0]["lines"]:
        shown = {each["label"]: list(looks.values())[each["leader"]] for each in own_lines}
        assert all(page["policies"][each["leader"]]["label"] in looks for each in own_lines)
    else:
        shown = {label: look for label, look in looks.items() if look is not PALE}
        assert len({look.colour for look in shown.values()}) == len(shown) == 12
    for label, look in shown.items():
        assert (lines[label].get_color(), lines[label].get_marker()) == (look.colour, look.marker)
