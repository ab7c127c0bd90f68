"""What another policy would have earned: against enumeration and many simulated logs."""

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.levels import arm_levels
from roguewk.learn.target import History
from tests.learn import judge
from tests.learn.logs import log_of, simulated

LEVEL, WEAR, HALF_LIFE, SPREAD = (0.6, 0.0), (1.0, 0.3), (2.0, 6.0), 0.7
ROUNDS = 3
NAMES = ("a", "b", None)


def _mean(arms: Any, own: Any) -> Any:
    """The mean reward of the last of these arms, given to someone with this level; -1 is rest."""
    *before, now = arms
    if now < 0:
        return 0.0 * own
    worn = sum(0.5 ** ((len(before) - u - 1) / HALF_LIFE[now]) for u, arm in enumerate(before) if arm == now)
    return 1 / (1 + np.exp(-(LEVEL[now] + own - WEAR[now] * worn)))


def _propensities(before: list[Any], rewards: list[Any], size: int) -> Any:
    """(subject, action) of someone who gives the first arm more often after a success."""
    success = rewards[-1] > 0 if rewards else np.zeros(size, dtype=bool)
    return np.where(success[:, np.newaxis], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3])


def _log(seed: int, subjects: int) -> Any:
    luck = np.random.default_rng(seed)
    own = SPREAD * luck.standard_normal(subjects)
    arms: list[Any] = []
    rewards: list[Any] = []
    chosen: list[Any] = []
    for _ in range(ROUNDS):
        chances = _propensities(arms, rewards, subjects)
        arm = (luck.random(subjects)[:, np.newaxis] > chances.cumsum(axis=1)).sum(axis=1)
        arms.append(np.where(arm == 2, -1, arm))
        mean = np.array([_mean([each[s] for each in arms], own[s]) for s in range(subjects)])
        rewards.append((luck.random(subjects) < mean) * 1.0)
        chosen.append(chances[np.arange(subjects), arm])
    arm, reward, propensity = (np.stack(columns, axis=1).ravel() for columns in (arms, rewards, chosen))
    every, rounds = np.repeat(np.arange(subjects), ROUNDS), np.tile(np.arange(ROUNDS), subjects)
    log = log_of(every, rounds, arm, np.where(arm >= 0, reward, np.nan), arms=2)
    return dataclasses.replace(log, propensity=propensity)


def _win_stay(history: History) -> str | None:
    """The first arm, again as long as it succeeds, then a rest and the other."""
    if not history.arms or history.rewards[-1] > 0:
        return "a"
    return None if history.arms[-1] == "a" else "b"


def _mixed(history: History) -> dict[str | None, float]:
    return {"a": 0.2, "b": 0.5, None: 0.3} if history.round else {"a": 1.0}


def _value(policy: Any) -> float:
    """The truth, by all that may be done and all that may come of it, over a fine grid of subjects."""
    own = SPREAD * judge.NODES
    total = np.zeros(own.size)
    for arms in itertools.product((0, 1, -1), repeat=ROUNDS):
        for rewards in itertools.product((0.0, 1.0), repeat=ROUNDS):
            chance = np.ones(own.size)
            for t in range(ROUNDS):
                seen = tuple(np.nan if arm < 0 else reward for arm, reward in zip(arms[:t], rewards[:t], strict=True))
                told = policy(History("", t, float(t), tuple(NAMES[arm] for arm in arms[:t]), seen, {}))
                chance = chance * (told.get(NAMES[arms[t]], 0.0) if isinstance(told, dict) else told == NAMES[arms[t]])
                mean = _mean(arms[: t + 1], own)
                chance = chance * (mean if rewards[t] else 1 - mean)
            total += chance * sum(rewards)
    return float(total @ judge.WEIGHTS / np.sqrt(2 * np.pi))


FIT = rw.fit(simulated(5, 400, level=LEVEL, wear=WEAR, half_life=HALF_LIFE, spread=SPREAD))
WRONG = rw.fit(simulated(6, 100, level=(-1.0, 1.5), wear=(0.0, 0.8), half_life=HALF_LIFE, spread=0.0))


