"""Explanations: every number derived again, every status, and what the command draws."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.image import imread
from scipy.special import expit

import roguewk as rw
from roguewk import cli
from roguewk.experiment.explain.explain import tell
from roguewk.kernel.arrays import Vector
from roguewk.part.status import Status
from roguewk.relax.lookahead import DEPTHS
from roguewk.relax.worth import LEAST
from tests.plain_worlds import NAMES as PLAIN_WORLDS

SMALL = rw.World(
    rw.Problem(
        [
            rw.Arm("call", A=0.6, B=-0.9, K=0.3, alpha=0.4, beta=0.9, state=(-4.0, 4.0)),
            rw.Arm("walk", A=0.8, B=-0.4, K=0.1, alpha=-0.2, beta=0.7, state=(-4.0, 4.0)),
        ],
        [rw.Resource("euros", 1500.0, largest_cost=20.0), rw.Resource("staff", 60.0)],
        horizon=300,
        idle=True,
    ),
    [0.5, 0.2],
    [[rw.Cost.fixed(12.0), rw.Cost.fixed(0.3)], [rw.Cost.fixed(8.0), rw.Cost.fixed(0.1)]],
)
TRUTH: dict[str, Any] = {"x0": [[0.5], [0.2]], "costs": [[12.0, 0.3], [8.0, 0.1]]}


def worth(arm: rw.Arm, price: float, rounds: int) -> tuple[Vector, Vector]:
    """States and what they are worth at this price of a pull with so many rounds to go, by plain value iteration."""
    x = np.linspace(-4, 4, 3001)
    reward, value = expit(arm.alpha + arm.beta * x), np.zeros(x.size)
    for _ in range(rounds):
        rested = np.interp(arm.A * x + arm.K, x, value)
        value = np.maximum(rested, np.interp(arm.A * x + arm.B + arm.K, x, value) + reward - price)
    return x, value


def test_reward_wear_and_price_are_what_plain_value_iteration_finds() -> None:
    policy = rw.make_policy("clairvoyant", SMALL.problem, **TRUTH)
    states, costs = np.array([0.5, 0.2]), np.array(TRUTH["costs"])
    for _ in range(12):
        decision = policy.select()
        assert decision.outlook is not None
        planner = policy.parts.allocation.part
        assert planner.plan[0]["rounds"] > LEAST + max(DEPTHS)  # beyond, a round more adds a constant
        for a, arm in enumerate(SMALL.problem.arms):
            charge = float(costs[a] @ decision.prices)
            x, value = worth(arm, charge + decision.outlook.round_price, LEAST)
            rested = float(arm.A) * states[a] + float(arm.K)
            wear = np.interp(rested + float(arm.B), x, value) - np.interp(rested, x, value)
            assert decision.outlook.now[a] == pytest.approx(expit(arm.alpha + arm.beta * states[a]), abs=1e-12)
            assert decision.outlook.charge[a] == pytest.approx(charge, abs=1e-12)
            assert decision.outlook.wear[a] == pytest.approx(wear, abs=5e-3)  # the planner knows 49 prices
            grid, values = planner.worth.grids[a], planner.notes.tables[a]
            nodes = grid["low"] + grid["gap"] * np.arange(grid["count"])
            after = np.interp([rested + float(arm.B), rested], nodes, values[: nodes.size])
            assert decision.outlook.wear[a] == pytest.approx(after[0] - after[1], abs=1e-9)
            assert decision.outlook.learning[a] == 0
            pulled = float(decision.arm == a)
            states[a] = arm.A * states[a] + arm.B * pulled + arm.K
        if decision.arm is not None:
            policy.update(decision, 1, costs[decision.arm])
    assert decision.prices.any()


def table(text: str) -> dict[str, list[float]]:
    """The numbers of each row of an explanation's table."""
    rows = {}
    for line in text.split("\n\n")[1].splitlines()[1:]:
        found = re.match(r"  (.+?)  +(-?[\d.].*)", line)
        if found:
            rows[found[1].strip()] = [float(word) for word in re.findall(r"-?\d+\.?\d*(?:e[+-]\d+)?", found[2])]
    return rows


def told(world: rw.World, name: str, rounds: int = 60, **parameters: Any) -> tuple[rw.Decision, ...]:
    return tell(world, name, parameters, rounds, seed=3).decisions


WORLDS = {name: rw.catalog.get(name) for name in PLAIN_WORLDS}


