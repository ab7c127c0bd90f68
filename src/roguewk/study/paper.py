"""The paper's numerical experiment, and how the gain over SW-UCB depends on what the paper leaves open.

The runs of the default settings are shared: the paper's replicates are the first ones of those that judge the choices.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.bounds.upper import upper_bound
from roguewk.engine.simulate import simulate
from roguewk.problem import catalog
from roguewk.problem.arms import Vector
from roguewk.problem.errors import whole
from roguewk.study.choices import BUDGETS, DEFAULT, NAIVE, OURS, THEIRS, Alternative, Change, Choice, open_choices
from roguewk.study.claims import Claim, find_claims
from roguewk.study.measures import Gain, find_gain
from roguewk.study.words import count, interval, percent

if TYPE_CHECKING:
    import pandas as pd

POLICIES = (OURS, NAIVE, THEIRS)
PUBLISHED_GAIN = 0.13
REPLICATES = 10
FEWEST_FOR_CHOICES = 40
MOST_REPLICATES = 10_000  # beyond it, memory and hours
Progress = Callable[[int, int], None]
Plan = dict[Change, dict[str, Any]]  # a change of the world -> the policies to play in it, by label
Rewards = dict[tuple[Change, str], Vector]  # (budget, replicate)


class Answer(NamedTuple):
    """The gain under one alternative; `same` if every run earned just what it earns by default."""

    choice: Choice
    alternative: Alternative
    gain: Gain
    same: bool


@dataclass(frozen=True)
class Paper:
    """What the experiment gave.

    `runs` has a row per budget, policy and replicate; `gain` is of these runs; `settled` is the gain of the same
    settings over the `many` replicates with which the `answers` to the open choices were found. `bounds` has a row per
    budget: what no policy can expect to earn more than, as the world is and with idle rounds allowed.
    """

    seed: int
    replicates: int
    many: int
    runs: "pd.DataFrame"
    bounds: "pd.DataFrame"
    gain: Gain
    claims: tuple[Claim, ...]
    settled: Gain
    answers: tuple[Answer, ...]

    @property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest gain over the default and all alternatives."""
        values = [self.settled.value, *(answer.gain.value for answer in self.answers)]
        return min(values), max(values)

    def verdict(self) -> tuple[str, str]:
        """Two sentences: the gain by default, and how it depends on what the paper leaves open."""
        low, high = self.span
        where = "inside" if low <= PUBLISHED_GAIN <= high else "outside"
        return (
            f"With the published formulas, which are the defaults here, ROGUEwK-UCB earns {percent(self.gain.value)} "
            f"more than SW-UCB, averaged over {len(BUDGETS)} budgets ({count(self.replicates, 'replicate')}, "
            f"{interval(self.gain)}); the paper reports {percent(PUBLISHED_GAIN, 0)}.",
            f"Settling one open choice differently at a time, the gain lies between {percent(low)} and {percent(high)} "
            f"({self.many} replicates): {percent(PUBLISHED_GAIN, 0)} is {where} that range.",
        )

    @property
    def fractions(self) -> dict[str, float]:
        """For each policy its mean expected reward over the bound, averaged over budgets."""
        means = self.runs.groupby(["policy", "budget"])["expected_reward"].mean().unstack("policy")
        shares = means.div(self.bounds.set_index("budget")["bound"], axis=0).mean()
        return {policy: float(shares[policy]) for policy in POLICIES}

    def choices_frame(self) -> "pd.DataFrame":
        """A row for the default and one for each alternative."""
        import pandas

        rows = [("", "default", True, *self.settled)]
        rows += [(each.choice.title, each.alternative.label, False, *each.gain) for each in self.answers]
        frame = pandas.DataFrame(rows, columns=["choice", "setting", "is_default", "gain", "gain_low", "gain_high"])
        frame["replicates"] = self.many
        return frame


