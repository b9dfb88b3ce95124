"""`public-names`: what a package offers by name, from the imports of its stub or its `__init__`."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from docstrings import body
from pages import Made, heading
from registries import REGISTRIES
from sphinx.application import Sphinx

from ratesim.cli.worlds import families
from ratesim.registry import Registry

HIDDEN = ("model_config", "model_post_init")


class PublicNames(Made):
    """The names of a package: a section for each module that they are from."""

    def lines(self) -> Iterator[str]:
        """Return the sections, and below each what autodoc makes of its names."""
        package = self.arguments[0]
        for module, names in offered(package):
            found = importlib.import_module(module)
            yield from heading(f"``{module}``", 1, f"names-{module.replace('.', '-')}")
            yield from (*body(inspect.getdoc(found) or ""), "")
            own = module if module in _modules(package) else package
            for name in names or defined(found):
                yield from entry(own, name)


def offered(package: str) -> list[tuple[str, list[str]]]:
    """Return the modules that a package imports names from, with the names; no names: the module itself is offered."""
    spec = find_spec(package)
    source = Path(str(spec and spec.origin))
    stub = source.with_suffix(".pyi")
    tree = ast.parse((stub if stub.is_file() else source).read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        named = [each.name for each in node.names if each.asname == each.name and not each.name.startswith("_")]
        if node.module is not None and named:
            found.setdefault(f"{package}.{node.module}", []).extend(named)
        if node.module is None and package != "ratesim":
            found |= {f"{package}.{name}": [] for name in named}
    return list(found.items())


def defined(module: ModuleType) -> list[str]:
    """Return the public functions and classes of a module, as they stand in it."""
    return [
        name for name, each in vars(module).items()
        if not name.startswith("_") and getattr(each, "__module__", "") == module.__name__
        and (inspect.isfunction(each) or inspect.isclass(each))
    ]  # fmt: skip


def entry(package: str, name: str) -> Iterator[str]:
    """Lines on one name: where it is told, if a page of kinds does so, or what autodoc is to do."""
    each = getattr(importlib.import_module(package), name)
    if isinstance(each, Registry):
        yield from (f".. py:data:: {package}.{name}", "", f"   The registry of every {each.word}.", "")
    elif not callable(each):
        yield from (f".. py:data:: {package}.{name}", "")
    elif place := told(each):
        yield from (f"- ``{name}``: :ref:`{place}`", "")
    elif inspect.isclass(each):
        yield from (f".. autoclass:: {package}.{name}", "   :members:", f"   :exclude-members: {', '.join(HIDDEN)}", "")
    else:
        yield from (f".. autofunction:: {package}.{name}", "")


def told(each: object) -> str:
    """Return the label of the section on a kind of a registry, nothing where it is none."""
    listed = {name: registry.kinds() for name, registry in REGISTRIES.items()}
    listed |= {name: kinds for name, _, kinds in families()}
    places = (f"{family}-{kind}" for family, kinds in listed.items() for kind, cls in kinds.items() if cls is each)
    return next(places, "")


def _modules(package: str) -> set[str]:
    return {module for module, names in offered(package) if not names}


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directive."""
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True}
