"""The constants of the paper's assumptions over X, Theorem 1's radius, and a check of each assumption."""

import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.problem.arms import Arm, Vector
from roguewk.problem.errors import InputError, number, whole
from roguewk.problem.model import Problem

if TYPE_CHECKING:  # the estimate layer imports this module, and must not meet the truth through it
    from roguewk.problem.world import World

GRID = 2001  # points of X for functions of the user's own
TAIL = 4.0  # sigmas: rewards further out than that are left out of a Gaussian arm's L_f


@dataclass(frozen=True)
class ArmConstants:
    """The tightest constants of one arm over its state set X.

    `L_h`, `L_g`: slopes of the dynamics and of the mean reward; `L_f`, `L_p`: slopes of the log-likelihood ratio in
    the state and in the reward; `sigma`: sub-Gaussian parameter; `diameter`: of X. `invariant`: X holds every next
    state; `injective`: no two states have the same next one; `numerical`: found on a grid, not by formula.

    >>> import roguewk as rw
    >>> from roguewk.problem.assumptions import arm_constants
    >>> constants = arm_constants(rw.catalog.paper().problem.arms[0])
    >>> constants.L_h, constants.L_g, constants.diameter
    (0.2, 0.2, 6.0)
    """

    L_h: float
    L_g: float
    L_f: float
    L_p: float
    sigma: float
    diameter: float
    dimension: int
    invariant: bool
    injective: bool
    numerical: bool


def _logistic(level: float) -> float:
    return 1 / (1 + math.exp(-level)) if level >= 0 else math.exp(level) / (1 + math.exp(level))


def _linear_dynamics(arm: Arm) -> tuple[float, bool, bool]:
    """L_h, invariance and injectivity of `A x + B pulled + K`."""
    middle, radius = arm.box.mean(axis=1), np.diff(arm.box, axis=1)[:, 0] / 2
    reach = np.abs(arm.matrix) @ radius
    moves = [np.abs(arm.matrix @ middle + arm.pull_back + arm.push * pulled - middle) for pulled in (0.0, 1.0)]
    invariant = all((move + reach <= radius * (1 + 1e-9)).all() for move in moves)
    injective = int(np.linalg.matrix_rank(arm.matrix)) == arm.dimension
    return float(np.linalg.norm(arm.matrix, 2)), invariant, injective


def _on_grid(arm: Arm, function: Callable[[float], float], what: str) -> tuple[Vector, Vector]:
    states = np.linspace(arm.box[0, 0], arm.box[0, 1], GRID)
    values = np.array([float(function(float(x))) for x in states])
    if not np.isfinite(values).all():
        x = float(states[~np.isfinite(values)][0])
        raise InputError(f"{what} of arm {arm.name!r} is not finite at state {x:g}: give a function finite on X")
    return states, values


def _custom_dynamics(arm: Arm) -> tuple[float, bool, bool]:
    """L_h, invariance and injectivity of the arm's own h, on a grid."""
    h = arm.h
    assert h is not None
    low, high = arm.box[0]
    slack = 1e-9 * (high - low)
    slope, invariant, injective = 0.0, True, True
    for pulled in (0.0, 1.0):
        states, after = _on_grid(arm, lambda x, pulled=pulled: h(x, pulled), "h")  # type: ignore[misc]
        steps = np.diff(after)
        slope = max(slope, float(np.abs(steps / np.diff(states)).max()))
        invariant &= bool(after.min() >= low - slack and after.max() <= high + slack)
        injective &= bool((steps > 0).all() or (steps < 0).all())
    return slope, invariant, injective


def _linear_rewards(arm: Arm) -> tuple[float, float, float]:
    """L_g, L_f and L_p when the level is `alpha + beta . x`."""
    ends = arm.weights[:, None] * arm.box
    low, high = arm.alpha + float(ends.min(axis=1).sum()), arm.alpha + float(ends.max(axis=1).sum())
    norm = float(np.linalg.norm(arm.weights))
    if arm.sigma is not None:
        variance = arm.sigma**2
        return norm, (high - low + TAIL * arm.sigma) * norm / variance, (high - low) / variance
    steepest = _logistic(min(max(0.0, low), high))
    return steepest * (1 - steepest) * norm, max(_logistic(high), _logistic(-low)) * norm, high - low


