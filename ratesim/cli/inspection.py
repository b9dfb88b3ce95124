"""`ratesim inspect`: what is in a file of games, before anything is rated."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .games import against_themselves, read_raw, sketch
from .options import Json, Map, texts
from .output import document, say, text

if TYPE_CHECKING:
    from ..stream import GameStream

QUANTILES = (0, 0.25, 0.5, 0.75, 0.95, 1)
NEEDED = {"first", "second", "time"}
OPTIONAL = ("edge", "margin", "weight", "season", "event", "pool", "published_first", "published_second")


def inspect(
    games: Annotated[Path, typer.Argument(metavar="GAMES", help="Games as CSV, TSV, Parquet or PGN.")],
    *,
    columns: Map,
    json: Json = False,
) -> None:
    """Say what is in a file of games.

    Players, dates, draws, shared time stamps, duplicates, games of players against themselves, columns. Where its
    columns have other names than first, second, score and time, what --map leaves open is guessed, and the map printed
    for use with other verbs.
    """
    from ..io.formats import form_of

    used = texts(columns, "--map")
    header, guessed = ([], None) if form_of(games) else sketch(games, used)
    if guessed and not {*header, *used} >= NEEDED:
        used = guessed.columns
        say("columns are guessed; check them, and give them to other verbs:")
        say("  " + " ".join(f"--map {item}" for item in _items(used)))
    stream = read_raw(games, used)
    if against_themselves(stream) and "themselves" not in used:
        say("games of players against themselves are left out; other verbs want --map themselves=drop for that")
    found = {"file": str(games), **facts(stream), "header": header, "columns": used}
    if json:
        document(found)
        return
    for name, value in found.items():
        typer.echo(f"{name.replace('_', ' '):<22}{_phrase(value)}")


def facts(stream: "GameStream") -> dict[str, Any]:
    """Return what can be counted in a stream without rating anything.

    `shared_stamps` is the share of games that have their time stamp with another game; `first_score` the mean score
    of first; `games_per_player` the quantiles of games per player who played.
    """
    import numpy as np
    import polars as pl

    games = len(stream)
    counts = np.bincount(np.concatenate([stream.first, stream.second]), minlength=stream.n_players)
    stamps, shared = np.unique(stream.time, return_counts=True)
    played = counts[counts > 0]
    dates = (
        pl.Series(stream.time[[0, -1]] * 86_400_000).cast(pl.Int64).cast(pl.Datetime("ms")).to_list() if games else []
    )
    return {
        "games": games,
        "players": stream.n_players,
        "from": dates[0].isoformat(" ") if dates else None,
        "to": dates[1].isoformat(" ") if dates else None,
        "draws": float(np.mean(stream.score == 0.5)) if games else None,
        "first_score": float(np.mean(stream.score)) if games else None,
        "time_stamps": len(stamps),
        "shared_stamps": float(shared[shared > 1].sum() / games) if games else None,
        "games_per_player": {f"{q:.0%}": float(np.quantile(played, q)) for q in QUANTILES} if games else {},
        "optional_columns": [name for name in OPTIONAL if getattr(stream, name) is not None],
        "digest": stream.digest,
        "notes": list(stream.notes),
    }


def _items(table: dict[str, Any], prefix: str = "") -> list[str]:
    """Return a column map as the `--map` items that make it, quoted for a shell."""
    import shlex

    items: list[str] = []
    for key, value in table.items():
        if isinstance(value, dict):
            items += _items(value, f"{prefix}{key}.")
        else:
            items.append(shlex.quote(f"{prefix}{key}={value}"))
    return items


def _phrase(value: object) -> str:
    match value:
        case dict():
            return ", ".join(f"{key} {_phrase(each)}" for key, each in value.items()) or "-"
        case list():
            return ", ".join(map(str, value)) or "-"
        case _:
            return text(value, 4) if isinstance(value, float) else text(value)
