"""`ratesim figure`: one figure of a run, drawn anew from its table for a page of its own."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from .options import Json
from .output import document, say, writable, write


def figure(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `ratesim run` wrote.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which figure: a name in DIR/figures, without its suffix.")
    ],
    *,
    form: Annotated[Literal["svg", "pdf", "png"], typer.Option("--format", help="Form of the file.")] = "svg",
    width_mm: Annotated[float, typer.Option(help="Width in millimetres: 84 is one column.")] = 84,
    font_pt: Annotated[float, typer.Option(help="Size of the lettering in points.")] = 8,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: NAME.FORMAT in this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw one figure of a run for print.

    Its table is written beside it as CSV, and its caption printed.
    """
    path = output or Path(f"{name}.{form}")
    writable(path, (f".{form}",))
    from ..files import whole
    from ..illustrate import stored
    from ..plots import Style, draw, save

    table = stored(folder, name)
    with whole(path) as place:
        save(draw(table, Style(width_mm=width_mm, font_pt=font_pt)), place, form)
    numbers = path.with_suffix(".csv")
    write(table.frame, numbers)
    if json:
        document({"figure": str(path), "table": str(numbers), "caption": table.caption})
    else:
        typer.echo(table.caption)
        say(f"written: {path} and {numbers}")