def _custom_rewards(arm: Arm) -> tuple[float, float, float]:
    """L_g, L_f and L_p of the arm's own g, on a grid; infinite where a Bernoulli mean touches 0 or 1."""
    assert arm.g is not None
    states, means = _on_grid(arm, arm.g, "g")
    low, high, widths = float(means.min()), float(means.max()), np.diff(states)
    slope = float(np.abs(np.diff(means) / widths).max())
    if arm.sigma is not None:
        variance = arm.sigma**2
        return slope, (high - low + TAIL * arm.sigma) * slope / variance, (high - low) / variance
    if low < 0 or high > 1:
        bad = low if low < 0 else high
        raise InputError(f"g of arm {arm.name!r} gives {bad:g}: give mean rewards from 0 to 1, or use family gaussian")
    if low == 0 or high == 1:
        return slope, math.inf, math.inf
    logs = (np.log(means), np.log1p(-means))
    steepest = max(float(np.abs(np.diff(log) / widths).max()) for log in logs)
    return slope, steepest, float(np.ptp(logs[0] - logs[1]))


def arm_constants(arm: Arm) -> ArmConstants:
    """Find the constants of an arm over its X.

    A Gaussian log-likelihood ratio has no finite `L_f`, because its slope grows with the reward; the number given
    holds for rewards up to 4 sigma outside the range of the means.

    >>> import roguewk as rw
    >>> from roguewk.problem.assumptions import arm_constants
    >>> arm_constants(rw.Arm("coin", A=0.5, B=-1.0, state=(-2, 0))).L_p
    2.0
    """
    with np.errstate(all="ignore"):
        dynamics = _linear_dynamics(arm) if arm.h is None else _custom_dynamics(arm)
        rewards = _linear_rewards(arm) if arm.g is None else _custom_rewards(arm)
        diameter = float(np.linalg.norm(arm.box[:, 1] - arm.box[:, 0]))
    sigma = 0.5 if arm.sigma is None else arm.sigma
    slope, invariant, injective = dynamics
    return ArmConstants(slope, *rewards, sigma, diameter, arm.dimension, invariant, injective, arm.custom)


def theorem_radius(
    problem: Problem, arm: int | str, n: int, *, horizon: int | None = None, scale: float = 1.0
) -> float:
    """Return Theorem 1's bound on the mean trajectory divergence after `n` pulls of an arm, times `scale`.

    `[c_f + L_p sigma sqrt(2 log(6 m T^2))] / sqrt(n)`, at the confidence `1/(6 m T^2)` that Algorithm 1 uses.

    >>> import roguewk as rw
    >>> problem = rw.catalog.paper().problem
    >>> round(rw.theorem_radius(problem, "arm 0", n=100), 1)
    115.2
    """
    rounds = problem.horizon if horizon is None else whole(horizon, "horizon", 1)
    pulls = whole(n, "the number of pulls n", 1)
    factor = number(scale, "scale")
    if factor < 0:
        raise InputError(f"scale is {scale!r}: give a number of at least 0")
    if factor == 0:
        return 0.0
    c = arm_constants(problem.arms[problem.arm_index(arm)])
    c_f = (8 + 48 * math.sqrt(2) * 2 ** (1 / c.dimension) * math.sqrt(c.dimension)) * math.sqrt(math.pi)
    log = math.log(6 * len(problem.arms)) + 2 * math.log(rounds)
    return factor * (c_f * c.L_f * c.diameter + c.L_p * c.sigma * math.sqrt(2 * log)) / math.sqrt(pulls)


