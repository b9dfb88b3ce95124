"""`command-line`: every verb with the help that it prints."""

import io
import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from unittest.mock import patch

import typer.main
from pages import Made, heading, indented
from sphinx.application import Sphinx

from ratesim.cli import app as ratesim, main

WIDTH = "100"


class CommandLine(Made):
    """The verbs, in the order of `ratesim --help`."""

    def lines(self) -> Iterator[str]:
        """Return a section a verb, and a section below it for each verb of its own."""
        yield from _helped([])
        for path in _paths(typer.main.get_command(ratesim), []):
            yield from heading(f"``ratesim {' '.join(path)}``", len(path), f"cli-{'-'.join(path)}")
            yield from _helped(path)


def _paths(command: object, path: list[str]) -> Iterator[list[str]]:
    for name, verb in getattr(command, "commands", {}).items():
        yield [*path, name]
        yield from _paths(verb, [*path, name])


def _helped(path: list[str]) -> Iterator[str]:
    with patch.dict(os.environ, {"COLUMNS": WIDTH, "TERMINAL_WIDTH": WIDTH}), redirect_stdout(io.StringIO()) as said:
        main([*path, "--help"])
    yield from (".. code-block:: text", "")
    yield from indented(said.getvalue().strip().splitlines())
    yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directive."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True}
