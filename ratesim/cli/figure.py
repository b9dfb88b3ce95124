"""`ratesim figure`: one figure of a folder, drawn anew from its table for a page of its own."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ..errors import InputError, nearest
from .options import Json
from .output import document, say, writable, write

Form = Literal["svg", "pdf", "png"]
FORMS: tuple[Form, ...] = ("svg", "pdf", "png")


def figure(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `run`, `tune` or `policy` wrote.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which figure: a name in DIR/figures, without its suffix.")
    ],
    *,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="|".join(FORMS), help="Form of the file; that of FILE's suffix, or svg, if left out."
        ),
    ] = None,
    width_mm: Annotated[float, typer.Option(help="Width in millimetres: 84 is one column.")] = 84,
    font_pt: Annotated[float, typer.Option(help="Size of the lettering in points.")] = 8,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: NAME.FORMAT in this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw one figure of a run, a tuning or a comparison for print.

    Its table is written beside it as CSV; its caption is printed, and kept in the file.
    """
    drawn = form_asked(form, output)
    path = output or Path(f"{name}.{drawn}")
    numbers = path.with_suffix(".csv")
    writable(path, (f".{drawn}",))
    _keep(folder, path, numbers)
    from ..files import whole
    from ..illustrate import stored
    from ..plots import Style, draw, save

    table = stored(folder, name)
    with whole(path) as place:
        save(draw(table, Style(width_mm=width_mm, font_pt=font_pt)), place, drawn, table.caption)
    write(table.frame, numbers)
    if json:
        document({"figure": str(path), "table": str(numbers), "caption": table.caption})
    else:
        typer.echo(table.caption)
        say(f"written: {path} and {numbers}")


def form_asked(form: str | None, output: Path | None) -> Form:
    """Return the form that is asked for, by name or by the suffix of the file."""
    asked = form or (output.suffix.removeprefix(".") if output else "") or FORMS[0]
    found = next((each for each in FORMS if each == asked), None)
    if found is None:
        where = "--format" if form else str(output)
        expected = f"one of {', '.join(FORMS)}"
        raise InputError(f"unknown form '{asked}'", where=where, expected=expected, near=nearest(asked, FORMS))
    return found


def _keep(folder: Path, path: Path, numbers: Path) -> None:
    """Refuse to write over files of the run, or over a table that is not of an earlier drawing of this name."""
    for each in (path, numbers):
        if each.exists() and folder.resolve() in each.resolve().parents:
            raise InputError("belongs to the run", where=str(each), expected="another name after -o")
    if numbers.exists() and not path.exists():
        raise InputError(
            "is there already, and would be taken by the table of the figure", where=str(numbers),
            expected="another name after -o",
        )  # fmt: skip
