"""Mean rewards of 0 or 1 drawn from their posterior, `Beta(a + successes, b + failures)`: Thompson sampling."""

from typing import NamedTuple

from roguewk.estimate.rewards.tally import Tally, build_tally, tallied
from roguewk.estimate.verbs import reward_bounds
from roguewk.kernel.draws import beta
from roguewk.kernel.luck import REWARD_DRAW, Now
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem
from roguewk.problem.parameter import above_zero
from roguewk.problem.part import REWARDS, Part, unit_rewards


@tallied
class ThompsonBeta(NamedTuple):
    """Samples of mean rewards."""

    tally: Tally
    prior_successes: float
    prior_failures: float


def _build(problem: Problem, prior_successes: float, prior_failures: float) -> ThompsonBeta:
    return ThompsonBeta(build_tally(problem), prior_successes, prior_failures)


@reward_bounds.body(ThompsonBeta)
def _reward_bounds(part: ThompsonBeta, now: Now, out: Vector) -> None:
    for a in range(out.size):
        successes = part.tally.sums[a]
        failures = part.tally.seen[a] - successes
        out[a] = beta(part.prior_successes + successes, part.prior_failures + failures, now, REWARD_DRAW + 2 * a)


THOMPSON_BETA = Part(
    role=REWARDS,
    name="thompson-beta",
    summary="a sample of each mean reward, Beta(a + successes, b + failures)",
    build=_build,
    parameters={
        "prior_successes": above_zero(1.0, "a of the prior Beta(a, b): successes imagined"),
        "prior_failures": above_zero(1.0, "b of the prior Beta(a, b): failures imagined"),
    },
    check=unit_rewards("thompson-beta", "the reward estimate 'ucb1'"),
)
PARTS = (THOMPSON_BETA,)
