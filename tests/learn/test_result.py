import dataclasses
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.profile import Interval
from tests.learn.logs import simulated

FIT = rw.fit(invented_log())


def test_the_frame_has_a_row_per_arm_and_the_ends_of_every_interval() -> None:
    frame = FIT.frame()
    names = ["rested", "wear", "half_life", "start"]
    columns = [column for name in names for column in (name, f"{name}_low", f"{name}_high")]
    assert list(frame.columns) == ["arm", *columns, "verdict"]
    assert frame["arm"].tolist() == ["call", "text"]
    call = frame.iloc[0]
    for name in names:
        assert call[f"{name}_low"] <= call[name] <= call[f"{name}_high"]


def test_costs_are_means_and_deviations_of_what_pulls_took() -> None:
    log, costs = invented_log(), FIT.costs.set_index("arm")
    calls = log.costs[log.arm == 0, 0]
    assert costs.loc["call", "mean"] == pytest.approx(calls.mean())
    assert costs.loc["call", "sd"] == pytest.approx(calls.std(ddof=1))
    assert costs.loc["text", "sd"] == pytest.approx(0.0)


def test_a_problem_has_the_estimates_and_arms_that_show_no_wear_do_not_wear() -> None:
    problem = FIT.problem(horizon=100, budgets={"minutes": 60.0})
    call, text = problem.arms
    assert pytest.approx(-FIT.arms[0].wear.value) == call.B
    assert pytest.approx(0.5 ** (1 / FIT.arms[0].half_life.value)) == call.A
    assert text.B == 0.0
    assert call.known_start == [0.0, 0.0]
    assert problem.idle
    assert problem.known_costs is not None
    assert problem.resources[0].largest_cost == invented_log().costs.max()


def test_in_a_world_every_pull_costs_its_mean() -> None:
    world = FIT.world(horizon=50, budgets={"minutes": 40.0})
    assert world.mean_costs[:, 0] == pytest.approx(FIT.mean_costs[:, 0])
    assert [arm.name for arm in world.arms] == ["call", "text"]
    assert world.problem.horizon == 50


def test_a_round_of_another_length_wears_and_recovers_as_much_in_the_same_time() -> None:
    log = dataclasses.replace(simulated(61, subjects=100), regular=False, unit="hours")
    fit = rw.fit(log)
    hourly, daily = (fit.problem(100, round_length=length) for length in (1.0, 24.0))
    for a, arm in enumerate(fit.arms):
        assert pytest.approx(hourly.arms[a].A ** 24) == daily.arms[a].A
        assert pytest.approx(-arm.wear.value * 0.5 ** (1 / arm.half_life.value)) == hourly.arms[a].B
        assert pytest.approx(-arm.wear.value * 0.5 ** (24 / arm.half_life.value)) == daily.arms[a].B


def test_budgets_of_unknown_resources_and_costs_that_nobody_saw_are_refused() -> None:
    with pytest.raises(rw.InputError, match="did you mean 'minutes'"):
        FIT.problem(100, {"minute": 3.0})
    unseen = dataclasses.replace(FIT, mean_costs=np.full((2, 1), np.nan))
    with pytest.raises(rw.InputError, match="no cost of arm 'call'"):
        unseen.world(100, {"minutes": 3.0})


def test_a_notebook_shows_a_fit_as_its_table_and_its_parts_in_a_line() -> None:
    assert repr(FIT) == str(FIT)
    assert repr(FIT.arms[0]).startswith("FittedArm(name='call', pulls=")
    assert len(repr(FIT.arms[0])) < 600
    assert "posterior" not in repr(FIT.arms[0])
    assert repr(invented_log(20, 10)) == "LoggedRounds(200 rows, 20 subjects, 2 arms)"


def test_it_reads_well_in_eighty_columns() -> None:
    lines = str(FIT).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "4,025 pulls of 2 arms by 150 subjects" in lines[0]
    assert lines[5] == "  wears off and recovers"
    assert lines[7] == "  none seen"


def test_a_unit_of_time_that_is_too_long_for_its_column_has_a_line_of_its_own() -> None:
    lines = str(dataclasses.replace(FIT, unit="units of time")).splitlines()
    assert lines[2] == "half-lives are in units of time"
    assert lines[4].endswith("half-life")


def test_what_is_strange_in_a_log_is_shown_below_a_fit_that_read_it() -> None:
    log = invented_log(20, 20)
    names = [*log.arms, "none"]
    rewards = np.where(log.arm < 0, 0.0, log.reward)
    table = pd.DataFrame({"subject": log.subject, "round": log.time, "arm": [names[a] for a in log.arm]})
    table["reward"] = rewards
    lines = str(rw.fit(table)).splitlines()
    assert lines[-4:] == [
        "",
        "strange in the log",
        "  The arm 'none' looks like idle rows: leave its cells empty if it is.",
        "  Outcomes of an arm never differ, so check them: 'none' (all 142 are 0).",
    ]
    read = rw.read_log(table)
    assert read.strange == read.found[-2:]
    assert "strange" not in str(rw.fit(read))


def _renamed(*names: str, **settings: Any) -> list[str]:
    """The summary's lines of a fit with arms of these names, whose wear is as given."""
    arms = [dataclasses.replace(arm, name=name, **settings) for arm, name in zip(FIT.arms, names, strict=True)]
    lines = str(dataclasses.replace(FIT, arms=tuple(arms))).splitlines()
    assert max(map(len, lines)) <= 80
    return lines


def test_names_have_the_room_that_numbers_leave_and_stay_distinct_where_there_is_too_little() -> None:
    lines = _renamed("email reminder A", "email reminder B")
    assert lines[4].startswith("email reminder A  ")
    assert lines[6].startswith("email reminder B  ")
    far = [f"an email that reminds of the second appointment, {each}" for each in "AB"]
    assert [line.split("  ")[0][-2:] for line in _renamed(*far)[4::2]] == ["…A", "…B"]
    alike = ["a" * 40 + "1" + "b" * 40, "a" * 40 + "2" + "b" * 40]
    assert len({line.split("  ")[0] for line in _renamed(*alike)[4::2]}) == 2


@pytest.mark.parametrize("unit", [1e-6, 1.0, 37671.0, 3.7e9])
def test_columns_are_two_spaces_apart_whatever_the_numbers(unit: float) -> None:
    wide = Interval(-0.0321 * unit, -1.1 * unit, 12.04 * unit)
    for line in _renamed("call", "text", wear=wide, rested=wide)[4::2]:
        assert len(re.findall(r"\)  +[-\d?]", line)) == 2


def test_an_arm_of_which_there_is_too_little_is_not_planned_with() -> None:
    log = invented_log()
    arm = log.arm.copy()
    arm[np.flatnonzero(arm < 0)[0]] = 2  # a slip of the pen
    rare = rw.fit(
        dataclasses.replace(log, arms=("call", "text", "tex"), arm=arm, reward=np.where(arm == 2, 1.0, log.reward))
    )
    with pytest.raises(rw.InputError, match="arm 'tex' has too few pulls in the log to plan with: leave its rows out"):
        rare.problem(100)
