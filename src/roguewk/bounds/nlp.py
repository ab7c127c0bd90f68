"""The paper's program NLP(x0, T, C), solved as the optimal-control problem it is.

`max sum_t pi_t . g(x_t)` subject to `x_{a,t+1} = h_a(x_{a,t}, pi_{a,t})`, `sum_t C' pi_t <= B`, `pi_t` in the simplex:
every round's shares and states are unknowns, tied together by the dynamics. The program is not concave, so what an
interior-point method finds is a local solution; it starts from the best schedule of whole pulls that is known.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.allocate.lp import solve_lp
from roguewk.bounds.assumptions import check_without_limits
from roguewk.bounds.idling import check_idle_brings_nothing, may_be_idle
from roguewk.bounds.reachable import Schedule, best_schedule, payable_share, priced_bound
from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.constants import mean_rewards, next_states
from roguewk.problem.errors import InputError, whole
from roguewk.problem.ledger import covers
from roguewk.world.world import World, check_world

MOST, FEW = 300_000, 1_000  # unknowns: beyond the first factorisations take minutes, below the other starts are cheap
POINTS = 7  # of X, where a traced function must agree with the function
CONVERGED = "converged to a local solution"
STUCK = "not converged: nothing found is better than the schedule of whole pulls it started from"
QUIET = {"print_time": False, "ipopt.print_level": 0, "ipopt.sb": "yes"}
# The start is good and lies on its bounds: do not push it far inside.
NEAR = {"ipopt.mu_init": 1e-2, "ipopt.bound_push": 1e-4, "ipopt.bound_frac": 1e-4, "ipopt.max_iter": 400}


@dataclass(frozen=True, eq=False)
class FractionalPlan:
    """A local solution of the paper's NLP(x0, T, C), in which pulls and the wear they cause may be fractions.

    `schedule` (round, arm) is how much of each arm is pulled, `states` the states (round, coordinate) of each arm on
    the way, `value` the reward, `duals` (resource,) what one more unit of each budget would add nearby. `status` is a
    sentence; where the solver found nothing, the duals are nan.

    The value is no bound on what policies can earn: a better solution may exist, no policy can play fractions, and a
    policy that reacts to costs is no solution of this program. `rw.upper_bound` is a bound.

    >>> import roguewk as rw
    >>> plan = rw.nlp(rw.catalog.paper(budget=10, horizon=100), idle=True)
    >>> plan.schedule.shape, plan.states[0].shape, plan.duals.round(1)
    ((100, 3), (100, 1), array([0., 2., 0.]))
    """

    value: float
    schedule: Vector
    states: tuple[Vector, ...]
    duals: Vector
    status: str


def nlp(world: World, idle: bool | None = None, *, rounds: int | None = None) -> FractionalPlan:
    """Solve the paper's NLP(x0, T, C) locally; needs CasADi, `pip install 'roguewk[nlp]'`.

    `idle` overrides whether a round may be left unplayed, in whole or in part. Where every round must play, the game
    ends when a budget does, so as many rounds are planned as the best known schedule of whole pulls lasts; `rounds`
    asks for a number of rounds instead, and `rounds=world.problem.horizon` for the program to the letter, which has no
    solution when the budgets cannot pay for that many.

    >>> import roguewk as rw
    >>> plan = rw.nlp(rw.catalog.paper(budget=10, horizon=100), idle=True)
    >>> round(plan.value, 1), plan.status
    (27.4, 'converged to a local solution')
    """
    problem = check_world(world).problem
    check_without_limits(world, "the program NLP")
    check_idle_brings_nothing(world, "the paper's nonlinear program")
    may_idle = may_be_idle(world, idle)
    if rounds is not None:
        world = world.with_problem(horizon=whole(rounds, "rounds", 1, problem.horizon))
        if not may_idle:
            _check_lasting(world)
    _check_size(world)
    ca = _casadi()
    steps = [_traced(ca, arm) for arm in world.arms]
    known = best_schedule(world, may_idle, priced_bound(world, may_idle))
    starts = _starts(world, known, may_idle, exact=rounds is not None)
    plans = [_followed(world, *_solve(ca, steps, world, may_idle, start)) for start in starts]
    begun = _followed(world, starts[0], np.full(len(problem.resources), np.nan), STUCK)
    # A solver that gives up may leave anything behind, even what is no number.
    usable = [plan for plan in plans if _fits(world, plan.schedule)]
    best = max(usable, default=begun, key=lambda plan: plan.value)
    return best if best.value >= begun.value - 1e-6 * max(1.0, abs(begun.value)) else begun


def _casadi() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its bindings are older than some of Python's warnings
            import casadi
    except ImportError:
        raise InputError("rw.nlp needs CasADi, which is not installed: pip install 'roguewk[nlp]'") from None
    return casadi


def _check_size(world: World) -> None:
    problem = world.problem
    per_round = sum(1 + arm.dimension for arm in world.arms)
    if per_round * problem.horizon > MOST:
        raise InputError(
            f"{problem.horizon:,} rounds make {per_round * problem.horizon:,} unknowns: "
            f"shorten the horizon to {MOST // per_round:,} rounds"
        )


def _check_lasting(world: World) -> None:
    """The simplex asks for a pull in every round; the budgets must pay for that."""
    problem = world.problem
    share = payable_share(world)
    if not covers(share, 1.0):
        raise InputError(
            f"the budgets pay for {int(share * problem.horizon)} of {problem.horizon} rounds at the most, so that not "
            "every round can play: allow idle rounds, leave out `rounds`, or raise the budgets"
        )


def _traced(ca: Any, arm: Arm) -> Any:
    """The arm as a CasADi function from its state and its share of a round to its next state and its mean reward."""
    x, share = ca.SX.sym("x", arm.dimension), ca.SX.sym("share")
    level = arm.alpha + ca.dot(ca.DM(arm.weights), x)
    mean = arm.reward_family.symbolic_mean(ca, level)
    after = ca.mtimes(ca.DM(arm.matrix), x) + ca.DM(arm.push) * share + ca.DM(arm.pull_back)
    if arm.h is not None:
        after = _trace(ca, arm, "h", (x, share))
    if arm.g is not None:
        mean = _trace(ca, arm, "g", (x,))
    return ca.Function("step", [x, share], [after, mean])


def _trace(ca: Any, arm: Arm, name: str, symbols: tuple[Any, ...]) -> Any:
    function = getattr(arm, name)
    plain = getattr(function, "py_func", function)  # of a numba.njit function
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # CasADi is about to change what NumPy's functions make of its symbols
            formula = ca.SX(plain(*symbols))
        traced = ca.Function(name, list(symbols), [formula])
        for x in np.linspace(arm.box[0, 0], arm.box[0, 1], POINTS):
            for point in ((x, 0.0), (x, 1.0)) if name == "h" else ((x,),):
                truth = float(plain(*map(float, point)))
                # Functions of `math` turn symbols into nan, tests leave no trace: only values tell.
                if not abs(float(traced(*point)) - truth) <= 1e-9 * max(1.0, abs(truth)):
                    raise ValueError
    except Exception:  # it is the user's code: anything may come
        raise InputError(
            f"{name} of arm {arm.name!r} cannot be written as a formula: use arithmetic and NumPy's functions in it, "
            "no `math`, `if`, `min` or `max`"
        ) from None
    return formula


def _starts(world: World, known: Schedule, idle: bool, exact: bool) -> list[Vector]:
    """Shares (round, arm) to start from: the known schedule if it lasts, and the same shares in every round."""
    problem = world.problem
    size, rounds = len(world.arms), problem.horizon if idle or exact else known.arms.size
    if rounds == 0:
        raise InputError("no arm can be paid even once, and every round must play: raise the budgets")
    means = [float(mean_rewards(arm, x[None, :])[0]) for arm, x in zip(world.arms, world.x0, strict=True)]
    fluid = solve_lp(means, world.mean_costs, problem.budgets / rounds, idle, "longest").probabilities
    even = np.tile(fluid, (rounds, 1))
    if known.arms.size < rounds:
        return [even]
    whole_pulls = np.vstack([np.eye(size), np.zeros(size)])[known.arms]  # the last row is an idle round's
    return [whole_pulls, even] if rounds * size <= FEW else [whole_pulls]


def _solve(ca: Any, steps: list[Any], world: World, idle: bool, start: Vector) -> tuple[Vector, Vector, str]:
    """Transcribe and solve: shares, duals in the user's units, a sentence."""
    problem = world.problem
    rounds, size = start.shape
    places = np.cumsum([0, *(arm.dimension for arm in world.arms)]).tolist()
    shares, states = ca.SX.sym("shares", size, rounds), ca.SX.sym("states", places[-1], rounds)
    reward, afters = 0, []
    for a, step in enumerate(steps):
        after, mean = step.map(rounds)(states[places[a] : places[a + 1], :], shares[a, :])
        reward += ca.dot(mean, shares[a, :])
        afters.append(after)
    moved = ca.horzcat(ca.DM(np.concatenate(world.x0)), ca.vertcat(*afters)[:, :-1])
    used = ca.mtimes(ca.DM((world.mean_costs / problem.budgets).T), ca.sum2(shares))
    ties = ca.vertcat(ca.vec(states - moved), ca.vec(ca.sum1(shares)), used)
    unknowns = ca.vec(ca.vertcat(shares, states))
    solver = ca.nlpsol("nlp", "ipopt", {"x": unknowns, "f": -reward, "g": ties}, {**QUIET, **NEAR})
    along = np.hstack([start, *_states(world, start)])
    lowest = np.hstack([np.zeros((rounds, size)), np.full((rounds, places[-1]), -np.inf)])
    still, budgets = np.zeros(places[-1] * rounds), len(problem.resources)
    found = solver(
        x0=along.ravel(),
        lbx=lowest.ravel(),
        lbg=np.concatenate([still, np.full(rounds, -np.inf if idle else 1.0), np.full(budgets, -np.inf)]),
        ubg=np.concatenate([still, np.ones(rounds + budgets)]),
    )
    outcome = solver.stats()
    reason = str(outcome["return_status"]).replace("_", " ").lower()
    status = CONVERGED if outcome["success"] else f"not converged ({reason}): the schedule is feasible, not a solution"
    table = np.asarray(found["x"]).reshape(rounds, size + places[-1])[:, :size]
    duals = np.asarray(found["lam_g"]).ravel()[ties.numel() - budgets :] / problem.budgets
    return _mended(table, world, idle), np.maximum(duals, 0.0), status


