"""The paper's numerical experiment, and how the gain over SW-UCB depends on what the paper leaves open.

The experiment is the study `paper`. More replicates tell gains; those of the study are the first of them.
"""

import contextlib
import dataclasses
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.bounds.upper import upper_bound
from roguewk.engine.simulate import simulate
from roguewk.experiment.paper.choices import BUDGETS, DEFAULT, PAPER, Alternative, Change, Choice, open_choices
from roguewk.experiment.paper.claims import Claim, find_claims
from roguewk.experiment.paper.measures import Gain, find_gain, interval
from roguewk.kernel.arrays import Vector
from roguewk.problem.errors import whole
from roguewk.show.names import OURS, THEIRS
from roguewk.show.words import count, percent
from roguewk.study.plan.model import Record
from roguewk.study.study import run_study

if TYPE_CHECKING:
    import pandas as pd

POLICIES = tuple(policy.label for policy in PAPER.policies)
PUBLISHED_GAIN = 0.13
REPLICATES = PAPER.replicates
FEWEST_FOR_GAINS = 40
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

    `runs` has a row per budget, policy and replicate. `gain` is over the `many` replicates, of which those are the
    first, and with which the `answers` to the open choices were found too. `bounds` has a row per budget: what no
    policy can expect to earn more than, as the world is and with idle rounds allowed.
    """

    seed: int
    replicates: int
    many: int
    runs: "pd.DataFrame"
    bounds: "pd.DataFrame"
    gain: Gain
    claims: tuple[Claim, ...]
    answers: tuple[Answer, ...]

    @property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest gain over the default and all alternatives."""
        values = [self.gain.value, *(answer.gain.value for answer in self.answers)]
        return min(values), max(values)

    def verdict(self) -> tuple[str, str]:
        """Two sentences: the gain by default, and how it depends on what the paper leaves open."""
        low, high = self.span
        where = "inside" if low <= PUBLISHED_GAIN <= high else "outside"
        return (
            f"With the published formulas, which are the defaults here, ROGUEwK-UCB earns {percent(self.gain.value)} "
            f"more than SW-UCB, averaged over {len(BUDGETS)} budgets ({count(self.many, 'replicate')}, "
            f"{interval(self.gain)}); the paper reports {percent(PUBLISHED_GAIN, 0)}.",
            f"Settling one open choice differently at a time, the gain lies between {percent(low)} and {percent(high)} "
            f"({count(self.many, 'replicate')}): {percent(PUBLISHED_GAIN, 0)} is {where} that range.",
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

        rows = [("", "default", True, *self.gain)]
        rows += [(each.choice.title, each.alternative.label, False, *each.gain) for each in self.answers]
        frame = pandas.DataFrame(rows, columns=["choice", "setting", "is_default", "gain", "gain_low", "gain_high"])
        frame["replicates"] = self.many
        return frame


def run_paper(
    replicates: int = REPLICATES,
    seed: int = PAPER.seed,
    threads: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> Paper:
    """Play the paper's experiment, in a folder if one is given; `progress` is called with the runs done and to do."""
    replicates = whole(replicates, "replicates", 1, MOST_REPLICATES)
    if threads is not None:
        whole(threads, "threads", 1, 4096)
    many = max(replicates, FEWEST_FOR_GAINS)
    choices = open_choices()
    # The choices are played while the study is worked out, which leaves one core idle now and then.
    with _begun(_plan(choices), many, seed, threads) as begun:
        with contextlib.nullcontext(folder) if folder else tempfile.TemporaryDirectory() as where:
            runs, bounds = _run_study(str(where), replicates, seed, threads, lambda *done: begun.tell(progress))
        rewards = begun.finish(progress)
    gain = _gain(rewards, DEFAULT)
    answers = tuple(
        Answer(choice, alternative, _gain(rewards, alternative), _same(rewards, alternative))
        for choice in choices
        for alternative in choice.alternatives
    )
    claims = find_claims(runs, gain, PUBLISHED_GAIN)
    return Paper(seed, replicates, many, runs, bounds, gain, claims, answers)


def _run_study(
    folder: str, replicates: int, seed: int, threads: int | None, tell: Callable[[int, int, float], None]
) -> tuple["pd.DataFrame", "pd.DataFrame"]:
    """The runs and the bounds of the study, by budget."""
    study = dataclasses.replace(PAPER, record=Record(traces=0))
    options: dict[str, Any] = {"engine": "threads", "workers": threads, "replicates": replicates, "seed": seed}
    results = run_study(study, folder, progress=tell, **options)
    runs = results.frame().rename(columns={"world_budget": "budget"}).astype({"budget": int})
    runs = runs[["budget", *runs.columns.drop(["world", "budget", "failed"])]]
    bounds = results.bounds[["bound"]].assign(budget=BUDGETS)[["budget", "bound"]]
    bounds["bound_with_idle"] = [upper_bound(each.world, idle=True).value for each in study.worlds]
    return runs, bounds


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
    plan: Plan = {DEFAULT.change: dict(_specs(DEFAULT))}
    for choice in choices:
        for alternative in choice.alternatives:
            plan.setdefault(alternative.change, {}).update(_specs(alternative))
    return plan


class _Begun(NamedTuple):
    """A plan that is being played: what will be known, and futures of the runs that were played for it."""

    rewards: Rewards
    futures: list[Future[int]]
    total: int

    def tell(self, progress: Progress | None) -> None:
        """Say how many runs are done."""
        if progress is not None:
            progress(sum(future.result() for future in self.futures if future.done()), self.total)

    def finish(self, progress: Progress | None) -> Rewards:
        """Wait for the end."""
        for future in as_completed(self.futures):
            future.result()
            self.tell(progress)
        return self.rewards


@contextlib.contextmanager
def _begun(plan: Plan, many: int, seed: int, threads: int | None) -> Iterator[_Begun]:
    rewards = {(change, label): np.zeros((len(BUDGETS), many)) for change, specs in plan.items() for label in specs}

    def play(row: int, change: Change) -> int:
        runs = simulate(change(PAPER.worlds[row].world), plan[change], many, seed, threads=1)
        for label in plan[change]:
            rewards[change, label][row] = runs.totals[label]["reward"]
        return len(plan[change]) * many

    # Simulations side by side, a thread each: one is prepared while another plays.
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        futures = [pool.submit(play, row, change) for row in range(len(BUDGETS)) for change in plan]
        try:
            yield _Begun(rewards, futures, len(BUDGETS) * len(rewards) * many)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
