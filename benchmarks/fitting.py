"""Fitting logs: `rw.fit` beside the same likelihood by general routes, and as logs grow."""

import contextlib
import importlib.util
import json
import math
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pandas as pd

import roguewk as rw
from benchmarks.clock import line, work
from benchmarks.other_fits import (
    POINTS,
    Table,
    bayes_mixed,
    log_likelihood,
    mixed_linear,
    scipy_interval,
    scipy_peak,
    statsmodels_grid,
)
from roguewk.learn.job import make_ready
from roguewk.learn.peak import find_peak
from roguewk.problem.family.registry import family_named

SIZES = ((50, 40, 3), (200, 60, 3), (1000, 100, 3))  # subjects, rounds, arms
LARGE = ((1000, 100, 5), (3000, 100, 5), (10_000, 100, 5))
HALF_LIVES = (3.0, 6.0, 10.0, 2.0, 5.0)
WEAR = (0.8, 0.6, 1.0, 0.5, 0.7)
RANGE = (1 / 3, 180.0)  # half-lives that are searched by general routes


def made_log(subjects: int, rounds: int, arms: int, normal: bool = False) -> Table:
    """Arms sent at random, one in six rounds each or less often; subjects' levels differ by 0.7."""
    luck = np.random.default_rng(subjects)
    own, worn, everyone = 0.7 * luck.standard_normal(subjects), np.zeros((subjects, arms)), np.arange(subjects)
    wear, retention = np.array(WEAR[:arms]), 0.5 ** (1 / np.array(HALF_LIVES[:arms]))
    arm, reward = np.empty((subjects, rounds), np.int64), np.empty((subjects, rounds))
    for t in range(rounds):
        drawn = luck.integers(0, max(arms + 1, 6), subjects)
        arm[:, t] = np.where(drawn < arms, drawn, -1)
        level = 0.5 - wear[arm[:, t]] * worn[everyone, arm[:, t]] + own
        noise = luck.standard_normal(subjects)
        reward[:, t] = level + noise if normal else luck.random(subjects) < 1 / (1 + np.exp(-level))
        worn *= retention
        worn[everyone, arm[:, t]] += arm[:, t] >= 0
    return Table(arm, reward, arms)


def logged(table: Table) -> pd.DataFrame:
    """The table that `rw.read_log` takes."""
    subjects, rounds = table.arm.shape
    names = np.array([*(f"arm {a}" for a in range(table.arms)), None], dtype=object)
    return pd.DataFrame(
        {
            "subject": np.repeat(np.arange(subjects), rounds),
            "round": np.tile(np.arange(rounds), subjects),
            "arm": names[table.arm.ravel()],
            "reward": np.where(table.arm >= 0, table.reward, np.nan).ravel(),
        }
    )


def report() -> None:
    """Side by side, then alone."""
    print("Fitting logs, seconds of processor time: the likelihood of rw.fit by general routes; 3 arms")
    _beside_scipy(made_log(*SIZES[0]), intervals=True)
    for size in SIZES[1:]:
        _beside_scipy(made_log(*size))
    if importlib.util.find_spec("statsmodels"):
        for size in SIZES[1:]:
            _beside_grid(made_log(*size))
        _beside_mixed(made_log(*SIZES[1]), made_log(*SIZES[1], normal=True))
    if importlib.util.find_spec("numpyro"):
        _beside_numpyro(made_log(*SIZES[0]))
    print("rw.fit alone as logs grow, by the clock: 5 arms, random levels, 100 rounds each")
    for size in LARGE:
        _alone(*size)


def _peak(log: rw.LoggedRounds, effects: bool = True) -> float:
    return find_peak(make_ready(log, family_named("bernoulli"), effects, False))[1].value


def _beside_scipy(table: Table, intervals: bool = False) -> None:
    """The peak, which is what SciPy gives; and with intervals of half-lives, which rw.fit gives as well."""
    log, (subjects, rounds) = rw.read_log(logged(table)), table.arm.shape
    _peak(log)  # compiles
    ours, whole = work(partial(_peak, log)), work(partial(rw.fit, log))
    start = np.array([*([0.0, 0.0, math.log(math.sqrt(RANGE[0] * RANGE[1]))] * table.arms), 0.5])
    bounds = [*([(None, None), (None, None), (math.log(RANGE[0]), math.log(RANGE[1]))] * table.arms), (0.0, None)]
    objective = partial(log_likelihood, table=table)
    begin = time.process_time()
    top = scipy_peak(objective, start, bounds)
    general = time.process_time() - begin
    line(f"{subjects:,} subjects x {rounds} rounds: our peak, SciPy's", f"{ours:.3f}, {general:.2f} s")
    line("  log-likelihoods there", f"{_peak(log):.2f}, {top.value:.2f}")
    line("  our peak over SciPy's (L-BFGS-B, numerical gradients)", f"{general / ours:,.0f} x", "wanted: 20 x")
    line("  all of rw.fit over SciPy's peak alone", f"{general / whole:,.1f} x")
    if not intervals:
        return
    begin = time.process_time()
    found = [scipy_interval(objective, top, bounds, 3 * a + 2) for a in range(table.arms)]
    both = general + time.process_time() - begin
    fitted = [arm.half_life for arm in rw.fit(log).arms]
    line("  with intervals: rw.fit, SciPy", f"{whole:.2f}, {both:.1f} s")
    for a, (low, high) in enumerate(found):
        theirs = f"{math.exp(low):.2f} to {math.exp(high):.2f}"
        line(f"  half-life of arm {a}: {fitted[a].low:.2f} to {fitted[a].high:.2f}, SciPy", theirs)
    line("  rw.fit over SciPy, both with intervals", f"{both / whole:,.0f} x", "wanted: 20 x")


