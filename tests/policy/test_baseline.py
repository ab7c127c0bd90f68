"""What policies make of idle rounds that bring something: what they are told, learn, save and weigh."""

import json
from typing import Any

import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.part.baseline import DRIFT
from roguewk.part.desk import baseline_now
from roguewk.world.game import Game

HORIZON = 60
ARMS = [rw.everyday_arm(name, rested=0.6, wear=0.5, half_life=4) for name in ("walk", "call")]
UNKNOWN = rw.Baseline(0.3, at_end=0.1, known=False)
LEARNERS = ["roguewk-plan", "roguewk-ucb", "thompson-beta", "recharging", "randomised"]


def world_of(baseline: rw.Baseline | None, budget: float = 6.0, arms: Any = ARMS) -> rw.World:
    problem = rw.Problem(arms, [rw.Resource("staff", budget)], HORIZON, idle=True, baseline=baseline)
    return rw.World(problem, [0.0] * len(arms), [[0.5]] * len(arms))


class Literal:
    """The mean of idle rounds, word for word as it is learned: the outcomes are replayed in the order they came."""

    def __init__(self, prior: float) -> None:
        self.prior = prior
        self.told: list[tuple[int, float]] = []

    def mean(self) -> float:
        mean, variance, newest, drift = self.prior, 1.0, -1, DRIFT / HORIZON ** (4 / 3)
        for round_, reward in self.told:
            passed = max(round_ - newest, 0)
            newest += passed
            variance += drift * passed
            gain = variance / (variance + 1.0 + drift * (newest - round_))
            mean += gain * (reward - mean)
            variance *= 1 - gain
        return mean


def idle_now(policy: rw.Policy) -> float:
    return baseline_now(policy.parts.desk)


def play(policy: rw.Policy, game: Game, rounds: int, told: list[tuple[int, float]]) -> None:
    """Let the policy decide, but for every third round, which is left idle."""
    for t in range(rounds):
        if t % 3 == 2:
            reward, _ = game.play(None)
            told.append((t, reward))
            policy.update(policy.follow(None), reward=reward)
            continue
        decision = policy.select()
        reward, costs = game.play(decision.arm)
        if decision.arm is None:
            told.append((decision.round, reward))
            policy.update(decision, reward=reward)
        else:
            policy.update(decision, reward, costs)


def test_what_is_told_is_taken_as_it_is() -> None:
    baseline = rw.Baseline(0.3, at_end=0.1)
    policy = rw.make_policy("ucb1", world_of(baseline).problem)
    for mean in baseline.means(HORIZON)[:5]:
        assert idle_now(policy) == pytest.approx(mean)
        assert policy.preview().baseline == pytest.approx(mean)
        policy.skip()
    assert rw.make_policy("ucb1", world_of(None).problem).select().baseline is None


@pytest.mark.parametrize("name", LEARNERS)
def test_what_is_not_told_is_learned_from_idle_rounds(name: str) -> None:
    world = world_of(UNKNOWN, budget=90.0)
    literal = Literal(idle_now(rw.make_policy(name, world.problem)))
    policy = rw.make_policy(name, world.problem, seed=3)
    play(policy, Game(world, 3), 40, literal.told)
    assert idle_now(policy) == pytest.approx(literal.mean())
    assert policy.pending == {}


def test_it_begins_with_what_the_best_arm_brings_when_rested() -> None:
    world = world_of(UNKNOWN)
    rested = [arm.reward_family.mean_of_level(arm.alpha) for arm in ARMS]
    assert idle_now(rw.make_policy("ucb1", world.problem)) == pytest.approx(max(rested))
    counts = rw.Baseline(5.0, "poisson", known=False)
    loud = [rw.Arm("loud", A=0.5, B=-0.5, alpha=9.0, family="gaussian", sigma=1.0)]
    policy = rw.make_policy("ucb1", rw.Problem(loud, [], 9, baseline=rw.Baseline(known=False)))
    assert idle_now(policy) == 1.0  # a coin can bring no more
    assert idle_now(rw.make_policy("ucb1", rw.Problem(loud, [], 9, baseline=counts.told))) == pytest.approx(8.5, abs=1)


def test_a_policy_cannot_find_out_but_by_playing() -> None:
    states = []
    for reward in (0.2, 0.7):
        policy = rw.make_policy("roguewk-plan", world_of(rw.Baseline(reward, known=False)).problem)
        states.append(json.dumps([policy.state(), policy.select().to_data()]))
    assert states[0] == states[1]


def test_the_engine_learns_as_the_policy_that_decides_round_by_round() -> None:
    for late in (rw.Outcomes(), rw.Outcomes(delay=4)):
        world = world_of(UNKNOWN).with_outcomes(late)
        runs = rw.simulate(world, "roguewk-plan", 3, seed=5, curves=True)
        curves = runs.curves["roguewk-plan"]
        assert (curves.arms == -1).any()
        game, policy = Game(world, 5), rw.make_policy("roguewk-plan", world.problem, seed=5)
        coming: list[tuple[int, rw.Decision, float, Vector]] = []
        for t in range(HORIZON):
            for due, decision, reward, costs in coming:
                if due == t:
                    policy.update(decision, reward, costs)
            decision = policy.select()
            assert (-1 if decision.arm is None else decision.arm) == curves.arms[0, t]
            reward, costs = game.play(decision.arm)
            if decision.arm is None:
                policy.update(decision, reward)
            else:
                coming.append((t + 1 + (4 if late.late else 0), decision, reward, costs))


