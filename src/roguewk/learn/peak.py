"""The peak of a log's likelihood: searched for on a grid of half-lives, then climbed."""

import dataclasses

from roguewk.kernel.arrays import Vector
from roguewk.learn.job import Job
from roguewk.learn.search import search
from roguewk.learn.setting import LOG_HALF_LIFE
from roguewk.learn.solve import Peak, climb
from roguewk.learn.terms import SLOW


def _told_apart(job: Job, near: Vector) -> Job:
    """The job in which a slow state and the arms' own cannot change places: a half-life between them parts them."""
    region, ends = job.region._replace(low=job.region.low.copy(), high=job.region.high.copy()), job.ends.copy()
    for state in job.layout.states:
        if state.name != SLOW or not region.free[state.place]:
            continue
        own = {a: job.model.place(a, LOG_HALF_LIFE) for a in range(job.model.arms)}
        faster = {a: place for a, place in own.items() if region.free[place] and near[place] < near[state.place]}
        if faster:
            between = 0.5 * (near[state.place] + max(near[place] for place in faster.values()))
            region.low[state.place] = max(between, region.low[state.place])
            for a, place in faster.items():
                region.high[place] = ends[a, 1] = between
    return dataclasses.replace(job, region=region, ends=ends)


def find_peak(job: Job) -> tuple[Job, Peak]:
    """The highest point that is found, and the job with bounds in which it is the only one of its kind."""
    near = search(job.sample, job.first_guess, job.region)
    job = _told_apart(job, near)
    return job, climb(job.model, near, job.region)
