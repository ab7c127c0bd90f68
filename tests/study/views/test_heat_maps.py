"""How heat maps are laid out."""

import itertools
from typing import Any

from roguewk.study.report.page import study_page
from roguewk.study.views.axes import plan_views, world_names
from roguewk.study.views.heat_maps import pairs_of, plan_layouts
from tests.study.invented import PARAMETER, SMALL, drawn, invented, planned


def test_every_pair_is_in_the_first_heat_map_once_and_parameters_have_their_own() -> None:
    study = planned(SMALL + '[[policy]]\npolicy = "sw-ucb"\nw1 = [10, 20, 30]\n')
    every, parameter = plan_layouts(study)
    (first,), (own,) = every.grids, parameter.grids
    assert sorted(pairs_of(first)) == list(itertools.product(range(2), range(5)))
    assert (first.rows[0], first.columns) == ("ucb1", ("5", "10"))
    assert (own.row_title, own.rows, own.columns) == ("w1", ("10", "20", "30"), ("5", "10"))
    assert own.cells[1][0] == (0, 3)


def test_two_settings_have_a_heat_map_for_each_policy() -> None:
    study = planned(SMALL.replace("horizon = 50", "horizon = [50, 60, 70]"))
    _, layout = plan_layouts(study)
    assert (layout.label, [grid.label for grid in layout.grids]) == ("budget by horizon", ["ucb1", "sw-ucb"])
    pair: Any = layout.grids[1].cells[1][2]
    assert study.worlds[pair[0]].settings == {"horizon": 70, "budget": 10}
    assert pair[1] == 1


def test_two_parameters_have_a_heat_map_for_each_world_and_nothing_is_averaged() -> None:
    study = planned(PARAMETER)
    layouts = {layout.label: layout for layout in plan_layouts(study)}
    assert list(layouts) == [
        "every policy in every world",
        "sw-ucb: w2 by w1",
        "sw-ucb: w1 by budget",
        "sw-ucb: w2 by budget",
    ]
    both = layouts["sw-ucb: w2 by w1"]
    assert [grid.label for grid in both.grids] == list(world_names(study).values())
    for w, grid in enumerate(both.grids):
        assert (grid.rows, grid.columns) == (("5", "6"), ("10", "20", "30"))
        for i, j in itertools.product(range(2), range(3)):
            pair: Any = grid.cells[i][j]
            assert pair[0] == w
            assert study.policies[pair[1]].settings == {"w1": int(grid.columns[j]), "w2": int(grid.rows[i])}
    assert [grid.label for grid in layouts["sw-ucb: w1 by budget"].grids] == ["w2 5", "w2 6"]
    for layout in layouts.values():
        pairs = [pair for grid in layout.grids for pair in pairs_of(grid)]
        assert len(pairs) == len(set(pairs))


def test_a_third_swept_setting_gives_more_heat_maps_rather_than_averages() -> None:
    study = planned(SMALL.replace("horizon = 50", "horizon = [50, 60]\nidle = [true, false]"))
    layout = plan_layouts(study)[1]
    assert len(layout.grids) == 4
    assert {len(pairs_of(grid)) for grid in layout.grids} == {4}


def test_heat_maps_name_policies_of_parts_and_leave_out_what_was_never_played() -> None:
    parts = '[[policy]]\nrewards = "rogue"\ncosts = "wilson"\nallocate = "lp"\nradius_scale = [0.5, 1.0]\n'
    study = planned(SMALL + parts)
    assert [layout.label for layout in plan_layouts(study)[1:]] == ["rogue/wilson/lp: radius_scale by budget"]
    own = planned(SMALL + parts + 'label = "ours"\n')
    assert [layout.label for layout in plan_layouts(own)[1:]] == ["ours: radius_scale by budget"]
    arms = '[[world]]\nworld = "messages"\narm.walk.A = [0.5, 0.6, 0.7]\n'
    name = planned(SMALL + '[[world]]\nworld = "messages"\n').worlds[2].world.problem.arms[0].name
    apart = planned(SMALL.replace("horizon = 50\n", "") + arms.replace("walk", name))
    assert [view.key for view in plan_views(apart)] == [f"arm.{name}.A", "budget"]
    assert [layout.label for layout in plan_layouts(apart)] == ["every policy in every world"]


def test_of_a_single_world_there_is_no_heat_map_with_one_column() -> None:
    one = SMALL.replace("[5, 10]", "5")
    assert plan_layouts(planned(one)) == []
    assert "heat_map" not in drawn(invented(planned(one)))
    assert 'id="heat"' not in study_page(invented(planned(one))).decode()
    two_parameters = plan_layouts(planned(PARAMETER.replace("[5, 10]", "5")))
    assert [layout.label for layout in two_parameters] == ["sw-ucb: w2 by w1"]