@dataclass(frozen=True)
class Check:
    """One assumption: whether it holds (None: cannot be decided), its numbers, and a sentence about it.

    >>> import roguewk as rw
    >>> rw.check_assumptions(rw.catalog.paper()).checks[5].numbers
    {'resource 1': 0.3, 'resource 2': 0.3, 'resource 3': 0.3}
    """

    label: str
    name: str
    holds: bool | None
    numbers: dict[str, float]
    sentence: str


@dataclass(frozen=True)
class Report:
    """What `check_assumptions` found; print it, or take `to_data()`.

    >>> import roguewk as rw
    >>> print(str(rw.check_assumptions(rw.catalog.paper()))[:57])
    The paper's assumptions: 3 arms, 3 resources, 1000 rounds
    """

    title: str
    checks: tuple[Check, ...]
    constants: Mapping[str, ArmConstants]

    def __str__(self) -> str:
        lines = [self.title, ""]
        for check in self.checks:
            word = {True: "yes", False: "no", None: "unknown"}[check.holds]
            lines.append(f"{check.label:<3}{word:<9}{check.name}")
            lines += textwrap.wrap(check.sentence, 80, initial_indent=" " * 12, subsequent_indent=" " * 12)
        columns = ("L_h", "L_g", "L_f", "L_p", "sigma", "diameter")
        lines += ["", f"{'constants over X':<19}" + "".join(f"{column:>10}" for column in columns)]
        for name, constants in self.constants.items():
            lines.append(f"{_short(name, 18):<19}" + "".join(f"{getattr(constants, key):>10.4g}" for key in columns))
        return "\n".join(lines)

    def to_data(self) -> dict[str, Any]:
        """Return the report as plain data for JSON; an infinite number becomes None."""
        checks = [asdict(check) for check in self.checks]
        arms = {name: asdict(constants) for name, constants in self.constants.items()}
        for table in [*arms.values(), *(check["numbers"] for check in checks)]:
            table.update({key: None for key, value in table.items() if not math.isfinite(value)})
        return {"title": self.title, "checks": checks, "constants": arms}


def _short(name: str, width: int) -> str:
    name = " ".join(name.split())
    return name if len(name) <= width else name[: width - 3] + "..."


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _about_rewards(problem: Problem, constants: dict[str, ArmConstants], drawn: bool) -> list[Check]:
    """Check assumptions 1 to 4."""
    normal = [arm.name for arm in problem.arms if arm.family == "gaussian"]
    certain = [name for name, c in constants.items() if math.isinf(c.L_f) and name not in normal]
    independent = "Simulated rewards are drawn so." if drawn else "An assumption about live data; no model can tell."
    lipschitz = "L_f and L_g are finite on X; see the table below."
    if certain:
        lipschitz = f"The mean reward of {_listed(certain)} reaches 0 or 1, where the log-likelihood is infinite."
    elif normal:
        lipschitz = (
            f"L_g is finite, but the rewards of {_listed(normal)} are Gaussian: the slope in the state grows with the "
            f"reward. L_f below counts rewards up to {TAIL:g} sigma outside the range of the means."
        )
    finite = "Bernoulli rewards have two values, sigma = 1/2." if len(normal) < len(problem.arms) else ""
    gaussian = "The Gaussian log-likelihood ratio is linear in the reward, with slope L_p." if normal else ""
    return [
        Check("1", "Rewards are independent given the states", True if drawn else None, {}, independent),
        Check("2", "Rewards are log-concave", True, {}, "Bernoulli and Gaussian families are."),
        Check(
            "3",
            "Log-likelihood ratio and mean reward are Lipschitz in the state",
            not (normal or certain),
            {name: c.L_f for name, c in constants.items()},
            lipschitz,
        ),
        Check(
            "4",
            "Rewards are sub-Gaussian, with finite support or a finite L_p",
            True,
            {name: c.sigma for name, c in constants.items()},
            f"{finite} {gaussian}".strip(),
        ),
    ]


