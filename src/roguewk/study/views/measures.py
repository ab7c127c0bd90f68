"""What policies are shown to have earned: rewards, or effects where idle rounds bring something, and plays."""

import math
from typing import NamedTuple

from roguewk.study.plan.model import Study
from roguewk.study.results import Results


class Measure(NamedTuple):
    """A figure, and the columns of the summary that it shows."""

    name: str  # of the figure, and of the column of means
    title: str
    means: tuple[str, ...]  # with an interval, if there is one
    medians: tuple[str, str, str]  # with quartiles


EFFECT = Measure(
    "effect",
    "Effect",
    ("effect", "effect_low", "effect_high"),
    ("effect_median", "effect_lower_quartile", "effect_upper_quartile"),
)
REWARD = Measure(
    "reward", "Reward", ("reward", "reward_low", "reward_high"), ("median", "lower_quartile", "upper_quartile")
)
PER_PLAY = Measure(
    "reward_per_play", "Reward per play", ("reward_per_play",), ("per_play_median", "per_play_lower", "per_play_upper")
)
EFFECT_PER_PLAY = Measure(
    "effect_per_play",
    "Effect per play",
    ("effect_per_play",),
    ("effect_per_play_median", "effect_per_play_lower", "effect_per_play_upper"),
)
PLAYS = Measure("plays", "Plays", ("plays",), ("plays_median", "plays_lower", "plays_upper"))


def measures(study: Study) -> tuple[Measure, ...]:
    """What is shown of a study, in order."""
    return (EFFECT, REWARD, EFFECT_PER_PLAY, PLAYS) if study.has_effects else (REWARD, PER_PLAY, PLAYS)


def idle_rewards(study: Study) -> dict[str, float]:
    """By world, what doing nothing brings on average, where idle rounds bring something."""
    given = {each.label: each.world for each in study.worlds if each.world.baseline is not None}
    return {label: float(world.idle_means.sum()) for label, world in given.items()}


def limits(results: Results, measure: Measure) -> dict[str, float]:
    """By world, what no policy can expect to beat; empty where nothing is known of such a number."""
    if measure not in (EFFECT, REWARD):
        return {}
    idle = idle_rewards(results.study) if measure == EFFECT else {}
    bounds = dict(zip(results.bounds["world"], results.bounds["bound"], strict=True))
    return {world: bound - idle.get(world, 0.0) for world, bound in bounds.items() if math.isfinite(bound)}


def bound_words(study: Study) -> str:
    """What shares are shares of."""
    return "the certified bound on effects" if study.has_effects else "the certified bound"
