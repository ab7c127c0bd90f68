import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import roguewk as rw
from roguewk.learn.comparison import ModelComparison
from tests.learn import judge
from tests.learn.logs import log_of
from tests.learn.rich_logs import Truth, rich

NONE = (0.0, 0.0, 0.0)
TRUTHS = {
    "no habituation": Truth(wear=NONE),
    "linear trend": Truth(wear=NONE, trend=-0.03),
    "one state": Truth(),
    "one state with trend": Truth(trend=-0.03),
    "common fatigue": Truth(common=(0.4, 6.0)),
    "two states": Truth(second=(0.4, 25.0), half_life=(1.0, 1.0, 1.5)),
}


ALIKE = log_of(
    np.repeat(np.arange(12), 5), np.tile(np.arange(5), 12), np.zeros(60, int), np.repeat(np.arange(12) % 2, 5)
)


@pytest.mark.parametrize("name", TRUTHS)
def test_the_model_that_made_the_log_is_best(name: str) -> None:
    for seed in (91, 92, 93):
        log = rich(seed, TRUTHS[name], subjects=60, rounds=40, normal=True)
        found = rw.compare_models(log, "gaussian", folds=3)
        assert found.best == name
        assert found.models == tuple(TRUTHS)


def _of(log: Any, subjects: Any) -> Any:
    rows = np.isin(log.subject, subjects)
    places = np.unique(log.subject[rows], return_inverse=True)[1]
    return log_of(places, log.time[rows], log.arm[rows], log.reward[rows], arms=len(log.arms))


def test_subjects_left_out_are_predicted_as_by_scipy_and_the_literal_likelihood() -> None:
    log = rich(92, Truth(level=(0.5, 0.0), wear=NONE[:2], half_life=(1.0, 1.0)), subjects=30, rounds=15, chance=0.4)
    folds = [np.sort(part) for part in np.array_split(np.random.default_rng(3).permutation(30), 2)]
    total = 0.0
    for left_out, kept in (folds, folds[::-1]):

        def loss(at: Any, log: Any) -> float:
            return -judge.log_likelihood(log, np.array([[at[0], 0, 0, 0], [at[1], 0, 0, 0]]), at[2], "bernoulli")

        best = optimize.minimize(loss, [0.2, 0.2, 0.5], args=(_of(log, kept),), options={"gtol": 1e-4})
        total -= loss(best.x, _of(log, left_out))
    found = rw.compare_models(log, folds=2, seed=3).frame().set_index("model")
    assert found.loc["no habituation", "log_likelihood"] == pytest.approx(total, abs=0.02)


def _comparison(by_subject: Any, models: tuple[str, ...] = ("simple", "rich", "wrong")) -> ModelComparison:
    return ModelComparison(models, np.asarray(by_subject, float), 0.0, 100)


def test_of_models_that_predict_alike_the_simplest_is_best() -> None:
    luck = np.random.default_rng(1)
    simple = -10 + luck.normal(0, 1, 50)
    rich_one = simple + luck.normal(0.02, 0.3, 50)
    found = _comparison([simple, rich_one, simple - 2 + luck.normal(0, 0.3, 50)])
    assert found.best == "simple"
    assert found.verdict == "Best is simple: surely better than wrong, not surely better than rich."
    assert _comparison([simple, simple + 1 + luck.normal(0, 0.3, 50), simple]).best == "rich"


def test_differences_have_the_standard_errors_of_paired_sums() -> None:
    luck = np.random.default_rng(2)
    table = luck.normal(-5, 1, (3, 40))
    table[0] += 1
    rows = _comparison(table).frame()
    apart = table[1] - table[0]
    assert rows["difference"][1] == pytest.approx(apart.sum())
    assert rows["se"][1] == pytest.approx(apart.std(ddof=1) * math.sqrt(40))
    assert rows["per_pull"][0] == pytest.approx(table[0].sum() / 100)
    assert rows["difference"][0] == 0


def test_it_reads_well_in_eighty_columns() -> None:
    found = rw.compare_models(rich(93, Truth(), subjects=20, rounds=20, normal=True), "gaussian", folds=2)
    assert all(len(line) <= 80 for line in str(found).splitlines())
    assert f"Best is {found.best}" in str(found)


def test_one_arm_has_no_common_fatigue_and_the_same_seed_gives_the_same_folds() -> None:
    log = rich(94, Truth(level=(0.5,), wear=(0.8,), half_life=(3.0,)), subjects=15, rounds=20, normal=True)
    one, other = (rw.compare_models(log, "gaussian", folds=3, seed=4) for _ in range(2))
    assert "common fatigue" not in one.models
    assert np.array_equal(one.by_subject, other.by_subject)


@pytest.mark.parametrize(
    ("log", "settings", "words"),
    [
        (rich(95, Truth(), subjects=1), {}, "the log has 1 with an outcome: 10 are needed$"),
        (rich(95, Truth(), subjects=12), {"folds": 20}, "has 12 with an outcome: 20 are needed, or fewer folds"),
        (rich(95, Truth(), subjects=12), {"folds": 1}, "folds is 1"),
        (rich(95, Truth(), subjects=12), {"progress": 3}, "progress is 3"),
        (log_of(np.arange(20), np.zeros(20), np.zeros(20, int), np.arange(20) % 2), {}, "no time passes"),
        (ALIKE, {}, "outcomes never change within a subject of the log"),
    ],
)
def test_logs_that_cannot_tell_are_refused_in_a_sentence(log: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.compare_models(log, **settings)