def _about_dynamics(constants: dict[str, ArmConstants]) -> list[Check]:
    """Check assumption 5, and that X is a state set at all."""
    loose = [name for name, c in constants.items() if c.L_h >= 1]
    merged = [name for name, c in constants.items() if not c.injective]
    leaky = [name for name, c in constants.items() if not c.invariant]
    sentence = "Read 'bijective' as one-to-one: a contraction never maps a compact X onto all of X."
    if loose:
        sentence += f" One step of {_listed(loose)} can push states apart (L_h of at least 1)."
    if merged:
        sentence += f" The dynamics of {_listed(merged)} send several states to the same next one."
    if any(c.numerical for c in constants.values()):
        sentence += f" Functions h and g of your own were judged on {GRID} points of X."
    inside = f"From inside X, {_listed(leaky)} can leave it: widen `state`." if leaky else "No pull leads out of X."
    slopes = {name: c.L_h for name, c in constants.items()}
    widths = {name: c.diameter for name, c in constants.items()}
    return [
        Check("5", "The dynamics are one-to-one and contract, L_h < 1", not (loose or merged), slopes, sentence),
        Check("X", "The state set holds every next state", not leaky, widths, inside),
    ]


def _about_budgets(problem: Problem, mean_costs: Vector | None) -> list[Check]:
    """Check assumption 6, and whether playing every round can fit the budgets."""
    rates = dict(zip([resource.name for resource in problem.resources], problem.rates.tolist(), strict=True))
    growth = "b = B / T, in units of a pull's largest cost." if rates else "There is no resource: only T limits."
    holds, sentence = None, "The mean costs are not known to a policy; give a world to find out."
    if problem.idle or not rates:
        holds, sentence = (
            True,
            "Idle rounds are allowed: it always is." if rates else "There is no resource to run out of.",
        )
    elif mean_costs is not None:
        holds, sentence = _playable(problem, mean_costs)
    return [
        Check("6", "Budgets grow linearly, B = b T with b > 0", True, rates, growth),
        Check("B", "The single-step LP is feasible at the true costs", holds, {}, sentence),
    ]


def _playable(problem: Problem, mean_costs: Vector) -> tuple[bool | None, str]:
    afford = np.asarray(mean_costs <= problem.budgets / problem.horizon * (1 + 1e-9))  # (arm, resource)
    alone = [arm.name for a, arm in enumerate(problem.arms) if afford[a].all()]
    scarce = [resource.name for j, resource in enumerate(problem.resources) if not afford[:, j].any()]
    if alone:
        return True, f"Playing {_listed(alone)} in every round fits all budgets."
    if scarce:
        return False, (
            f"Not even the cheapest arm fits b on {_listed(scarce)}: no mixture can play every round, so the LP is "
            "solved with sum(pi) <= 1 and normalised."
        )
    return None, "No arm alone fits every budget; a mixture may."


def check_assumptions(world: "World | Problem") -> Report:
    """Check the paper's assumptions 1 to 6 for a world or a problem, with the constants they ask for.

    >>> import roguewk as rw
    >>> report = rw.check_assumptions(rw.catalog.paper(budget=100.0))
    >>> [check.label for check in report.checks if check.holds is False]
    ['B']
    """
    problem = getattr(world, "problem", world)
    if not isinstance(problem, Problem):
        raise InputError(f"checked is {world!r}: give an rw.World or an rw.Problem")
    constants = {arm.name: arm_constants(arm) for arm in problem.arms}
    drawn = problem is not world
    five, inside = _about_dynamics(constants)
    six, playable = _about_budgets(problem, getattr(world, "mean_costs", None))
    count = [(len(problem.arms), "arm"), (len(problem.resources), "resource"), (problem.horizon, "round")]
    sizes = ", ".join(f"{size} {thing}{'' if size == 1 else 's'}" for size, thing in count)
    checks = (*_about_rewards(problem, constants, drawn), five, six, inside, playable)
    return Report(f"The paper's assumptions: {sizes}", checks, constants)
