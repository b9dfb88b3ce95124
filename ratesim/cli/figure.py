"""`ratesim figure`: one figure of a run, drawn anew from its table for a page of its own."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from .options import Json


def figure(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `ratesim run` wrote.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which figure: a name in DIR/figures, without its suffix.")
    ],
    *,
    form: Annotated[Literal["svg", "pdf", "png"], typer.Option("--format", help="Form of the file.")] = "svg",
    width_mm: Annotated[float, typer.Option(min=20, max=500, help="Width in millimetres: 84 is one column.")] = 84,
    font_pt: Annotated[float, typer.Option(min=4, max=40, help="Size of the lettering in points.")] = 8,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: NAME.FORMAT in this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw one figure of a run for print.

    Its table is written beside it as CSV, and its caption printed.
    """
    raise NotImplementedError