@pytest.mark.parametrize("name", ["roguewk-plan", "clairvoyant"])
@pytest.mark.parametrize("world", WORLDS)
def test_a_planners_explanation_adds_up_and_names_the_runner_up(world: str, name: str) -> None:
    place = WORLDS[world]
    for decision in told(place, name):
        text = decision.explain()
        words = " ".join(text.split())
        assert max(map(len, text.splitlines())) <= 80
        if decision.outlook is None:
            assert decision.status == "first pull of this arm"
            assert "\n\n" not in text
            continue
        seen = decision.outlook
        sums = seen.now + seen.wear - decision.cost_bounds @ decision.prices + seen.learning
        assert seen.sums == pytest.approx(sums, abs=1e-12)
        rows = table(text)
        for a, arm in enumerate(place.problem.arms):
            if arm.name in rows:
                parts = [seen.now[a], seen.wear[a], -seen.charge[a]] + [seen.learning[a]] * bool(seen.learning.any())
                assert rows[arm.name] == pytest.approx([*parts, sums[a]], abs=6e-3 * max(1, abs(sums[a])))
        others = [(sums[a], repr(arm.name)) for a, arm in enumerate(place.problem.arms) if a != decision.arm]
        if decision.arm is None:
            best, nearest = max(others)
            assert place.problem.idle
            assert nearest in words
            assert ("looking" in words) == (best > 1e-9)
            assert f"{abs(best):.3g}" in words
            continue
        best, rival = max([*others, (0.0, "an idle round")] if place.problem.idle else others)
        margin = sums[decision.arm] - best
        assert words.startswith(f"Arm {decision.name!r} is played: it promises {seen.now[decision.arm]:.3g} now")
        assert decision.name in rows
        assert ("Looking one round ahead" in words) == (margin < -1e-9)
        expected = rf"one round ahead, {rival} would be" if margin < -1e-9 else rf"The runner-up, {rival}, comes to"
        assert expected in words
        assert f"{abs(margin):.3g} {'more' if margin < 0 else 'less'}" in words


def test_looking_further_ahead_is_told_where_it_decides() -> None:
    decision = rw.make_policy("clairvoyant", SMALL.problem, **TRUTH).select()
    assert decision.outlook is not None
    now = decision.outlook.now - decision.outlook.sums + [0.01, 0.05]  # sums of 0.01 and 0.05
    outlook = decision.outlook._replace(now=now, ahead=3)
    played, idle = (
        " ".join(decision._replace(outlook=outlook, arm=arm, status=status.sentence, code=status).explain().split())
        for arm, status in ((0, Status.PLANNED), (None, Status.WAITING))
    )
    assert "0.01 in all. Looking one round ahead, 'walk' would be better (0.05, 0.04 more); looking 3 rounds" in played
    assert "ahead, it is best to begin with 'call'." in played
    assert idle.startswith("No arm is played: looking 3 rounds ahead, it is best to begin with an idle round, though a")
    assert "though a pull of 'walk' would gain 0.05 in this round alone" in idle


def test_what_ties_is_said_to_tie() -> None:
    decision = rw.make_policy("clairvoyant", SMALL.problem, **TRUTH).select()
    assert decision.outlook is not None
    seen = decision.outlook

    def said(*sums: float) -> str:
        outlook = seen._replace(now=seen.now - seen.sums + sums)
        chosen = decision._replace(outlook=outlook, arm=0, status=Status.PLANNED.sentence, code=Status.PLANNED)
        return " ".join(chosen.explain().split("\n\n")[0].split())

    assert said(0.526, 0.526).endswith("0.526 in all. 'walk' comes to just as much.")
    assert said(0.0, 0.0).endswith("0 in all. 'walk' and an idle round come to just as much.")
    assert said(0.5, 0.0).endswith("0.5 in all. The next, 'walk' and an idle round, tie: they come to 0, 0.5 less.")
    assert said(0.5, 0.1).endswith("0.5 in all. The runner-up, 'walk', comes to 0.1, 0.4 less.")


