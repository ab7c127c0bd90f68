"""What pulls cost: one file a distribution. They are found in this folder, so that a new file is all that one takes."""

import importlib
import pkgutil

from roguewk.world.cost.cost import DISTRIBUTIONS, Cost, Distribution, cost_from_data, cost_keys, cost_to_data

__all__ = ["DISTRIBUTIONS", "Cost", "Distribution", "cost_from_data", "cost_keys", "cost_to_data"]

_FIRST = ("fixed", "uniform", "bernoulli", "beta", "choices")  # the commonest, which are asked for first


def _place(kind: str) -> tuple[int, str]:
    return (_FIRST.index(kind) if kind in _FIRST else len(_FIRST)), kind


for _name in sorted((each.name for each in pkgutil.iter_modules(__path__) if each.name != "cost"), key=_place):
    _distribution = importlib.import_module(f"{__name__}.{_name}").DISTRIBUTION
    DISTRIBUTIONS[_name] = _distribution
    setattr(Cost, _name, staticmethod(_distribution.make))
