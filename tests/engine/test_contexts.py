"""Whoever plays a world meets the same contexts, and keeps to what they forbid: the simulator, games, environments."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.experiment.explain.explain import tell
from roguewk.interop.environment import WorldEnv
from roguewk.world.game import Game
from tests.problem.surrounded import HORIZON, days_of, worlds

# Those that use contexts, and those that do not; with the parameters that they ask for.
POLICIES: dict[str, dict[str, Any]] = {
    "roguewk-plan": {},
    "roguewk-ucb": {},
    "roguewk-ts": {},
    "clairvoyant": {},
    "rogue-ts-clipped": {},
    "eps-rogue": {},
    "whittle": {},
    "recharging": {},
    "ucb1": {},
    "ts-lp-resolved": {},
    "exp3": {},
    "sw-ucb": {},
    "randomised": {"chances": 1.0},
    "roguewk-plan, learned": {"dynamics": "learned"},
    "roguewk-ucb, learned": {"dynamics": "learned"},
}


def spec(name: str) -> tuple[str, dict[str, Any]]:
    return name.partition(",")[0], POLICIES[name]


def values_of(world: rw.World, seed: int, replicate: int) -> list[dict[str, str]]:
    return Game(world, seed, replicate).contexts_to_come()


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(world=worlds(), seed=st.integers(0, 99))
def test_games_have_the_contexts_that_are_written_and_tell_what_is_allowed(world: rw.World, seed: int) -> None:
    days, game, rng = days_of(world), Game(world, seed), np.random.default_rng(seed)
    to_come = game.contexts_to_come()
    for t in range(HORIZON):
        values = game.context
        assert values == to_come[t] == days.at(t, game.drawn or {})
        allowed = [days.allows(arm.name, values) for arm in world.arms]
        assert (game.available() or [True] * len(allowed)) == allowed
        means = game.mean_rewards()
        for a, arm in enumerate(world.arms):
            level = arm.alpha + float(game.states[a] @ arm.weights) + days.shift(arm.name, values)
            assert means[a] == pytest.approx(1 / (1 + np.exp(-level)))
        if not all(allowed):
            with pytest.raises(rw.InputError, match=f"is left out of round {t} by its context"):
                game.play(allowed.index(False))
        free = [a for a, may in enumerate(allowed) if may]
        game.play(int(rng.choice(free)) if free and rng.random() < 0.7 else None)
        if game.stopped_by >= 0:
            break


@pytest.mark.parametrize("name", list(POLICIES))
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(world=worlds(), seed=st.integers(0, 99), late=st.booleans())
def test_no_policy_pulls_in_the_simulator_what_a_context_forbids(
    name: str, world: rw.World, seed: int, late: bool
) -> None:
    world = world.with_outcomes(rw.Outcomes(delay=(0, 4))) if late else world
    curves = rw.simulate(world, {name: spec(name)}, replicates=2, seed=seed, curves=True).curves[name]
    days = days_of(world)
    for row in range(2):
        for t, values in enumerate(values_of(world, seed, row)):
            arm = int(curves.arms[row, t])
            free = [a for a, each in enumerate(world.arms) if days.allows(each.name, values)]
            assert arm < 0 or arm in free
            if arm == -1 and not (late or world.problem.idle):
                assert not free  # only contexts let rounds pass idle that have to be played


def test_contexts_are_as_frequent_as_their_chances_and_the_same_for_every_policy() -> None:
    contexts = [
        rw.Context("place", ["home", "out", "driving"], chances=[0.6, 0.0, 0.4]),
        rw.Context("hour", cycle=["day", "night"], each=3),
        rw.Context("mood", ["good", "bad"], chances=[0.3, 0.7]),
    ]
    arms = [rw.Arm("walk", alpha=0.0, when={"bad": -0.5})]
    world = rw.World(rw.Problem(arms, [], 500, contexts=contexts), [0.0], [[]])
    seen = [values for r in range(40) for values in values_of(world, 7, r)]
    size = len(seen)
    for place, p in (("home", 0.6), ("out", 0.0), ("driving", 0.4)):
        for mood, q in (("good", 0.3), ("bad", 0.7)):
            share = sum(each["place"] == place and each["mood"] == mood for each in seen) / size
            assert share == pytest.approx(p * q, abs=4 * np.sqrt(max(p * q, 1e-9) / size))
    moods = np.array([each["mood"] == "good" for each in seen], dtype=float).reshape(40, 500)
    assert abs(np.corrcoef(moods[:, 1:].ravel(), moods[:, :-1].ravel())[0, 1]) < 4 / np.sqrt(size)
    assert abs(np.corrcoef(moods[0], moods[1])[0, 1]) < 4 / np.sqrt(500)
    assert [each["hour"] for each in seen[:8]] == ["day"] * 3 + ["night"] * 3 + ["day"] * 2
    told: dict[str, list[dict[str, str]]] = {}
    listeners = {name: (Listener, {"told": told.setdefault(name, [])}) for name in "ab"}
    rw.simulate(world, listeners, replicates=2, seed=7, threads=1)
    assert told["a"] == told["b"] == seen[:1000]


class Listener:
    """Notes the contexts that it is told."""

    def __init__(self, problem: rw.Problem, seed: int, told: list[dict[str, str]]) -> None:
        self.told = told

    def select(self, context: dict[str, str]) -> int:
        self.told.append(context)
        return 0

    def update(self, decision: Any, reward: float, costs: Any) -> None:
        pass


@pytest.mark.parametrize(
    ("family", "sigma"), [("bernoulli", None), ("gaussian", 0.5), ("poisson", None), ("bounded", None)]
)
def test_rewards_are_those_of_the_shifted_level(family: str, sigma: float | None) -> None:
    """Means by NumPy's formulas from the states that were recorded, rewards by their averages."""
    when: Any = {"rain": -0.8, "weekend": 0.5}
    arms = [
        rw.Arm("walk", A=0.6, B=-0.4, alpha=0.3, beta=0.9, family=family, sigma=sigma, when=when),
        rw.Arm("turn", A=[[0.8, 0.1], [0, 0.5]], B=[-0.3, 0.2], K=[0, 0], alpha=0.1, beta=[1.0, -0.5], family=family,
               sigma=sigma, when={"rain": 0.4}),
    ]  # fmt: skip
    contexts = [rw.Context("sky", ["sun", "rain"], [0.7, 0.3]), rw.Context("day", cycle=["week", "weekend"], each=2)]
    world = rw.World(rw.Problem(arms, [], 60, contexts=contexts), [-0.2, [-0.1, 0.1]], [[], []])
    means: dict[str, Any] = {
        "gaussian": lambda level: level,
        "poisson": np.exp,
        "bernoulli": lambda level: 1 / (1 + np.exp(-level)),
        "bounded": lambda level: 1 / (1 + np.exp(-level)),
    }
    for policy in ("roguewk-ts", ("randomised", {"chances": 1.0})):
        runs = rw.simulate(world, {"it": policy}, replicates=300, seed=2, curves=True)
        curves, days = runs.curves["it"], days_of(world)
        for r in range(300):
            for t, values in enumerate(values_of(world, 2, r) if r < 20 else []):
                arm = arms[int(curves.arms[r, t])]
                state = curves.states[r, t, int(curves.arms[r, t]), : arm.dimension]
                level = arm.alpha + float(state @ arm.weights) + days.shift(arm.name, values)
                assert curves.expected[r, t] == pytest.approx(means[family](level), abs=1e-12)
        off = curves.rewards - curves.expected
        assert abs(off.mean()) < 4 * off.std() / np.sqrt(off.size)
        for t in range(4):  # no context is special
            assert abs(off[:, t::4].mean()) < 4.5 * off.std() / np.sqrt(off[:, t::4].size)


