"""What is offered by name: ours by import, third parties' by entry point, a user's file by path."""

import difflib
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Generic, TypeVar

from .errors import InputError, nearest, shown
from .spec import Spec

S = TypeVar("S", bound=Spec)
C = TypeVar("C", bound=type[Spec])


class Registry(Generic[S]):
    """The kinds of one family of specs.

    Parameters
    ----------
    word : what one of them is called in messages ("system").
    home : the package whose import registers ours; also the group of entry points (`ratesim.systems`).
    """

    def __init__(self, word: str, home: str) -> None:
        self.word, self.home = word, home
        self._kinds: dict[str, type[S]] = {}
        self._complete = False

    def add(self, cls: C) -> C:
        """Register a class under the default of its `kind` (a decorator).

        Raises
        ------
        InputError : another class has that kind.
        """
        fields: dict[str, Any] = cls.__pydantic_fields__
        kind = fields["kind"].default
        known = self._kinds.setdefault(kind, cls)  # type: ignore[arg-type]  # the decorator keeps the subclass's type
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise InputError(f"two {self.word}s are named '{kind}'", where=f"{known.__module__} and {cls.__module__}")
        return cls

    def kinds(self) -> dict[str, type[S]]:
        """Return all of them by name, sorted."""
        if not self._complete:
            self._complete = True
            importlib.import_module(self.home)
            for point in sorted(entry_points(group=self.home), key=lambda p: p.name):
                self.add(point.load())
        return dict(sorted(self._kinds.items()))

    def find(self, kind: str, where: str = "") -> type[S]:
        """Return the class of that kind.

        Raises
        ------
        InputError : there is none; the nearest name is said.
        """
        kinds = self.kinds()
        if kind in kinds:
            return kinds[kind]
        near = nearest(kind, kinds)
        raise InputError(
            f"unknown {self.word} '{kind}'",
            where=where,
            expected="" if near else f"one of {', '.join(kinds)}",
            near=near,
        )

    def build(self, table: Mapping[str, Any] | str, where: str = "") -> S:
        """Make a spec from its name or from a table with a `kind`."""
        table = {"kind": table} if isinstance(table, str) else table
        if not isinstance(table.get("kind"), str):
            raise self._without_kind(table, where)
        return self.find(table["kind"], where).parse(table, where)

    def _without_kind(self, table: Mapping[str, Any], where: str) -> InputError:
        """Return what is wrong with a table that has no kind; a misspelt key is the likelier mistake."""
        kinds = ", ".join(self.kinds())
        misspelt = difflib.get_close_matches("kind", [key for key in table if key != "kind"], n=1, cutoff=0.75)
        if misspelt:
            return InputError(f"unknown key '{misspelt[0]}'", where=where, near="kind")
        return InputError("missing key 'kind'", where=where, expected=f"one of {kinds}")


def plugin_files(plugins: str | Path | Iterable[str | Path]) -> tuple[Path, ...]:
    """Return the whole paths of plugin files; one may stand alone.

    Raises
    ------
    InputError : what is given is no path, nor paths.
    """
    try:
        given = (plugins,) if isinstance(plugins, str | Path) else tuple(plugins)
        return tuple(Path(each).resolve() for each in given)
    except TypeError:
        raise InputError(f"plugins = {shown(plugins)}", expected="paths of Python files") from None


def load_plugin(path: str | Path) -> None:
    """Import a user's Python file, whose decorators register what it adds.

    It enters `sys.modules` under a name made from its path *before* anything in it is compiled: kernels of two
    files must never be known to the linker by one name.

    Raises
    ------
    InputError : the file is missing or cannot be imported.
    """
    path = Path(path)
    name = f"ratesim_plugin_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise InputError("no such plugin file", where=str(path), expected="a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except InputError:
        del sys.modules[name]
        raise
    except Exception as error:
        del sys.modules[name]
        raise InputError(f"the plugin cannot be imported ({type(error).__name__}: {error})", where=str(path)) from error
