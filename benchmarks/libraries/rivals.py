"""Which libraries and policies ours are compared with, and which constants make two policies the same.

Left out, because they are other policies than their names say:

- SMPyBandits 0.9.7 DiscountedUCB with a discount below 1: it keeps discounted counts as whole numbers, rounded down, so
  that all of them stay at 1 for ever, and lets the counts of an arm fade only when that arm is pulled.
- SMPyBandits 0.9.7 SWHash_IndexPolicy (SW-UCB#): its window grows like t^(1 + alpha), not t^alpha, so it is all of t.
- SMPyBandits 0.9.7 UCBVtuned (UCB1-Tuned): without the 1/4 at which the paper cuts the variance.
- SMPyBandits 0.9.7 CUSUM_IndexPolicy: the first M rewards, which make the mean, are also tested against it.
- SMPyBandits 0.9.7 ApproximatedFHGittins: an approximation of what our Gittins policy works out.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

MEANS = (0.35, 0.5, 0.65)  # of Bernoulli arms


class Rival(NamedTuple):
    """A policy of a library, by the library's name for it."""

    policy: str
    constants: Mapping[str, Any] = {}
    ours: str = ""  # the same policy of ours, if there is one
    parameters: Mapping[str, Any] = {}  # with which ours is the same
    note: str = ""  # what still differs
    timed: bool = False
    recorded: bool = True  # its regret is to agree with ours


class Library(NamedTuple):
    """What pip is to install, step by step; `module` in this folder plays its policies."""

    name: str
    module: str
    installs: tuple[tuple[str, ...], ...]
    rivals: tuple[Rival, ...]


TIES = "breaks ties by chance, ours by the order of the arms: both meet the arms in every order"
FLAT = {"prior_ones": 1.0, "prior_zeros": 1.0}

LIBRARIES = (
    Library(
        "river",
        "river",
        (("river",),),
        (
            Rival("UCB", {"delta": 1.0}, "ucb1", {"scale": 1.0}, TIES, timed=True),
            Rival("UCB", {"delta": 0.5}, "ucb1", {"scale": 0.5}, TIES),
            Rival("UCB of EWMean", {"fading_factor": 0.01}, timed=True, recorded=False),
            Rival("ThompsonSampling", {}, "thompson-beta", FLAT),
            Rival("Exp3", {"gamma": 0.1}, "exp3", {"gamma": 0.1}),
            Rival(
                "Exp3 in batches",
                {"gamma": 0.1, "batch": 100},
                "rexp3",
                {"gamma": 0.1, "batch": 100},
                "river has no Rexp3: its Exp3 is made anew in every batch",
            ),
        ),
    ),
    Library(
        "SMPyBandits",
        "smpybandits",
        (("SMPyBandits",),),
        (
            Rival("UCB", {}, "ucb1", {"scale": 1.0}, TIES, timed=True),
            Rival("UCBalpha", {"alpha": 1.0}, "ucb1", {"scale": 0.5}, f"scale = sqrt(alpha / 4); {TIES}"),
            Rival(
                "SWUCB",
                {"tau": 200, "alpha": 0.6},
                "sw-ucb-gm",
                {"window": 200, "xi": 0.6},
                f"xi = alpha; {TIES}",
                timed=True,
            ),
            Rival(
                "DiscountedUCB",
                {"gamma": 1.0, "alpha": 1.0},
                "d-ucb",
                {"discount": 1.0, "xi": 0.125},
                f"xi = alpha / 8; the two are the same only without a discount, see rivals.py; {TIES}",
            ),
            Rival("klUCB", {"c": 1.0, "tolerance": 1e-8}, "kl-ucb", {"scale": 1.0, "loglog": 0.0}, TIES),
            Rival("klUCBloglog", {"c": 3.0, "tolerance": 1e-8}, "kl-ucb", {"scale": 1.0, "loglog": 3.0}, TIES),
            Rival("Thompson", {}, "thompson-beta", FLAT),
            Rival(
                "Exp3",
                {"gamma": 0.1},
                "exp3",
                {"gamma": 0.1},
                "plays each arm once first, in any order; ours draws from the first round on",
            ),
        ),
    ),
    Library(
        "MABWiser",
        "mabwiser",
        (("mabwiser",),),
        (
            Rival(
                "UCB1",
                {"alpha": 1.0},
                "ucb1",
                {"scale": 1.0},
                "knows nothing of an arm never played: each is played once first",
                timed=True,
            ),
            Rival("ThompsonSampling", {}, "thompson-beta", FLAT),
        ),
    ),
    Library(
        "obp",
        "obp",
        # Its newest version declares Python < 3.11 and pins what it needs, PyTorch among it, to old versions.
        (("--ignore-requires-python", "--no-deps", "obp"), ("numpy", "pyyaml", "scikit-learn")),
        (Rival("BernoulliTS", {}, "thompson-beta", FLAT, timed=True),),
    ),
    Library(
        "PyBandits", "pybandits", (("pybandits",),), (Rival("SmabBernoulli", {}, "thompson-beta", FLAT, timed=True),)
    ),
    Library(
        "vowpalwabbit",
        "vowpalwabbit",
        (("vowpalwabbit",),),
        (Rival("cb_explore", {"epsilon": 0.05}, timed=True, recorded=False),),
    ),
)