@pytest.mark.parametrize("name", list(POLICIES))
def test_a_context_that_does_nothing_changes_no_decision(name: str) -> None:
    world = rw.catalog.messages(horizon=80)
    idle = [rw.Context("sky", ["sun", "rain"], [0.7, 0.3]), rw.Context("day", cycle=["week", "weekend"], each=2)]
    problem = rw.Problem(world.arms, world.problem.resources, 80, world.problem.idle, contexts=idle)
    same = rw.World(problem, world.x0, world.costs)
    with_, without = (
        rw.simulate(each, {"it": spec(name)}, replicates=3, seed=1, curves=True) for each in (same, world)
    )
    if name in ("roguewk-plan", "clairvoyant", "roguewk-plan, learned"):
        # Where rounds differ, these look no further ahead than one round: close, but not the same.
        reward = [runs.frame()["expected_reward"].mean() for runs in (with_, without)]
        assert reward[0] == pytest.approx(reward[1], rel=0.1)
        return
    np.testing.assert_array_equal(with_.curves["it"].arms, without.curves["it"].arms)
    np.testing.assert_array_equal(with_.curves["it"].rewards, without.curves["it"].rewards)


class AtRandom:
    """Any arm that is available, and what contexts say, in plain Python."""

    def __init__(self, problem: rw.Problem, seed: int) -> None:
        self.rng, self.days, self.t = np.random.default_rng(seed), days_of(problem), 0
        self.problem = problem

    def select(self, context: dict[str, str], available: list[bool] | None = None) -> Any:
        allowed = [self.days.allows(arm.name, context) for arm in self.problem.arms]
        assert context == self.days.at(self.t, context)
        assert (available or [True] * len(allowed)) == allowed
        self.t += 1
        free = np.flatnonzero(allowed)
        return int(self.rng.choice(free)) if free.size else None

    def update(self, decision: Any, reward: float, costs: Any) -> None:
        pass


