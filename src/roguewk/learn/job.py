"""A log made ready for fitting: its model, what may move and between which bounds, and where to start."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.likelihood import LOG_HALF_LIFE, PUSH, RESTED, START, WIDTH, Setting
from roguewk.learn.model import Model, build_model, quadrature
from roguewk.learn.outcomes import Scaled, scaled
from roguewk.learn.pulls import Pulls, pulls_of, some_subjects
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.search import half_life_range
from roguewk.learn.solve import Region
from roguewk.problem.errors import InputError
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_code

NODES, FEW_NODES, MANY = 7, 5, 40  # of quadrature; fewer do for subjects with many pulls
NORMAL_NODES = 3  # with normal noise they are exact, second derivatives included
SEARCHED = 10_000  # pulls in which half-lives are searched for before all are climbed on
INSIDE = 0.02  # how far from an end of their range first guesses of mean rewards are kept


@dataclass(frozen=True, eq=False)
class Job:
    """A log made ready."""

    family: RewardFamily
    scale: Scaled
    model: Model
    sample: Model  # of a part of the subjects, if they are many
    region: Region
    ends: Vector  # (arm, 2) logs of the shortest and longest half-life
    effects: bool  # whether subjects have levels of their own
    means: tuple[float, ...]  # of each arm's outcomes, drawn to that of all by one outcome: none is at an end

    @property
    def pulls(self) -> Pulls:
        """All of them."""
        return self.model.setting.pulls

    @property
    def first_guess(self) -> Vector:
        """Parameters to start from: no wear, and subjects that differ."""
        model = self.model
        guess = np.zeros(model.size)
        for a, mean in enumerate(self.means):
            guess[model.place(a, RESTED)] = self.family.level_of_mean(mean)
            guess[model.place(a, LOG_HALF_LIFE)] = self.ends[a].mean()
        guess[model.spread] = 0.5 if self.effects else 0.0
        guess[-1] = -0.5 if self.scale.noisy else 0.0
        return guess


def _nodes(pulls: Pulls, family: RewardFamily) -> int:
    if family.wants_sigma:
        return NORMAL_NODES
    return FEW_NODES if np.diff(pulls.begin).mean() > MANY else NODES


def _region(model: Model, ends: Vector, seen: Any, effects: bool) -> Region:
    pulls, half_lives = model.setting.pulls, slice(LOG_HALF_LIFE, model.spread, WIDTH)
    free, low, high = np.ones(model.size, bool), np.full(model.size, -np.inf), np.full(model.size, np.inf)
    low[half_lives], high[half_lives] = ends.T
    free[START : model.spread : WIDTH] = model.setting.starts
    free[model.spread], free[-1], low[model.spread] = effects, model.setting.noisy, 0.0
    for a in range(model.arms):
        # Of an arm that nobody was seen to use twice there is no half-life.
        if not (seen & (pulls.arm == a) & (pulls.before >= 0)).any():
            free[[model.place(a, PUSH), model.place(a, LOG_HALF_LIFE)]] = False
    return Region(free, low, high)


def make_ready(log: LoggedRounds, family: RewardFamily, effects: bool, starts: bool) -> Job:
    """The log as a job; its rewards have been checked."""
    scale, arms = scaled(log, family), len(log.arms)
    pulls = pulls_of(log, scale.outcome, scale.certain)
    seen = ~np.isnan(pulls.outcome)
    if not seen.any():
        raise InputError("the log has no pull with an outcome: give one in which rewards were observed")
    observed = np.add.reduceat(np.append(seen, False), pulls.begin[:-1]) * (np.diff(pulls.begin) > 0)
    effects = effects and int((observed > 0).sum()) > 1  # the level of a lone subject is that of the arms
    nodes, weights = quadrature(_nodes(pulls, family) if effects else 1)
    lag = 1.0 if log.regular else 0.0
    setting = Setting(pulls, family_code(family.name), lag, starts, scale.noisy, nodes, weights)
    low, high = family.means
    centre = min(max(float(pulls.outcome[seen].mean()), low + INSIDE), high - INSIDE)
    model = build_model(setting, arms, family.level_of_mean(centre))
    some = some_subjects(pulls, SEARCHED)
    sample = model if some is pulls else build_model(setting._replace(pulls=some), arms, model.centre)
    ends = half_life_range(pulls, arms)
    mine = [pulls.outcome[seen & (pulls.arm == a)] for a in range(arms)]
    means = tuple(float((outcomes.sum() + centre) / (outcomes.size + 1)) for outcomes in mine)
    return Job(family, scale, model, sample, _region(model, ends, seen, effects), ends, effects, means)
