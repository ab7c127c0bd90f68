"""Logs of decisions with the exact probabilities they were drawn with, for off-policy evaluation and trials."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from roguewk.engine.plain import make_plain
from roguewk.engine.simulate import told_problem, told_truth
from roguewk.engine.specs import Spec, labelled
from roguewk.engine.table import as_table
from roguewk.interop.drawn import Drawn
from roguewk.interop.onlooker import Onlooker, shown_context
from roguewk.interop.trial import Points, trial_columns
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import LARGEST_SEED
from roguewk.part.status import Status
from roguewk.policy.online import Policy
from roguewk.policy.registry import recipe
from roguewk.policy.templates import template
from roguewk.problem.errors import InputError, truth_value, whole
from roguewk.problem.ledger import WITHIN
from roguewk.world.game import Game
from roguewk.world.mailbox import Mailbox
from roguewk.world.world import World, check_world

if TYPE_CHECKING:
    import pandas as pd

MOST_REPLICATES = 10**6
IDLE = "idle"
CLOSED = (
    Status.NOTHING,
    Status.UNCOVERED,
    Status.RESERVED,
    Status.LIMITED,
    Status.FORBIDDEN,
)  # rounds in which no arm could be pulled


@dataclass(frozen=True, eq=False)
class Log:
    """Rounds of one policy, replicate after replicate, with the probability of everything it might have done.

    An action is an arm; if rounds may be left idle, the last action is that. A probability is that of the action given
    all that was seen before. Policies that leave nothing to chance have probabilities of 0 and 1 only, and rounds may
    be certain with others too, such as the first pull of each arm: of what has no chance nothing can be learned from
    a log, so look at `overlap` before weighing by these numbers.

    >>> import roguewk as rw
    >>> log = rw.log_runs(rw.catalog.paper(budget=20), "rogue-ts-clipped", replicates=2)
    >>> list(log.frame().columns[:5])
    ['subject', 'round', 'arm', 'reward', 'propensity']
    """

    world: World
    policy: str
    seed: int
    replicates: Any  # (row,)
    rounds: Any  # (row,)
    actions: Any  # (row,)
    rewards: Vector  # (row,)
    costs: Vector  # (row, resource) in the user's units, of resources whose costs are told
    probabilities: Vector  # (row, action)
    effects: Vector  # (row,) what a pull brought beyond the mean of an idle round; 0 if idle, or if a budget broke
    mean_rewards: Vector  # (row, action) the truth, before the pull acts and whether or not a budget breaks
    contexts: Vector  # (row, feature) what a decision maker may know, as in the Gymnasium environment
    available: Any  # (row,) whether an arm could be pulled: not where a policy keeps what is left of the budgets

    @property
    def overlap(self) -> float:
        """The smallest probability that any action had in any round where an arm could be pulled.

        If it is 0, something was never tried, and what it would have brought cannot be told.

        >>> import roguewk as rw
        >>> round(rw.log_runs(rw.catalog.paper(budget=20), ("rogue-ts-clipped", {"p_min": 0.1})).overlap, 3)
        0.1
        """
        return float(self.probabilities[self.available].min()) if self.available.any() else 0.0

    @property
    def names(self) -> list[str]:
        """Those of the actions."""
        arms = [arm.name for arm in self.world.problem.arms]
        return [*arms, IDLE][: self.probabilities.shape[1]]

    @property
    def propensities(self) -> Vector:
        """(row,) the probability of what was done."""
        return np.asarray(self.probabilities[np.arange(self.actions.size), self.actions])

    @overload
    def frame(self, kind: Literal["pandas"] = "pandas") -> "pd.DataFrame": ...
    @overload
    def frame(self, kind: str) -> Any: ...
    def frame(self, kind: str = "pandas") -> Any:
        """A row per round, as a "pandas", "arrow" or "polars" table; the round that breaks a budget earns 0.

        A replicate is a subject. This is the table that `rw.read_log` reads, also once it is written to a file. Where
        idle rounds have an outcome, it is in `reward`, also of the round that breaks a budget, and `effect` is what a
        pull brought beyond their mean in that round. The values of contexts are in a column `context_NAME` each.
        """
        resources = [resource.name for resource in self.world.problem.told]
        columns = {
            "subject": self.replicates,
            "round": self.rounds,
            "arm": self._arms(),
            **self._contexts(self.replicates, self.rounds),
            "reward": self.rewards,
            **({} if self.world.baseline is None else {"effect": self.effects}),
            "propensity": self.propensities,
            "available": self.available,
            **{f"probability_{name}": self.probabilities[:, a].copy() for a, name in enumerate(self.names)},
            **{f"cost_{name}": self.costs[:, j].copy() for j, name in enumerate(resources)},
        }
        return as_table(columns, kind)

    def obp(self) -> dict[str, Any]:
        """The `bandit_feedback` of the Open Bandit Pipeline.

        An idle round is an action of its own, the last one, with an expected reward of 0, or what the world says of
        idle rounds. The context is what a
        decision maker may know (see WorldEnv), and `expected_reward` the true mean rewards.

        >>> import roguewk as rw
        >>> feedback = rw.log_runs(rw.catalog.paper(budget=20), "rogue-ts-clipped").obp()
        >>> feedback["n_actions"], feedback["pi_b"].shape == (feedback["n_rounds"], 3, 1)
        (3, True)
        """
        rows, actions = self.probabilities.shape
        return {
            "n_rounds": rows,
            "n_actions": actions,
            "context": self.contexts.copy(),
            "action_context": np.eye(actions, dtype=int),
            "action": self.actions.copy(),
            "position": np.zeros(rows, dtype=int),
            "reward": self.rewards.copy(),
            "expected_reward": self.mean_rewards.copy(),
            "pi_b": self.probabilities[:, :, np.newaxis].copy(),
            "pscore": self.propensities,
        }

    def micro_randomised(
        self, treatment: int | str | Sequence[int | str] | None = None, kind: str = "pandas", *, complete: bool = True
    ) -> Any:
        """The long table of micro-randomised trials: a row per person (replicate) and decision point (round).

        `treatment` is 1 for any pull and 0 for an idle round, `prob_treatment` the probability of a pull, `arm` names
        what was done and `prob_arm` is its probability. With an arm or several given as `treatment`, it means those,
        against everything else. `availability` is 0 where no arm could be pulled: where the policy keeps what is left
        of a budget, and after a budget is broken, until the last decision point; nobody is treated there and the
        outcome is 0, or that of an idle round, where these have one; then `effect` is what a pull brought beyond their
        mean. The values of contexts are in a column `context_NAME` each. `complete=False` leaves out what comes after
        the end. An analysis needs probabilities strictly between 0 and 1 wherever someone is available.

        >>> import roguewk as rw
        >>> log = rw.log_runs(rw.catalog.messages(horizon=50), ("randomised", {"chances": 0.6}))
        >>> table = log.micro_randomised()
        >>> list(table.columns)
        ['id', 'decision_point', 'availability', 'prob_treatment', 'treatment', 'outcome', 'arm', 'prob_arm']
        >>> table[table["availability"] == 1]["prob_treatment"].unique().round(3)
        array([0.6])
        """
        return as_table(trial_columns(self._points(), treatment, truth_value(complete, "complete")), kind)

    def _points(self) -> Points:
        return Points(
            problem=self.world.problem,
            replicates=self.replicates,
            rounds=self.rounds,
            actions=self.actions,
            rewards=self.rewards,
            probabilities=self.probabilities,
            propensities=self.propensities,
            available=self.available,
            effects=self.effects if self.world.baseline is not None else self.effects[:0],
            idle=self._idle_outcomes(),
            contexts=self._contexts(*self._every_point()),
        )

    def _every_point(self) -> tuple[Any, Any]:
        """Of all people all decision points: replicates and rounds."""
        people, points = int(self.replicates.max()) + 1, self.world.problem.horizon
        return np.repeat(np.arange(people), points), np.tile(np.arange(points), people)

    def _contexts(self, replicates: Any, rounds: Any) -> dict[str, list[str]]:
        """A column for each context."""
        if not self.world.contexts:
            return {}
        people = range(int(replicates.max()) + 1)
        known = [Game(self.world, self.seed, r).contexts_to_come() for r in people]
        there = [known[r][t] for r, t in zip(replicates.tolist(), rounds.tolist(), strict=True)]
        return {f"context_{each.name}": [values[each.name] for values in there] for each in self.world.contexts}

    def _idle_outcomes(self) -> Vector:
        """(replicate, round) what idle rounds bring."""
        people, points = int(self.replicates.max()) + 1, self.world.problem.horizon
        if self.world.baseline is None:
            return np.zeros((people, points))
        return np.array([Game(self.world, self.seed, r).live_on()[0] for r in range(people)])

    def _arms(self) -> list[str | None]:
        names = [arm.name for arm in self.world.problem.arms]
        return [names[action] if action < len(names) else None for action in self.actions]


def log_runs(world: World, policy: Spec, replicates: int = 1, seed: int = 0) -> Log:
    """Play a policy round by round and keep each decision with its probabilities.

    The policy is given as for `simulate`, and takes exactly the decisions it takes there in the same replicates. Its
    probabilities must be exact: policies that draw random numbers besides the arm, such as those of Thompson, are
    refused. So are classes of your own, unless `select()` returns the probability of each arm in every round.

    >>> import roguewk as rw
    >>> log = rw.log_runs(rw.catalog.paper(budget=20), ("rogue-ts-clipped", {"p_min": 0.1}), replicates=3)
    >>> log.propensities.min() >= 0.1, len(set(log.replicates))
    (np.True_, 3)
    """
    count, key = whole(replicates, "replicates", 1, MOST_REPLICATES), whole(seed, "seed", 0, LARGEST_SEED)
    label, player = _exact(check_world(world), policy, key)
    rows: list[tuple[Any, ...]] = []
    for r in range(count):
        game = Game(world, key, r)
        rows.extend(_play(world, game, player(game)))
    replicate, rounds, arms, rewards, effects, costs, shares, means, contexts, available = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    size = shares.shape[1]
    if world.problem.idle or (arms < 0).any():
        rest = np.maximum(1 - shares.sum(axis=1), 0.0)
        shares = np.column_stack([shares, np.where(rest < 1e-9, 0.0, rest)])  # as the arm is drawn
        means = np.column_stack([means, world.idle_means[rounds]])
    actions = np.where(arms < 0, size, arms)
    return Log(
        world, label, key, replicate, rounds, actions, rewards, costs, shares, effects, means, contexts, available
    )


def _exact(world: World, policy: Any, seed: int) -> tuple[str, Callable[[Game], Policy | Drawn]]:
    """The label of a policy whose decisions have exact probabilities, and what makes it for a game."""
    specs = labelled(policy)
    if len(specs) != 1:
        raise InputError(f"{len(specs)} policies are given: give one, as a log is of one policy")
    label, name, given = specs[0]
    if callable(name):
        make = functools.partial(name, **given)
        return label, lambda game: Drawn(make_plain(label, make, game, seed), label, game)
    how = recipe(name)
    if not how.exact:
        raise InputError(
            f"policy {how.name!r} draws random numbers besides the arm, so its decisions have no exact probabilities:"
            " take one that has them, such as 'rogue-ts-clipped', 'roguewk-ucb' or 'exp3'"
        )
    made = template(how, told_problem(world, how), told_truth(world, how.complete(given)))
    return label, lambda game: Policy(made, seed, game.replicate)


def _play(world: World, game: Game, policy: Policy | Drawn) -> list[tuple[Any, ...]]:
    """The rounds of a replicate: (replicate, round, arm or -1, reward, effect, costs, shares, means, ...)."""
    onlooker, mailbox, rows, idle = Onlooker(world.problem), Mailbox(game), [], world.idle_means
    onlooker.start()
    while game.round < world.problem.horizon and game.stopped_by == WITHIN:
        for news in mailbox.open(game.round):
            if isinstance(policy, Policy):
                policy.update(news.decision, **news.told)
            elif news.complete:
                policy.update(news.decision, news.reward, news.costs)
        seen = [*onlooker.seen(game.left).values(), shown_context(world.contexts, game.context)]
        context = np.concatenate(seen)
        decision = policy.select(game.there(), game.drawn) if isinstance(policy, Policy) else policy.select()
        means, t = game.mean_rewards(), game.round
        reward, costs = game.play(decision.arm)
        onlooker.watch(decision.arm)
        counts = decision.arm is not None and game.stopped_by == WITHIN
        if counts:
            mailbox.send(decision, reward, costs)
        elif decision.arm is None and world.baseline is not None:
            policy.update(decision, reward, costs)  # type: ignore[arg-type]  # each gets what it selected
        arm, open_ = -1 if decision.arm is None else decision.arm, decision.code not in CLOSED
        effect = reward - idle[t] if counts else 0.0
        rows.append((game.replicate, t, arm, reward, effect, costs, decision.probabilities, means, context, open_))
    return rows
