"""`ratesim inspect`: what is in a file of games, before anything is rated."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .figure import FORMS, form_asked
from .games import Columns, against_themselves, columns_of, read_raw
from .inspection_text import lines
from .options import Aliases, Games, Json, Map, texts
from .output import apart, document, say, writable

if TYPE_CHECKING:
    from ..analysis import Connectivity
    from ..stream import GameStream


def inspect(
    games: Games,
    *,
    columns: Map,
    aliases: Aliases = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw it at a glance too, as .svg, .pdf or .png.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what is in a file of games, and what it means for ratings.

    Games, players, dates and gaps, results, edge, published ratings, pools; and how the players hang together:
    components, bridges, players who only won or only lost, who never change sides. Where the file's columns have other
    names than first, second, score and time, what --map leaves open is guessed and said, as `rate` and `policy` do.
    """
    from ..analysis import connectivity, inspection

    if figure:
        apart({"--figure": figure}, {"GAMES": games, "--aliases": aliases})
        writable(figure, [f".{form}" for form in FORMS])
    stream, held = _read(games, columns, aliases)
    found = connectivity(stream)
    facts = {"file": str(games), **inspection(stream, found), "header": held.header, "columns": held.used}
    if figure:
        facts["figure"] = {"file": str(figure), "caption": _drawn(stream, found, figure)}
    if json:
        document(facts)
        return
    for line in lines(facts):
        typer.echo(line)
    if figure:
        say(f"written: {figure}. {facts['figure']['caption']}")


def _read(games: Path, given: list[str], aliases: Path | None) -> "tuple[GameStream, Columns]":
    """Return the games, and what the columns hold that they are read from."""
    columns = columns_of(games, texts(given, "--map"))
    stream = read_raw(games, columns.used, aliases)
    columns.tell()
    if against_themselves(stream) and "themselves" not in columns.used:
        say("games of players against themselves are left out; other verbs want --map themselves=drop for that")
    return stream, columns


def _drawn(stream: "GameStream", found: "Connectivity", path: Path) -> str:
    """Draw the figure; return its caption."""
    from ..analysis import overview
    from ..files import whole
    from ..plots import draw, save

    table = overview(stream, found, days=stream.truth is not None)
    with whole(path) as place:
        save(draw(table), place, form_asked(None, path))
    return table.caption
