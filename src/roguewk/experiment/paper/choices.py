"""The choices that the paper leaves open, with the alternatives to the default of each.

Defaults are never written here: they are read from the policies and from the paper's world.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roguewk.estimate.liu_window import windows
from roguewk.experiment.paper.measures import MEAN_OF_RATIOS, Average, mean_of_ratios, ratio_of_totals
from roguewk.kernel.arrays import Vector
from roguewk.policy.registry import recipe
from roguewk.show.names import OURS, THEIRS
from roguewk.study.plan.read import load_study
from roguewk.world import catalog
from roguewk.world.world import World

PAPER = load_study("paper")  # the experiment itself
BUDGETS: tuple[int, ...] = tuple(each.settings["budget"] for each in PAPER.worlds)
Change = Callable[[World], World]


def as_it_is(world: World) -> World:
    """The world unchanged."""
    return world


@dataclass(frozen=True)
class Alternative:
    """One other way to settle a choice: parameters of the two policies, another world, or another average."""

    label: str
    ours: Mapping[str, Any] = field(default_factory=dict)
    theirs: Mapping[str, Any] = field(default_factory=dict)
    change: Change = as_it_is
    average: Average = MEAN_OF_RATIOS


@dataclass(frozen=True)
class Choice:
    """Something the paper does not say: why it is open, what the default is, and the alternatives."""

    title: str
    why: str
    default: str
    alternatives: tuple[Alternative, ...]


DEFAULT = Alternative("default")


def open_choices() -> tuple[Choice, ...]:
    """All choices, in the order of the report."""
    return (_states(), _window(), _variation(), *_radii(), _infeasible(), _idle(), _budgets(), _average())


def _meaning(policy: str, parameter: str) -> str:
    return recipe(policy).parameters[parameter].meaning.replace("`", "")


def _default(policy: str, parameter: str) -> Any:
    return recipe(policy).parameters[parameter].default


def _with_states(state: Any) -> Change:
    def change(world: World) -> World:
        return world.believe([arm.with_state(state) for arm in world.arms])

    return change


def _reachable(world: World) -> World:
    return world.believe([arm.with_state(None).widened(x0) for arm, x0 in zip(world.arms, world.x0, strict=True)])


def _states() -> Choice:
    low, high = catalog.paper().problem.arms[0].state
    return Choice(
        "State set X",
        "The experiment never gives X, on which the radius for the states depends.",
        f"[{low:g}, {high:g}] for every arm, which holds all states that can occur",
        (
            Alternative("between worn and rested", change=_reachable),
            Alternative("[-10, 10]", change=_with_states((-10.0, 10.0))),
        ),
    )


def _window() -> Choice:
    horizon = catalog.paper().problem.horizon
    return Choice(
        "SW-UCB's window w1",
        "The paper used “theoretically optimally derived hyper-parameters” and does not print them.",
        f"{_worked_out(None)} rounds ({_meaning(THEIRS, 'w1')})",
        tuple(
            Alternative(f"{w1} rounds{' = T' if w1 == horizon else ''}", theirs={"w1": w1})
            for w1 in (5, 10, 30, 100, horizon)
        ),
    )


def _worked_out(variation: float | None) -> int:
    return windows(catalog.paper().problem, None, None, variation, _default(THEIRS, "cost_variation"))[0]


def _variation() -> Choice:
    horizon = catalog.paper().problem.horizon
    return Choice(
        "SW-UCB's variation V1",
        "The window follows from how much mean rewards vary over the horizon, which depends on how one plays.",
        f"worked out, so that w1 = {_worked_out(None)} ({_meaning(THEIRS, 'variation')})",
        tuple(
            Alternative(f"{share:g} T, so w1 = {_worked_out(share * horizon)}", theirs={"variation": share * horizon})
            for share in (0.01, 0.1, 0.3, 1.0)
        ),
    )


def _scales(title: str, why: str, parameter: str, sides: Sequence[str], values: Sequence[float]) -> Choice:
    own = {side: _default(side, parameter) for side in sides}
    shown = " and ".join(f"{value:g}" for value in dict.fromkeys(own.values()))
    return Choice(
        title,
        why,
        f"{parameter} = {shown} ({_meaning(sides[0], parameter)})",
        tuple(
            Alternative(
                f"scaled by {value:g}",
                ours={parameter: value} if OURS in sides else {},
                theirs={parameter: value} if THEIRS in sides else {},
            )
            for value in values
        ),
    )


def _radii() -> Iterator[Choice]:
    wide = "The theorem's radius is far wider than any divergence here; simulations often scale such radii down."
    costs = "The published radius hides the costs until an arm has been pulled often; it may have been scaled down."
    theirs = "The constants of Liu et al. are worst-case; “optimally derived” may include smaller ones."
    yield _scales("ROGUEwK-UCB's state radius", wide, "radius_scale", (OURS,), (0.01, 0.0))
    yield _scales("ROGUEwK-UCB's cost radius", costs, "cost_scale", (OURS,), (0.3, 0.1))
    yield _scales("SW-UCB's reward radius", theirs, "radius_scale", (THEIRS,), (0.5, 0.3))
    yield _scales("SW-UCB's cost radius", theirs, "cost_scale", (THEIRS,), (0.5, 0.3))
    both = "Both cost radii scaled alike, so that neither policy is favoured."
    yield _scales("Cost radius of both", both, "cost_scale", (OURS, THEIRS), (0.3, 0.1))


def _infeasible() -> Choice:
    default = _default(OURS, "infeasible")
    told = {
        "normalise": "the best mixture that fits, scaled up to a full round",
        "longest": "what lasts longest",
        "ignore": "budgets ignored",
    }
    return Choice(
        "When the LP is infeasible",
        "Every round must play, yet at small budgets no mixture of arms fits the budget of a round.",
        told[default],
        tuple(
            Alternative(words, ours={"infeasible": rule}, theirs={"infeasible": rule})
            for rule, words in told.items()
            if rule != default
        ),
    )


def _idle() -> Choice:
    allowed = catalog.paper().problem.idle
    words = {True: "idle rounds allowed", False: "every round plays an arm"}
    return Choice(
        "Idle rounds",
        "The paper plays an arm in every round; other work on knapsacks adds a null arm that costs nothing.",
        words[allowed],
        (Alternative(words[not allowed], change=lambda world: world.with_problem(idle=not allowed)),),
    )


def _budgets() -> Choice:
    return Choice(
        "Budgets tested",
        "The paper says “from 10 to 300” and gives no step.",
        _listed(BUDGETS),
        tuple(
            Alternative(_listed(some), average=Average(False, _only(some))) for some in (BUDGETS[4::5], BUDGETS[9::10])
        ),
    )


def _listed(budgets: Sequence[int]) -> str:
    return ", ".join(map(str, budgets)) if len(budgets) < 5 else f"{budgets[0]}, {budgets[1]}, …, {budgets[-1]}"


def _only(budgets: Sequence[int]) -> Callable[[Vector, Vector], Vector]:
    rows = [BUDGETS.index(budget) for budget in budgets]
    return lambda ours, theirs: mean_of_ratios(ours[..., rows], theirs[..., rows])


def _average() -> Choice:
    return Choice(
        "What “on average” means",
        "“Gains on average 13 % more total reward across all different budgets” can be computed in several ways.",
        "mean over budgets of the ratio of mean rewards, minus one",
        (
            Alternative("medians, not means", average=Average(True, mean_of_ratios)),
            Alternative("ratio of totals", average=Average(False, ratio_of_totals)),
        ),
    )
