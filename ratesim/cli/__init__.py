"""The command line: verbs parse, call and print. One verb a file; what is heavy is imported inside them."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from .run import run

app = typer.Typer(
    help="Compare and simulate rating systems: one stream of games, many systems, one replay.",
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
)
app.command()(run)


@app.callback()
def root(*, debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False) -> None:
    """Compare and simulate rating systems: one stream of games, many systems, one replay."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return its exit code: 0, 2 for a mistake in usage or input, 1 for a failure of ours."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words  # anywhere, so that it can be added at the end of a line that failed
    try:
        code = app([word for word in words if word != "--debug"], prog_name="ratesim", standalone_mode=False)
    except Exception as error:
        if debug:
            raise
        line, code = _explain(error)
        typer.echo(line, err=True)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> tuple[str, int]:
    """One line for the user, and the exit code."""
    from ratesim.errors import InputError

    if isinstance(error, InputError):
        return str(error), 2
    if isinstance(error, typer.TyperException):
        return error.format_message(), 2
    said = " ".join(str(error).split())
    return f"ratesim failed ({type(error).__name__}: {said}); --debug shows where", 1