def test_arms_of_equal_value_are_said_to_tie() -> None:
    decision = told(WORLDS["paper"], "ucb1", 30)[-1]

    def said(*bounds: float) -> str:
        figures = decision.figures.copy()
        figures[decision.setting.places.reward_bounds] = bounds
        return " ".join(decision._replace(figures=figures, arm=0).explain().split("\n\n")[0].split())

    tied = "0.5, is the largest. 'arm 1' and 'arm 2' have just as much. Costs are not looked at."
    assert said(0.5, 0.5, 0.5).endswith(tied)
    assert "The next, 'arm 1' and 'arm 2', tie: they have 0.5, 0.2 less." in said(0.7, 0.5, 0.5)
    assert "The runner-up, 'arm 1', has 0.5, 0.2 less." in said(0.7, 0.5, 0.4)
    assert "'arm 1' has just as much." in said(0.5, 0.5, 0.2)


def test_what_a_round_is_worth_is_told_in_plain_words() -> None:
    decision = rw.make_policy("clairvoyant", SMALL.problem, **TRUTH).select()
    assert decision.outlook is not None
    scarce, surplus, free = (
        " ".join(decision._replace(outlook=decision.outlook._replace(round_price=price)).explain().split())
        for price in (0.366, -0.1, 0.0)
    )
    assert "A round that one arm uses cannot be used by another: that is worth 0.366 of reward, and" in scarce
    assert "Every round has to be played, and one more would cost 0.1 of reward: later pulls are credited" in surplus
    assert "This round passes" not in free
    untouched = decision._replace(setting=decision.setting._replace(resources=()))
    alone = untouched._replace(outlook=decision.outlook._replace(round_price=0.366)).explain()
    assert "\nA round that one arm uses" in alone


def test_prices_and_costs_are_told_in_the_users_units() -> None:
    decision = told(WORLDS["advertising"], "clairvoyant")[-1]
    arm = 0 if decision.arm is None else decision.arm
    text = " ".join(decision.explain().split())
    assert WORLDS["advertising"].mean_costs[arm] == pytest.approx(decision.cost_bounds[arm])
    assert f"{decision.cost_bounds[arm, 0]:.3g} of 'euros' at {decision.prices[0]:.3g} a unit" in text
    # the same world with costs counted in shares of the largest
    plain = WORLDS["advertising"].problem
    scaled = rw.Problem(plain.arms, [rw.Resource(r.name, r.budget / r.unit) for r in plain.resources], 1500, True)
    truth: dict[str, Any] = {"x0": [x0.tolist() for x0 in WORLDS["advertising"].x0]}
    costs = WORLDS["advertising"].mean_costs
    one = rw.make_policy("clairvoyant", plain, **truth, costs=costs.tolist()).select()
    other = rw.make_policy("clairvoyant", scaled, **truth, costs=(costs / plain.scales).tolist()).select()
    assert one.outlook is not None
    assert other.outlook is not None
    assert one.outlook.sums == pytest.approx(other.outlook.sums, abs=1e-9)
    assert one.explain().split("\n\n")[:2] == other.explain().split("\n\n")[:2]


def test_a_linear_programs_explanation_has_its_bounds_prices_and_probabilities() -> None:
    idle = drawn = 0
    for decision in told(WORLDS["messages"], "roguewk-ucb", 150, cost_scale=0.1)[3:]:
        text, rows = decision.explain(), table(decision.explain())
        priced = (decision.cost_bounds * decision.prices).sum(axis=1)
        for a, arm in enumerate(WORLDS["messages"].problem.arms):
            bound, share = decision.reward_bounds[a], decision.probabilities[a]
            assert rows[arm.name] == pytest.approx([bound, -priced[a], bound - priced[a], share], abs=6e-4)
        assert rows["(idle round)"] == pytest.approx([0, 1 - decision.probabilities.sum()], abs=6e-4)
        if decision.arm is None:
            idle += 1
            assert text.startswith("No arm is played: the optimal shares leave a round idle with probability")
            assert (decision.reward_bounds - priced).max() == pytest.approx(0, abs=1e-9)
            assert "gains nothing" in " ".join(text.split())
        elif decision.probabilities.max() < 0.99:
            drawn += 1
            assert f"it was drawn with probability {decision.probabilities[decision.arm]:.3g}." in " ".join(
                text.split()
            )
    assert idle > 5
    assert drawn > 5


def test_ucb1_says_that_its_bound_is_the_largest() -> None:
    decision = told(WORLDS["paper"], "ucb1", 30)[-1]
    order = np.argsort(-decision.reward_bounds)
    text = " ".join(decision.explain().split("\n\n")[0].split())
    assert decision.arm == order[0]
    bounds = [f"{bound:.3g}" for bound in decision.reward_bounds[order]]
    assert text.startswith(f"Arm 'arm {order[0]}' is played: its value, {bounds[0]}, is the largest.")
    assert f"The runner-up, 'arm {order[1]}', has {bounds[1]}" in text


