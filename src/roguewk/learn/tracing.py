"""The profiles of a fit, along each arm's half-life and what arms share; a higher peak met on the way is climbed."""

from roguewk.learn.describe import doubtless
from roguewk.learn.effects import traced_places
from roguewk.learn.job import Job
from roguewk.learn.movement import MANY, Followers, Together, followers
from roguewk.learn.posterior import beside
from roguewk.learn.profile import FAR, LIMIT, Profile, trace
from roguewk.learn.setting import LOG_HALF_LIFE, WIDTH
from roguewk.learn.solve import Peak, climb

AGAIN = 4  # times that a higher peak found on the way is climbed


def _arm_profile(job: Job, top: Peak, arm: int, away: Followers | None, sure: bool) -> Profile:
    movement = Together(job.model) if away is None else away.arm(arm)
    place = job.model.place(arm, LOG_HALF_LIFE)
    return trace(movement, top, job.region, place, LIMIT if sure else FAR, beside(place))


def _few(job: Job, top: Peak) -> tuple[Peak, dict[int, Profile]]:
    """Profiles one after the other, all anew from a higher peak."""
    for attempt in range(AGAIN + 1):
        found: dict[int, Profile] = {}
        sure = doubtless(job, top)
        for place in [*job.model.half_lives[: job.model.arms], *traced_places(job)]:
            if place < job.model.setting.shared:
                found[place] = _arm_profile(job, top, place // WIDTH, None, sure[place // WIDTH])
            else:
                found[place] = trace(Together(job.model), top, job.region, place)
            higher = found[place].higher
            if higher is not None and attempt < AGAIN:
                top = climb(job.model, higher.parameters, job.region)
                break
        else:
            break
    return top, found


def _many(job: Job, top: Peak) -> tuple[Peak, dict[int, Profile]]:
    """Profiles of all arms from one top; where they lead higher, these arms move there at once and are traced anew."""
    found: dict[int, Profile] = {}
    left = list(range(job.model.arms))
    for attempt in range(AGAIN + 1):
        away, start, sure = followers(job.model, top, job.region), top.parameters.copy(), doubtless(job, top)
        for a in left:
            found[job.model.place(a, LOG_HALF_LIFE)] = _arm_profile(job, top, a, away, sure[a])
        left = [a for a in left if found[job.model.place(a, LOG_HALF_LIFE)].higher is not None]
        if not left or attempt == AGAIN:
            break
        for a in left:
            higher = found[job.model.place(a, LOG_HALF_LIFE)].higher
            if higher is not None:
                mine = slice(a * WIDTH, (a + 1) * WIDTH)
                start[mine] = higher.parameters[mine]
        top = max(climb(job.model, start, job.region), top, key=lambda peak: peak.value)
    return top, found | {place: trace(Together(job.model), top, job.region, place) for place in traced_places(job)}


def trace_all(job: Job, top: Peak) -> tuple[Peak, dict[int, Profile]]:
    """The highest peak, and the profiles there by the places of their parameters."""
    return (_many if job.model.arms >= MANY else _few)(job, top)
