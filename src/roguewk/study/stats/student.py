"""Quantiles of Student's t distribution."""

from statistics import NormalDist


def t_quantile(level: float, freedom: int) -> float:
    """The Cornish-Fisher expansion to the fourth order (Abramowitz and Stegun 26.7.5).

    It is right to a thousandth at the levels of one comparison from five degrees of freedom on, and at those of
    several from as many as can decide them; with one degree, it is 11 % too small at 97.5 %.

    >>> round(t_quantile(0.975, 9), 3)
    2.262
    """
    z = NormalDist().inv_cdf(level)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))
