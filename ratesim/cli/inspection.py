"""`ratesim inspect`: what is in a file of games, before anything is rated."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .figure import FORMS, form_asked
from .games import against_themselves, is_mapped, read_raw, sketch
from .inspection_text import items, lines
from .options import Games, Json, Map, texts
from .output import apart, document, say, writable

if TYPE_CHECKING:
    from ..analysis import Connectivity
    from ..stream import GameStream

NEEDED = {"first", "second", "time"}


def inspect(
    games: Games,
    *,
    columns: Map,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw it at a glance too, as .svg, .pdf or .png.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what is in a file of games, and what it means for ratings.

    Games, players, dates and gaps, results, edge, published ratings, pools; and how the players hang together:
    components, bridges, players who only won or only lost, who never change sides. Where the file's columns have other
    names than first, second, score and time, what --map leaves open is guessed, and the map printed for other verbs.
    """
    from ..analysis import connectivity, inspection

    if figure:
        apart({"--figure": figure}, {"GAMES": games})
        writable(figure, [f".{form}" for form in FORMS])
    stream, header, used = _read(games, columns)
    found = connectivity(stream)
    facts = {"file": str(games), **inspection(stream, found), "header": header, "columns": used}
    if figure:
        facts["figure"] = {"file": str(figure), "caption": _drawn(stream, found, figure)}
    if json:
        document(facts)
        return
    for line in lines(facts):
        typer.echo(line)
    if figure:
        say(f"written: {figure}. {facts['figure']['caption']}")


def _read(games: Path, columns: list[str]) -> "tuple[GameStream, list[str], dict[str, Any]]":
    """Return the games, the header of the table they are from, and the map they are read under."""
    used = texts(columns, "--map")
    header, guessed = sketch(games, used) if is_mapped(games) else ([], None)
    if guessed and not {*header, *used} >= NEEDED:
        used = guessed.columns
        say("columns are guessed; check them, and give them to other verbs:")
        say("  " + " ".join(f"--map {item}" for item in items(used)))
    stream = read_raw(games, used)
    if against_themselves(stream) and "themselves" not in used:
        say("games of players against themselves are left out; other verbs want --map themselves=drop for that")
    return stream, header, used


def _drawn(stream: "GameStream", found: "Connectivity", path: Path) -> str:
    """Draw the figure; return its caption."""
    from ..analysis import overview
    from ..files import whole
    from ..plots import draw, save

    table = overview(stream, found, days=stream.truth is not None)
    with whole(path) as place:
        save(draw(table), place, form_asked(None, path))
    return table.caption
