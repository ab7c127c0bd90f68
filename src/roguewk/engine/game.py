"""A world played round by round, with the luck of one of the engine's replicates."""

import numpy as np

from roguewk.engine.rollout import HORIZON
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiling
from roguewk.kernel.luck import ROUND, Word, block, unit
from roguewk.policy.saved import LARGEST_SEED
from roguewk.problem.dynamics import mean_reward, move_all
from roguewk.problem.errors import whole
from roguewk.problem.ledger import SLACK
from roguewk.world.truth import Truth, build_truth, draw_costs, draw_reward
from roguewk.world.world import World, check_world


class Game:
    """The true states of a world, which move with every round played, and what was spent.

    `stopped_by` is the index of the resource whose budget is broken, HORIZON as long as none is.

    >>> import roguewk as rw
    >>> game = Game(rw.catalog.paper(), seed=1)
    >>> reward, costs = game.play(0)
    >>> reward in (0, 1), costs.shape, game.round
    (True, (3,), 1)
    """

    def __init__(self, world: World, seed: int, replicate: int = 0) -> None:
        self.world = check_world(world)
        self.truth = build_truth(world)
        self.states = self.truth.x0.copy()  # (arm, coordinate)
        self.spent = np.zeros(self.truth.budgets.size)  # (resource,) in the user's units
        self.stopped_by = HORIZON
        self.round = 0
        self.replicate = replicate
        self._seed = np.uint64(whole(seed, "seed", 0, LARGEST_SEED))
        self._spare = np.zeros(self.states.shape[1])

    def number(self) -> float:
        """The uniform number that a policy's arm is drawn with this round."""
        return unit(np.uint64(block(self._seed, self.replicate, self.round, ROUND, 0)[2]))

    def mean_rewards(self) -> Vector:
        """(arm,) what a pull now would bring on average."""
        with compiling("the world"):
            return np.array([mean_reward(self.truth.dynamics, a, x) for a, x in enumerate(self.states)])

    def play(self, arm: int | None) -> tuple[float, Vector]:
        """The reward and costs, (resource,) in the user's units, of this arm in this round, which passes.

        A round that breaks a budget brings no reward.
        """
        reward, costs = 0.0, np.zeros(self.truth.budgets.size)
        with compiling("the world"):
            if arm is not None:
                reward = _pull(self.truth, arm, self.states[arm], self._seed, self.replicate, self.round, costs)
            move_all(self.truth.dynamics, self.states, -1 if arm is None else arm, self._spare)
        self.round += 1
        self.spent += costs
        over = np.flatnonzero(self.spent > self.truth.budgets * (1 + SLACK))
        if over.size:
            self.stopped_by = int(over[0])
        return 0.0 if over.size else reward, costs


@compiled
def _pull(truth: Truth, arm: int, x: Vector, seed: Word, replicate: int, round_: int, costs: Vector) -> float:
    word = block(seed, replicate, round_, ROUND, 0)
    draw_costs(truth, arm, seed, replicate, round_, costs)
    return draw_reward(truth, arm, mean_reward(truth.dynamics, arm, x), word[0], word[1])
