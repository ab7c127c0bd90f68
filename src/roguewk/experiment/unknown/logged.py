"""What a log of earlier subjects is worth to the next one."""

from dataclasses import replace

from roguewk.interop.logs import log_runs
from roguewk.learn.fit import fit
from roguewk.problem.problem import Problem
from roguewk.world.world import World

SUBJECTS, ROUNDS, CHANCES = 100, 60, 0.8  # of a round with an arm, any of them alike


def told_by_log(world: World, seed: int) -> World:
    """The same world, of which policies believe what a log says of subjects who were given arms at random.

    >>> from roguewk.world import catalog
    >>> told_by_log(catalog.paper(), 0).problem.unknown
    ('arm 0', 'arm 1', 'arm 2')
    """
    free = World(Problem(world.arms, [], ROUNDS, idle=True), world.x0, [[] for _ in world.arms])
    logged = log_runs(free, ("randomised", {"chances": CHANCES}), replicates=SUBJECTS, seed=seed)
    priors = fit(logged, start="unknown").prior()  # nobody says that subjects begin rested
    return world.believe([replace(arm, prior=priors[arm.name]) for arm in world.arms])
