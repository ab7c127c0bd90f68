"""What the paper's propositions are made of: constants, radii and the single-step program, each with its formula."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from roguewk.allocate.lp import Allocation, solve_lp
from roguewk.bounds.assumptions import Report
from roguewk.bounds.reachable import payable_share
from roguewk.problem.arm import Arm
from roguewk.problem.constants import GRID, largest_divergence, mean_rewards, radius_parts, theorem_radius
from roguewk.problem.errors import listed
from roguewk.problem.ledger import covers
from roguewk.problem.problem import Problem
from roguewk.world.world import World

# The assumption that each constant belongs to, and what it is.
CONSTANTS = {
    "L_h": ("5", "largest slope of h over X"),
    "L_g": ("3", "largest slope of the mean reward over X"),
    "L_f": ("3", "the log-likelihood ratio's in the state"),
    "L_p": ("4", "the log-likelihood ratio's in the reward"),
    "sigma": ("4", "sub-Gaussian parameter of the rewards"),
    "diameter": ("X", "of the state set X"),
}


@dataclass(frozen=True)
class Row:
    """One quantity: `value` is infinite where there is no number.

    `holds`: True where it is known to hold on this world, False where it is known not to, or where what its proof
    needs is missing, None where neither is known; `why` is a sentence or two.
    """

    name: str
    formula: str
    value: float
    holds: bool | None
    why: str


class Numbers(NamedTuple):
    """What the formulas are made of; constants are the largest over the arms, as the paper has one for all."""

    arms: int
    resources: int
    rounds: int
    idle: bool
    rate: float  # b, the smallest budget per round, a pull's largest cost being 1
    L_h: float
    L_g: float
    sigma: float
    diameter: float
    lp: Allocation  # LP(g0, C)
    payable: bool  # whether LP(g0, C) can be solved to the letter
    largest: float  # mean reward over all arms and states
    spread: float  # of the mean rewards over all arms and states

    @property
    def drift(self) -> float:
        """`L_g diam / (1 - L_h)`."""
        return self.L_g * self.diameter / (1 - self.L_h) if self.L_h < 1 else math.inf

    @property
    def log_costs(self) -> float:
        """`log(12 m d T^2)`."""
        return math.log(12 * self.arms * max(self.resources, 1)) + 2 * math.log(self.rounds)

    @property
    def log_rewards(self) -> float:
        """`log(12 T)`."""
        return math.log(12 * self.rounds)

    @property
    def unplayed(self) -> float:
        """Proposition 2; without resources the game never ends early."""
        if self.resources == 0:
            return 0.0
        factor = 1 + 4 * math.sqrt(self.arms) + math.sqrt(self.log_costs / 2)
        return factor * math.sqrt(self.rounds * self.log_costs / 2) / self.rate

    @property
    def noise(self) -> float:
        """`sqrt(2 T sigma^2 log(12 T))`."""
        return math.sqrt(2 * self.rounds * self.log_rewards) * self.sigma

    @property
    def luck(self) -> float:
        """`sqrt(T/2 log(12 T)) L_g diam`, what drawing the arms can cost."""
        return math.sqrt(self.rounds * self.log_rewards / 2) * self.L_g * self.diameter


def find_numbers(world: World, idle: bool, report: Report) -> Numbers:
    """Everything the propositions are made of."""
    problem, constants = world.problem, report.constants.values()
    start = np.array([mean_rewards(arm, x[None, :])[0] for arm, x in zip(world.arms, world.x0, strict=True)])
    payable = idle or covers(payable_share(world), 1.0)
    # Where not every round can be paid for, LP(g0, C) has no solution: leave the rest of the rounds idle.
    lp = solve_lp(start, world.mean_costs, problem.budgets / problem.horizon, idle or not payable, "longest")
    ranges = np.array([_range(arm) for arm in world.arms])
    largest = {key: max(getattr(c, key) for c in constants) for key in ("L_h", "L_g", "sigma", "diameter")}
    rate = float(problem.rates.min()) if problem.resources else math.inf
    counts = (len(problem.arms), len(problem.resources), problem.horizon, idle)
    return Numbers(
        *counts, rate, **largest, lp=lp, payable=payable, largest=float(ranges.max()), spread=float(np.ptp(ranges))
    )


def _range(arm: Arm) -> tuple[float, float]:
    """The smallest and the largest mean reward over X."""
    if arm.g is not None:
        means = mean_rewards(arm, np.linspace(arm.box[0, 0], arm.box[0, 1], GRID)[:, None])
    else:
        towards = np.where(arm.weights > 0, arm.box[:, 1], arm.box[:, 0])
        means = mean_rewards(arm, np.stack([towards, arm.box.sum(axis=1) - towards]))
    return float(means.min()), float(means.max())


def constant_rows(world: World, n: Numbers, report: Report) -> list[Row]:
    """What is given, and Theorem 1's and the costs' confidence radii."""
    problem = world.problem
    checks = {check.label: check for check in report.checks}
    rows = [Row("b", "min_j B_j / (T largest_cost_j)", n.rate, checks["6"].holds, checks["6"].sentence)]
    for key, (label, formula) in CONSTANTS.items():
        value = max(getattr(each, key) for each in report.constants.values())
        rows.append(Row(key, formula, value, checks[label].holds, checks[label].sentence))
    return [*rows, *_radius_rows(world, n, all(checks[label].holds for label in "12345")), _lp_row(problem, n)]


def _radius_rows(world: World, n: Numbers, assumed: bool) -> list[Row]:
    problem = world.problem.believe(world.arms)
    log = math.log(6 * n.arms) + 2 * math.log(n.rounds)  # log(1 / alpha)
    parts = [radius_parts(arm) for arm in world.arms]
    first = [theorem_radius(problem, a, n=1) for a in range(n.arms)]
    # The radius is of an average over pulls: it says something once it is below the largest divergence of one pull.
    most = [largest_divergence(arm) for arm in world.arms]
    needed = min((r / d) ** 2 if 0 < d < math.inf else math.inf for r, d in zip(first, most, strict=True))
    binds = "" if math.inf in most else "The confidence set is always all of X."
    if math.isfinite(needed):
        binds = f"The confidence set is all of X until an arm has {needed:,.0f} pulls; there are {n.rounds:,} rounds."
    rows = [
        Row("alpha", "1 / (6 m T^2)", math.exp(-log), True, "The confidence that Algorithm 1 asks of Theorem 1."),
        Row(
            "c_f",
            "(8 + 48 sqrt(2) 2^(1/d_x) sqrt(d_x)) sqrt(pi) L_f diam",
            max(bias for bias, _ in parts),
            assumed,
            "The largest of the arms'; it makes up for the bias of the estimate.",
        ),
        Row(
            "B(alpha)",
            "c_f / sqrt(log(1/alpha)) + L_p sigma sqrt(2)",
            max(bias / math.sqrt(log) + noise * math.sqrt(2) for bias, noise in parts),
            assumed,
            "The largest of the arms'.",
        ),
        Row(
            "Theorem 1: radius after T pulls",
            "B(alpha) sqrt(log(1/alpha) / T)",
            max(first) / math.sqrt(n.rounds),
            assumed,
            f"Needs assumptions 1 to 5{'' if assumed else ', which do not all hold'}. {binds}".strip(),
        ),
    ]
    if n.resources:
        radius = math.sqrt(n.log_costs / 2)
        small = f"It falls below b after {math.ceil((radius / n.rate) ** 2):,} pulls of an arm."
        rows.append(Row("Cost radius after one pull", "sqrt(log(12 m d T^2) / 2)", radius, True, small))
    return rows


def _lp_row(problem: Problem, n: Numbers) -> Row:
    names = [arm.name for arm in problem.arms]
    shares = [f"{name!r} {share:.2f}" for name, share in zip(names, n.lp.probabilities, strict=True) if share > 0]
    plan = f"Shares: {listed(shares) or 'none'}."
    if not n.payable:
        plan = f"The budgets cannot pay for a pull in every round, so it has no solution; with idle rounds: {plan}"
    return Row("LP(g0, C)", "max g0.pi: C'pi <= b, pi in the simplex", n.lp.value, n.payable, plan)
