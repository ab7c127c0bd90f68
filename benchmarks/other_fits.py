"""The likelihood that `rw.fit` climbs, by general routes: NumPy with SciPy's optimiser, and statsmodels."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize

NODES = 20  # of Gauss and Hermite, around the average subject; ours are fewer, around each subject
POINTS = 40  # half-lives of a grid
LIMIT = 3.8414588206941227  # 95 % of chi-square with one degree of freedom
RIDGE = 10.0  # standard deviation of the prior of levels, pushes and the spread, as in rw.fit


class Table(NamedTuple):
    """A log as a rectangle: every subject has a row in every round."""

    arm: Any  # (subject, round) -1 if idle
    reward: Any  # (subject, round)
    arms: int


def wear(table: Table, half_lives: Any) -> Any:
    """(subject, round) of the arm that was pulled, before the pull."""
    subjects, rounds = table.arm.shape
    state, worn, everyone = np.zeros((subjects, table.arms)), np.zeros(table.arm.shape), np.arange(subjects)
    retention = 0.5 ** (1 / np.asarray(half_lives))
    for t in range(rounds):
        arm = table.arm[:, t]
        worn[:, t] = state[everyone, arm]
        state *= retention
        state[everyone, arm] += arm >= 0
    return worn


def log_likelihood(parameters: Any, table: Table) -> float:
    """Of coins, subjects' levels integrated out, and the ridge prior: (rested, push, log half-life) by arm, spread."""
    of_arm, spread = parameters[:-1].reshape(table.arms, 3), parameters[-1]
    level = of_arm[table.arm, 0] + of_arm[table.arm, 1] * wear(table, np.exp(of_arm[:, 2]))
    seen, places = table.arm >= 0, np.polynomial.hermite.hermgauss(NODES)
    logs = np.empty((NODES, table.arm.shape[0]))
    for k, place in enumerate(places[0]):
        at = level + np.sqrt(2.0) * spread * place
        logs[k] = np.where(seen, table.reward * at - np.logaddexp(0.0, at), 0.0).sum(axis=1)
    top = logs.max(axis=0)
    likelihood = np.log(places[1] @ np.exp(logs - top) / np.sqrt(np.pi)) + top
    ridged = np.append(of_arm[:, :2].ravel(), spread)
    return float(likelihood.sum() - 0.5 * (ridged @ ridged) / RIDGE**2)


class Found(NamedTuple):
    """Where SciPy stopped."""

    at: Any  # (parameter,)
    value: float


def scipy_peak(objective: Callable[[Any], float], start: Any, bounds: Any) -> Found:
    """The highest value that L-BFGS-B finds with numerical gradients, from one start."""

    def below(at: Any) -> float:
        return -objective(at)

    found = optimize.minimize(below, np.asarray(start, dtype=np.float64), method="L-BFGS-B", bounds=bounds)
    return Found(found.x, -float(found.fun))


def scipy_interval(objective: Callable[[Any], float], top: Found, bounds: Any, place: int) -> tuple[float, float]:
    """Where the profile along one parameter is 1.92 below the peak, by root finding; a bound if it never is."""
    ends, last = [], [top.at]

    def left(value: float) -> float:
        start = last[0].copy()
        start[place] = value
        held = [*bounds[:place], (value, value), *bounds[place + 1 :]]
        found = scipy_peak(objective, start, held)
        last[0] = found.at  # the next climb starts from here
        return found.value - top.value + LIMIT / 2

    for end in bounds[place]:
        last[0] = top.at
        missed = left(end) > 0
        ends.append(end if missed else optimize.brentq(left, top.at[place], end, xtol=0.01))
    return ends[0], ends[1]


def statsmodels_grid(table: Table, half_lives: Any) -> float:
    """The highest log-likelihood without subject effects: a GLM per arm and half-life of a grid."""
    import statsmodels.api as sm

    total = 0.0
    by_half_life = [wear(table, np.full(table.arms, each)) for each in half_lives]
    for a in range(table.arms):
        mine = table.arm == a
        total += max(
            sm.GLM(table.reward[mine], sm.add_constant(worn[mine]), family=sm.families.Binomial()).fit().llf
            for worn in by_half_life
        )
    return total


def _designs(table: Table, half_lives: Any) -> tuple[Any, Any, Any]:
    """Outcomes, (pull, 2 arms) columns and whose they are, at half-lives that are given."""
    worn, seen = wear(table, half_lives), table.arm >= 0
    arms, subject = table.arm[seen], np.indices(table.arm.shape)[0][seen]
    own = np.eye(table.arms)[arms]
    return table.reward[seen], np.hstack([own, own * worn[seen][:, np.newaxis]]), subject


def bayes_mixed(table: Table, half_lives: Any) -> None:
    """Coins with random levels at half-lives that are given, by variational Bayes.

    The other method, `fit_map`, did not converge on these logs, or ended where subjects do not differ at all.
    """
    from scipy import sparse
    from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

    outcome, columns, subject = _designs(table, half_lives)
    levels = sparse.csr_matrix((np.ones(subject.size), (np.arange(subject.size), subject)))
    same = np.zeros(levels.shape[1], dtype=int)
    BinomialBayesMixedGLM(outcome, columns, levels, same, vcp_p=0.5, fe_p=RIDGE).fit_vb()


def mixed_linear(table: Table, half_lives: Any) -> None:
    """Normal rewards with random levels at half-lives that are given, exactly."""
    import statsmodels.api as sm

    outcome, columns, subject = _designs(table, half_lives)
    sm.MixedLM(outcome, columns, subject).fit(reml=False)
