"""Compare and simulate rating systems: one stream of games, many systems, one replay.

Every public name is listed once, in ``__init__.pyi`` beside this file, and loaded when it is first used,
so that ``import ratesim`` and ``ratesim --help`` cost nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