@pytest.mark.parametrize(("policy", "fit"), [(_win_stay, FIT), (_mixed, WRONG)])
def test_estimates_are_unbiased_and_intervals_hold_the_truth(policy: Any, fit: rw.Fit) -> None:
    truth, logs = _value(policy), 200
    found = [rw.off_policy(_log(seed, 400), policy, fit=fit) for seed in range(logs)]
    for name in ("importance", "self_normalised", "doubly_robust"):
        intervals = [getattr(each, name) for each in found]
        values = np.array([interval.value for interval in intervals])
        assert np.mean([low <= truth <= high for _, low, high in intervals]) >= 0.91
        assert values.mean() == pytest.approx(truth, abs=3.0 * values.std() / np.sqrt(logs))
        widths = np.array([interval.high - interval.low for interval in intervals])
        assert widths.mean() / (2 * 1.96) == pytest.approx(values.std(), rel=0.15)
    if fit is FIT:
        spread = {
            name: np.std([getattr(each, name).value for each in found]) for name in ("importance", "doubly_robust")
        }
        assert spread["doubly_robust"] < 0.8 * spread["importance"]


def test_what_was_done_is_worth_what_came_of_it() -> None:
    log = invented_log()
    found = rw.off_policy(log, np.full((log.arm.size, 3), 1 / 3), rounds=5, fit=rw.fit(log))
    assert found.effective == pytest.approx(150)
    earned = np.nan_to_num(log.reward).reshape(150, 40)[:, :5].sum(axis=1)
    for interval in (found.logged, found.importance, found.self_normalised):
        assert interval.value == pytest.approx(earned.mean())
    assert found.logged.high == pytest.approx(earned.mean() + 1.96 * earned.std(ddof=1) / np.sqrt(150), rel=1e-4)


def test_in_a_single_round_a_right_model_makes_up_for_wrong_propensities() -> None:
    log = _log(7, 4000)
    wrong = dataclasses.replace(log, propensity=0.6 * log.propensity)
    found = rw.off_policy(wrong, ["a"], fit=FIT)
    own = SPREAD * judge.NODES
    truth = float(_mean([0], own) @ judge.WEIGHTS / np.sqrt(2 * np.pi))
    assert found.doubly_robust is not None
    assert found.doubly_robust.value == pytest.approx(truth, abs=0.08)
    assert found.importance.value == pytest.approx(truth / 0.6, abs=0.12)


def test_a_list_a_function_a_table_and_a_policy_that_do_the_same_are_worth_the_same() -> None:
    log = invented_log(subjects=400)
    plan = ["call", None, "text"]
    table = np.zeros((log.arm.size, 3))
    place = (log.time - 1).astype(int)
    table[np.arange(log.arm.size), np.array([0, 2, 1])[place % 3]] = 1.0
    found = [
        rw.off_policy(log, plan),
        rw.off_policy(log, lambda history: plan[history.round], rounds=3),
        rw.off_policy(log, table, rounds=3),
    ]
    assert len({each.importance.value for each in found}) == 1
    assert found[0].rounds == 3
    agreed = (log.arm.reshape(400, 40)[:, :3] == [0, -1, 1]).all(axis=1)
    assert found[0].effective == pytest.approx(agreed.sum())
    weighted, normalised = _by_hand(log, [0, -1, 1])
    assert found[0].importance.value == pytest.approx(weighted)
    assert found[0].self_normalised.value == pytest.approx(normalised)


def _by_hand(log: Any, plan: list[int]) -> tuple[float, float]:
    arm, reward = log.arm.reshape(400, 40), np.nan_to_num(log.reward).reshape(400, 40)
    weighted = normalised = 0.0
    for t in range(3):
        agreed = (arm[:, : t + 1] == plan[: t + 1]).all(axis=1)
        weighted += float((3 ** (t + 1) * agreed * reward[:, t]).mean())
        normalised += float(reward[agreed, t].mean())
    return weighted, normalised


