"""What is learned about fitting without building everything is what building everything says."""

import pytest

import roguewk as rw
from roguewk.engine.simulate import refusal
from roguewk.policy.registry import all_recipes
from roguewk.study.plan import fit
from roguewk.study.plan.fit import Fit
from roguewk.study.plan.model import PlannedPolicy
from roguewk.study.plan.read import load_study


@pytest.mark.parametrize("world", ["paper", "two_dimensional", "gaussian"])
def test_every_policy_fits_where_it_can_be_built(world: str) -> None:
    learned = Fit()
    for changes in ({}, {"horizon": 3}, {"idle": True}):
        one = rw.catalog.get(world).with_problem(**changes)
        for name in all_recipes():
            assert learned.refusal(one, PlannedPolicy(name, name, {})) == refusal(one, name, {}), name


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("randomised", {"chances": [0.5, 0.2, 0.1]}),
        ("rogue-ts-clipped", {"p_min": 0.4}),
        ("roguewk-ucb", {"restart": True}),
        ("clairvoyant", {"x0": [0.1]}),
    ],
)
def test_what_only_building_finds_out_is_found_out(name: str, settings: dict[str, object]) -> None:
    world = rw.catalog.paper(budget=20)
    sentence = refusal(world, name, settings)
    assert sentence
    assert Fit().refusal(world, PlannedPolicy(name, name, settings)) == sentence


def test_a_sweep_of_budgets_builds_a_part_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    real = fit._tried

    def counted(*given: object) -> str:
        built.append(given[1].name)  # type: ignore[attr-defined]
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(fit, "_tried", counted)
    assert len(load_study("paper").worlds) == 30
    assert 0 < len(built) <= 3 * 3
