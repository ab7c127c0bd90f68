"""What is decided: arms, their dynamics, budgets; and, in `world`, the hidden truth."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submodules={"catalog"})
