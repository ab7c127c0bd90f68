"""A log made ready for fitting: its model, what may move and between which bounds, and where to start."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import Model, build_model, quadrature, square_quadrature
from roguewk.learn.outcomes import Scaled, scaled
from roguewk.learn.pulls import Pulls, pulls_of, some_subjects
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.search import LONGEST, half_life_range, usual_range
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, RESTED, START, WIDTH, Setting
from roguewk.learn.solve import Region
from roguewk.learn.terms import NO_TERMS, SLOW, Layout, Terms, with_terms
from roguewk.problem.errors import InputError
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_code

NODES, FEW_NODES, MANY = 7, 5, 40  # of quadrature; fewer do for subjects with many pulls
NORMAL_NODES = 3  # with normal noise they are exact, second derivatives included
SEARCHED = 10_000  # pulls in which half-lives are searched for before all are climbed on
LASTING = 1e12  # half-life, in units of the longest span, of what does not recover
PASSING = 0.5  # longest half-life of arms' own states beside such a one: slower they could only cancel each other
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
    layout: Layout  # of what arms share
    effects: bool  # whether subjects have levels of their own
    means: tuple[float, ...]  # of each arm's outcomes, drawn to that of all by one outcome: none is at an end

    @property
    def pulls(self) -> Pulls:
        """All of them."""
        return self.model.setting.pulls

    @property
    def spare(self) -> int:
        """How many more outcomes there are than numbers that could explain them."""
        return self.model.observed - int(self.region.free[: self.model.spreads[0]].sum())

    @property
    def noise_told(self) -> bool:
        """Whether outcomes tell how much they vary by chance, if that is to be estimated."""
        return not self.scale.noisy or (self.scale.varies and self.spare > 0)

    @property
    def first_guess(self) -> Vector:
        """Parameters to start from: no wear, and subjects that differ."""
        model = self.model
        guess = np.zeros(model.size)
        for a, mean in enumerate(self.means):
            guess[model.place(a, RESTED)] = self.family.level_of_mean(mean)
            guess[model.place(a, LOG_HALF_LIFE)] = self.ends[a].mean()
        for state in self.layout.states:
            guess[state.place] = 0.5 * (self.region.low[state.place] + self.region.high[state.place])
        guess[model.spreads] = 0.5 if self.effects else 0.0
        guess[-1] = -0.5 if self.scale.noisy else 0.0
        return guess


def _nodes(pulls: Pulls, family: RewardFamily) -> int:
    if family.wants_sigma:
        return NORMAL_NODES
    return FEW_NODES if np.diff(pulls.begin).mean() > MANY else NODES


def _region(model: Model, ends: Vector, seen: Any, effects: bool) -> Region:
    pulls, half_lives = model.setting.pulls, slice(LOG_HALF_LIFE, model.setting.shared, WIDTH)
    free, low, high = np.ones(model.size, bool), np.full(model.size, -np.inf), np.full(model.size, np.inf)
    low[half_lives], high[half_lives] = ends.T
    free[START : model.setting.shared : WIDTH] = model.setting.starts
    free[-1], free[model.spreads], low[model.spreads] = model.setting.noisy, effects, 0.0
    for a in range(model.arms):
        # Of an arm that nobody was seen to use twice there is no half-life.
        if not (seen & (pulls.arm == a) & (pulls.before >= 0)).any():
            free[[model.place(a, PUSH), model.place(a, LOG_HALF_LIFE)]] = False
    if model.setting.varies >= 0:
        free[model.setting.varies] = (seen & (pulls.before >= 0)).any()
    return Region(free, low, high)


def _varying(setting: Setting, family: RewardFamily) -> Setting:
    """The setting with subjects who differ in their wear."""
    nodes, wear_nodes, weights = square_quadrature(NORMAL_NODES if family.wants_sigma else FEW_NODES)
    place = setting.size - 2
    return setting._replace(nodes=nodes, wear_nodes=wear_nodes, weights=weights, varies=place, size=setting.size + 1)


def _with_states(region: Region, pulls: Pulls, seen: Any, layout: Layout) -> Region:
    """The region with bounds of the half-lives of further states."""
    free, low, high = (side.copy() for side in region)
    for s, state in enumerate(layout.states):
        again = pulls.states.before[s] >= 0
        low[state.place], high[state.place] = usual_range(pulls.states.gap[s][again], pulls)
        if state.name == SLOW:
            low[state.place] = 0.5 * (low[state.place] + high[state.place])
        for push in range(state.pushes):
            free[state.place + 1 + push] = (seen & again & (pulls.states.push[s] == push)).any()
        if state.lasts:
            span = float(pulls.elapsed.max(initial=0.0)) or 1.0
            low[state.place] = high[state.place] = np.log(LASTING * span)
        free[state.place] = not state.lasts and free[state.place + 1 : state.place + 1 + state.pushes].any()
    return Region(free, low, high)


def make_ready(log: LoggedRounds, family: RewardFamily, effects: bool, starts: bool, terms: Terms = NO_TERMS) -> Job:
    """The log as a job; its rewards have been checked."""
    scale, arms = scaled(log, family), len(log.arms)
    pulls = pulls_of(log, scale.outcome, scale.certain)
    seen = ~np.isnan(pulls.outcome)
    if not seen.any():
        raise InputError("the log has no pull with an outcome: give one in which rewards were observed")
    pulls, layout = with_terms(log, pulls, terms, arms * WIDTH)
    observed = np.add.reduceat(np.append(seen, False), pulls.begin[:-1]) * (np.diff(pulls.begin) > 0)
    # The level of a lone subject is that of the arms, and that of one seen once is its noise, unless that is known.
    counts = family.rewards.whole and family.rewards.highest > 1
    effects = effects and int((observed > 0).sum()) > 1 and (counts or int(observed.max()) > 1)
    nodes, weights = quadrature(_nodes(pulls, family) if effects else 1)
    setting = Setting(
        pulls=pulls,
        family=family_code(family.name),
        lag=1.0 if log.regular else 0.0,
        starts=starts,
        noisy=scale.noisy,
        nodes=nodes,
        weights=weights,
        shared=layout.first,
        states=np.array([state.place for state in layout.states], dtype=np.int64),
        size=layout.size,
        wear_nodes=nodes,
    )
    if terms.wear_varies and effects:
        setting = _varying(setting, family)
    low, high = family.means
    centre = min(max(float(pulls.outcome[seen].mean()), low + INSIDE), high - INSIDE)
    model = build_model(setting, arms, family.level_of_mean(centre))
    some = some_subjects(pulls, SEARCHED)
    sample = model if some is pulls else build_model(setting._replace(pulls=some), arms, model.centre)
    ends = half_life_range(pulls, arms)
    if any(state.lasts for state in layout.states):
        ends[:, 1] += np.log(PASSING / LONGEST)
        ends[:, 0] = np.minimum(ends[:, 0], ends[:, 1])
    mine = [pulls.outcome[seen & (pulls.arm == a)] for a in range(arms)]
    means = tuple(float((outcomes.sum() + centre) / (outcomes.size + 1)) for outcomes in mine)
    region = _with_states(_region(model, ends, seen, effects), pulls, seen, layout)
    return Job(family, scale, model, sample, region, ends, layout, effects, means)
