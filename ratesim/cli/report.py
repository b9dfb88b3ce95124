"""`ratesim report`: the page of a run folder, made anew."""

from pathlib import Path
from typing import Annotated

import typer

from .options import Json
from .output import document, say


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `ratesim run` wrote.")],
    *,
    json: Json = False,
) -> None:
    """Make the report of a run anew, DIR/report.html, from what the folder holds.

    One page that needs nothing else: scores and who is told from whom, figures with their numbers, and players to look
    up. The same folder makes the same bytes.
    """
    from ..report import write_report

    path = write_report(folder)
    if json:
        document({"report": str(path)})
    else:
        say(f"written: {path}")