class Deaf(AtRandom):
    """Asks for neither."""

    def select(self) -> Any:  # type: ignore[override]
        return 0


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(world=worlds(), seed=st.integers(0, 99))
def test_a_policy_in_plain_python_is_told_the_context_and_what_it_forbids(world: rw.World, seed: int) -> None:
    runs = rw.simulate(world, AtRandom, replicates=2, seed=seed, curves=True)
    days = days_of(world)
    for row in range(2):
        for t, values in enumerate(values_of(world, seed, row)):
            arm = int(runs.curves["AtRandom"].arms[row, t])
            assert arm < 0 or days.allows(world.arms[arm].name, values)


def test_a_policy_in_plain_python_that_does_not_ask_is_refused_only_where_arms_are_forbidden() -> None:
    place = rw.Context("place", ["home", "out"], [0.5, 0.5])
    for when, forbids in (({"out": 0.5}, False), ({"out": False}, True)):
        world = rw.World(rw.Problem([rw.Arm("walk", alpha=0.0, when=when)], [], 9, contexts=[place]), [0.0], [[]])
        if forbids:
            with pytest.raises(rw.InputError, match="let its select take `available`"):
                rw.simulate(world, Deaf, replicates=1)
        else:
            assert rw.simulate(world, Deaf, replicates=1).frame()["plays"][0] == 9


@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(world=worlds(), seed=st.integers(0, 99))
def test_a_compiled_policy_may_be_played_as_one_in_plain_python(world: rw.World, seed: int) -> None:
    def online(problem: rw.Problem, seed: int) -> rw.Policy:
        return rw.make_policy("roguewk-plan", problem, seed)

    runs = rw.simulate(world, {"compiled": "roguewk-plan", "online": online}, replicates=1, seed=seed, curves=True)
    np.testing.assert_array_equal(runs.curves["compiled"].arms, runs.curves["online"].arms)


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(world=worlds(), data=st.data())
def test_an_environment_shows_the_context_and_masks_what_it_forbids(world: rw.World, data: st.DataObject) -> None:
    env, days, over = WorldEnv(world), days_of(world), False
    observation, info = env.reset(seed=5)
    to_come = values_of(world, 5, 0)
    while not over:
        values = to_come[info["round"]]
        assert env.observation_space.contains(observation)
        shown = [float(values[context.name] == value) for context in world.contexts for value in context.values]
        assert observation["context"].tolist() == shown
        allowed = [days.allows(arm.name, values) for arm in world.arms]
        assert observation.get("available", np.ones(len(allowed))).astype(bool).tolist() == allowed
        masked = [bool(each) for each in info["action_mask"][: len(allowed)]]
        assert all(may for may, one in zip(allowed, masked, strict=True) if one) or not any(allowed)
        before = info["round"]
        observation, _, over, _, info = env.step(data.draw(st.integers(0, int(env.action_space.n) - 1)))
        assert info["round"] == before + 1