def _beside_grid(coins: Table) -> None:
    """The peak without subject effects, which a GLM at every half-life of a grid finds as well."""
    log, half_lives = rw.read_log(logged(coins)), np.geomspace(*RANGE, POINTS)
    subjects, rounds = coins.arm.shape
    plain = rw.fit(log, subject_effects=False)
    ours, whole = work(partial(_peak, log, False)), work(partial(rw.fit, log, subject_effects=False))
    begin = time.process_time()
    found = statsmodels_grid(coins, half_lives)
    general = time.process_time() - begin
    line(f"{subjects:,} subjects x {rounds} rounds, no subject effects: our peak", f"{ours:.3f} s")
    line(f"  statsmodels GLM, a grid of {POINTS} half-lives per arm", f"{general:.2f} s")
    line("  log-likelihoods, ours and that of the grid", f"{plain.log_likelihood:.2f}, {found:.2f}")
    line("  our peak over statsmodels' grid", f"{general / ours:,.0f} x", "wanted: 20 x")
    line("  all of rw.fit over statsmodels' grid", f"{general / whole:,.1f} x")


def _beside_mixed(coins: Table, normal: Table) -> None:
    truth = HALF_LIVES[: coins.arms]
    for what, run, table, family in (
        ("BinomialBayesMixedGLM", bayes_mixed, coins, "bernoulli"),
        ("MixedLM", mixed_linear, normal, "gaussian"),
    ):
        mine = work(partial(rw.fit, rw.read_log(logged(table)), family))
        once = work(partial(run, table, truth), 1)
        line(f"  statsmodels {what}, half-lives given", f"{once:.2f} s")
        line(f"  rw.fit, {family}, which finds them: {mine:.2f} s, over that", f"{once / mine:,.1f} x")


def _beside_numpyro(table: Table) -> None:
    log = rw.read_log(logged(table))
    ours, begin = work(partial(rw.fit, log)), time.process_time()
    drawn = rw.sample_posterior(log, draws=500, warmup=500, chains=2)
    spent = time.process_time() - begin
    line("50 subjects x 40 rounds: NumPyro, 2 x 500 draws, compiled", f"{spent:.1f} s")
    line("  least effective draws, divergences", f"{drawn.diagnostics()['n_eff'].min():.0f}, {drawn.divergences}")
    line("  rw.fit over NumPyro", f"{spent / ours:,.0f} x")


def _alone(subjects: int, rounds: int, arms: int) -> None:
    """In a process of its own, so that its memory is that of the fit."""
    words = [sys.executable, "-m", "benchmarks.fitting", str(subjects), str(rounds), str(arms)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    limit = ("wanted: 30 s", "wanted: 2 GB") if subjects * rounds >= 1_000_000 else ("", "")
    line(f"{subjects * rounds:,} rows: read_log, fit", f"{told['read']:.1f}, {told['fit']:.1f} s", limit[0])
    line("  processor time of the fit, all threads", f"{told['busy']:.1f} s")
    line("  peak memory of the process, libraries and table included", f"{told['memory']:.2f} GB", limit[1])


def _most_memory() -> float:
    """Bytes that this process has had at the most; not `ru_maxrss`, which begins with what its parent had."""
    with open("/proc/self/status") as status:
        return next(1024.0 * int(words.split()[1]) for words in status if words.startswith("VmHWM"))


def _child(subjects: int, rounds: int, arms: int) -> None:
    with contextlib.redirect_stdout(sys.stderr):
        rw.fit(logged(made_log(50, 40, 3)))  # compiles
    table = logged(made_log(subjects, rounds, arms))
    begin = time.perf_counter()
    log = rw.read_log(table)
    read, busy = time.perf_counter(), time.process_time()
    rw.fit(log)
    told = {"read": read - begin, "fit": time.perf_counter() - read, "busy": time.process_time() - busy}
    print(json.dumps(told | {"memory": _most_memory() / 1e9}))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _child(*map(int, sys.argv[1:4]))
    else:
        report()