def test_outcomes_of_idle_rounds_may_come_late_never_or_by_their_round() -> None:
    world = world_of(UNKNOWN)
    policy = rw.make_policy("roguewk-plan", world.problem)
    literal = Literal(idle_now(policy))
    rounds = [policy.follow(None) for _ in range(5)]
    assert list(policy.pending) == rounds == [0, 1, 2, 3, 4]
    assert policy.pending[2]._asdict() == {"arm": None, "name": None, "reward": rw_later(), "costs": {"staff": 0.0}}
    policy.update(3, reward=1)
    policy.update(1, reward=0)  # two rounds older than what is known
    policy.update(0, reward=None)
    policy.forget(2)
    policy.update(4, 1, [0.0])
    literal.told += [(3, 1.0), (1, 0.0), (4, 1.0)]
    assert policy.pending == {}
    assert idle_now(policy) == pytest.approx(literal.mean())
    policy.skip(3)
    assert policy.pending == {}  # nobody asks what came of a holiday


def rw_later() -> Any:
    from roguewk.policy.open_pull import LATER

    return LATER


@pytest.mark.parametrize("name", LEARNERS)
def test_a_policy_goes_on_exactly_from_its_state(name: str) -> None:
    world = world_of(UNKNOWN, budget=90.0)
    policy, game = rw.make_policy(name, world.problem, seed=2), Game(world, 2)
    play(policy, game, 15, [])
    open_ = [policy.follow(None), policy.follow("call"), policy.follow(None)]
    bytes_ = rw.restore_policy(policy.to_bytes(), problem=world.problem)
    for again in (rw.restore_policy(json.loads(json.dumps(policy.state()))), bytes_):
        assert again.pending == policy.pending
        assert again.learned.tobytes() == policy.learned.tobytes()
        again.update(open_[2], reward=1)
        again.update(open_[0], reward=0)
        again.forget(open_[1])
    policy.update(open_[2], reward=1)
    policy.update(open_[0], reward=0)
    policy.forget(open_[1])
    for _ in range(3):
        assert policy.select().to_data() == bytes_.select().to_data()
    assert bytes_.state() == policy.state()


def same(content: Any) -> None:
    pass


def altered(state: dict[str, Any], change: Any) -> dict[str, Any]:
    from roguewk.policy.saved import _canonical, _sha

    content = json.loads(json.dumps({key: value for key, value in state.items() if key != "checksum"}))
    change(content)
    return {**content, "checksum": _sha(_canonical(content))}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda s: s["learned"]["desk.baseline.belief"].update(mean=[1.5]), "what idle rounds bring is not between"),
        (lambda s: s["learned"]["desk.baseline.belief"].update(variance=[-1.0]), "what is not known of idle rounds"),
        (lambda s: s["learned"]["desk.baseline.belief"].update(newest=[7]), "the newest idle round is not between"),
        (lambda s: s["learned"]["desk.baseline.belief"].update(mean=["inf"]), "what is not a number"),
        (lambda s: s["pending"][0].__setitem__(1, -2), "the arm of an open pull"),
        (lambda s: s["pending"][0].__setitem__(-1, 0.5), "an idle round that nothing is awaited of"),
        (lambda s: s["pending"][0].__setitem__(-2, 1.0), "it has an open pull that is none"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change: Any, sentence: str) -> None:
    policy = rw.make_policy("roguewk-plan", world_of(UNKNOWN).problem)
    policy.update(policy.follow(None), 1)
    policy.follow(None)
    assert rw.restore_policy(altered(policy.state(), same)).pending == policy.pending
    with pytest.raises(rw.InputError) as caught:
        rw.restore_policy(altered(policy.state(), change))
    assert sentence in str(caught.value)


def test_a_state_has_no_idle_round_open_where_these_tell_nothing() -> None:
    policy = rw.make_policy("ucb1", world_of(None).problem)
    policy.follow("walk")
    with pytest.raises(rw.InputError, match="the arm of an open pull"):
        rw.restore_policy(altered(policy.state(), lambda s: s["pending"][0].__setitem__(1, -1)))


