"""`ratesim import`: games of any form as one canonical Parquet file."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import Json, Map, texts
from .output import apart, count, document, say, writable

if TYPE_CHECKING:
    from ..stream import GameStream


def import_games(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE...", help="Tournament reports (TRF) or PGN files, folders of them, or a table of games."
        ),
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="GAMES.parquet", help="The games as one file.")],
    columns: Map,
    of: Annotated[
        str | None, typer.Option("--list", metavar="standard|rapid|blitz", help="On which list the games count.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--event-start", metavar="YYYY-MM-DD", help="First day of tournaments that do not say theirs."),
    ] = None,
    json: Json = False,
) -> None:
    """Make one file of games out of many.

    What each source is, is seen by what is in it. What a report does not carry is worked out where that is sure, asked
    for otherwise, and never guessed. Rounds that were no rated games are counted by reason. Every other verb reads
    what is written.
    """
    writable(output, (".parquet",))
    for source in sources:
        apart({"--output": output}, {"SOURCE": source})
    from ..io import ColumnMap, read, write_games

    given = ColumnMap.parse(texts(columns, "--map"), "--map")
    stream = read(sources, given, start=start, list=of)  # type: ignore[arg-type]  # whatever is typed, `read` judges it
    write_games(stream, output)
    found = _found(stream, sources, output)
    if json:
        document(found)
        return
    for line in stream.notes:
        if not line.startswith("not rated"):  # told reason by reason
            say(line)
    typer.echo(f"{output}: {count(len(stream), 'game')} of {count(stream.n_players, 'player')}")
    for reason, rounds in found["not_rated"].items():
        typer.echo(f"not rated: {count(rounds, reason)}")


def _found(stream: "GameStream", sources: list[Path], output: Path) -> dict[str, Any]:
    """Return what was read, `not_rated` by reason over all events and `events` one by one."""
    import numpy as np

    missed = stream.source.get("not_rated", {})
    total: Counter[str] = Counter()
    for counts in missed.values():
        total.update(counts)
    events = stream.events if stream.event is not None else ()
    rated = {name: int(np.count_nonzero(stream.event == k)) for k, name in enumerate(events)}
    return {
        "file": str(output),
        "sources": [str(source) for source in sources],
        "games": len(stream),
        "players": stream.n_players,
        "not_rated": dict(total.most_common()),
        "events": {
            name: {"games": rated.get(name, 0), "not_rated": missed.get(name, {})} for name in {**rated, **missed}
        },
        "pools": list(stream.pools),
        "digest": stream.digest,
        "notes": list(stream.notes),
    }