def test_where_the_largest_bound_is_played_the_runner_up_has_the_next_largest() -> None:
    world = rw.catalog.paper(budget=3.0, horizon=100)
    for decision in told(world, "sw-ucb", 9, cost_scale=0.0, infeasible="ignore")[4:]:
        text, order = " ".join(decision.explain().split()), np.argsort(-decision.reward_bounds, kind="stable")
        first, second = decision.reward_bounds[order[:2]]
        assert decision.arm == order[0]
        assert f"The runner-up, 'arm {order[1]}', has {second:.3g}, " in text
        assert f"{first - second:.3g} less." in text or "just as much." in text


def situations() -> dict[str, rw.Decision]:
    """A decision of every status."""
    paper = rw.catalog.paper()
    found: dict[str, rw.Decision] = {}
    for name in ("roguewk-plan", "ucb1", "roguewk-ucb", "eps-rogue"):
        found |= {decision.status: decision for decision in told(paper, name, 10)}
    found |= {decision.status: decision for decision in told(WORLDS["messages"], "roguewk-plan", 20)}
    for rule in ("normalise", "ignore"):
        short = rw.catalog.paper(budget=3.0, horizon=100)
        found |= {each.status: each for each in told(short, "sw-ucb", 9, cost_scale=0.0, infeasible=rule)}
    bad = rw.Arm("bad", A=0.5, B=-0.1, alpha=-3.0, sigma=0.1, family="gaussian")
    world = rw.World(rw.Problem([bad], [rw.Resource("r", 0.3)], 20), [0.0], [[rw.Cost.fixed(0.1)]])
    found |= {decision.status: decision for decision in told(world, "roguewk-ucb", 2, cost_scale=0.0)}
    policy = rw.make_policy("roguewk-plan", rw.catalog.paper(horizon=4).problem)
    found |= {decision.status: decision for decision in (policy.select(available=[]) for _ in range(5))}
    poor = rw.catalog.messages(horizon=5)
    found |= {decision.status: decision for decision in told(poor, "randomised", 1)}
    waiting = rw.make_policy("ucb1", rw.catalog.paper(budget=3.0).problem)
    found |= {decision.status: decision for decision in (waiting.select() for _ in range(5))}
    capped = rw.make_policy("ucb1", rw.Problem([rw.Arm("call", alpha=0.0)], [rw.at_most(1, every=7)], 30))
    found |= {decision.status: decision for decision in (capped.select() for _ in range(2))}
    night = rw.Problem(
        [rw.Arm("call", alpha=0.0, when={"night": False})], [], 9, contexts=[rw.Context("hour", cycle=["night"])]
    )
    forbidden = rw.make_policy("ucb1", night).select()
    found[forbidden.status] = forbidden
    over = tell(rw.catalog.paper(budget=1.0), "ucb1", {}, 30).over
    assert over is not None
    last = found["optimal"]
    unsolved = last._replace(status=Status.UNSOLVED.sentence, code=Status.UNSOLVED)
    drawn = found["drawn at random, the better arms more often"]
    others = [
        drawn._replace(status=code.sentence, code=code)
        for code in (Status.RATIO, Status.SCHEDULED, Status.UNKNOWN, Status.IN_ARREARS, Status.GIVEN)
    ]
    return {**found, over.status: over, unsolved.status: unsolved} | {each.status: each for each in others}


def test_every_status_has_an_explanation_that_fits_80_columns() -> None:
    found = situations()
    assert {decision.code for decision in found.values()} == set(Status)
    for status, decision in found.items():
        text = decision.explain()
        assert text.startswith("No arm is played: " if decision.arm is None else f"Arm {decision.name!r} is played: ")
        assert max(map(len, text.splitlines())) <= 80, text
        assert "nan" not in text
        single = "\n\n" not in text
        assert single == any(
            word in status
            for word in ("first pull", "too little", "available", "horizon", "is spent", "cover", "have not come")
        )


def test_no_number_of_another_round_is_shown() -> None:
    problem = rw.catalog.paper(budget=1e6).problem
    policy = rw.make_policy("roguewk-plan", problem, doubling=10, restart=True)
    for t in range(20):
        decision = policy.select()
        assert decision.outlook is not None, t
        policy.update(decision, 1, [0.1, 0.1, 0.1])
    policy.parts.desk.ledger.spent[:] = 1e9
    assert policy.select().outlook is None