def test_policies_of_roguewk_are_told_what_each_subject_got() -> None:
    log = invented_log(subjects=300)
    problem = rw.fit(log).problem(horizon=40, budgets={"minutes": 60.0})
    policy = rw.make_policy("roguewk-ucb", problem)
    found = rw.off_policy(log, policy, rounds=2)
    agreed = []
    for s in range(300):
        mine = rw.make_policy("roguewk-ucb", problem, s)
        weight = 1.0
        for row in (40 * s, 40 * s + 1):
            decision = mine.preview()
            chances = np.append(decision.probabilities, 1 - decision.probabilities.sum())
            weight *= 3 * chances[log.arm[row]]
            if weight == 0:
                break
            arm = None if log.arm[row] < 0 else int(log.arm[row])
            told: Any = mine.select() if decision.arm == arm else mine.follow(arm)
            if arm is not None:
                mine.update(told, float(log.reward[row]), log.costs[row].tolist())
        agreed.append(weight)
    assert found.effective == pytest.approx(sum(agreed) ** 2 / np.square(agreed).sum())
    policy.skip(1)
    with pytest.raises(rw.InputError, match="has decided 1 rounds already: give a new one"):
        rw.off_policy(log, policy, rounds=2)
    thompson = rw.off_policy(log, rw.make_policy("roguewk-ts", problem), rounds=1)
    assert 0 < thompson.effective <= 300


def test_where_the_budget_is_over_a_policy_rests() -> None:
    log = invented_log(subjects=300)
    problem = rw.fit(log).problem(horizon=1)
    found = rw.off_policy(log, rw.make_policy("ucb1", problem), rounds=2)
    arm = log.arm.reshape(300, 40)
    assert found.effective == pytest.approx(((arm[:, 0] == 0) & (arm[:, 1] == -1)).sum())


def test_a_game_may_end_in_a_gap_of_the_log() -> None:
    log = invented_log(subjects=300)
    days = dataclasses.replace(log, regular=False, unit="days", time=3 * log.time)
    arm = log.arm.reshape(300, 40)
    rests = (arm[:, 0] == 0) & (arm[:, 1:3] == -1).all(axis=1)
    for horizon, budget in ((2, 60.0), (40, 0.1)):
        problem = rw.fit(log).problem(horizon=horizon, budgets={"minutes": budget})
        found = rw.off_policy(days, rw.make_policy("ucb1", problem), rounds=3, round_length=1.0)
        assert found.effective == pytest.approx(rests.sum())


def test_where_nothing_could_be_given_every_policy_rests() -> None:
    log = invented_log(subjects=60)
    closed = dataclasses.replace(
        log,
        arm=np.full_like(log.arm, -1),
        reward=np.full(log.arm.size, np.nan),
        available=np.zeros(log.arm.size, dtype=bool),
        propensity=np.ones(log.arm.size),
    )
    assert rw.off_policy(closed, ["call", "call"]).effective == pytest.approx(60)


def test_few_subjects_are_warned_of_and_none_tell_nothing() -> None:
    log = invented_log()
    few = rw.off_policy(log, ["call", "text", None])
    assert f"only {few.effective:.0f} of 150 subjects count" in few.warning
    assert few.warning in " ".join(str(few).split())
    none = rw.off_policy(log, ["call"] * 12, fit=rw.fit(log))
    assert none.effective == 0
    assert "nothing can be told" in none.warning
    for interval in (none.importance, none.self_normalised, none.doubly_robust):
        assert interval is not None
        assert np.isnan(interval.value)
        assert (interval.low, interval.high) == (-np.inf, np.inf)
    assert all(len(line) <= 80 for line in str(none).splitlines())