def test_what_cannot_be_told_of_an_idle_round_is_refused_in_a_sentence() -> None:
    learns, knows, nothing = (
        rw.make_policy("randomised", world_of(each).problem, chances=[0.0, 0.0])
        for each in (UNKNOWN, rw.Baseline(0.3), None)
    )
    decision, known, bare = learns.select(), knows.select(), nothing.select()
    learns.update(decision, reward=1)
    preview, waiting = learns.preview(), learns.select()
    knows.update(known, reward=1)  # nothing is to be learned of it
    knows.update(known, reward=None, costs=[0.0])
    cases: Any = (
        (lambda: learns.update(decision, reward=1), "the decision of round 0 was updated or given up before"),
        (lambda: learns.update(0, reward=1), "round 0 has no pull that waits for an update"),
        (lambda: learns.update(waiting), "no reward is told of round 1, which was left idle"),
        (lambda: learns.update(waiting, reward=0.5), "reward 0.5 of an idle round is not 0 or 1"),
        (lambda: learns.update(waiting, 1, [0.5]), "costs of round 1 are [0.5], which was left idle: leave them out"),
        (lambda: learns.cancel(waiting), "round 1 was left idle: only a pull that was not carried out is cancelled"),
        (lambda: learns.amend(waiting, reward=(0, 1)), "outcomes of idle rounds cannot be amended"),
        (lambda: knows.update(known, reward=7), "reward 7 of an idle round is not 0 or 1"),
        (lambda: knows.update(0, reward=7), "reward 7 of an idle round is not 0 or 1"),
        (lambda: knows.update(0), "no reward is told of round 0, which was left idle"),
        (lambda: knows.update(0, 1, [0.5]), "round 0 has no pull that waits for an update"),
        (lambda: knows.update(1, reward=1), "round 1 has no pull that waits for an update"),
        (lambda: knows.update(-1, reward=1), "round -1 has no pull that waits for an update"),
        (lambda: knows.update(True, reward=1), "the decision is True: give what select() returned, or its round"),
        (lambda: nothing.update(bare, reward=1), "round 0 was left idle: there is nothing to update"),
    )
    for refused, sentence in cases:
        with pytest.raises(rw.InputError) as caught:
            refused()
        assert sentence in str(caught.value)
    learns.update(preview, reward=1)  # the decision that was selected then


@pytest.mark.parametrize("baseline", [UNKNOWN, rw.Baseline(0.3)])
def test_what_an_idle_round_brought_may_be_told_in_every_way_whether_it_is_known_or_not(baseline: rw.Baseline) -> None:
    policy = rw.make_policy("randomised", world_of(baseline).problem, chances=[0.0, 0.0])
    policy.update(policy.select(), reward=1)
    policy.update(policy.select().round, reward=0)
    policy.update(policy.follow(None), reward=1)
    policy.update(policy.follow(None), reward=None)
    pulled = policy.follow("walk")
    state, costs = policy.learned.tobytes(), {"staff": 0.0}
    policy.update(policy.follow(None), reward=1, costs=costs)
    assert list(policy.pending) == [pulled]
    policy.update(pulled, reward=1, costs=[0.5])  # of a round that has a pull it is that pull's
    assert policy.spent == [0.5]
    assert policy.learned.tobytes() != state


def test_a_known_outcome_of_an_idle_round_changes_nothing() -> None:
    policy = rw.make_policy("roguewk-plan", world_of(rw.Baseline(0.3)).problem)
    rounds = [policy.follow(None), policy.select(available=[]).round]
    before = policy.to_bytes()
    for round_ in rounds:
        policy.update(round_, reward=1)
    assert policy.to_bytes() == before


def test_a_restart_forgets_what_idle_rounds_brought() -> None:
    policy = rw.make_policy("ucb1", world_of(UNKNOWN).problem, doubling=4, restart=True)
    before = idle_now(policy)
    rounds = [policy.follow(None) for _ in range(4)]
    policy.update(rounds[0], 1)
    assert idle_now(policy) > before
    policy.preview()
    policy.follow(None)
    assert idle_now(policy) == before
    policy.update(rounds[1], 1)  # of before the restart
    assert idle_now(policy) == before


def test_a_log_is_replayed_with_what_its_idle_rounds_brought() -> None:
    import pandas

    log = pandas.DataFrame(
        {"subject": 1, "round": range(4), "arm": ["walk", None, "call", None], "reward": [1, 0, 1, 1]}
    )
    log["cost_staff"] = [0.5, 0.0, 0.5, 0.0]
    policy = rw.replay(rw.make_policy("roguewk-plan", world_of(UNKNOWN).problem), log)
    literal = Literal(idle_now(rw.make_policy("roguewk-plan", world_of(UNKNOWN).problem)))
    literal.told += [(1, 0.0), (3, 1.0)]
    assert policy.pending == {}
    assert idle_now(policy) == pytest.approx(literal.mean())


def test_what_an_idle_round_brought_is_told_once_and_cannot_be_amended() -> None:
    arm = rw.everyday_arm("call", rested=0.6, wear=0.5, half_life=2)
    policy = rw.make_policy("roguewk-plan", rw.Problem([arm], [], 50, baseline=rw.Baseline(known=False)))
    silence = policy.select(available=[])
    policy.update(silence, reward=0)
    with pytest.raises(rw.InputError, match="round 0 was updated or given up before"):
        policy.update(silence, reward=1)
    with pytest.raises(
        rw.InputError, match="outcomes of idle rounds cannot be amended: tell them once they are certain"
    ):
        policy.amend(silence, reward=(0, 1))
