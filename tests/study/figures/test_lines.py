"""Lines along an axis."""

from roguewk.study.views.axes import world_names
from tests.study.figures.drawing import CROWDS
from tests.study.invented import PARAMETER, SMALL, drawn, invented, planned


def test_lines_along_a_parameter_are_the_medians_of_its_policies() -> None:
    study = planned(PARAMETER + '[plot]\nx = "w1"\n')
    data = invented(study)
    figure = drawn(data)["reward"]
    medians = data.summary.set_index(["world", "policy"])["median"]
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(world_names(study).values())
    for axes, world in zip(figure.axes, study.worlds, strict=True):
        lines = {line.get_label(): line for line in axes.get_lines()}
        for second in (5, 6):
            line = lines[f"sw-ucb, w2 {second}"]
            assert line.get_xdata().tolist() == [10, 20, 30]
            labels = [f"sw-ucb w1={first} w2={second}" for first in (10, 20, 30)]
            assert line.get_ydata().tolist() == [medians[world.label, label] for label in labels]
        assert len(set(lines["certified bound"].get_ydata().tolist())) == 1


def test_lines_in_a_figure_are_the_medians() -> None:
    data = invented(planned(SMALL))
    kept = drawn(data)
    lines = {line.get_label(): line for line in kept["reward"].axes[0].get_lines()}
    for policy in ("ucb1", "sw-ucb"):
        rows = data.summary[data.summary["policy"] == policy]
        assert lines[policy].get_xdata().tolist() == [5, 10]
        assert lines[policy].get_ydata().tolist() == rows["median"].tolist()
    assert lines["certified bound"].get_ydata().tolist() == [60, 80]
    cells = [text.get_text() for text in kept["heat_map"].axes[0].texts]
    shares = data.summary.set_index(["policy", "world"])["share"]
    assert cells == [f"{100 * shares[p, w]:.0f}" for p in ("ucb1", "sw-ucb") for w in data.summary["world"].unique()]


def test_of_many_policies_lines_tell_apart_the_baseline_and_those_that_earn_most() -> None:
    few = '[plot]\nfigures = ["reward"]\n'
    data = invented(planned(CROWDS["50 policies, 8 worlds"] + few), traced=0)
    figure = drawn(data)["reward"]
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    ranks = data.summary.groupby("world")["reward"].rank(pct=True).groupby(data.summary["policy"]).mean()
    best = ranks.drop(["ucb1", "sw-ucb"]).nlargest(10).index
    assert set(names) == {"ucb1", "sw-ucb", *best, "certified bound", "38 others"}
    assert len(figure.axes[0].get_lines()) == 51


def test_numbers_along_a_whole_setting_are_whole() -> None:
    for budgets, whole in (("[1, 2, 3]", True), ("[1.5, 2, 3]", False)):
        source = SMALL.replace("[5, 10]", budgets) + '[plot]\nfigures = ["reward"]\n'
        (axes,) = drawn(invented(planned(source)))["reward"].axes
        places = [place for place in axes.get_xticks().tolist() if 1 <= place <= 3]
        assert all(place.is_integer() for place in places) == whole