def test_an_outlook_is_not_changed_by_later_rounds() -> None:
    policy = rw.make_policy("clairvoyant", SMALL.problem, **TRUTH)
    first = policy.select()
    text = first.explain()
    for _ in range(5):
        policy.select()
    assert first.explain() == text


def test_an_arm_that_is_not_available_is_no_runner_up() -> None:
    for name, parameters in (("clairvoyant", TRUTH), ("ucb1", {}), ("roguewk-ucb", {})):
        policy = rw.make_policy(name, rw.Problem(SMALL.problem.arms, SMALL.problem.resources, 300), **parameters)
        for _ in range(3):
            policy.update(policy.select(), 1, [1.0, 0.1])
        text = policy.select(available=["walk"]).explain()
        assert re.search(r"call .*not available", text)
        assert "runner-up" not in text


def test_a_restored_policy_explains_itself_alike() -> None:
    policy = rw.make_policy("roguewk-plan", WORLDS["messages"].problem, seed=5)
    for _ in range(8):
        decision = policy.select()
        if decision.arm is not None:
            policy.update(decision, 1, [0.5, 2.0])
    restored = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert restored.select().explain() == policy.select().explain()


def test_long_names_many_arms_and_large_rewards_fit_80_columns() -> None:
    arms = [
        rw.Arm(f"{'long ' * 30}{a}", A=0.5, B=-1e5, alpha=1e6 + a, sigma=10.0, family="gaussian", state=(-1e6, 1e6))
        for a in range(12)
    ]
    problem = rw.Problem(arms, [rw.Resource("r" * 90, 1e4, 1e3) for _ in range(1)], 50, idle=True)
    world = rw.World(problem, [0.0] * 12, [[rw.Cost.fixed(400.0)]] * 12)
    for name in ("clairvoyant", "roguewk-ucb"):
        text = told(world, name, 14)[-1].explain()
        assert max(map(len, text.splitlines())) <= 80, text
        assert re.search(r"and [34] more arms", text)
        assert re.search("played|chosen", text.split("\n\n")[1])


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert cli.main(["explain", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert max(map(len, out.splitlines())) <= 80
    return out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tell(rw.catalog.paper(), rounds=5)  # compiles, and says so only here
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_explains_rounds_and_draws_what_the_engine_plays(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, "catalog:messages", "--rounds", "40", "--seed", "3", "--out", "new/why")
    decisions = told(WORLDS["messages"], "roguewk-plan", 40)
    pulls, idle = ([d for d in decisions if (d.arm is None) == empty] for empty in (False, True))
    for decision in (pulls[-1], idle[-1]):
        assert f"Round {decision.round}\n\n{decision.explain()}\n" in out
    assert {path.name for path in (folder / "new/why").iterdir()} == {"explain.csv", "explain.svg", "explain.png"}
    frame = pd.read_csv(folder / "new/why/explain.csv", keep_default_na=True)
    runs = rw.simulate(WORLDS["messages"], "roguewk-plan", replicates=1, seed=3, curves=True)
    (curves,) = runs.curves.values()
    names = [arm.name for arm in WORLDS["messages"].problem.arms]
    assert [-1 if pd.isna(arm) else names.index(arm) for arm in frame["arm"]] == curves.arms[0, :40].tolist()
    assert frame["reward"].tolist() == curves.rewards[0, :40].tolist()
    assert frame["cost_staff minutes"].to_numpy() == pytest.approx(curves.costs[0, :40, 1])
    spent = np.cumsum(curves.costs[0, :39, 1]) / WORLDS["messages"].problem.budgets[1]
    assert frame["left_staff minutes"].to_numpy() == pytest.approx([1.0, *(1 - spent)])
    assert frame["price_interruptions"].tolist() == [decision.prices[0] for decision in decisions]
    expected = [frame[f"mean_reward_{names[arm]}"][t] for t, arm in enumerate(curves.arms[0, :40]) if arm >= 0]
    assert expected == pytest.approx(curves.expected[0, :40][curves.arms[0, :40] >= 0])


def test_the_picture_names_everything_and_shows_idle_rounds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "catalog:messages", "--rounds", "30", "--out", ".")
    svg, png = Path("explain.svg").read_text(), imread("explain.png")
    shown = (
        "reminder",
        "call from a coach",
        "interruptions",
        "12 staff minutes",
        "a round",
        "idle round",
        "budget left",
    )
    assert all(word in svg for word in shown)
    assert png.shape[0] > 600
    assert 0.005 < (png[..., :3].min(axis=2) < 0.5).mean() < 0.3  # ink, but not too much
    run(capsys, "catalog:messages", "--no-idle", "--policy", "ucb1", "--rounds", "30", "--out", ".")
    svg = Path("explain.svg").read_text()
    assert "idle round" not in svg
    assert "price in rewards" not in svg


@pytest.mark.parametrize("world", ["many_arms", "gaussian", "two_dimensional"])
def test_every_kind_of_arm_can_be_drawn(world: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, f"catalog:{world}", "--rounds", "25", "--quiet", "--out", "x") == "x\n"
    svg = Path("x/explain.svg").read_text()
    assert all(f">{arm.name}<" in svg for arm in WORLDS[world].problem.arms)


def test_the_command_says_how_a_game_ends_early(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "catalog:paper:budget=2", "--policy", "sw-ucb:cost_scale=0.1", "--round", "0")
    assert out.startswith("Round 0\n\nArm 'arm 0' is played: ")
    assert re.search(r"After \d+ rounds\n\nNo arm is played: the budget of 'resource \d' is spent\.\n", out)
    assert "open roguewk-explain" in out


@pytest.mark.parametrize(
    ("world", "rounds", "sentence"),
    [
        ("catalog:paper:horizon=12", "12", ""),
        ("catalog:paper:horizon=12", "2000", "The world has 12 rounds, so all of them are played instead of 2,000."),
        ("catalog:paper:budget=2", "40", "The game is over after 4 rounds, so no more of the 40 are played."),
    ],
)
def test_rounds_beyond_the_end_are_told_to_be_none(
    world: str, rounds: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, world, "--policy", "ucb1", "--rounds", rounds)
    start = f"{sentence}\n\n" if sentence else ""
    assert out.startswith(f"{start}Round ")


def test_a_world_shorter_than_usual_is_played_without_a_word_and_a_late_round_is_reached(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "catalog:paper:horizon=12", "--policy", "ucb1").startswith("Round 11\n")
    assert run(capsys, "catalog:paper", "--policy", "ucb1", "--round", "70").startswith("Round 70\n")


def test_a_world_without_resources_and_with_odd_names_is_drawn(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.toml").write_text('horizon = 9\n[[arm]]\nname = "$x^2$ 電話"\nrested = 0.5\nwear = 0.4\nhalf_life = 2\n')
    out = run(capsys, "odd.toml")
    assert "There was nothing else to do." in " ".join(out.split())
    assert "After 9 rounds" in out
    assert "電話" in Path("roguewk-explain/explain.svg").read_text()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["nope.toml"], "nope.toml"),
        (["catalog:paper", "--rounds", "0"], "rounds is 0: give a whole number from 1 to 5000"),
        (
            ["catalog:paper", "--rounds", "10", "--round", "10"],
            "round is 10, and 10 rounds are played: give a number from 0 to 9",
        ),
        (["catalog:paper", "--policy", "ucb2"], "'ucb1'"),
        (["catalog:paper", "--policy", "ucb1,sw-ucb"], "2 policies are given: give one"),
        (["catalog:paper", "--policy", "sw-ucb:w9=2"], "w9"),
        (["catalog:paper", "--seed", "-1"], "seed is -1"),
        (["catalog:paper", "--out", ""], "--out is ''"),
    ],
)
def test_bad_input_gets_one_sentence_and_writes_nothing(
    words: list[str], named: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["explain", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("roguewk: ")
    assert err.count("\n") == 1
    assert named in err
    assert not list(folder.iterdir())


def test_arms_that_were_never_tried_are_shown_as_such() -> None:
    policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
    policy.select()
    text = policy.select(available=[0]).explain()
    assert text.count("untried") == 2
    assert "inf" not in text


def test_error_diffusion_does_not_claim_to_be_the_linear_program() -> None:
    idle = drawn = 0
    for decision in told(WORLDS["messages"], "roguewk-ucb-tuned", 60)[4:]:
        text = " ".join(decision.explain().split())
        assert "linear program plays nothing else" not in text
        idle += int(decision.arm is None and text.startswith("No arm is played: no arm is due."))
        drawn += int("it was played least, compared with the shares" in text)
    assert idle > 5
    assert drawn > 5