def _mended(shares: Vector, world: World, idle: bool) -> Vector:
    """The shares without the solver's rounding: none negative, no round overfull, and no budget overspent."""
    shares = np.maximum(shares, 0.0)
    totals = shares.sum(axis=1, keepdims=True)
    shares = shares / (np.maximum(totals, 1.0) if idle else np.maximum(totals, 1e-9))
    if idle and len(world.problem.resources):
        shares = shares / max(1.0, float((shares.sum(axis=0) @ world.mean_costs / world.problem.budgets).max()))
    return np.asarray(shares)


def _fits(world: World, shares: Vector) -> bool:
    return bool((shares.sum(axis=0) @ world.mean_costs <= world.problem.budgets * (1 + 1e-6)).all())


def _states(world: World, shares: Vector) -> list[Vector]:
    """The states (round, coordinate) of each arm along the way."""
    found = []
    for arm, x0, column in zip(world.arms, world.x0, shares.T, strict=True):
        states = np.empty((column.size, arm.dimension))
        x = x0[None, :]
        for t, share in enumerate(column.tolist()):
            states[t] = x[0]
            x = next_states(arm, x, share)
        found.append(states)
    return found


def _followed(world: World, shares: Vector, duals: Vector, status: str) -> FractionalPlan:
    """What the shares earn by the world's own dynamics, not by the solver's word."""
    states = _states(world, shares)
    rewards = [mean_rewards(arm, x) for arm, x in zip(world.arms, states, strict=True)]
    value = float(sum(column @ mean for column, mean in zip(shares.T, rewards, strict=True)))
    return FractionalPlan(value, shares, tuple(states), duals, status)
