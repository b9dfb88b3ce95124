"""The version, read from the installed package's metadata and only when somebody asks."""

from importlib.metadata import version

__version__ = version("ratesim")
