"""A world played round by round, with the luck of one of the engine's replicates."""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.kernel.luck import LARGEST_SEED, ROUND, Now, unit, words
from roguewk.problem.dynamics import mean_reward
from roguewk.problem.errors import InputError, whole
from roguewk.problem.ledger import WITHIN
from roguewk.world.round import NONE, build_motion, leave_out, play_round
from roguewk.world.truth import build_truth, draw_available, draw_idle
from roguewk.world.world import World, check_world


class Game:
    """The true states of a world, which move with every round played, and what was spent.

    >>> import roguewk as rw
    >>> game = Game(rw.catalog.paper(), seed=1)
    >>> reward, costs = game.play(0)
    >>> reward in (0, 1), costs.shape, game.round
    (True, (3,), 1)
    """

    def __init__(self, world: World, seed: int, replicate: int = 0) -> None:
        self.world = check_world(world)
        self.round = 0
        self.replicate = replicate
        self._seed = np.uint64(whole(seed, "seed", 0, LARGEST_SEED))
        self._motion = build_motion(world.problem, build_truth(world))

    @property
    def states(self) -> Vector:
        """(arm, coordinate) the true ones; they move in place."""
        return self._motion.states

    @property
    def spent(self) -> Vector:
        """(resource,) in the user's units; it grows in place."""
        return self._motion.spent

    @property
    def stopped_by(self) -> int:
        """The resource whose budget is over, WITHIN as long as none is."""
        return int(self._motion.outcome["over"][0])

    @property
    def mean(self) -> float:
        """The mean reward that the last round had: that of an idle one if none was pulled or a budget broke."""
        return float(self._motion.outcome["mean"][0])

    @property
    def costs(self) -> Vector:
        """(resource,) what the last round took, pulls that are counted among it."""
        return self._motion.costs.copy()

    @property
    def last(self) -> Now:
        """The round that was played last."""
        return Now(self.round - 1, self._seed, self.replicate, self.round - 1)

    @property
    def comes_and_goes(self) -> bool:
        """Whether arms are not always available."""
        return self._motion.truth.chances.size > 0 or self.world.problem.limited

    def available(self) -> list[bool] | None:
        """Which arms are possible this round; None where all always are."""
        if not self.comes_and_goes:
            return None
        out = np.ones(len(self.world.arms), dtype=np.bool_)
        with compiling("the world"):
            draw_available(self._motion.truth, self._now(), out)
            leave_out(self._motion, self.round, out)
        return out.tolist()

    def number(self) -> float:
        """The uniform number that a policy's arm is drawn with this round."""
        return unit(np.uint64(words(self._now(), ROUND, 0)[2]))

    def mean_rewards(self) -> Vector:
        """(arm,) what a pull now would bring on average."""
        dynamics = self._motion.truth.dynamics
        with compiling("the world"):
            return np.array([mean_reward(dynamics, a, x) for a, x in enumerate(self.states)])

    def play(self, arm: int | None) -> tuple[float, Vector]:
        """The reward and the costs that are told, (resource,) in the user's units, of this arm in this round.

        The round passes; one that breaks a budget brings what an idle one does, moves no state, and is the last.
        """
        if self.stopped_by != WITHIN:
            name = self.world.problem.resources[self.stopped_by].name
            raise InputError(f"the game is over since round {self.round - 1}, which broke {name!r}: begin another one")
        self._check_permitted(arm)
        with compiling("the world"):
            play_round(self._motion, NONE if arm is None else arm, self._now())
        self.round += 1
        return float(self._motion.outcome["reward"][0]), self.costs[: len(self.world.problem.told)]

    def live_on(self) -> tuple[Vector, Vector]:
        """(round,) what the rounds until the horizon bring, and their means, if nothing is done in them any more.

        >>> import roguewk as rw
        >>> world = rw.catalog.mobile_health(horizon=3).with_problem(baseline=rw.Baseline(2.0, "poisson"))
        >>> Game(world, seed=1).live_on()[1]
        array([2., 2., 2.])
        """
        rounds = range(self.round, self.world.problem.horizon)
        truth, luck = self._motion.truth, (self._seed, self.replicate)
        with compiling("the world"):
            drawn = [draw_idle(truth, Now(t, *luck, t)) for t in rounds]
        return np.array([reward for reward, _ in drawn]), np.array([mean for _, mean in drawn])

    def _check_permitted(self, arm: int | None) -> None:
        """Refuse an arm that what is hard leaves out."""
        if arm is None or not self.world.problem.limited:
            return
        free = np.ones(len(self.world.arms), dtype=np.bool_)
        with compiling("the world"):
            leave_out(self._motion, self.round, free)
        if not free[arm]:
            name = self.world.problem.arms[arm].name
            raise InputError(f"arm {name!r} is left out of round {self.round} by a limit: ask available() before")

    def _now(self) -> Now:
        return Now(self.round, self._seed, self.replicate, self.round)
