"""A game told round by round: what a policy saw, what it chose and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.engine.simulate import told_problem, told_truth
from roguewk.kernel.arrays import Vector
from roguewk.part.status import Status
from roguewk.policy.decision import Decision
from roguewk.policy.registry import make_policy, recipe
from roguewk.problem.errors import InputError, whole
from roguewk.problem.ledger import WITHIN
from roguewk.show.words import count
from roguewk.world.game import Game
from roguewk.world.mailbox import Mailbox
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

POLICY = "roguewk-plan"
ROUNDS, MOST_ROUNDS = 50, 5_000
UNPRICED = (Status.FIRST_PULL, Status.LARGEST)  # decided without prices


@dataclass(frozen=True)
class Story:
    """The rounds of a game; `over` is the decision that says why it ended early, None if it did not."""

    world: World
    policy: str
    seed: int
    decisions: tuple[Decision, ...]
    over: Decision | None
    mean_rewards: Vector  # (round, arm) true ones, before the pull acts
    rewards: Vector  # (round,)
    costs: Vector  # (round, resource)
    left: Vector  # (round, resource) the part of each budget that is left when the round begins

    @property
    def prices(self) -> Vector:
        """(round, resource) of a unit; nan in rounds that were decided without."""
        known = [[decision.code not in UNPRICED] for decision in self.decisions]
        return np.where(known, np.stack([decision.prices for decision in self.decisions]), np.nan)

    @property
    def round_prices(self) -> Vector:
        """(round,); nan in rounds that were decided without."""
        outlooks = [decision.outlook for decision in self.decisions]
        return np.array([np.nan if outlook is None else outlook.round_price for outlook in outlooks])

    def frame(self) -> "pd.DataFrame":
        """A row per round."""
        import pandas

        problem = self.world.problem
        columns: dict[str, Any] = {
            "round": [decision.round for decision in self.decisions],
            "arm": [decision.name for decision in self.decisions],
            "status": [decision.status for decision in self.decisions],
            "reward": self.rewards,
        }
        for a, arm in enumerate(problem.arms):
            columns[f"mean_reward_{arm.name}"] = self.mean_rewards[:, a]
        for context in problem.contexts:
            columns[f"context_{context.name}"] = [(decision.context or {})[context.name] for decision in self.decisions]
        columns["round_price"] = self.round_prices
        for j, resource in enumerate(problem.resources):
            columns[f"price_{resource.name}"] = self.prices[:, j]
            columns[f"cost_{resource.name}"] = self.costs[:, j]
            columns[f"left_{resource.name}"] = self.left[:, j]
        return pandas.DataFrame(columns)

    def short_of(self, rounds: int) -> str:
        """Why fewer rounds than these were played; empty if as many were."""
        played, horizon = len(self.decisions), self.world.problem.horizon
        if played >= rounds:
            return ""
        if played == horizon:
            return f"The world has {count(horizon, 'round')}, so all of them are played instead of {rounds:,}."
        return f"The game is over after {count(played, 'round')}, so no more of the {rounds:,} are played."

    def telling(self, round_: int | None = None) -> list[Decision]:
        """The decision of a round; by default the last pull and the last idle round, in their order.

        An idle round that was chosen tells more than one in which limits or contexts left nothing to choose.
        """
        played = len(self.decisions)
        if round_ is not None and whole(round_, "round", 0, MOST_ROUNDS - 1) >= played:
            raise InputError(
                f"round is {round_}, and {count(played, 'round')} are played: give a number from 0 to {played - 1}, "
                "or play more rounds where the game has more"
            )
        if round_ is not None:
            return [self.decisions[round_]]
        pulls = [decision for decision in self.decisions if decision.arm is not None]
        idle = [decision for decision in self.decisions if decision.arm is None]
        chosen = [decision for decision in idle if _had_a_choice(decision)]
        return sorted(pulls[-1:] + (chosen or idle)[-1:], key=lambda decision: decision.round)


def _had_a_choice(decision: Decision) -> bool:
    """Whether some arm was possible."""
    out = {each.arm for each in decision.left_out}
    there = [True] * len(decision.setting.arms) if decision.available is None else decision.available
    return any(here and name not in out for name, here in zip(decision.setting.arms, there, strict=True))


def tell(
    world: World, policy: str = POLICY, parameters: Mapping[str, Any] | None = None, rounds: int = ROUNDS, seed: int = 0
) -> Story:
    """Play a policy for so many rounds, or until the game is over; the luck is that of `simulate`'s first replicate."""
    rounds = whole(rounds, "rounds", 1, MOST_ROUNDS)
    game, how = Game(world, seed), recipe(policy)
    player = make_policy(policy, told_problem(world, how), seed, **told_truth(world, how.complete(parameters or {})))
    decisions, means, rewards, costs, left = [], [], [], [], []
    over = None
    mailbox = Mailbox(game)
    for t in range(rounds):
        for news in mailbox.open(t):
            player.update(news.decision, **news.told)
        decision = player.select(game.there(), game.drawn)
        if player.round == t:  # it does not go on once the game is over
            over = decision
            break
        decisions.append(decision)
        means.append(game.mean_rewards())
        left.append(game.left)
        reward, taken = game.play(decision.arm)
        if decision.arm is not None:
            mailbox.send(decision, reward, taken)
        elif world.baseline is not None:
            player.update(decision, reward, taken)
        rewards.append(reward)
        costs.append(game.costs)
        if game.stopped_by != WITHIN and world.outcomes.late:  # a policy may never be told
            break
    seen = np.stack(means), np.array(rewards), np.stack(costs), np.stack(left)
    return Story(world, policy, seed, tuple(decisions), over, *seen)


def one_policy(policies: list[tuple[str, dict[str, Any]]]) -> tuple[str, dict[str, Any]]:
    """The only one of these policies."""
    if len(policies) != 1:
        raise InputError(f"{len(policies)} policies are given: give one, as its decisions are explained")
    return policies[0]
