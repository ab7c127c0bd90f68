"""What came out of a what-if, in sentences and rows."""

import math
from typing import TYPE_CHECKING, Any, Protocol

from roguewk.kernel.arrays import Vector
from roguewk.learn.profile import Interval
from roguewk.problem.duration import Duration, in_words
from roguewk.problem.resource import Gap, Resource
from roguewk.show.words import count, percent

if TYPE_CHECKING:
    import pandas as pd

MANY = 1.1  # times as many pulls as were made: worth a word


class Found(Protocol):
    """What a what-if found; an rw.WhatIf says what each of these is."""

    @property
    def all_subjects(self) -> int: ...
    @property
    def budgets(self) -> dict[str, float]: ...
    @property
    def done(self) -> Interval: ...
    @property
    def gain(self) -> Interval: ...
    @property
    def gain_learned(self) -> Interval: ...
    @property
    def horizon(self) -> int: ...
    @property
    def learned(self) -> Interval: ...
    @property
    def limits(self) -> tuple[Resource | Gap, ...]: ...
    @property
    def nothing(self) -> Interval | None: ...
    @property
    def effects(self) -> tuple[Interval, ...] | None: ...
    @property
    def pulls(self) -> Vector: ...
    @property
    def rewards(self) -> Vector: ...
    @property
    def spent(self) -> dict[str, float]: ...
    @property
    def subjects(self) -> int: ...
    @property
    def told(self) -> Interval: ...
    def frame(self) -> "pd.DataFrame": ...


def _side(value: float) -> str:
    return f"{percent(abs(value), 0)} {'less' if value < 0 else 'more'}"


def _more(gain: Interval) -> str:
    """How much more, with the interval."""
    if gain.low >= 0:
        return f"{_side(gain.value)} ({percent(gain.low, 0).removesuffix(' %')} to {percent(gain.high, 0)})"
    return f"{_side(gain.value)} (from {_side(gain.low)} to {_side(gain.high)})"


def _limits(found: Found) -> str:
    """What the planner may spend, beside what was spent."""
    same = {name for name, budget in found.budgets.items() if math.isclose(budget, found.spent[name])}
    listed = [f"{found.budgets[name]:.4g} {name}" for name in found.budgets if name in same]
    parts = [f"the same {' and '.join(listed)}"] if listed else []
    parts += [
        f"{budget:.4g} {name} instead of {found.spent[name]:.4g}"
        for name, budget in found.budgets.items()
        if name not in same
    ]
    parts += map(_limit, found.limits)
    return f"With {' and '.join(parts)} per person" if parts else "Without limits"


def _limit(limit: Resource | Gap) -> str:
    """A limit beside budgets for the whole time."""
    if isinstance(limit, Gap):
        return f"{_lasting(limit.least)} from one pull{_of(limit.arms)} to the next"
    period = "" if limit.every is None else f" every {_lasting(limit.every)}"
    if limit.counts is None:
        return f"{limit.budget:.4g} {limit.name}{period}"
    return f"at most {count(int(limit.budget), 'pull')}{_of(limit.counts)}{period}"


def _of(arms: tuple[str, ...] | None) -> str:
    return f" of {' or '.join(map(repr, arms))}" if arms else ""


def _lasting(duration: Duration) -> str:
    return duration if isinstance(duration, str) else in_words(duration, None)


def _number(interval: Interval, digits: int = 4) -> str:
    value, low, high = (f"{each:.{digits}g}" for each in interval)
    return f"{value} ({low} to {high})"


def headline(found: Found) -> str:
    """The answer in a sentence."""
    begin = f"{_limits(found)} the planner is expected to earn"
    if not math.isnan(found.gain.value):
        return f"{begin} {_more(found.gain)}."
    told, done = found.told, found.done
    return f"{begin} {told.value:.4g} ({told.low:.4g} to {told.high:.4g}) where what was done brings {done.value:.4g}."


