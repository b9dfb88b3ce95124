"""Digests of source files: ratesim's own, and those of specs that are defined elsewhere."""

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from .spec import Spec

HERE = Path(__file__).parent
NOT_FORECASTS = {  # modules that nothing kept of a run depends on
    *("analysis", "cli", "conduct", "digests", "entries", "experiment", "files", "grid", "illustrate", "inference"),
    *("metrics", "montecarlo", "paper", "plan", "plots", "provenance", "recalled", "report", "spreading"),
    *("summary", "testing", "truths", "tuned", "tuning"),
}


@cache
def package_sources() -> str:
    """Return the digest of every source file of ratesim that a forecast may depend on."""
    names = (path.relative_to(HERE) for path in HERE.rglob("*.py"))
    return _digest(HERE, (HERE / name for name in names if name.with_suffix("").parts[0] not in NOT_FORECASTS))


@cache
def sources_of(place: str) -> str:
    """Return the digest of the source files of one of ratesim's modules or packages, such as `analysis/truth`."""
    return _digest(HERE, [*HERE.glob(f"{place}.py"), *HERE.glob(f"{place}/**/*.py")])


def sources(*specs: Spec | None) -> str:
    """Return the digest of ratesim's sources and of those that define any spec from elsewhere.

    Of a plugin file: itself and all that it imports from its own folder, directly or not. Of an installed package:
    every Python file in it. Not covered: what else they import (a rater's `depends` names it), and data they read.
    """
    return hashlib.sha256("".join([package_sources(), *foreign(*specs)]).encode()).hexdigest()[:16]


def foreign(*specs: Spec | None) -> list[str]:
    """Return the digests of what defines specs from elsewhere, each once, in an order of its own."""
    parts = (part for spec in specs for part in _parts(spec))
    classes = (cls for part in parts for cls in type(part).__mro__ if issubclass(cls, Spec))
    return sorted(filter(None, {_module_sources(module) for module in {cls.__module__ for cls in classes}}))


def _parts(value: object) -> Iterator[Spec]:
    """Yield a spec and all that it is made of."""
    if isinstance(value, Spec):
        yield value
        yield from _parts(tuple(getattr(value, name) for name in type(value).model_fields))
    elif isinstance(value, tuple):
        for each in value:
            yield from _parts(each)


@cache
def _module_sources(name: str) -> str:
    """Return the digest of the files that come with a module; none of one of ours, or of one without a file."""
    above = [sys.modules[name[: dot.start()]] for dot in re.finditer(r"\.|$", name)]
    top = next((module for module in above if getattr(module, "__file__", None)), None)  # a namespace package has none
    file = Path(top.__file__) if top and top.__file__ else HERE
    if file.is_relative_to(HERE):
        return ""
    return _digest(file.parent, file.parent.rglob("*.py") if hasattr(top, "__path__") else _with_imports(file))


def _with_imports(file: Path) -> set[Path]:
    """Return a file and what it imports from its folder, at any depth; a package there counts whole.

    Imports are read, not followed: one inside a function counts before it has ever been made.
    """
    folder, found, waiting = file.parent, set[Path](), [file]
    while waiting:
        path = waiting.pop()
        if path in found or path.is_relative_to(HERE):
            continue
        found.add(path)
        for name in _imported(path):
            beside = folder / f"{name}.py"
            waiting.extend([beside] if beside.is_file() else (folder / name).rglob("*.py"))
    return found


def _imported(file: Path) -> set[str]:
    """Return the first names of all modules that a file imports."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):  # a file of a package that nobody has loaded yet
        return set()
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in names}


def _digest(folder: Path, files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in files):
        text = path.read_bytes()
        digest.update(f"{name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()
