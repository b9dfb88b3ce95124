"""What a number came from: the address of a run, and the versions of what it was made with."""

import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any

from .errors import InputError
from .systems.base import Rater

LIBRARIES = ("glicko2", "matplotlib", "numba", "numpy", "polars", "scipy")


def canonical(value: object) -> str:
    """Return JSON text that is the same for the same value: sorted keys, no spaces, floats as Python writes them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def address(parts: Mapping[str, Any]) -> str:
    """Return the id of a run: 12 hexadecimal digits of what it is made of."""
    return hashlib.sha256(canonical(parts).encode()).hexdigest()[:12]


def dependencies(rater: Rater) -> dict[str, str]:
    """Return the versions of the distributions that a rater's forecasts depend on.

    Raises
    ------
    InputError : one is not installed.
    """
    try:
        return {name: metadata.version(name) for name in rater.depends}
    except metadata.PackageNotFoundError as error:
        raise InputError(f"'{error.name}' is not installed", where=f"system {rater.kind}") from None


@cache
def versions() -> dict[str, str]:
    """Return the versions of ratesim, Python and the libraries that numbers pass through."""
    found = {"python": ".".join(map(str, sys.version_info[:3])), "ratesim": metadata.version("ratesim")}
    return found | {name: metadata.version(name) for name in LIBRARIES}