def run_paper(
    replicates: int = REPLICATES, seed: int = 0, threads: int | None = None, progress: Progress | None = None
) -> Paper:
    """Play the paper's experiment; `progress` is called with the runs done and to do."""
    replicates = whole(replicates, "replicates", 1, MOST_REPLICATES)
    many = max(replicates, FEWEST_FOR_CHOICES)
    choices = open_choices()
    plan = _plan(choices)
    runs, bounds, rewards = _play(plan, replicates, many, seed, threads, progress)
    ours, theirs = (rewards[DEFAULT.change, policy][:, :replicates] for policy in (OURS, THEIRS))
    gain = find_gain(ours, theirs)
    answers = tuple(
        Answer(choice, alternative, _gain(rewards, alternative), _same(rewards, alternative))
        for choice in choices
        for alternative in choice.alternatives
    )
    claims = find_claims(runs, gain, PUBLISHED_GAIN)
    return Paper(seed, replicates, many, runs, bounds, gain, claims, _gain(rewards, DEFAULT), answers)


def _of(rewards: Rewards, alternative: Alternative) -> list[Vector]:
    return [rewards[alternative.change, label] for label, _ in _specs(alternative)]


def _gain(rewards: Rewards, alternative: Alternative) -> Gain:
    ours, theirs = _of(rewards, alternative)
    return find_gain(ours, theirs, alternative.average)


def _same(rewards: Rewards, alternative: Alternative) -> bool:
    both = zip(_of(rewards, alternative), _of(rewards, DEFAULT), strict=True)
    return alternative.average is DEFAULT.average and all(np.array_equal(one, other) for one, other in both)


def _specs(alternative: Alternative) -> Iterator[tuple[str, Any]]:
    """ROGUEwK-UCB and SW-UCB as this alternative has them, each with a label that equal settings share."""
    for policy, parameters in ((OURS, alternative.ours), (THEIRS, alternative.theirs)):
        label = " ".join([policy, *(f"{key}={value}" for key, value in parameters.items())])
        yield label, (policy, dict(parameters))


def _plan(choices: Sequence[Choice]) -> Plan:
    plan: Plan = {DEFAULT.change: {policy: policy for policy in POLICIES}}
    for choice in choices:
        for alternative in choice.alternatives:
            plan.setdefault(alternative.change, {}).update(_specs(alternative))
    return plan


def _play(
    plan: Plan, replicates: int, many: int, seed: int, threads: int | None, progress: Progress | None
) -> tuple["pd.DataFrame", "pd.DataFrame", Rewards]:
    import pandas

    rewards = {(change, label): np.zeros((len(BUDGETS), many)) for change, specs in plan.items() for label in specs}
    frames, bounds = [], []
    steps = _Steps(len(BUDGETS) * len(rewards) * many, progress)
    for row, budget in enumerate(BUDGETS):
        world = catalog.paper(budget=budget)
        bounds.append((budget, upper_bound(world).value, upper_bound(world, idle=True).value))
        for change, specs in plan.items():
            runs = simulate(change(world), specs, many, seed, threads=threads, progress=steps.within)
            steps.before += len(specs) * many
            for label in specs:
                rewards[change, label][row] = runs.totals[label]["reward"]
            if change is DEFAULT.change:
                frame = runs.frame()
                kept = frame["policy"].isin(POLICIES) & (frame["replicate"] < replicates)
                frames.append(frame[kept].assign(budget=budget))
    runs_of_all = pandas.concat(frames, ignore_index=True)
    columns = ["budget", *runs_of_all.columns.drop("budget")]
    bounds_of_all = pandas.DataFrame(bounds, columns=["budget", "bound", "bound_with_idle"])
    return runs_of_all[columns], bounds_of_all, rewards


@dataclass
class _Steps:
    """Progress of one simulation as progress of all."""

    total: int
    tell: Progress | None
    before: int = 0

    def within(self, done: int, _: int) -> None:
        if self.tell is not None:
            self.tell(self.before + done, self.total)
