"""A world played round by round, with the luck of one of the engine's replicates."""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiling
from roguewk.kernel.luck import LARGEST_SEED, ROUND, Now, unit, words
from roguewk.problem.dynamics import shifted_reward
from roguewk.problem.errors import InputError, whole
from roguewk.problem.ledger import WITHIN
from roguewk.problem.limits import renew
from roguewk.problem.occasions import calendar_of
from roguewk.world.round import NONE, build_motion, leave_out, leave_out_forbidden, play_round
from roguewk.world.truth import build_truth, draw_available, draw_idle, occasion_of
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
        self._calendar = calendar_of(world.contexts, world.problem.rounds_per_day)

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
    def left(self) -> Vector:
        """(resource,) the share of each budget that is left; of one that renews, of what it has brought so far."""
        problem, limits = self.world.problem, self._motion.limits
        share = 1 - self.spent / problem.budgets
        if limits.periods.size:
            with compiling("the world"):
                renew(limits, self.round)
            granted = limits.grants * np.where(limits.carries, limits.period + 1, 1)
            share = np.where(problem.hard, 1 - limits.held / granted, share)
        return np.clip(share, 0.0, 1.0)

    @property
    def comes_and_goes(self) -> bool:
        """Whether arms are not always available, by chance, by contexts or by limits."""
        truth = self._motion.truth
        return truth.chances.size > 0 or bool(truth.barred.any()) or self.world.problem.limited

    @property
    def context(self) -> dict[str, str]:
        """By name, the values of the contexts of this round.

        >>> import roguewk as rw
        >>> arm = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2, when={"night": False})
        >>> day = rw.Context("hour", cycle=["day", "night"])
        >>> world = rw.World(rw.Problem([arm], [], 10, idle=True, contexts=[day]), [0.0], [[]])
        >>> Game(world, seed=1).context
        {'hour': 'day'}
        """
        return self._named(self._occasion()) if self.world.contexts else {}

    @property
    def drawn(self) -> dict[str, str] | None:
        """The same of those that are drawn, which is what a policy has to be told; None where none is."""
        drawn = {each.name for each in self.world.contexts if each.drawn}
        return {name: value for name, value in self.context.items() if name in drawn} if drawn else None

    def contexts_to_come(self) -> list[dict[str, str]]:
        """By name, the values of the contexts of this round and of all until the horizon, even after the end.

        >>> import roguewk as rw
        >>> day = rw.Context("hour", cycle=["day", "night"])
        >>> world = rw.World(rw.Problem([rw.Arm("walk", alpha=0.0)], [], 2, contexts=[day]), [0.0], [[]])
        >>> Game(world, seed=1).contexts_to_come()
        [{'hour': 'day'}, {'hour': 'night'}]
        """
        rounds = range(self.round, self.world.problem.horizon)
        if not self.world.contexts:
            return [{} for _ in rounds]
        truth, luck = self._motion.truth, (self._seed, self.replicate)
        with compiling("the world"):
            return [self._named(int(occasion_of(truth, Now(t, *luck, t)))) for t in rounds]

    def _named(self, occasion: int) -> dict[str, str]:
        names = (context.name for context in self.world.contexts)
        return dict(zip(names, self._calendar.occasions[occasion], strict=True))

    def _occasion(self) -> int:
        with compiling("the world"):
            return int(occasion_of(self._motion.truth, self._now())) if self.world.contexts else 0

    def available(self) -> list[bool] | None:
        """Which arms are possible this round; None where all always are."""
        if not self.comes_and_goes:
            return None
        out = np.array(self.there() or [True] * len(self.world.arms))
        with compiling("the world"):
            leave_out_forbidden(self._motion, self._now(), out)
            leave_out(self._motion, self.round, out)
        return out.tolist()

    def there(self) -> list[bool] | None:
        """Which arms are there this round, whatever limits and contexts say; None where all are."""
        if not self._motion.truth.chances.size:
            return None
        out = np.ones(len(self.world.arms), dtype=np.bool_)
        with compiling("the world"):
            draw_available(self._motion.truth, self._now(), out)
        return out.tolist()

    def number(self) -> float:
        """The uniform number that a policy's arm is drawn with this round."""
        return unit(np.uint64(words(self._now(), ROUND, 0)[2]))

    def mean_rewards(self) -> Vector:
        """(arm,) what a pull now would bring on average."""
        truth = self._motion.truth
        shifts = truth.shifts[self._occasion()] if len(truth.shifts) else np.zeros(len(self.world.arms))
        with compiling("the world"):
            return np.array([shifted_reward(truth.dynamics, a, x, shifts[a]) for a, x in enumerate(self.states)])

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
        >>> world = rw.catalog.messages(horizon=3).with_problem(baseline=rw.Baseline(2.0, "poisson"))
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
        limited, contexts = self.world.problem.limited, self.world.contexts
        if arm is None or not (limited or contexts):
            return
        free, allowed = np.ones((2, len(self.world.arms)), dtype=np.bool_)
        with compiling("the world"):
            leave_out(self._motion, self.round, free)
            leave_out_forbidden(self._motion, self._now(), allowed)
        if not (free[arm] and allowed[arm]):
            name = self.world.problem.arms[arm].name
            why = "by a limit" if not free[arm] else "by its context"
            raise InputError(f"arm {name!r} is left out of round {self.round} {why}: ask available() before")

    def _now(self) -> Now:
        return Now(self.round, self._seed, self.replicate, self.round)
