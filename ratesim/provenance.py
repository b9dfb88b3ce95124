"""What a number came from: the address of a run, the digest of the sources, the versions of what they use."""

import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from .spec import Spec

LIBRARIES = ("glicko2", "matplotlib", "numba", "numpy", "polars", "scipy")
HERE = Path(__file__).parent
NOT_FORECASTS = {  # modules that no forecast depends on
    *("analysis", "cli", "conduct", "experiment", "files", "grid", "illustrate", "inference", "metrics", "plan"),
    *("plots", "provenance", "report", "store", "summary", "tasks", "testing", "tune"),
}


def canonical(value: object) -> str:
    """Return JSON text that is the same for the same value: sorted keys, no spaces, floats as Python writes them."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def address(parts: Mapping[str, Any]) -> str:
    """Return the id of a run: 12 hexadecimal digits of what it is made of."""
    return hashlib.sha256(canonical(parts).encode()).hexdigest()[:12]


@cache
def package_sources() -> str:
    """Return the digest of every source file of ratesim that a forecast may depend on."""
    paths = {path.relative_to(HERE): path for path in HERE.rglob("*.py")}
    digest = hashlib.sha256()
    for name, path in sorted(paths.items(), key=lambda item: item[0].as_posix()):
        if name.with_suffix("").parts[0] not in NOT_FORECASTS:
            digest.update(f"{name.as_posix()}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def sources(*specs: Spec | None) -> str:
    """Return the digest of ratesim's sources and of the files that define any spec from elsewhere."""
    modules = {sys.modules[type(spec).__module__] for spec in specs if spec is not None}
    files = {Path(module.__file__) for module in modules if module.__file__}
    foreign = sorted(hashlib.sha256(f.read_bytes()).hexdigest() for f in files if not f.is_relative_to(HERE))
    return hashlib.sha256("".join([package_sources(), *foreign]).encode()).hexdigest()[:16]


def versions() -> dict[str, str]:
    """Return the versions of ratesim, Python and the libraries that numbers pass through."""
    found = {"python": ".".join(map(str, sys.version_info[:3])), "ratesim": metadata.version("ratesim")}
    return found | {name: metadata.version(name) for name in LIBRARIES}
