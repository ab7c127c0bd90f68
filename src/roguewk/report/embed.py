"""The data of the page's figures."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.checks.again import USES, Curve
from roguewk.learn.checks.bins import Group
from roguewk.learn.checks.simulated import Place
from roguewk.learn.profile import Interval
from roguewk.problem.family.registry import family_named
from roguewk.report.findings import Against, Findings
from roguewk.report.words import TEN, between
from roguewk.show.numbers import short
from roguewk.show.page.palette import look_data
from roguewk.show.style import GREY, LOOKS, OTHERS, Look

ALL = Look("all arms", GREY, GREY, "solid", "o")
BARS = 24
DIGITS = 5


def looks(found: Findings) -> list[Look]:
    """Those of the shown arms, and last that of all arms together."""
    own = [*LOOKS.values(), *OTHERS]
    own = [look for look in own if look.colour != GREY]
    names = [found.fit.arms[a].name for a in found.shown]
    return [own[i % len(own)]._replace(name=name) for i, name in enumerate(names)] + [ALL]


def page_data(found: Findings) -> dict[str, Any]:
    """Everything that the figures show; arms are told by their place among those shown, here called policies."""
    place = {a: i for i, a in enumerate(found.shown)}
    return {
        "policies": [look_data(look.name, look) for look in looks(found)],
        "unit": found.fit.unit,
        "level": family_named(found.fit.family).unit,
        "uses": USES,
        "many": TEN,
        "curves": [{"arm": place[a], **_curve(curve)} for a, curve in found.curves.items()],
        "again": [
            {"arm": place[a], "one": _time(found.again[a].after_one), "many": _time(found.again[a].after_many)}
            for a in found.shown
            if a in found.again
        ],
        "against": [
            {"arm": place[a], "window": short(found.account.window[a], 3), **_against(groups)}
            for a, groups in found.against.items()
        ],
        "calibration": _groups(found.calibration),
        "trend": _groups(found.trend.groups),
        "sums": _bars(found.sums.score, 0.0, 1.0),
        "levels": _levels(found),
        "places": [_place(each, found) for each in found.places],
    }


def _numbers(values: Iterable[float]) -> list[Any]:
    return [short(value, DIGITS) for value in values]


def _time(interval: Interval) -> dict[str, Any]:
    return {**{name: short(getattr(interval, name), DIGITS) for name in Interval._fields}, "words": between(interval)}


def _curve(curve: Curve) -> dict[str, Any]:
    columns = {name: _numbers(getattr(curve, name)) for name in ("time", "mean", "low", "high")}
    return {"gap": short(curve.gap, 3), **columns}


def _groups(groups: Sequence[Group]) -> dict[str, list[Any]]:
    """Column by column."""
    return {name: _numbers(getattr(group, name) for group in groups) for name in Group._fields}


def _against(own: Against) -> dict[str, Any]:
    first = None if own.first is None else {name: short(getattr(own.first, name), DIGITS) for name in Group._fields}
    return {"first": first, "gaps": _groups(own.gaps), "used": _groups(own.uses)}


def _bars(values: Vector, centre: float, spread: float) -> dict[str, Any]:
    """A histogram, and what a normal distribution would have in its bars."""
    far = max(4 * spread, float(np.abs(values - centre).max(initial=0.0)) * 1.001)
    counts, edges = np.histogram(values, BARS, (centre - far, centre + far))
    middles = (edges[1:] + edges[:-1]) / 2
    normal = np.exp(-0.5 * ((middles - centre) / spread) ** 2) / (spread * np.sqrt(2 * np.pi))
    return {
        "counts": counts.tolist(),
        "edges": _numbers(edges[[0, -1]]),
        "normal": _numbers(normal * values.size * (edges[1] - edges[0])),
    }


def _levels(found: Findings) -> dict[str, Any] | None:
    """Of subjects with outcomes; none if levels do not differ or there is one subject."""
    spread = float(np.nan_to_num(found.fit.subject_sd.value))
    own = found.account.own[np.unique(found.account.subject)]
    return _bars(own, 0.0, spread) if spread > 0 and own.size > 1 else None


def _place(place: Place, found: Findings) -> dict[str, Any]:
    """With the real number on a scale on which 95 % of the simulated ones are from -1 to 1."""
    reach = (place.high - place.middle) if place.real > place.middle else (place.middle - place.low)
    at = (place.real - place.middle) / reach if reach > 0 else 0.0 if place.real == place.middle else np.nan
    names = [found.fit.arms[a].name for a in found.shown]
    arm = next((i for i, name in enumerate(names) if place.what.startswith(f"{name}: ")), len(names))
    numbers = {name: short(getattr(place, name), DIGITS) for name in ("real", "low", "middle", "high", "share")}
    return {"what": place.what, "arm": arm, "at": short(at, 3), "strange": place.strange, "near": place.near, **numbers}