@pytest.mark.parametrize("outcomes", [rw.Outcomes(), rw.Outcomes(delay=(0, 6))])
def test_logs_and_stories_are_of_the_decisions_that_the_simulator_sees(outcomes: rw.Outcomes) -> None:
    world = busy().with_outcomes(outcomes)
    runs = rw.simulate(world, ["roguewk-plan", "roguewk-ucb"], replicates=2, seed=4, curves=True)
    story = tell(world, "roguewk-plan", rounds=40, seed=4)
    told = [-1 if decision.arm is None else decision.arm for decision in story.decisions]
    assert told == runs.curves["roguewk-plan"].arms[0, : len(told)].tolist()
    assert [decision.context for decision in story.decisions] == values_of(world, 4, 0)[: len(told)]
    assert story.frame()["context_place"].tolist() == [each["place"] for each in values_of(world, 4, 0)[: len(told)]]
    log = rw.log_runs(world, "roguewk-ucb", replicates=2, seed=4)
    for r in range(2):
        played = [arm % 3 for arm in runs.curves["roguewk-ucb"].arms[r] if arm > -2]  # the last action is to idle
        assert log.actions[log.replicates == r].tolist() == played
    frame = log.frame()
    every = [each for r in range(2) for each in values_of(world, 4, r)]
    assert frame["context_place"].tolist() == [each["place"] for each in every][: len(frame)]
    assert (frame.loc[frame["context_place"] == "driving", "arm"] != "walk").all()
    trial = log.micro_randomised()
    assert trial["context_hour"].tolist() == [each["hour"] for each in every]
    assert list(log.micro_randomised(complete=False).columns)[-2:] == ["context_place", "context_hour"]
    features = log.obp()["context"]
    assert features[:, -4:].sum(axis=1).tolist() == [2.0] * len(frame)


def busy() -> rw.World:
    """Contexts that are drawn, with chances that have to be learned, and that go round."""
    place = rw.Context("place", ["home", "driving"], chances=[0.7, 0.3])
    hour = rw.Context("hour", cycle=["day", "night"], each=4)
    arms = [
        rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2, when={"driving": False, "night": -0.5}),
        rw.everyday_arm("call", rested=0.5, wear=0.4, half_life=4, when={"night": False}),
    ]
    told = [rw.Context("place", ["home", "driving"]), hour]
    problem = rw.Problem(arms, [rw.Resource("minutes", 30.0)], 40, idle=True, contexts=told)
    return rw.World(problem, [0.0, 0.0], [[0.5], [rw.Cost.uniform(0.2, 1.0)]], contexts=[place, hour])


def test_rounds_in_which_all_is_forbidden_count_as_closed_in_logs() -> None:
    hour = rw.Context("hour", cycle=["day", "night"], each=2)
    problem = rw.Problem([rw.Arm("call", alpha=0.0, when={"night": False})], [], 8, contexts=[hour])
    log = rw.log_runs(rw.World(problem, [0.0], [[]]), "roguewk-ucb")
    assert log.frame()["available"].tolist() == [True, True, False, False] * 2
    assert log.micro_randomised()["availability"].tolist() == [1, 1, 0, 0] * 2
    assert log.frame()["context_hour"].tolist() == ["day", "day", "night", "night"] * 2


def test_who_knows_the_truth_is_told_the_chances_and_others_learn_them() -> None:
    world = busy()
    told = {
        name: rw.simulate(world, name, replicates=200, seed=1).frame()["expected_reward"].mean()
        for name in ("clairvoyant", "roguewk-plan")
    }
    assert told["clairvoyant"] > told["roguewk-plan"] - 0.3
