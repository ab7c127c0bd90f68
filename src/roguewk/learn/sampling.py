"""The full posterior of a log by NumPyro: the model of `rw.fit`, of which nothing is integrated out by hand.

Priors are those of the fit: levels, pushes and starts normal with standard deviation 10, the spread of subjects half of
such a one, half-lives even in their logarithm over the range that the fit searches. Unlike there, subjects' levels are
drawn, and half-lives weighed by all that goes with them, not by the best.
"""

import math
from typing import Any, Literal

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.job import Job, make_ready
from roguewk.learn.model import QUIETEST, SPREAD
from roguewk.learn.read import read_log
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.sampled import PosteriorSample, SampledNumbers
from roguewk.learn.usable import check_usable
from roguewk.problem.errors import InputError, known, text, truth_value, whole
from roguewk.problem.family.registry import family_named

LOG_2 = math.log(2.0)
NOISE = (math.log(QUIETEST), math.log(10.0))  # from and to, in standard deviations of rewards
DEEPEST = 10  # doublings of a path: beyond, draws take minutes and are of no use either


def _numpyro() -> Any:
    try:
        import numpyro
    except ImportError:
        raise InputError(
            "rw.sample_posterior needs NumPyro, which is not installed: pip install 'roguewk[numpyro]'"
        ) from None
    return numpyro


def _log_partition(family: str, level: Any) -> Any:
    """The b of the family, for JAX."""
    import jax
    import jax.numpy as jnp

    of = {"bernoulli": jax.nn.softplus, "bounded": jax.nn.softplus, "poisson": jnp.exp, "gaussian": lambda x: x * x / 2}
    if family not in of:
        raise InputError(f"{family} rewards cannot be sampled: choose one of {', '.join(of)}")
    return of[family](level)


def _wear(job: Job, log_half_lives: Any) -> Any:
    """(pull,) the wear before every pull, moved on from use to use of all subjects and arms side by side."""
    import jax
    import jax.numpy as jnp

    pulls, lag = job.pulls, job.model.setting.lag
    use = np.zeros(pulls.arm.size, dtype=np.int64)  # how many came before, of the same subject and arm
    for i in np.flatnonzero(pulls.before >= 0):
        use[i] = use[pulls.before[i]] + 1
    pair = np.unique(_subjects(job) * job.model.arms + pulls.arm, return_inverse=True)[1]
    gaps, arm = np.zeros((use.max() + 1, pair.max() + 1)), np.zeros(pair.max() + 1, dtype=np.int64)
    gaps[use, pair], arm[pair] = pulls.gap, pulls.arm
    rate = LOG_2 * jnp.exp(-log_half_lives)[arm]

    def on(worn: Any, gap: Any) -> Any:
        after = jnp.exp(-rate * gap) * worn + jnp.exp(-rate * jnp.maximum(gap - lag, 0.0))
        return after, after

    later = jax.lax.scan(on, jnp.zeros(arm.size), jnp.asarray(gaps[1:]))[1]
    return jnp.concatenate([jnp.zeros((1, arm.size)), later])[use, pair]


def _subjects(job: Job) -> Any:
    """(pull,) whose it is."""
    return np.repeat(np.arange(job.pulls.begin.size - 1), np.diff(job.pulls.begin))


def _model(job: Job) -> None:
    import jax.numpy as jnp
    import numpyro
    from numpyro import distributions as dist

    setting, pulls, arms = job.model.setting, job.pulls, job.model.arms
    rested = numpyro.sample("rested", dist.Normal(job.model.centre, SPREAD).expand([arms]))
    push = numpyro.sample("push", dist.Normal(0.0, SPREAD).expand([arms]))
    log_half_life = numpyro.sample("log_half_life", dist.Uniform(job.ends[:, 0], job.ends[:, 1]))
    level = rested[pulls.arm] + push[pulls.arm] * _wear(job, log_half_life)
    if setting.starts:
        start = numpyro.sample("start", dist.Normal(0.0, SPREAD).expand([arms]))
        rate = LOG_2 * jnp.exp(-log_half_life)[pulls.arm]
        level = level + start[pulls.arm] * jnp.exp(-rate * pulls.elapsed)
    if job.effects:
        spread = numpyro.sample("subject_sd", dist.HalfNormal(SPREAD))
        own = numpyro.sample("own", dist.Normal(0.0, 1.0).expand([pulls.begin.size - 1]))
        level = level + spread * own[_subjects(job)]
    seen = ~np.isnan(pulls.outcome)
    gain = pulls.outcome[seen] * level[seen] - _log_partition(job.family.name, level[seen])
    if setting.noisy:
        log_noise = numpyro.sample("log_noise", dist.Uniform(*NOISE))
        gain = -jnp.exp(-2.0 * log_noise) * (pulls.certain[seen] - gain) - log_noise
    numpyro.factor("outcomes", gain.sum())


