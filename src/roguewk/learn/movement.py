"""How parameters move together on a climb: all by Newton's method, or one arm's while those of others follow.

Arms depend on each other only by the levels of subjects. Of many arms, when the parameters of one are moved, those of
the others change so little that the curvature which they had at the top will do: the gradient is exact, so the climb
ends at the same place, and of the Hessian no more is needed than the rows of this arm and of what arms share.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.curvature import covariances, inverse_curvature, newton_step
from roguewk.learn.model import Model, Slopes
from roguewk.learn.setting import WIDTH
from roguewk.learn.solve import ENOUGH, STEPS, Peak, Region, climb, inner

MANY = 16  # arms


@dataclass(frozen=True, eq=False)
class Together:
    """All parameters move."""

    model: Model

    def seen_from(self, top: Peak) -> Peak:
        """The peak as it is."""
        return top

    def row(self, slopes: Slopes, place: int) -> Vector:
        """A row of the Hessian."""
        return np.asarray(slopes.hessian[place])

    def step(self, slopes: Slopes, free: Any, pull: Vector | None = None) -> Vector:
        """Newton's step."""
        return newton_step(slopes, free, pull)

    def covariances(self, slopes: Slopes, free: Any, places: Any) -> Vector:
        """By the inverse of the whole curvature."""
        return covariances(slopes, free, places)


@dataclass(frozen=True, eq=False)
class OneArm:
    """The parameters of an arm and those that arms share move; those of other arms follow."""

    model: Model  # which keeps the rows of `own`
    own: Any  # (own,) places
    others: Vector  # (parameter of arms, parameter of arms) the inverse curvature of all arms at the top
    mine: Any  # (mine,) places of the arm's parameters that are free in it
    unlike: Vector  # (mine, mine) what takes the arm out of it

    def seen_from(self, top: Peak) -> Peak:
        """The peak with the rows of this arm and of what is shared."""
        return top._replace(slopes=top.slopes._replace(hessian=top.slopes.hessian[self.own]))

    def row(self, slopes: Slopes, place: int) -> Vector:
        """A row of the Hessian, of one of the own parameters."""
        return np.asarray(slopes.hessian[int(np.flatnonzero(self.own == place)[0])])

    def _followed(self, pulls: Vector) -> Vector:
        """(parameter of other arms, ...) how they follow pulls, (parameter of arms, ...), on each of them."""
        first = self.own[0]
        arm = slice(first, first + WIDTH)
        pulls[arm] = 0.0
        moves = self.others @ pulls
        moves -= self.others[:, self.mine] @ (self.unlike @ moves[self.mine])
        moves[arm] = 0.0
        return np.asarray(moves)

    def _reduced(self, slopes: Slopes, free: Any, pull: Vector) -> tuple[Any, Vector, Vector]:
        """Which own parameters move, how others follow each and the pull, and the curvature that is left to them."""
        moving = free[self.own]
        rows, arms = slopes.hessian[moving], self.others.shape[0]
        followed = self._followed(np.column_stack([rows[:, :arms].T, pull[:arms]]))
        hidden = rows[:, :arms].copy()
        hidden[:, self.own[0] : self.own[0] + WIDTH] = 0.0
        return moving, followed, -rows[:, self.own[moving]] - hidden @ followed[:, :-1]

    def step(self, slopes: Slopes, free: Any, pull: Vector | None = None) -> Vector:
        """Newton's step, with the others' part of the Hessian as it was at the top."""
        pull = slopes.gradient if pull is None else pull
        moving, followed, curvature = self._reduced(slopes, free, pull)
        rows, arms, move = slopes.hessian[moving], self.others.shape[0], np.zeros(free.size)
        left = pull[self.own[moving]] + rows[:, :arms] @ followed[:, -1]
        mine = newton_step(Slopes(0.0, left, -curvature), np.ones(left.size, bool))
        move[:arms] = followed[:, -1] + followed[:, :-1] @ mine
        move[self.own[moving]] = mine
        return move

    def covariances(self, slopes: Slopes, free: Any, places: Any) -> Vector:
        """Of own parameters, others having followed."""
        moving, _, curvature = self._reduced(slopes, free, slopes.gradient)
        order = [int(np.flatnonzero(self.own == place)[0]) for place in places]
        whole = np.zeros((self.own.size, self.own.size))
        whole[np.ix_(moving, moving)] = -curvature
        return covariances(Slopes(0.0, np.zeros(self.own.size), whole), moving, order)


Movement = Together | OneArm


@dataclass(frozen=True, eq=False)
class Followers:
    """How each arm moves alone, away from a top."""

    model: Model
    inverse: Vector  # (parameter of arms, parameter of arms) of the curvature at the top; 0 for those that are fixed

    def arm(self, arm: int, model: Model | None = None) -> OneArm:
        """The movement of one arm, in this model or in one that has more that arms share."""
        model = self.model if model is None else model
        own = np.array([*range(arm * WIDTH, (arm + 1) * WIDTH), *range(model.setting.shared, model.size)])
        mine = own[:WIDTH][np.diag(self.inverse)[own[:WIDTH]] > 0]
        unlike = np.asarray(np.linalg.inv(self.inverse[np.ix_(mine, mine)]), dtype=np.float64)
        return OneArm(model.keeping(own), own, self.inverse, mine, unlike)


def followers(model: Model, top: Peak, region: Region) -> Followers:
    """How arms move alone from this top."""
    arms = model.setting.shared
    free = inner(region, top.parameters, top.slopes)
    free[arms:] = False
    inverse = np.zeros((arms, arms))
    inverse[np.ix_(free[:arms], free[:arms])] = inverse_curvature(top.slopes, free)
    return Followers(model, inverse)


def climb_by(movement: Movement, start: Vector, region: Region, enough: float = ENOUGH) -> Peak:
    """The peak near `start`, by steps of this movement."""
    return climb(movement.model, start, region, STEPS, enough, movement.step)