def caveat(found: Found) -> str:
    """That the planner pulls more than was pulled, where it does."""
    done, planned = found.pulls[0], found.pulls[1]
    if planned <= MANY * done:
        return ""
    remedy = f"limit the pulls to {done:.4g} as well, if more are not wanted"
    return f"It pulls {planned:.4g} times per person where {done:.4g} pulls were made: {remedy}."


def effect(found: Found) -> str:
    """What is owed to the pulls, where doing nothing brings something too."""
    if found.nothing is None or found.effects is None:
        return ""
    done, told = (_number(each, 3) for each in found.effects[:2])
    return (
        f"Doing nothing would bring {_number(found.nothing, 3)}: what was done has an effect of {done} beyond that, and"
        f" the planner one of {told}."
    )


def basis(found: Found) -> str:
    """What was compared."""
    who = f"{count(found.subjects, 'subject')} of {found.all_subjects:,}"
    draws = count(found.rewards.shape[0], "draw")
    return (
        f"Compared are the first {count(found.horizon, 'round')} of {who}, valued for the average subject, in {draws} "
        "from what the fit leaves open; every pull costs its mean."
    )


def head(found: Found) -> tuple[str, ...]:
    """What is above the rows."""
    return "", "pulls", "reward (95 %)", "gain (95 %)" if found.effects is None else "effect (95 %)"


def rows(found: Found) -> list[tuple[str, ...]]:
    """A row each for what was done, the planner that is told and the one that learns.

    Where doing nothing brings something it has a row too, and what counts is what is earned beyond that.
    """
    none = Interval(math.nan, math.nan, math.nan)
    told: list[tuple[str, Interval, Interval]] = [
        ("what was done", found.done, none),
        ("planner, told the fit", found.told, found.gain),
        ("planner, nothing known", found.learned, found.gain_learned),
    ]
    table: list[tuple[str, ...]] = []
    for (name, reward, gain), pulls in zip(told, found.pulls, strict=True):
        known = not math.isnan(gain.value)
        low, high = percent(gain.low, 0).removesuffix(" %"), percent(gain.high, 0).removesuffix(" %")
        share = f"{percent(gain.value, 0)} ({low} to {high})" if known else ""
        table.append((name, f"{pulls:.3g}", _number(reward), share))
    if found.nothing is None or found.effects is None:
        return table
    earned = (found.done, found.told, found.learned)  # in three digits, so that effects stand beside them
    rewards = [(*row[:2], _number(each, 3)) for row, each in zip(table, earned, strict=True)]
    beyond = [(*row, _number(each, 3)) for row, each in zip(rewards, found.effects, strict=True)]
    return [("doing nothing", "0", _number(found.nothing, 3), ""), *beyond]


def sentences(found: Found) -> list[str]:
    """The answer, what was compared, and the numbers."""
    lines = [f"{name}: {reward}" for name, _, reward, _ in rows(found)]
    said = (headline(found), effect(found), caveat(found), basis(found), *lines)
    return [sentence for sentence in said if sentence]


def data(found: Found) -> dict[str, Any]:
    """Everything, for JSON; what is not known is None."""

    def plain(interval: Interval) -> dict[str, float | None]:
        return {name: value if math.isfinite(value) else None for name, value in interval._asdict().items()}

    named = ("done", "told", "learned", "gain", "gain_learned")
    beyond: dict[str, Any] = {}
    if found.nothing is not None and found.effects is not None:
        effects = {name: plain(each) for name, each in zip(named, found.effects, strict=False)}
        beyond = {"nothing": plain(found.nothing), "effects": effects}
    return {
        "answer": headline(found),
        "caveat": caveat(found) or None,
        "compared": basis(found),
        "horizon": found.horizon,
        "subjects": found.subjects,
        "budgets": found.budgets,
        **({"limits": [_limit(limit) for limit in found.limits]} if found.limits else {}),
        "spent": found.spent,
        **{name: plain(getattr(found, name)) for name in named},
        **beyond,
        "pulls": dict(zip(named, found.pulls.tolist(), strict=False)),
        "draws": found.frame().to_dict(orient="records"),
    }
