"""What is true: arms, states, costs and a round of it all. Policies never import this folder."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submodules={"catalog"})
