"""Columns under other names are refused with the one that is meant, not passed over."""

from pathlib import Path

import pytest

import roguewk as rw
from tests.learn.tables import read


def refused(folder: Path, header: str) -> str:
    row = ",".join("0" for _ in header.split(","))
    with pytest.raises(rw.InputError) as caught:
        read(folder / "log.csv", f"{header}\n{row}\n")
    return str(caught.value).removeprefix(f"{folder / 'log.csv'}: ")


@pytest.mark.parametrize(
    "name", ["user", "user_id", "UserID", "id", "Participant ID", "patient", "Subject", "subjectid"]
)
def test_a_log_of_people_whose_column_has_another_name_is_not_taken_to_be_of_one(name: str, tmp_path: Path) -> None:
    remedy = "rename it to 'subject' if it says whose row it is, or leave that column out if all rows are of one"
    assert refused(tmp_path, f"{name},round,arm,reward") == f"there is no column 'subject', but {name!r}: {remedy}"


def test_further_columns_beside_a_subject_may_have_any_name(tmp_path: Path) -> None:
    log = read(tmp_path / "log.csv", "subject,id,user,round,arm,reward,score\na,1,2,0,call,1,3\n")
    assert list(log.covariates) == ["id", "user", "score"]
    assert read(tmp_path / "log.csv", "round,arm,reward,age\n0,call,1,3\n").subjects == ("all",)


@pytest.mark.parametrize(
    ("header", "remedy"),
    [
        ("subject,timestamp,arm,reward", "rename 'timestamp' to 'time'"),
        ("subject,date,arm,reward", "rename 'date' to 'time'"),
        ("subject,Day,arm,reward", "rename 'Day' to 'round'"),
        ("subject,t,datetime,arm,reward", "rename 'datetime' to 'time'"),
        ("subject,round,arm,outcome", "rename 'outcome' to 'reward'"),
        ("subject,round,treatment,reward", "rename 'treatment' to 'arm'"),
        ("subject,round,message,reward,action", "rename 'action' to 'arm'"),
        ("user,date,message,y", "rename 'user' to 'subject', 'message' to 'arm', 'y' to 'reward' and 'date' to 'time'"),
        (
            "subject,round,what,y",
            "rename 'y' to 'reward', and name the others as subject, round or time, arm, reward and",
        ),
        (
            "user,when,what,how",
            "rename 'user' to 'subject', and name the others as subject, round or time, arm, reward",
        ),
        ("subject,round,arm,cost_y", "name them as subject, round or time, arm, reward and cost_<resource>"),
    ],
)
def test_a_missing_column_is_refused_with_the_one_that_is_meant(header: str, remedy: str, tmp_path: Path) -> None:
    told = refused(tmp_path, header)
    assert told.startswith("there is no column ")
    assert f", but {', '.join(header.split(','))}: {remedy}" in told
