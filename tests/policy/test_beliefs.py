"""What a policy says it has learned of dynamics that nobody knew."""

import json
from typing import Any

import numpy as np
import pytest

import roguewk as rw


def played(rounds: int = 40) -> rw.Policy:
    """A policy that used an arm every other round, which mostly worked, and another one now and then."""
    arms = [rw.unknown_arm("call"), rw.unknown_arm("text", like="call"), rw.unknown_arm("visit")]
    policy = rw.make_policy("roguewk-plan", rw.Problem(arms, [rw.Resource("staff", 20.0)], horizon=200, idle=True))
    luck = np.random.default_rng(1)
    for t in range(rounds):
        told = policy.follow(["call", None, "visit", "call", None][t % 5])
        if t % 5 in (0, 2, 3):
            policy.update(told, reward=int(luck.random() < 0.7), costs=[0.1])
    return policy


def test_intervals_are_those_of_draws_from_what_is_believed() -> None:
    policy = played()
    part, luck = policy.parts.rewards.filter, np.random.default_rng(3)
    points = luck.choice(24, 60_000, p=np.exp(part.evidence[0]) / np.exp(part.evidence[0]).sum())
    covariances = np.zeros((24, 3, 3))
    rows, columns = np.triu_indices(3)
    covariances[:, rows, columns] = covariances[:, columns, rows] = part.covariances[0]
    roots = np.linalg.cholesky(covariances)
    draws = part.means[0][points] + np.einsum("dij,dj->di", roots[points], luck.standard_normal((points.size, 3)))
    call = policy.beliefs().set_index("arm").loc["call"]
    wears = [call[key] for key in ("wear_low", "wear", "wear_high")]
    assert wears == pytest.approx(np.quantile(-draws[:, 2], [0.025, 0.5, 0.975]).tolist(), abs=0.03)
    levels = [np.log(call[key] / (1 - call[key])) for key in ("rested_low", "rested", "rested_high")]
    assert levels == pytest.approx(np.quantile(draws[:, 0], [0.025, 0.5, 0.975]).tolist(), abs=0.03)
    half_lives = -np.log(2) / np.log(part.retentions[0][points])
    assert call["half_life"] == pytest.approx(np.median(half_lives), rel=0.35)  # a step of the grid
    assert call["half_life_low"] < np.median(half_lives) < call["half_life_high"]


def test_arms_that_are_alike_are_believed_to_be_the_same() -> None:
    table = played().beliefs().set_index("arm")
    assert (table.loc["call"] == table.loc["text"]).all()
    assert (table.loc["call"] != table.loc["visit"]).any()


def test_what_was_seen_narrows_what_is_believed() -> None:
    width = [np.ptp(played(rounds).beliefs().loc[0, ["rested_low", "rested_high"]]) for rounds in (0, 40, 120)]
    assert width[0] > 1.3 * max(width[1:])


def test_explanations_say_what_is_believed_and_how_firmly() -> None:
    decision = played().select()
    text = " ".join(decision.explain().split())
    assert "is believed to have a half-life of" in text
    assert "rounds, and to lose" in text
    assert "log-odds by a use" in text
    assert decision.outlook is not None
    assert decision.outlook.beliefs is not None
    found = json.loads(json.dumps(decision.to_data()))["outlook"]["beliefs"][0]["half_life"]
    assert found["low"] < found["value"] < found["high"]
    assert f"{decision.outlook.beliefs[decision.arm or 0].half_life.value:.2g} (between" in text


def test_policies_that_take_dynamics_as_known_have_no_beliefs_about_them() -> None:
    policy = rw.make_policy("roguewk-plan", rw.catalog.paper().problem)
    with pytest.raises(rw.InputError, match="dynamics='learned'"):
        policy.beliefs()
    decision = policy.select()
    assert decision.outlook is not None
    assert decision.outlook.beliefs is None
    assert "believed to have a half-life" not in decision.explain()


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"wear": 0.3}, "'tip' is believed to have a half-life of 12 rounds, and to lose 0.3 log-odds by a use."),
        ({"wear": 0}, "'tip' is believed to have a half-life of 12 rounds, and to lose nothing by a use."),
    ],
)
def test_what_is_told_is_believed_exactly_and_said_without_an_interval(told: Any, sentence: str) -> None:
    tip = rw.unknown_arm("tip", half_life=12, rested=0.6, known_start="rested", **told)
    policy = rw.make_policy("roguewk-plan", rw.Problem([tip], [], 100), seed=1)
    for _ in range(3):
        decision = policy.select()
        policy.update(decision, reward=1)
        row = policy.beliefs().iloc[0]
        for key, value in {"half_life": 12, "rested": 0.6, "start": 0, **told}.items():
            ends = row[[key, f"{key}_low", f"{key}_high"]].tolist()
            assert ends == pytest.approx([value] * 3, abs=1e-12)
            assert len(set(map(str, ends))) == 1
        assert row["start_low"] == 0
    assert sentence in " ".join(decision.explain().split())
