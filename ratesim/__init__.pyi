# The one list of public names: `from .module import Name as Name`, sorted by module; `__all__` is made from it.
from ._version import __version__ as __version__
