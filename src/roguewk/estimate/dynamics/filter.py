"""What an arm's rewards tell of how it wears off and recovers, in constant memory.

Whatever its coordinates, an arm's level is `rested + start A^t + push h_t` with `h_{t+1} = A h_t + pulled_t`: given the
retention A, a generalised linear model of three features. So some retentions are followed side by side, each with a
Gaussian over (rested, start, push) and the evidence for it. A reward moves the Gaussian along its features only, to the
mean and variance that the level has after it (moment matching, exact for Gaussian rewards); its chance is evidence.

Rewards may come late: the features of an earlier round follow from the pulls of the last WINDOW rounds, which are kept
as bits, and from what pulls before them have left.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.dynamics.told import Moments, Update, after_reward
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.records import record_type
from roguewk.problem.prior import POINTS, PriorTable

WINDOW = 512  # rounds that a reward may be late
WORD = 32  # bits of the pulls in a number
FEATURES = 3  # always 1, A^t, h
GIVEN_UP = -30.0  # log-probability below which a retention is no longer followed
TINY = 1e-300

_TRACK = record_type((), ("elapsed", "seen_at"))
_ARM = record_type(("sigma",), ("family", "exact"))


class Filter(NamedTuple):
    """What is known of the dynamics of some arms.

    What is believed of them is that of the arm `of`: arms that are alike share it, and each has its own history.
    """

    arms: Constant[Any]  # (arm,) records
    of: Constant[Any]  # (arm,)
    retentions: Constant[Vector]  # (arm, point)
    tracks: Learned[Any]  # (arm,) records: rounds gone by, the round of the last pull
    fades: Learned[Vector]  # (arm, point) A^t
    wears: Learned[Vector]  # (arm, point) h
    at_pull: Learned[Vector]  # (arm, point, 2): both at the last pull
    evidence: Learned[Vector]  # (arm, point) log-probability
    means: Learned[Vector]  # (arm, point, feature)
    covariances: Learned[Vector]  # (arm, point, pair)
    bits: Learned[Any]  # (arm, word) pulls of the last WINDOW rounds
    before: Learned[Vector]  # (arm, point) h when these began


class Kind(NamedTuple):
    """The rewards of an arm."""

    family: int  # its code
    exact: bool  # whether it is Gaussian
    sigma: float


def build_filter(kinds: list[Kind], tables: list[PriorTable], of: list[int] | None = None) -> Filter:
    """Nothing seen yet; `of` is the arm whose beliefs each arm shares, its own by default."""
    arms, chances = len(tables), np.array([table.chances for table in tables])
    records, tracks = np.zeros(arms, dtype=_ARM), np.zeros(arms, dtype=_TRACK)
    tracks["seen_at"] = -1
    for record, kind in zip(records, kinds, strict=True):
        record["family"], record["exact"], record["sigma"] = kind.family, kind.exact, kind.sigma
    return Filter(
        arms=records,
        of=np.array(range(arms) if of is None else of),
        retentions=0.5 ** (1.0 / np.array([table.half_lives for table in tables])),
        tracks=tracks,
        fades=np.ones((arms, POINTS)),
        wears=np.zeros((arms, POINTS)),
        at_pull=np.zeros((arms, POINTS, 2)),
        evidence=np.log(np.maximum(chances, math.exp(2.0 * GIVEN_UP))),
        means=np.array([table.means for table in tables]),
        covariances=np.array([table.covariances for table in tables]),
        bits=np.zeros((arms, WINDOW // WORD), dtype=np.int64),
        before=np.zeros((arms, POINTS)),
    )


@compiled
def _was_pulled(part: Filter, a: int, round_: int) -> int:
    place = round_ % WINDOW
    return (part.bits[a, place // WORD] >> (place % WORD)) & 1


@compiled
def _note_pull(part: Filter, a: int, round_: int, pulled: int) -> None:
    place = round_ % WINDOW
    word = part.bits[a, place // WORD]
    part.bits[a, place // WORD] = (word & ~(1 << (place % WORD))) | (pulled << (place % WORD))


@compiled
def follow(part: Filter, a: int, pulled: int) -> None:
    """Let a round pass for arm `a`."""
    track, points = part.tracks[a], part.retentions.shape[1]
    if pulled:
        track.seen_at = track.elapsed
        for k in range(points):
            part.at_pull[a, k, 0], part.at_pull[a, k, 1] = part.fades[a, k], part.wears[a, k]
    if track.elapsed >= WINDOW:
        leaving = _was_pulled(part, a, track.elapsed)  # its place is the one of this round
        for k in range(points):
            part.before[a, k] = part.retentions[a, k] * part.before[a, k] + leaving
    _note_pull(part, a, track.elapsed, pulled)
    for k in range(points):
        part.fades[a, k] *= part.retentions[a, k]
        part.wears[a, k] = part.retentions[a, k] * part.wears[a, k] + pulled
    track.elapsed += 1


@compiled
def unfollow(part: Filter, a: int, round_: int) -> None:
    """Take back that arm `a` was pulled in a round."""
    track = part.tracks[a]
    begun = max(track.elapsed - WINDOW, 0)
    if round_ == track.seen_at:
        track.seen_at = -1
    if round_ >= begun:
        _note_pull(part, a, round_, 0)
    for k in range(part.retentions.shape[1]):
        part.wears[a, k] -= part.retentions[a, k] ** float(track.elapsed - 1 - round_)
        if round_ < begun:
            part.before[a, k] -= part.retentions[a, k] ** float(begun - 1 - round_)


@compiled
def _features_at(part: Filter, a: int, k: int, round_: int) -> tuple[float, float]:
    """A^t and h of an earlier round."""
    if round_ == part.tracks[a].seen_at:
        return part.at_pull[a, k, 0], part.at_pull[a, k, 1]
    retention, wear = part.retentions[a, k], part.before[a, k]
    for earlier in range(max(part.tracks[a].elapsed - WINDOW, 0), round_):
        wear = retention * wear + _was_pulled(part, a, earlier)
    return retention ** float(round_), wear


@compiled
def level(part: Filter, a: int, k: int, fade: float, wear: float) -> Moments:
    """What the level is believed to be at these features, if retention `k` is the right one."""
    m, c = part.means[part.of[a], k], part.covariances[part.of[a], k]
    spread = c[0] + fade * (2.0 * c[1] + fade * c[3]) + wear * (2.0 * (c[2] + fade * c[4]) + wear * c[5])
    return Moments(m[0] + fade * m[1] + wear * m[2], max(spread, 0.0))


@compiled_apart
def learn(part: Filter, a: int, round_: int, reward: float, shift: float = 0.0) -> None:
    """Take in the reward of a pull in an earlier round, when contexts shifted the level; too late, it tells nothing."""
    if not _within_window(part, a, round_):
        return
    of = part.of[a]
    for k in range(part.retentions.shape[1]):
        if part.evidence[of, k] > GIVEN_UP:
            fade, wear = _features_at(part, a, k, round_)
            unshifted = level(part, a, k, fade, wear)
            before = Moments(unshifted.mean + shift, unshifted.variance)
            after = after_reward(part.arms[a], before, reward)
            part.evidence[of, k] += after.evidence
            _condition(part.means[of, k], part.covariances[of, k], fade, wear, before, after)
    _normalise(part.evidence[of])


@compiled
def _within_window(part: Filter, a: int, round_: int) -> bool:
    return max(part.tracks[a].elapsed - WINDOW, 0) <= round_ < part.tracks[a].elapsed


@compiled
def _normalise(evidence: Vector) -> None:
    """Make probabilities sum up to one; those of retentions that were given up stay negligible."""
    largest, total = -np.inf, 0.0
    for k in range(evidence.size):
        largest = max(largest, evidence[k])
    for k in range(evidence.size):
        total += math.exp(evidence[k] - largest)
    for k in range(evidence.size):
        evidence[k] = max(evidence[k] - largest - math.log(total), 2.0 * GIVEN_UP)


@compiled
def _condition(m: Vector, c: Vector, fade: float, wear: float, before: Moments, after: Update) -> None:
    """Move a Gaussian along its features to what the level is now."""
    if before.variance <= 0.0:
        return
    s0 = c[0] + fade * c[1] + wear * c[2]
    s1 = c[1] + fade * c[3] + wear * c[4]
    s2 = c[2] + fade * c[4] + wear * c[5]
    shift = after.shift / before.variance
    shrink = (1.0 - after.variance / before.variance) / before.variance
    m[0], m[1], m[2] = m[0] + s0 * shift, m[1] + s1 * shift, m[2] + s2 * shift
    c[0] -= s0 * s0 * shrink
    c[1] -= s0 * s1 * shrink
    c[2] -= s0 * s2 * shrink
    c[3] -= s1 * s1 * shrink
    c[4] -= s1 * s2 * shrink
    c[5] -= s2 * s2 * shrink


@compiled
def level_now(part: Filter, a: int) -> Moments:
    """What the level of arm `a` is believed to be this round, over all retentions."""
    mean = square = 0.0
    evidence = part.evidence[part.of[a]]
    for k in range(part.retentions.shape[1]):
        if evidence[k] > GIVEN_UP:
            weight, at = math.exp(evidence[k]), level(part, a, k, part.fades[a, k], part.wears[a, k])
            mean += weight * at.mean
            square += weight * (at.variance + at.mean * at.mean)
    return Moments(mean, max(square - mean * mean, 0.0))


@compiled
def drawn_retention(part: Filter, a: int, number: float) -> int:
    """The retention that a uniform number falls on."""
    total, last = 0.0, 0
    evidence = part.evidence[part.of[a]]
    for k in range(part.retentions.shape[1]):
        if evidence[k] > GIVEN_UP:
            total += math.exp(evidence[k])
            last = k
            if number < total:
                break
    return last


@compiled
def drawn_along(m: Vector, c: Vector, first: float, second: float, third: float) -> tuple[float, float, float]:
    """A draw from a Gaussian, (feature,) and (pair,), by three standard normal numbers (Cholesky)."""
    a = math.sqrt(max(c[0], TINY))
    b, d = c[1] / a, c[2] / a
    e = math.sqrt(max(c[3] - b * b, TINY))
    f = (c[4] - b * d) / e
    g = math.sqrt(max(c[5] - d * d - f * f, 0.0))
    return m[0] + a * first, m[1] + b * first + e * second, m[2] + d * first + f * second + g * third
