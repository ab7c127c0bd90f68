"""Draws from what a log leaves open, with what says whether they can be trusted."""

import textwrap
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.profile import Interval
from roguewk.learn.summary import WIDE, cell, lined_up
from roguewk.problem.family.registry import family_named

if TYPE_CHECKING:
    import pandas as pd

ENDS = (0.5, 0.025, 0.975)
MIXED = 1.01  # r_hat above which chains do not agree (Vehtari and others, 2021)
ENOUGH = 100  # effective draws by chain that quantiles ask for (likewise)


class SampledNumbers(NamedTuple):
    """Draws in the units of `fit.frame()`."""

    rested: Vector  # (chain, draw, arm)
    wear: Vector  # (chain, draw, arm)
    half_life: Vector  # (chain, draw, arm)
    start: Vector  # (chain, draw, arm)
    subject_sd: Vector  # (chain, draw)


@dataclass(frozen=True, eq=False)
class PosteriorSample:
    """What arms may be by a log, draw by draw; made by `rw.sample_posterior`.

    `divergences` is how many draws the sampler could not follow; `warning` says in words if draws cannot be trusted.

    >>> import numpy as np
    >>> from roguewk.learn.sampled import PosteriorSample, SampledNumbers
    >>> drawn = np.random.default_rng(0).lognormal(size=(2, 500, 1))
    >>> numbers = SampledNumbers(drawn, drawn, drawn, drawn, drawn[..., 0])
    >>> sample = PosteriorSample(("call",), "rounds", "bernoulli", numbers, 3, ("rested", "wear", "half_life"))
    >>> sample.warning
    'the sampler could not follow the posterior in 3 of 1,000 draws (divergences): draws may miss a part of it'
    """

    arms: tuple[str, ...]
    unit: str
    family: str
    numbers: SampledNumbers
    divergences: int
    sampled: tuple[str, ...]  # which of the numbers were drawn; the others are known

    def frame(self) -> "pd.DataFrame":
        """A row per chain, draw and arm: `rested`, `wear`, `half_life`, `start` as in `fit.frame()`, and `subject_sd`.

        >>> import numpy as np
        >>> from roguewk.learn.sampled import PosteriorSample, SampledNumbers
        >>> drawn = np.ones((2, 5, 3))
        >>> numbers = SampledNumbers(drawn, drawn, drawn, drawn, drawn[..., 0])
        >>> PosteriorSample(("a", "b", "c"), "rounds", "bernoulli", numbers, 0, ("wear",)).frame().shape
        (30, 8)
        """
        import pandas as pd

        chains, draws, arms = self.numbers.wear.shape
        chain, draw, arm = (place.ravel() for place in np.indices((chains, draws, arms)))
        columns = {name: getattr(self.numbers, name).ravel() for name in ("rested", "wear", "half_life", "start")}
        spread = np.repeat(self.numbers.subject_sd.ravel(), arms)
        names = np.array(self.arms, dtype=object)[arm]
        return pd.DataFrame({"chain": chain, "draw": draw, "arm": names, **columns, "subject_sd": spread})

    def intervals(self) -> "pd.DataFrame":
        """A row per arm: medians and the ends between which 95 % of the draws are, named as in `fit.frame()`.

        >>> import numpy as np
        >>> from roguewk.learn.sampled import PosteriorSample, SampledNumbers
        >>> drawn = np.linspace(0, 1, 101).reshape(1, 101, 1)
        >>> numbers = SampledNumbers(drawn, drawn, drawn, drawn, drawn[..., 0])
        >>> sample = PosteriorSample(("a",), "rounds", "bernoulli", numbers, 0, ("wear",))
        >>> sample.intervals()[["wear", "wear_low", "wear_high"]].round(3).values.tolist()
        [[0.5, 0.025, 0.975]]
        """
        import pandas as pd

        rows = []
        for a, arm in enumerate(self.arms):
            row: dict[str, str | float] = {"arm": arm}
            for name in ("rested", "wear", "half_life", "start"):
                value, low, high = np.quantile(getattr(self.numbers, name)[..., a], ENDS).tolist()
                row |= {name: value, f"{name}_low": low, f"{name}_high": high}
            rows.append(row)
        return pd.DataFrame(rows)

    @property
    def subject_sd(self) -> Interval:
        """How much the levels of subjects differ (standard deviation): the median, and where 95 % of the draws are."""
        value, low, high = np.quantile(self.numbers.subject_sd, ENDS).tolist()
        return Interval(value, low, high)

    def diagnostics(self) -> "pd.DataFrame":
        """A row per number that was drawn: `r_hat`, near 1 where chains agree, and `n_eff`, what the draws are worth.

        Both are those of NumPyro; that of subjects' spread has no arm. One chain is split into two.
        """
        import pandas as pd
        from numpyro.diagnostics import effective_sample_size, split_gelman_rubin

        rows = []
        for name in self.sampled:
            drawn = getattr(self.numbers, name)
            for a, arm in enumerate(self.arms if drawn.ndim == 3 else ("",)):
                one = drawn[..., a] if drawn.ndim == 3 else drawn
                rows.append((arm, name, float(split_gelman_rubin(one)), float(effective_sample_size(one))))
        return pd.DataFrame(rows, columns=["arm", "number", "r_hat", "n_eff"])

    @property
    def warning(self) -> str:
        """Why draws cannot be trusted and what to do, in a sentence; empty if nothing speaks against them."""
        chains, draws = self.numbers.subject_sd.shape
        if self.divergences:
            share = f"{self.divergences:,} of {chains * draws:,} draws"
            return f"the sampler could not follow the posterior in {share} (divergences): draws may miss a part of it"
        rows = self.diagnostics().to_dict("records")
        worst, least = max(rows, key=lambda row: row["r_hat"]), min(rows, key=lambda row: row["n_eff"])
        if worst["r_hat"] > MIXED:
            return (
                f"chains do not agree ({_named(worst)} has r_hat {worst['r_hat']:.2f}): ask for more draws and warmup"
            )
        if least["n_eff"] < ENOUGH * chains:
            worth = f"{least['n_eff']:.0f} independent ones"
            return f"draws of {_named(least)} are worth only {worth}: ask for more of them"
        return ""

    def __str__(self) -> str:
        """A readable table, within 80 columns."""
        chains, draws = self.numbers.subject_sd.shape
        unit = family_named(self.family).unit
        names = ("rested", "wear", "half_life")
        rows = self.intervals().to_dict("records")
        intervals = [[Interval(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in names] for row in rows]
        head = ["arm", "rested", f"wear ({unit})", f"half-life ({self.unit})"]
        top, numbers = lined_up(head, self.arms, intervals)
        lines = [
            f"{chains * draws:,} draws in {chains} chain{'s' if chains > 1 else ''}, {self.family} rewards",
            f"subjects' levels differ by {cell(self.subject_sd)} {unit}; in brackets 95 %",
            "",
            top,
            *numbers,
        ]
        return "\n".join([*lines, *(["", *textwrap.wrap(self.warning, WIDE)] if self.warning else [])])


def _named(row: Mapping[Hashable, Any]) -> str:
    arm = f" of {row['arm']!r}" if row["arm"] else ""
    return f"{str(row['number']).replace('_', '-')}{arm}"
