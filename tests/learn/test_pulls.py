from pathlib import Path

import numpy as np
import pytest

import roguewk as rw
from roguewk.learn.pulls import FIRST, check_rewards, pulls_of, some_subjects
from roguewk.problem.family.registry import family_named
from tests.learn.logs import log_of, simulated


def test_each_pull_knows_the_last_of_the_same_arm_and_subject() -> None:
    log = log_of([0, 0, 0, 0, 1, 1], [1, 2, 4, 7, 1, 3], [0, -1, 1, 0, 1, 1], [1, np.nan, 0, 1, np.nan, 0])
    pulls = pulls_of(log, log.reward, np.zeros(6))
    assert pulls.arm.tolist() == [0, 1, 0, 1, 1]
    assert pulls.before.tolist() == [FIRST, FIRST, 0, FIRST, 3]
    assert pulls.gap.tolist() == [0, 0, 6, 0, 2]
    assert pulls.elapsed.tolist() == [0, 3, 6, 0, 2]
    assert pulls.begin.tolist() == [0, 3, 5]


def test_some_subjects_keep_their_own_pulls_whole() -> None:
    log = simulated(1, subjects=50, rounds=20)
    pulls = pulls_of(log, log.reward, np.zeros(log.reward.size))
    some = some_subjects(pulls, 200)
    assert 100 < some.arm.size < 400
    for place, subject in enumerate(range(0, 50, 4)):
        mine, whole = slice(*some.begin[place : place + 2]), slice(*pulls.begin[subject : subject + 2])
        assert some.outcome[mine].tolist() == pulls.outcome[whole].tolist()
        shift = some.begin[place] - pulls.begin[subject]
        assert (
            np.where(some.before[mine] >= 0, some.before[mine] - shift, FIRST).tolist() == pulls.before[whole].tolist()
        )


@pytest.mark.parametrize(
    ("family", "reward", "words"),
    [
        ("bernoulli", 0.5, "0 or 1"),
        ("poisson", -1.0, "a count"),
        ("bounded", 1.2, "from 0 to 1"),
        ("gaussian", np.inf, "number"),
    ],
)
def test_a_reward_outside_its_family_is_refused_by_row(family: str, reward: float, words: str) -> None:
    log = log_of([0, 0, 1], [0, 1, 0], [0, -1, 0], [1, 7.5, reward])  # an idle round has no reward to be wrong
    with pytest.raises(rw.InputError, match=rf"row 2 \(counted from 0\) of the log \(subject 's1', round 0\).*{words}"):
        check_rewards(log, family_named(family))


@pytest.mark.parametrize(
    ("family", "rewards", "remedy"),
    [
        ("bernoulli", [0, 3, 1], "poisson for counts or gaussian for any number"),
        ("bounded", [0, 3, np.nan], "poisson for counts or gaussian for any number"),
        ("bernoulli", [0, 0.5, 1], "bounded for shares from 0 to 1 or gaussian for any number"),
        ("poisson", [0, 0.5, 1], "bounded for shares from 0 to 1 or gaussian for any number"),
        ("bernoulli", [0, 2.5, 1], "gaussian for any number"),
        ("bernoulli", [0, -1, 2], "gaussian for any number"),
    ],
)
def test_the_family_that_rewards_may_be_of_is_named_first(family: str, rewards: list[float], remedy: str) -> None:
    with pytest.raises(rw.InputError, match=f"choose another family, such as {remedy}$"):
        check_rewards(log_of([0, 0, 1], [0, 1, 0], [0, 0, 0], rewards), family_named(family))


def test_a_refused_reward_is_named_by_its_row_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "log.csv"
    file.write_text("subject,round,arm,reward\nz,0,call,1\na,1,call,0.5\na,0,call,0\n")  # sorted when read
    with pytest.raises(rw.InputError, match=r"reward 0.5 in row 3 of the log \(subject 'a', round 1\)"):
        rw.fit(file, family="bernoulli")
