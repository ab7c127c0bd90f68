"""Bandit over bandit (Cheung, Simchi-Levi and Zhu 2019): block by block, EXP3 chooses the window of a UCB.

In every block of H rounds a window w is drawn from `J = {floor(H^(k/D)): k = 0..D}`, `D = ceil(log H)`, and the bounds
are `mean + sqrt(xi log min(t, w) / n)` over the last w rounds of the block, t counting those of the block. With the
sum Q of a block's rewards, `log s_w += gamma / ((D + 1) p_w) (1/2 + Q / (2 H + 4 R sqrt(H log(T / sqrt H))))`, and
windows have the probabilities `p = (1 - gamma) s / sum s + gamma / (D + 1)`.

As commonly quoted for K arms, `H = ceil(K^(2/3) sqrt T)`, `gamma = min(1, sqrt((D+1) log(D+1) / ((e-1) ceil(T/H))))`
and R = 1/2. In 1,000 rounds that is some sixteen blocks, too few to learn much of windows. Since Q enters by its sum, a
reward that comes after its block still counts for the window it was earned with.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.rewards.sliding import XI, window_bounds
from roguewk.estimate.window import Window, build_window, empty, slide, take_in
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import REWARD_DRAW, Now, unit, words
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.kernel.records import record_type
from roguewk.part.parameter import optional_whole
from roguewk.part.part import REWARDS, Part, unit_rewards
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import advance, check_state, learn_reward, reward_bounds
from roguewk.problem.problem import Problem

SPREAD = 0.5  # R, of rewards of 0 or 1
BLOCK = record_type(("chance",), ("begin", "choice"))  # begin is -1 before there is a block


class BobRewards(NamedTuple):
    """A window of the block's rounds, and what is known of all lengths that it may have."""

    window: Window
    lengths: Constant[Any]  # (choice,) J
    logs: Learned[Vector]  # (choice,) log s
    chances: Scratch[Vector]  # (choice,) p
    block: Learned[Any]  # (1,) BLOCK
    ranges: Constant[Vector]  # (arm,)
    xi: float
    rounds: int  # H
    gamma: float
    unit: float  # of Q


def _build(problem: Problem, block: int | None, xi: float) -> BobRewards:
    K, T = len(problem.arms), problem.horizon
    H = min(block or math.ceil(K ** (2 / 3) * math.sqrt(T)), T)
    D = math.ceil(math.log(H))
    lengths = np.array([math.floor(H ** (k / max(D, 1)) + 1e-9) for k in range(D + 1)])
    gamma = min(1.0, math.sqrt((D + 1) * math.log(D + 1) / ((math.e - 1) * math.ceil(T / H))))
    largest = 2 * H + 4 * SPREAD * math.sqrt(H * math.log(T / math.sqrt(H)))
    blocks = np.zeros(1, dtype=BLOCK)
    blocks["begin"] = -1
    logs, chances = np.zeros((2, D + 1))
    return BobRewards(
        build_window(problem, H, 1), lengths, logs, chances, blocks, np.ones(K), xi, H, gamma, 1 / largest
    )


@compiled
def _begin_block(part: BobRewards, now: Now) -> None:
    """Close the last block, draw a window for the next and forget."""
    block, size = part.block[0], part.logs.size
    if block.begin >= 0:
        part.logs[block.choice] += 0.5 * part.gamma / (size * block.chance)
    top, total = part.logs[0], 0.0
    for k in range(size):
        top = max(top, part.logs[k])
    for k in range(size):
        part.chances[k] = math.exp(part.logs[k] - top)
        total += part.chances[k]
    number, choice, passed = unit(words(now, REWARD_DRAW, 0)[0]), size - 1, 0.0
    for k in range(size):
        part.chances[k] = (1.0 - part.gamma) * part.chances[k] / total + part.gamma / size
        passed += part.chances[k]
        if number < passed:
            choice, number = k, 2.0
    block.begin, block.choice, block.chance = now.round, choice, part.chances[choice]
    empty(part.window, now.round)


@check_state.body(BobRewards)
def _check_state(part: BobRewards, room: Room) -> None:
    check_within(part.block["begin"], -1, room.round, "the beginning of the block")
    check_within(part.block["choice"], 0, part.logs.size - 1, "the window that was chosen")
    check_within(part.block["chance"], 0, 1, "its chance")


@reward_bounds.body(BobRewards)
def _reward_bounds(part: BobRewards, now: Now, out: Vector) -> None:
    block = part.block[0]
    if block.begin < 0 or now.round >= block.begin + part.rounds:
        _begin_block(part, now)
    t = max(min(now.round - block.begin, part.lengths[block.choice]), 1)
    window_bounds(part.window, part.ranges, part.xi * math.log(t), out)


@advance.body(BobRewards)
def _advance(part: BobRewards, now: Now, arm: int, memo: Vector) -> None:
    block = part.block[0]
    memo[0], memo[1] = float(block.choice), block.chance
    slide(part.window, now.round, arm, part.lengths[block.choice])


@learn_reward.body(BobRewards)
def _learn_reward(part: BobRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    if memo[1] > 0.0:
        choice = min(max(int(memo[0]), 0), part.logs.size - 1)
        part.logs[choice] += part.gamma / (part.logs.size * memo[1]) * reward * part.unit
    take_in(part.window, round_, arm, reward)


BOB = Part(
    role=REWARDS,
    name="bob",
    summary="sliding-window UCB whose window EXP3 chooses anew for every block of rounds",
    build=_build,
    parameters={"block": optional_whole("H, rounds of a block; worked out from K and T if not given"), "xi": XI},
    check=unit_rewards("bob", "'sw-ucb-gm'"),
    draws=True,
)
PARTS = (BOB,)
