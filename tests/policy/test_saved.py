"""States: small, exact, replayable to the byte, and safe whatever they hold."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.policy.saved import _canonical, _sha
from roguewk.policy.templates import template
from tests.judge import MAIN
from tests.policy.test_online import PAPER, WORLDS, assert_equal_decisions, decided, given, outcomes, own_world

POLICIES = list(MAIN)
NAMES = [name for name in rw.policies() if name not in ("clairvoyant", "whittle-known")]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the numbers and texts of plain data are."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path


def damaged(state: Any, path: tuple[Any, ...]) -> Any:
    result = copy.deepcopy(state)
    place = result
    for key in path[:-1]:
        place = place[key]
    value = place[path[-1]]
    place[path[-1]] = not value if isinstance(value, bool) else value + 1 if isinstance(value, int | float) else "x"
    return result


def altered(state: Any, path: tuple[Any, ...], value: Any) -> Any:
    result = copy.deepcopy(state)
    place = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return result


def signed(state: Any) -> Any:
    """The state with a checksum that is right."""
    content = {key: value for key, value in state.items() if key != "checksum"}
    return {**content, "checksum": _sha(_canonical(content))}


def a_state(name: str) -> dict[str, Any]:
    policy = rw.make_policy(name, PAPER, seed=50, **given(name))
    for decision, reward, costs in outcomes(PAPER, decided(policy, 10)):
        if decision.round != 4:
            policy.update(decision, reward, costs)
    return dict(json.loads(json.dumps(policy.state())))


@pytest.mark.parametrize("name", POLICIES)
def test_a_state_with_any_number_or_text_changed_is_refused(name: str) -> None:
    state = a_state(name)
    paths = list(leaves(state))
    chosen = [paths[i] for i in np.random.default_rng(2).permutation(len(paths))[:60]]
    for path in [*chosen, ("checksum",), ("seed",), ("digest",), ("pending", 0, 1), ("format",)]:
        with pytest.raises(rw.InputError) as caught:
            rw.restore_policy(damaged(state, path))
        assert "the state" in str(caught.value)
        assert "\n" not in str(caught.value)
    assert rw.restore_policy(state).round == 10


@pytest.mark.parametrize(
    "key", ["checksum", "format", "policy", "problem", "digest", "learned", "pending", "seed", "replicate"]
)
def test_a_state_with_a_key_missing_is_refused(key: str) -> None:
    state = a_state("ucb1")
    del state[key]
    with pytest.raises(rw.InputError, match="the state"):
        rw.restore_policy(state)


def test_a_state_cut_short_or_of_another_kind_is_refused() -> None:
    state = a_state("sw-ucb")
    short = copy.deepcopy(state)
    next(value for value in short["learned"].values() if isinstance(value, list)).pop()
    strange = {**state, "seed": float("nan")}
    unsorted: dict[Any, Any] = {**state, 3: 4}
    bads: list[Any] = [
        short,
        strange,
        unsorted,
        {},
        None,
        [],
        "state",
        json.dumps(state),
        3,
        {"format": "roguewk policy 0"},
    ]
    for bad in bads:
        with pytest.raises(rw.InputError, match="the state"):
            rw.restore_policy(bad)


def test_a_state_of_own_functions_needs_its_problem_back() -> None:
    problem = own_world().problem
    state = rw.make_policy("roguewk-ucb", problem).state()
    with pytest.raises(rw.InputError, match="has no problem with it: give the problem to restore_policy"):
        rw.restore_policy(state)
    with pytest.raises(rw.InputError, match="the state is of another problem"):
        rw.restore_policy(state, PAPER)
    with pytest.raises(rw.InputError, match=r"the problem is a World: give an rw\.Problem"):
        rw.restore_policy(state, own_world())  # type: ignore[arg-type]
    assert rw.restore_policy(state, problem).round == 0


def played(name: str, problem: rw.Problem, rounds: int, seed: int = 7) -> rw.Policy:
    """A policy in the middle of a game, some of its outcomes still to come."""
    policy = rw.make_policy(name, problem, seed=seed)
    for _ in range(rounds):
        for decision, reward, costs in outcomes(problem, [policy.select()]):
            if decision.round % 7 != 3:
                policy.update(decision, reward, costs * 0.2)
    return policy


@pytest.mark.parametrize("name", ["roguewk-ucb", "roguewk-plan", "sw-ucb", "rogue-ts", "bob"])
def test_bytes_of_a_replayed_run_equal_bytes_of_the_first(name: str) -> None:
    first, again = (played(name, PAPER, 40).to_bytes() for _ in range(2))
    assert first == again
    assert played(name, PAPER, 40, seed=8).to_bytes() != first


@pytest.mark.parametrize("name", ["roguewk-ucb", "roguewk-plan", "rogue-ts", "exp3"])
def test_bytes_and_plain_data_restore_the_same_policy(name: str) -> None:
    policy = played(name, PAPER, 30)
    data, small = (json.loads(json.dumps(policy.state(problem=whole))) for whole in (True, False))
    twins = [
        rw.restore_policy(data),
        rw.restore_policy(small, PAPER),
        rw.restore_policy(policy.to_bytes(), problem=PAPER),
    ]
    assert len({twin.to_bytes() for twin in (policy, *twins)}) == 1
    for _ in range(20):
        decision = policy.select()
        for twin in twins:
            assert_equal_decisions(decision, twin.select(), 0.0)


@pytest.mark.parametrize("name", ["roguewk-ucb", "roguewk-plan"])
def test_a_restored_policy_decides_the_same_in_every_field_also_when_all_is_spent(name: str) -> None:
    problem = rw.catalog.paper(budget=3.0).problem
    policy = rw.make_policy(name, problem)
    while (decision := policy.select()).arm is not None:
        policy.update(decision, 1, [0.5, 0.5, 0.5])
    other = rw.restore_policy(policy.state())
    assert decision.code.name == "SPENT"
    assert decision.reward_bounds.any()
    assert policy.select().to_data() == other.select().to_data()


def test_states_are_small() -> None:
    policy = played("roguewk-ucb", PAPER, 100)
    for round_ in list(policy.pending):
        policy.forget(round_)
    assert len(policy.to_bytes()) <= 1200
    assert len(json.dumps(policy.state(problem=False))) <= 3000


def test_policies_of_one_problem_share_what_is_made_from_it() -> None:
    one = rw.make_policy("roguewk-plan", PAPER)
    other = rw.restore_policy(one.to_bytes(), problem=PAPER)
    mine, theirs = one.parts.allocation.part, other.parts.allocation.part
    assert mine.worth.values is theirs.worth.values
    assert mine.plan.ctypes.data != theirs.plan.ctypes.data
    states = [rw.restore_policy(one.state()) for _ in range(2)]
    assert states[0].problem is states[1].problem


def test_what_a_policy_learns_is_one_stretch_of_memory() -> None:
    policy = played("roguewk-ucb", PAPER, 20)
    before = policy.learned.copy()
    expected = policy.preview()
    decided(policy, 10)
    policy.learned[:] = before
    assert_equal_decisions(policy.select(), expected, 0.0)


def test_states_of_the_format_before_are_refused_with_a_sentence() -> None:
    with pytest.raises(rw.InputError, match="is of the format 'roguewk policy 2' and not 'roguewk policy 5'"):
        rw.restore_policy({"format": "roguewk policy 2", "policy": "ucb1"})
    with pytest.raises(rw.InputError, match="the bytes are not a state of this version"):
        rw.restore_policy(b"something else", problem=PAPER)


def test_bytes_that_are_damaged_or_of_another_problem_are_refused() -> None:
    whole = played("sw-ucb", PAPER, 12).to_bytes()
    rng = np.random.default_rng(4)
    for at in rng.integers(0, len(whole), 60):
        torn = bytearray(whole)
        torn[at] ^= 1 << int(rng.integers(0, 8))
        with pytest.raises(rw.InputError, match=r"the state|the bytes"):
            rw.restore_policy(bytes(torn), problem=PAPER)
        with pytest.raises(rw.InputError, match=r"the state|the bytes"):
            rw.restore_policy(whole[:at], problem=PAPER)
    with pytest.raises(rw.InputError, match="has no problem with it: give the problem"):
        rw.restore_policy(whole)
    with pytest.raises(rw.InputError, match="the state is of another problem"):
        rw.restore_policy(whole, problem=rw.catalog.paper(budget=10).problem)


def test_an_arm_that_there_is_none_or_a_round_that_is_no_whole_number_is_refused() -> None:
    """Found once: an arm of 10^9 in a window wrote where it liked, and a round of 39.0 ended the process."""
    state = a_state("sw-ucb")
    for path, value in (
        (("learned", "rewards.window.rounds", 0, 1), 10**9),
        (("learned", "desk.clock", "round", 0), 10.0),
        (("learned", "desk.clock", "start", 0), -(2**63)),
        (("pending", 0, 1), 3),
        (("pending", 0, 0), 99),
    ):
        with pytest.raises(rw.InputError, match="the state"):
            rw.restore_policy(signed(altered(state, path, value)))
    longer = copy.deepcopy(state)
    longer["pending"][0].append(0.0)
    with pytest.raises(rw.InputError, match="the state"):
        rw.restore_policy(signed(longer))


def test_a_state_that_unpacks_to_very_much_is_refused() -> None:
    import hashlib
    import zlib

    from roguewk.policy.saved import _SIZES, MAGIC

    head = played("ucb1", PAPER, 2).to_bytes()
    _, length, _, width = _SIZES.unpack_from(head, len(MAGIC))
    begin = len(MAGIC) + _SIZES.size
    title, bomb = head[begin : begin + length], zlib.compress(bytes(1 << 26))
    check = hashlib.blake2b(title + bomb, digest_size=16).digest()
    with pytest.raises(rw.InputError, match="the state is damaged"):
        rw.restore_policy(MAGIC + _SIZES.pack(check, length, 0, width) + title + bomb, problem=PAPER)


def test_counts_that_do_not_go_together_are_refused() -> None:
    """Found once: more rewards than pulls, with which Gittins indices were read from beyond their table."""
    policy = rw.make_policy("gittins", PAPER, doubling=100)
    for _ in range(4):
        policy.update(policy.select(), 1, [0.1, 0.1, 0.1])
    state = json.loads(json.dumps(policy.state()))
    state["learned"]["desk.clock"].update(round=[2**53], end=[2**54])
    for name, number in (("seen", 1e12), ("sums", 1e12), ("pulls", 1.0)):
        state["learned"][f"rewards.tally.{name}"][0] = number
    with pytest.raises(rw.InputError, match="the state is damaged"):
        rw.restore_policy(signed(state))


def test_what_is_finite_at_the_start_is_finite_ever_after() -> None:
    state = a_state("roguewk-ucb")
    state["learned"]["rewards.tracks"]["power"] = ["inf", "inf", "inf"]
    with pytest.raises(rw.InputError, match="it holds what is not a number"):
        rw.restore_policy(signed(state))
    fresh = rw.make_policy("ucb1", PAPER)
    assert np.isinf(fresh.learned).any()
    assert rw.restore_policy(fresh.to_bytes(), problem=PAPER).round == 0


def test_nothing_that_a_policy_hands_out_changes_another() -> None:
    one, other = (rw.make_policy("ucb1", PAPER, seed=seed) for seed in (1, 2))
    decision = other.select()
    one.state()["parameters"]["scale"] = 9.0
    dict(one.parameters)["scale"] = 9.0
    assert rw.make_policy("ucb1", PAPER).parameters["scale"] == 1.0
    again = rw.restore_policy(other.state())
    again.update(decision, 1, [0.1, 0.1, 0.1])
    world = rw.catalog.paper()
    costs, x0 = world.mean_costs.tolist(), [state.tolist() for state in world.x0]
    told = rw.make_policy("clairvoyant", PAPER, x0=x0, costs=costs)
    costs[0][0] = 0.9
    assert rw.restore_policy(told.to_bytes(), problem=PAPER).preview().cost_bounds[0, 0] == pytest.approx(0.15)


def test_a_restored_planner_has_the_same_prices_where_nothing_can_be_played() -> None:
    policy = played("roguewk-plan", PAPER, 12)
    other = rw.restore_policy(policy.to_bytes(), problem=PAPER)
    assert policy.select(available=[]).to_data() == other.select(available=[]).to_data()


def test_a_state_that_would_have_to_remember_too_much_is_refused() -> None:
    problem = rw.catalog.paper(horizon=10**9, budget=10**8).problem
    with pytest.raises(rw.InputError, match="is too long to be kept: give one of at most 10000000"):
        rw.make_policy("sw-ucb", problem, w1=5 * 10**8)
    slow = rw.Arm(
        "slow", [[1 - 1e-8, 0], [0, 0.5]], [-1e-8, -0.1], [0.0, 0.0], 0.5, [1.0, 0.6], state=[[-3, 3], [-3, 3]]
    )
    with pytest.raises(rw.InputError, match="would have to remember too much of this problem"):
        rw.make_policy("roguewk-ucb", rw.Problem([slow], [], 10**9))


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64, int])
def test_truths_of_any_kind_of_number_can_be_told_and_saved(kind: Any) -> None:
    costs = rw.catalog.paper().mean_costs
    policy = rw.make_policy("clairvoyant", PAPER, x0=[[kind(0)]] * 3, costs=costs)
    assert rw.restore_policy(json.loads(json.dumps(policy.state()))).select().arm == policy.select().arm


@pytest.mark.parametrize("part", range(4))
def test_whatever_a_state_holds_the_process_lives_on(part: int) -> None:
    """Numbers of saved states are exchanged for others, with checksums that are right; each is refused or goes on."""
    command = [sys.executable, "-m", "tests.policy.alter", *NAMES[part::4]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    tried, refused = map(int, done.stdout.split()[-2:])
    assert tried > 400
    assert 0 < refused < tried


@pytest.mark.parametrize("world", WORLDS)
def test_a_template_before_its_first_round_is_never_changed_by_its_policies(world: str) -> None:
    problem = WORLDS[world].problem
    policy = rw.make_policy("roguewk-ucb", problem)
    made = template(policy.recipe, problem, policy.parameters)
    before = made.arena.learned.copy()
    decided(policy, 3)
    assert made.arena.learned.tobytes() == before.tobytes()
