"""Something limited."""

from dataclasses import dataclass

from roguewk.problem.errors import LARGEST, InputError, positive, text


@dataclass(frozen=True)
class Resource:
    """Something limited: its budget for the whole horizon and the largest cost one pull can have, in your units.

    If that is not said, a world takes the largest that its costs can be, and a problem alone takes 1.

    >>> import roguewk as rw
    >>> rw.Resource("euros", budget=500.0, largest_cost=20.0).budget
    500.0
    """

    name: str
    budget: float
    largest_cost: float | None = None

    def __post_init__(self) -> None:
        text(self.name, "name of a resource")
        object.__setattr__(self, "budget", positive(self.budget, f"budget of resource {self.name!r}"))
        if self.largest_cost is not None:
            largest = positive(self.largest_cost, f"largest_cost of resource {self.name!r}")
            object.__setattr__(self, "largest_cost", largest)
        for what, value in (("budget", self.budget), ("largest_cost", self.unit)):
            if not 1 / LARGEST < value < LARGEST:
                raise InputError(
                    f"{what} of resource {self.name!r} is {value:g}: choose a unit in which it is between "
                    f"{1 / LARGEST:g} and {LARGEST:g}"
                )

    @property
    def unit(self) -> float:
        """The cost that counts as 1 inside."""
        return 1.0 if self.largest_cost is None else self.largest_cost
