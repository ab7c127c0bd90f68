"""Bandits whose arms wear off and recover, under several budgets: ROGUEwK-UCB and its competitors.

The public names are listed in `__init__.pyi`; each loads on first use, so that `import roguewk` is quick.
"""

import lazy_loader

from roguewk.moved import tell_of_moves

__version__ = "0.1.0"
tell_of_moves()
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
