"""Players as the report can look them up: ratings at the end by run, games, and how ratings went, in few bytes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ..store import Store
from .scores import Summary

MOST_RUNS = 8  # of a stream
MOST_BYTES = 1_000_000  # of all players together
Player = list[Any]  # name, games, then by run: ratings, deviations, histories


def lookup(folder: Path, summary: Summary) -> list[dict[str, Any]]:
    """Return what the page knows of players, stream by stream; nothing where no run keeps ratings.

    Returns
    -------
    A table a stream: `name`; `runs`, their labels, `left_out` how many more there are; `days` whether time is counted
    in days, not dates; `times` (M,) days; `players`, those with most games first, each [name, games, ratings (R,),
    deviations (R,), histories (R,)], and `of`, how many there are in all. A history is a text of whole numbers: the
    moment of the first rating, that rating, and the changes from moment to moment, x where there is none.
    """
    store = Store(folder)
    told = [each for stream in summary["streams"] if (each := _stream(store, stream, summary))]
    room = MOST_BYTES // max(1, len(told))
    return [{**each, "players": list(_fitting(each["players"], room))} for each in told]


def text(told: Sequence[Mapping[str, Any]]) -> str:
    """Return it as a script of a page may have it."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _stream(store: Store, stream: Mapping[str, Any], summary: Summary) -> dict[str, Any] | None:
    if stream.get("lookup") is None:
        return None
    runs = [run for run in summary["runs"] if run["stream"] == stream["name"]]
    ratings = {run["id"]: _named(store.ratings(run["id"])) for run in runs}
    rated = [run for run in runs if "rating" in ratings[run["id"]].columns]
    if not rated:
        return None
    shown, replicated = rated[:MOST_RUNS], stream["replicates"] > 1  # players of the first replicate are known
    histories = [_named(store.history(run["id"], stream["lookup"])) for run in shown]
    times = pl.concat([each.select("time") for each in histories])["time"].unique().sort()
    ends = [ratings[run["id"]] for run in shown]
    lived = pl.concat([each.select("player") for each in histories])["player"].unique()
    return {
        "name": stream["name"],
        "runs": [run["label"].removesuffix(f", {stream['name']}") for run in shown],
        "left_out": len(rated) - len(shown),
        "days": stream["world"] is not None,
        "times": [round(time, 1) for time in times],
        "players": _players(ends, [_coded(each, times) for each in histories], lived if replicated else None),
        "of": stream["players"],
    }


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """Call a player of two pools by both."""
    both = pl.format("{} ({})", "player", "pool").alias("player")
    return frame.with_columns(both) if "pool" in frame.columns else frame


def _players(
    ends: Sequence[pl.DataFrame], histories: Sequence[Mapping[str, str]], known: pl.Series | None
) -> list[Player]:
    """Return the players of all runs, or those known, those with most games first, the first seen among equals."""
    counting = next((end for end in ends if "games" in end.columns), ends[0].with_columns(games=pl.lit(None)))
    joined = counting.select("player", "games")  # a peer may count none
    for n, end in enumerate(ends):
        deviation = pl.col("deviation") if "deviation" in end.columns else pl.lit(None, dtype=pl.Float64)
        found = end.select("player", pl.col("rating").alias(f"rating{n}"), deviation.alias(f"deviation{n}"))
        joined = joined.join(found, on="player", how="left", maintain_order="left")
    if known is not None:
        joined = joined.filter(pl.col("player").is_in(known.implode()))
    places = range(len(ends))
    rows = joined.sort("games", descending=True, maintain_order=True, nulls_last=True).rows(named=True)
    return [
        [
            row["player"], _rounded(row["games"]), [_rounded(row[f"rating{n}"]) for n in places],
            [_rounded(row[f"deviation{n}"]) for n in places], [histories[n].get(row["player"], "") for n in places],
        ]
        for row in rows
    ]  # fmt: skip


def _rounded(value: float | None) -> float | None:
    """Return a number to a tenth, without an idle decimal; none where it is none."""
    if value is None or value != value:  # noqa: PLR0124  # NaN alone is not itself
        return None
    return int(value) if float(value).is_integer() else round(value, 1)


def _coded(history: pl.DataFrame, times: pl.Series) -> dict[str, str]:
    """Return the histories of players as texts."""
    place = pl.DataFrame({"time": times}).with_row_index("place")
    rows = history.join(place, on="time", how="left", maintain_order="left")
    by_player = rows.group_by("player", maintain_order=True).agg("place", pl.col("rating").round().fill_nan(None))
    return {player: _text(places, ratings) for player, places, ratings in by_player.iter_rows()}


def _text(places: Sequence[int], ratings: Sequence[float | None]) -> str:
    """Return one history as a text.

    >>> _text([3, 4, 6], [1500.0, 1512.0, 1508.0])
    '3 1500 12 x -4'
    """
    by_place = {place: rating for place, rating in zip(places, ratings, strict=True) if rating is not None}
    if not by_place:
        return ""
    first, last = min(by_place), max(by_place)
    before, steps = 0, []
    for place in range(first, last + 1):
        rating = by_place.get(place)
        steps.append("x" if rating is None else str(int(rating) - before))
        before = before if rating is None else int(rating)
    return f"{first} {' '.join(steps)}"


def _fitting(players: Sequence[Player], room: int) -> Iterator[Player]:
    """Yield players while there is room for them, in bytes."""
    for player in players:
        room -= len(text([player]).encode()) - 1  # type: ignore[list-item]  # a list is written as a table is
        if room < 0:
            return
        yield player