@pytest.mark.parametrize("regular", [True, False])
def test_levels_are_those_of_the_likelihood_written_down(regular: bool) -> None:
    log = dataclasses.replace(simulated(48, 30, 30), regular=regular, unit="rounds" if regular else "hours")
    fit = rw.fit(log, start="unknown")
    table = np.array(
        [
            [
                np.log(arm.rested.value / (1 - arm.rested.value)),
                -arm.wear.value,
                np.log(arm.half_life.value),
                arm.start.value,
            ]
            if arm.verdict.seen
            else [np.log(arm.rested.value / (1 - arm.rested.value)), 0.0, 0.0, 0.0]
            for arm in fit.arms
        ]
    )
    rows = np.flatnonzero(log.arm >= 0)
    found = arm_levels(fit, log)[rows, log.arm[rows]]
    assert found == pytest.approx(judge.levels(log, table)[rows])


LOG = invented_log(subjects=5)


def _with(**columns: Any) -> Any:
    return dataclasses.replace(LOG, **columns)


def _changed(column: Any, row: int, value: float) -> Any:
    changed = column.copy()
    changed[row] = value
    return changed


@pytest.mark.parametrize(
    ("log", "policy", "settings", "words"),
    [
        (
            _with(propensity=_changed(LOG.propensity, 41, np.nan)),
            ["call"] * 3,
            {},
            "propensity is missing in row 41 .*'subj",
        ),
        (_with(propensity=np.full(200, np.nan)), ["call"], {}, "missing in rows 0, 40, 80 and 2 more .* round 1"),
        (
            _with(propensity=_changed(LOG.propensity, 1, 0.0)),
            ["call"] * 3,
            {},
            r"not above 0 and up to 1 in row 1 \(counted",
        ),
        (
            _with(propensity=_changed(LOG.propensity, 1, 1.2)),
            ["call"] * 3,
            {},
            r"not above 0 and up to 1 in row 1 \(counted",
        ),
        (
            _with(arm=np.zeros_like(LOG.arm), reward=np.full(200, np.nan)),
            ["call"],
            {},
            "reward is missing in rows 0, 40, 80 and .*: give what happened, not a guess; .* by mere chance, else",
        ),
        (_with(reward=np.full(200, np.nan), propensity=np.full(200, np.nan)), ["cal"], {}, "did you mean 'call'"),
        (_with(time=2 * LOG.time), ["call"] * 3, {}, "rounds are missing after round 2 of subject 'subject 1'"),
        (LOG, ["call"] * 41, {}, "subject 'subject 1' has 40 rows, but 41 rounds are asked for"),
        (LOG, ["call"], {"rounds": 2}, "1 arms are given for 2 rounds"),
        (LOG, ["cal"], {}, "did you mean 'call'"),
        (LOG, "ucb1", {}, "the policy is 'ucb1': give a policy made with"),
        (LOG, np.full((200, 2), 0.5), {"rounds": 2}, "give 200 rows with 3 probabilities, the last that of rest"),
        (LOG, np.full((200, 3), 0.5), {"rounds": 2}, "probabilities in row 0 .* are .* add up to 1"),
        (LOG, lambda history: {"call": 0.4}, {"rounds": 2}, "probabilities must add up to 1"),
        (LOG, ["call"], {"rounds": 0}, "rounds is 0"),
        (LOG, ["call"], {"fit": "yes"}, "fit is 'yes'"),
        (LOG, ["call"], {"fit": FIT}, "the fit has the arms a, b"),
    ],
)
def test_what_cannot_be_weighed_is_refused_with_its_rows(
    log: Any, policy: Any, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.off_policy(log, policy, **settings)


def test_propensities_that_cannot_be_right_are_said_to_be_wrong() -> None:
    log = invented_log(300, 3)
    assert "propensities" not in rw.off_policy(log, ["call", "text"]).warning
    wrong = dataclasses.replace(log, propensity=np.ones(log.arm.size))
    found = rw.off_policy(wrong, ["call", "text"]).warning
    assert found == (
        "weights of round 1 are 0.363 on average and should be 1: the propensities are not those of what was done;"
        " correct them"
    )
    tiny = dataclasses.replace(log, propensity=np.full(log.arm.size, 1e-300))
    with pytest.raises(rw.InputError, match="propensity is below 1e-09"):
        rw.off_policy(tiny, ["call", "text"])
