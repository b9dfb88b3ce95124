"""The command line: verbs parse, call and print. One verb a file; what is heavy is imported inside them."""

import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ..errors import InputError, ManyError
from . import elo, fide
from .compare import compare
from .ending import INTERRUPTED, code_of_interruption, orderly
from .figure import figure
from .import_ import import_games
from .init import init
from .inspection import inspect
from .kinds import FAMILIES, verb
from .policy import policy
from .predict import predict
from .rate import rate
from .report import report
from .run import run
from .schema import schema
from .simulate import simulate
from .tune import tune
from .worlds import worlds

app = typer.Typer(rich_markup_mode=None, add_completion=False)
for each in (init, inspect, run, compare, report, tune, policy, simulate, rate, predict, figure, worlds):
    app.command()(each)
app.command("import")(import_games)
for family in FAMILIES:
    app.command(family)(verb(family))
app.command()(schema)
app.add_typer(fide.app, name="fide")
app.add_typer(elo.app, name="elo")


def _version(asked: bool) -> None:
    if asked:
        from .._version import __version__

        typer.echo(f"ratesim {__version__}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error, after any verb too.")] = False,
) -> None:
    """Compare and simulate rating systems: one stream of games, many systems, one replay.

    To begin: `ratesim init GAMES.csv` writes an experiment file, `ratesim run` plays it.
    Every verb takes --json and --help. Exit codes: 0, 2 for a mistake in usage or input, 1 for a failure of ours.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return its exit code: 0, 2 for a mistake in usage or input, 1 for a failure of ours."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    debug = "--debug" in words  # anywhere, so that it can be added at the end of a line that failed
    try:
        _check_words(words)
        with orderly():
            code = app([word for word in words if word != "--debug"], prog_name="ratesim", standalone_mode=False)
    except BrokenPipeError:  # the reader has gone, as `head` does; at exit Python must not write to it again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if debug:
            raise
        line, code = _explain(error)
        typer.echo(line, err=True)
    if code == INTERRUPTED:
        typer.echo("interrupted; nothing half-written is left", err=True)
        return code_of_interruption()
    return code if isinstance(code, int) else 0


def _check_words(words: Sequence[str]) -> None:
    """Refuse empty words, as an unset variable of a shell leaves them: as a path one would be the folder itself."""
    if any(re.fullmatch(r"(--[\w-]+=)?", word) for word in words):
        raise InputError("an empty word", where="command line", expected="a name or a value in its place")


def _explain(error: Exception) -> tuple[str, int]:
    """One line for the user, and the exit code."""
    said = " ".join(str(error).split())
    if isinstance(error, ManyError):
        return said.replace("many = True", "--yes"), 2
    if isinstance(error, InputError):
        return said, 2
    if isinstance(error, typer.Abort):
        return "interrupted", 130
    if isinstance(error, typer.TyperException):
        if error.__cause__ is not None and (mistake := _of_option(error)):
            return str(mistake), 2
        near = getattr(error, "possibilities", None)
        return f"{error.message}; did you mean '{near[0]}'?" if near else " ".join(error.format_message().split()), 2
    return f"ratesim failed ({type(error).__name__}: {said}); --debug shows where", 1


def _of_option(error: Exception) -> InputError | None:
    """Return what is wrong with the value of an option or argument, where pydantic found it."""
    from pydantic import ValidationError

    from ..spec import judged

    cause, parameter = error.__cause__, getattr(error, "param", None)
    if parameter is None or not isinstance(cause, ValidationError):
        return None
    return judged(cause, max(parameter.opts, key=len))
