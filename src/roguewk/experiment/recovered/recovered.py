"""Logs that were made up are fitted, and what is found is put beside what they were made with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from roguewk.experiment.recovered.made import KINDS, MadeLog, made_log
from roguewk.learn.fit import fit
from roguewk.problem.errors import whole
from roguewk.problem.family.registry import family_named

if TYPE_CHECKING:
    import pandas as pd

QUICK = 10  # logs of each kind
Progress = Callable[[int, int], None]


class Row(NamedTuple):
    """What a fit says of one number of an arm."""

    kind: str
    log: int
    arm: str
    number: str  # rested, wear, half_life
    truth: float
    value: float
    low: float
    high: float
    verdict: str  # its name

    @property
    def held(self) -> bool:
        """Whether the truth is in the interval."""
        return self.low <= self.truth <= self.high


@dataclass(frozen=True)
class Settings:
    """How many logs of each kind, and of what size; the fit was built on other logs."""

    logs: int = 134  # three arms each: 402 cases
    subjects: int = 200
    rounds: int = 60
    first_log: int = 0

    def __post_init__(self) -> None:
        whole(self.logs, "logs", 1, 100_000)
        whole(self.first_log, "first log", 0, 2**31)


@dataclass(frozen=True)
class Recovered:
    """A row per kind of log, log, arm and number, as `Row` names its columns, and whether the truth is `held`."""

    settings: Settings
    found: "pd.DataFrame"


def run_recovered(settings: Settings, progress: Progress | None = None) -> Recovered:
    """Fit every log; `progress` is called with the logs fitted and to fit."""
    import pandas

    rows: list[dict[str, Any]] = []
    total = len(KINDS) * settings.logs
    for n in range(settings.logs):
        for done, kind in enumerate(KINDS, start=n * len(KINDS)):
            if progress is not None:
                progress(done, total)
            number = settings.first_log + n
            made = made_log(kind, number, settings.subjects, settings.rounds)
            rows += [{**row._asdict(), "held": row.held} for row in _rows(kind, number, made)]
    if progress is not None:
        progress(total, total)
    return Recovered(settings, pandas.DataFrame(rows))


def _rows(kind: str, number: int, made: MadeLog) -> Iterator[Row]:
    rested = family_named("bernoulli").means_of_levels(made.truth.level)
    truths = {"rested": rested, "wear": made.truth.wear, "half_life": made.truth.half_life}
    for a, arm in enumerate(fit(made.log).arms):
        for name, truth in truths.items():
            value, low, high = getattr(arm, name)
            yield Row(kind, number, arm.name, name, float(truth[a]), value, low, high, arm.verdict.name)
