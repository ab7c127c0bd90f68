"""What lies along an axis: settings of worlds, parameters of policies."""

import pytest

from roguewk.problem.errors import InputError
from roguewk.study.views.axes import begins_with_rows, plan_views, world_names
from tests.study.invented import PARAMETER, SMALL, planned


def test_the_swept_number_lies_along_the_axis_and_other_settings_make_groups() -> None:
    study = planned(SMALL.replace("horizon = 50", "horizon = [50, 60, 70]"))
    horizon, budget = plan_views(study)
    assert (horizon.key, budget.key) == ("horizon", "budget")
    assert [group.label for group in budget.groups] == ["horizon 50", "horizon 60", "horizon 70"]
    assert (
        [study.worlds[i].settings["budget"] for i in budget.groups[1].worlds]
        == [5, 10]
        == list(budget.groups[1].values)
    )
    assert {study.worlds[i].settings["horizon"] for i in budget.groups[1].worlds} == {60}
    chosen = planned(SMALL.replace("horizon = 50", "horizon = [50, 60, 70]") + '[plot]\nx = "budget"\n')
    assert plan_views(chosen)[0].key == "budget"


def test_worlds_of_several_names_are_groups_and_without_a_number_there_is_no_axis() -> None:
    two = planned(SMALL + '[[world]]\nworld = "one_resource"\nbudget = [3, 4]\n')
    assert [group.label for group in plan_views(two)[0].groups] == [
        "world paper, horizon 50",
        "world one_resource, horizon 1000",
    ]
    assert plan_views(planned(SMALL.replace("[5, 10]", "5"))) == []
    assert plan_views(planned(SMALL.replace("budget = [5, 10]", "idle = [true, false]"))) == []


def test_a_world_has_its_own_budget_along_the_axis_where_the_study_sets_none() -> None:
    own = planned(SMALL + '[[world]]\nworld = "one_resource"\n')
    (view,) = plan_views(own)
    budget = own.worlds[2].world.problem.resources[0].budget
    assert view.groups[1].values == (budget,)
    assert view.note == ""
    other = planned(SMALL + '[[world]]\nworld = "messages"\n')
    assert len({each.budget for each in other.worlds[2].world.problem.resources}) > 1
    (view,) = plan_views(other)
    assert len(view.groups) == 1
    assert view.note == "not shown: 1 world for which the study does not set budget"


def test_a_swept_parameter_of_policies_can_lie_along_the_axis() -> None:
    first, w1, w2 = plan_views(planned(PARAMETER))
    assert (first.key, w1.key, w2.key) == ("budget", "w1", "w2")
    assert w1.note == "not shown: 1 policy for which the study does not set w1"
    study = planned(PARAMETER + '[plot]\nx = "w1"\n')
    view = plan_views(study)[0]
    assert (view.key, [line.label for line in view.lines]) == ("w1", ["sw-ucb, w2 5", "sw-ucb, w2 6"])
    for line, second in zip(view.lines, (5, 6), strict=True):
        settings = [study.policies[j].settings for j in line.policies]
        assert settings == [{"w1": value, "w2": second} for value in (10, 20, 30)]
        assert line.values == (10, 20, 30)
    alone = planned(PARAMETER.replace("[5, 10]", "5"))
    assert [view.key for view in plan_views(alone)] == ["w1", "w2"]
    assert begins_with_rows(alone, plan_views(alone))
    with pytest.raises(InputError, match=r"x of \[plot\]"):
        planned(PARAMETER + '[plot]\nx = "w3"\n')


@pytest.mark.parametrize(("values", "log"), [("[1, 10, 100]", True), ("[10, 20]", False)])
def test_numbers_far_apart_lie_on_a_logarithmic_axis(values: str, log: bool) -> None:
    assert plan_views(planned(SMALL.replace("[5, 10]", values)))[0].log is log


def test_worlds_are_called_by_what_tells_them_apart_alone() -> None:
    one = planned(SMALL.replace("[5, 10]", "5"))
    assert list(world_names(one).values()) == [one.worlds[0].label]
    assert list(world_names(planned(SMALL)).values()) == ["budget 5", "budget 10"]
    two = planned(SMALL + '[[world]]\nworld = "one_resource"\nbudget = [3, 4]\n')
    assert list(world_names(two).values())[1:3] == [
        "paper, horizon 50, budget 10",
        "one_resource, horizon 1000, budget 3",
    ]
    labelled = SMALL.replace("[5, 10]", "5") + '[[world]]\nworld = "paper"\nbudget = 7\nlabel = "rich"\n'
    assert list(world_names(planned(labelled)).values()) == ["paper", "rich"]
