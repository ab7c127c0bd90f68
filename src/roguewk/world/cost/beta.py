"""Costs with a beta distribution."""

from typing import Any

from roguewk.problem.errors import positive
from roguewk.world.cost.cost import Cost, Distribution, no_atoms, read_numbers, write_numbers


def beta(a: float, b: float, scale: float = 1.0) -> Cost:
    """Beta(a, b) times `scale`."""
    names = ("a", "b", "scale")
    return Cost("beta", tuple(positive(v, f"{n} of a beta cost") for v, n in zip((a, b, scale), names, strict=True)))


def _mean(cost: Cost) -> float:
    a, b, scale = cost.numbers
    return scale * (a / (a + b))


def _nothing(cost: Cost) -> float:
    return 0.0


def _scale(cost: Cost) -> float:
    return cost.numbers[2]


def _residual(cost: Cost) -> float:
    """At the most: with a < 1, what lies beyond r is smaller than with a = 1, whose excess has the mean (1-r)/(1+b)."""
    a, b, scale = cost.numbers
    return scale * (1.0 / (1.0 + b) if a < 1 else a / (a + b))


def _drawing() -> Any:
    from roguewk.kernel.draws import beta as beta_number  # only here: making a world does not load Numba

    def draw(cost: Any, rows: Any, number: float, now: Any, purpose: int) -> float:
        return cost.z * beta_number(cost.x, cost.y, now, purpose)

    return draw


DISTRIBUTION = Distribution(
    make=beta,
    size=3,
    mean=_mean,
    smallest=_nothing,
    largest=_scale,
    residual=_residual,
    atoms=no_atoms,
    drawing=_drawing,
    keys=(),
    read=read_numbers(beta),
    write=write_numbers,
)