def _numbers(job: Job, samples: dict[str, Any]) -> SampledNumbers:
    """Draws in the units of the log."""
    drawn: dict[str, Vector] = {name: np.asarray(values, dtype=np.float64) for name, values in samples.items()}
    unit, nothing = job.scale.unit, np.zeros_like(drawn["push"])
    levels = drawn["rested"]
    return SampledNumbers(
        rested=job.family.means_of_levels(levels) * unit + job.scale.middle,
        wear=-unit * drawn["push"],
        half_life=np.exp(drawn["log_half_life"]),
        start=unit * drawn.get("start", nothing),
        subject_sd=unit * drawn.get("subject_sd", nothing[..., 0]),
    )


def sample_posterior(
    log: Any,
    family: str = "bernoulli",
    *,
    subject_effects: bool = True,
    start: Literal["rested", "unknown"] = "rested",
    draws: int = 1000,
    warmup: int = 1000,
    chains: int = 2,
    seed: int = 0,
) -> PosteriorSample:
    """Draw from all that a log leaves open, by NumPyro: slow, and a judge of `rw.fit`.

    NumPyro is an extra: `pip install 'roguewk[numpyro]'`. The model and the priors are those of `rw.fit`, and arguments
    mean the same; covariates, trends and further states are not sampled. `draws` of each of the `chains` are kept after
    `warmup`, by the no-U-turn sampler. What was drawn is a table with diagnostics, and with a warning in words if they
    are bad. Thousands of rows take minutes; `rw.fit` gives all but the same intervals in a fraction of a second where
    the log tells of wear. Where it tells little they differ: a posterior then shows what the priors say.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> rw.sample_posterior(invented_log(40, 20), draws=500, chains=2).intervals()  # doctest: +SKIP
    """
    log = log if isinstance(log, LoggedRounds) else read_log(log)
    kind, effects = family_named(family), truth_value(subject_effects, "subject_effects")
    known(text(start, "start"), ("rested", "unknown"), "start")
    kept, first = whole(draws, "draws", 2, 10**6), whole(warmup, "warmup", 1, 10**6)
    count, luck = whole(chains, "chains", 1, 64), whole(seed, "seed", 0, 2**32 - 1)
    check_usable(log, kind)
    job = make_ready(log, kind, effects, start == "unknown")
    numpyro = _numpyro()
    import jax

    # Rested level and push go together, the more so the slower an arm recovers: their covariance has to be learned.
    beside = ("rested", "push", "log_half_life", *(("start",) if start == "unknown" else ()))
    kernel = numpyro.infer.NUTS(
        _model, dense_mass=[beside], max_tree_depth=DEEPEST, init_strategy=numpyro.infer.init_to_median(num_samples=5)
    )
    sampler = numpyro.infer.MCMC(
        kernel, num_warmup=first, num_samples=kept, num_chains=count, chain_method="sequential", progress_bar=False
    )
    sampler.run(jax.random.PRNGKey(luck), job)
    return PosteriorSample(
        arms=log.arms,
        unit=log.unit,
        family=kind.name,
        numbers=_numbers(job, sampler.get_samples(group_by_chain=True)),
        divergences=int(np.asarray(sampler.get_extra_fields()["diverging"]).sum()),
        sampled=(*("rested", "wear", "half_life"), *(("start",) if start == "unknown" else ()))
        + (("subject_sd",) if job.effects else ()),
    )
