"""Something limited."""

from dataclasses import dataclass

from roguewk.problem.errors import InputError, positive, text


@dataclass(frozen=True)
class Resource:
    """Something limited: its budget for the whole horizon and the largest cost one pull can have, in your units.

    >>> import roguewk as rw
    >>> rw.Resource("euros", budget=500.0, largest_cost=20.0).budget
    500.0
    """

    name: str
    budget: float
    largest_cost: float = 1.0

    def __post_init__(self) -> None:
        text(self.name, "name of a resource")
        object.__setattr__(self, "budget", positive(self.budget, f"budget of resource {self.name!r}"))
        largest = positive(self.largest_cost, f"largest_cost of resource {self.name!r}")
        object.__setattr__(self, "largest_cost", largest)
        if not 1e-300 < self.budget / largest < 1e300:
            raise InputError(
                f"budget {self.budget:g} of resource {self.name!r} is out of all proportion to its largest_cost "
                f"{largest:g}: give both in the same unit"
            )
