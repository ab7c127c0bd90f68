"""Counts and shares at the command line: every command that takes a world file takes one with such arms."""

import json
from pathlib import Path

import pytest

import roguewk as rw
from roguewk import cli
from roguewk.engine.simulate import refusal
from roguewk.policy.registry import all_recipes
from roguewk.world.plain import world_from_data, world_to_data

WORLD = """
horizon = 40
idle = true
[[resource]]
name = "staff"
budget = 20
[[arm]]
name = "newsletter"
family = "poisson"
rested = 3.0
wear = 0.4
half_life = 3
start = 2.0
costs = [{ triangular = [0.2, 0.5, 0.9] }]
[[arm]]
name = "course"
family = "bounded"
rested = 0.7
wear = 0.5
half_life = 2
costs = [{ bernoulli = 0.5 }]
"""
STUDY = """
replicates = 3
[[world]]
world = "world.toml"
arm.newsletter.wear = [0.2, 0.6]
[[policy]]
policy = "ucb1"
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("world.toml").write_text(WORLD)
    return "world.toml"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert cli.main(words) == 0
    return capsys.readouterr().out


def test_a_world_of_counts_and_shares_comes_back_from_its_file(world: str) -> None:
    loaded = rw.load_world(world)
    again = world_from_data(json.loads(json.dumps(world_to_data(loaded))))
    assert world_to_data(again) == world_to_data(loaded)
    assert [arm.family for arm in again.problem.arms] == ["poisson", "bounded"]


def test_check_bound_and_theorem_speak_of_counts(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    check = " ".join(printed(capsys, "check", world).split())
    assert "The counts of 'newsletter' are sub-exponential, not sub-Gaussian, so Theorem 1 does not hold" in check
    bound = json.loads(printed(capsys, "bound", world, "--json"))
    assert bound["value"] == pytest.approx(rw.upper_bound(rw.load_world(world)).value)
    assert "Theorem 1: does not hold" in " ".join(printed(capsys, "theorem", world).replace(",", ":").split())


def test_simulate_earns_less_than_the_bound(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "simulate", world, "--policies", "roguewk-ucb,ucb1", "--replicates", "9", "--json")
    runs = json.loads(told)
    assert all(each["expected_reward"] < rw.upper_bound(rw.load_world(world)).value for each in runs["policies"])


def test_a_study_sweeps_the_wear_of_an_arm_that_counts(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("study.toml").write_text(STUDY)
    folder = printed(capsys, "study", "study.toml", "--quiet", "--engine", "threads").strip()
    frame = rw.open_results(folder).frame()
    assert len(frame) == 2 * 3
    assert frame["world"].nunique() == 2


@pytest.mark.parametrize("family", ["poisson", "bounded"])
def test_every_policy_plays_or_refuses_in_one_sentence(family: str) -> None:
    arms = [
        rw.everyday_arm(name, rested=0.6, wear=wear, half_life=2, family=family)
        for name, wear in (("a", 0.5), ("b", 0.1))
    ]
    world = rw.World(
        rw.Problem(arms, [rw.Resource("staff", 4.0)], 12), [0.0, 0.0], [[0.3], [rw.Cost.uniform(0.1, 0.4)]]
    )
    refusals = {name: refusal(world, name, {}) for name in all_recipes()}
    assert all("needs rewards" in sentence for sentence in refusals.values() if sentence)
    refused = {name for name, sentence in refusals.items() if sentence}
    coins_only = {"gittins", "thompson-beta"}
    assert coins_only <= refused
    assert ("exp3" in refused) == (family == "poisson")
    assert not refused & {"ucb1", "kl-ucb", "glm-ucb", "roguewk-ucb", "roguewk-plan", "rogue-ts", "whittle"}
