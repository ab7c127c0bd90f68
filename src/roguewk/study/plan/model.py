"""A study: worlds, policies and replicates, laid out before anything runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roguewk.world.world import World

# Those of effects are of studies in which idle rounds bring something, that of rewards per play is of the others.
FIGURES = (
    *("effect", "reward", "reward_per_play", "effect_per_play", "plays"),
    *("differences", "spending", "distribution", "heat_map", "single_run"),
)
ALL_WORLDS = "all worlds"  # what tables call the average over worlds
KINDS = ("png", "svg", "pdf")
# Whose a policy is: roguewk's, or that of the study's own code, which may add it with rw.add_policy or be a class.
PACKAGE, ADDED, PLAIN = "package", "added", "plain"


@dataclass(frozen=True)
class PlannedWorld:
    """A world of a study, and the settings it was made with: `{"budget": 100}`."""

    label: str
    settings: Mapping[str, Any]
    world: World


@dataclass(frozen=True)
class PlannedPolicy:
    """A policy of a study: a name or parts by role, the parameters that are given, and whose it is."""

    label: str
    name: str | Mapping[str, str]
    settings: Mapping[str, Any]
    origin: str = PACKAGE


@dataclass(frozen=True)
class Record:
    """What is kept beside a row for every run: the rounds of the first `traces` replicates, and bounds."""

    traces: int = 5
    bound: bool = True


@dataclass(frozen=True)
class Plot:
    """What is drawn: the setting along the axis (None: the one that is swept), which figures, and file kinds."""

    x: str | None = None
    figures: tuple[str, ...] = FIGURES
    kinds: tuple[str, ...] = KINDS


@dataclass(frozen=True, repr=False)
class Study:
    """Everything that a study file says, its sweeps multiplied out.

    `baseline` is the label of the policy that the others are compared with. `skipped` has the pairs of world and policy
    that do not fit each other, with the reason. `code` is the text of the file with policies of one's own. A study that
    was opened from a folder is `foreign`: its code runs only if someone says that it is to be trusted.

    >>> import roguewk as rw
    >>> study = rw.load_study("paper")
    >>> len(study.worlds), [policy.label for policy in study.policies]
    (30, ['roguewk-ucb', 'ucb1', 'sw-ucb'])
    """

    name: str
    title: str
    replicates: int
    seed: int
    baseline: str
    worlds: tuple[PlannedWorld, ...]
    policies: tuple[PlannedPolicy, ...]
    record: Record = field(default_factory=Record)
    plot: Plot = field(default_factory=Plot)
    skipped: Mapping[tuple[str, str], str] = field(default_factory=dict)
    code: str = ""
    source: str = ""
    file: str = ""  # where it was read from; what tells it from other studies
    foreign: bool = field(default=False, compare=False)

    @property
    def has_effects(self) -> bool:
        """Whether idle rounds bring something in some world, so that policies are judged by what they add to it."""
        return any(each.world.baseline is not None for each in self.worlds)

    def __repr__(self) -> str:
        """Without the worlds themselves, which would fill pages."""
        sizes = f"{len(self.worlds)} worlds, {len(self.policies)} policies, {self.replicates} replicates"
        return f"Study({self.title!r}: {sizes}, seed {self.seed})"
