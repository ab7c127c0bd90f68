"""An arm: `x' = A x + B pulled + K`, the rewards of a state, and the path from an unknown x0 to every state."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, rel_entr

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm


def step(arm: Arm, x: Vector, pulled: bool) -> Vector:
    """h(x, pulled)."""
    return np.asarray(arm.matrix @ x + arm.push * pulled + arm.pull_back)


def level(arm: Arm, x: Vector) -> Vector:
    """`alpha + beta . x`, of one state or of a row of states."""
    return np.asarray(arm.alpha + x @ arm.weights)


def mean_reward(arm: Arm, x: Vector) -> Vector:
    """g(x)."""
    return np.asarray(expit(level(arm, x)) if arm.sigma is None else level(arm, x))


def log_likelihood(arm: Arm, rewards: Vector, x: Vector) -> float:
    """Of rewards in a row of states, up to a constant."""
    z = level(arm, x)
    if arm.sigma is None:
        return float(np.sum(rewards * z - np.logaddexp(0, z)))
    return float(-np.sum((rewards - z) ** 2) / (2 * arm.sigma**2))


def kl(arm: Arm, x: Vector, y: Vector) -> Vector:
    """KL(P_x || P_y), state by state."""
    p, q = level(arm, x), level(arm, y)
    if arm.sigma is None:
        return np.asarray(rel_entr(expit(p), expit(q)) + rel_entr(expit(-p), expit(-q)))
    return np.asarray((p - q) ** 2 / (2 * arm.sigma**2))


@dataclass
class Trajectory:
    """The rewards of an arm and the maps from x0 to its states: `x_t = h^t(x0) = power x0 + offset`."""

    arm: Arm
    power: Vector = field(init=False)  # (coordinate, coordinate), of the present round
    offset: Vector = field(init=False)  # (coordinate,)
    powers: Vector = field(init=False)  # (pull, coordinate, coordinate)
    offsets: Vector = field(init=False)  # (pull, coordinate)
    rewards: Vector = field(init=False)  # (pull,)

    def __post_init__(self) -> None:
        if self.arm.custom:
            raise NotImplementedError("the reference knows linear dynamics and links, not an arm's own h or g")
        size = self.arm.dimension
        self.power, self.offset = np.eye(size), np.zeros(size)
        self.powers, self.offsets, self.rewards = np.empty((0, size, size)), np.empty((0, size)), np.empty(0)

    def observe(self, reward: float) -> None:
        self.powers = np.concatenate([self.powers, [self.power]])
        self.offsets = np.concatenate([self.offsets, [self.offset]])
        self.rewards = np.append(self.rewards, reward)

    def advance(self, pulled: bool) -> None:
        self.power = self.arm.matrix @ self.power
        self.offset = step(self.arm, self.offset, pulled)

    def now(self, x0: Vector) -> Vector:
        """(coordinate,) the present state."""
        return np.asarray(self.power @ x0 + self.offset)

    def at_pulls(self, x0: Vector) -> Vector:
        """(pull, coordinate) the states in which the rewards were drawn."""
        return np.asarray(self.powers @ x0 + self.offsets)

    def log_likelihood(self, x0: Vector) -> float:
        return log_likelihood(self.arm, self.rewards, self.at_pulls(x0))

    def score(self, x0: Vector) -> Vector:
        """(coordinate,) the gradient of the log-likelihood."""
        surprise = self.rewards - mean_reward(self.arm, self.at_pulls(x0))
        return np.asarray(surprise @ (self.arm.weights @ self.powers) / (self.arm.sigma or 1.0) ** 2)
