"""Games to come, as people ask about them: pairs of names, and a moment."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from .. import intake
from ..errors import InputError, nearest, shown
from ..io.parse import number
from ..io.table import readable, scan
from ..state import Floats, Ints
from ..stream import NUMBERS

Pairs = str | Path | pl.DataFrame | Sequence[tuple[str, str]]
Edges = float | Sequence[float] | Floats | None
Moment = float | date | str
SIDES = ("first", "second")


class Asked(NamedTuple):
    """Games to come; arrays are (n,)."""

    names: pl.DataFrame  # first, second
    first: Ints  # rows of the stream's players
    second: Ints
    edge: Floats
    stage: pl.Series | None = None  # what each is played for


def asked_of(pairs: Pairs, edge: Edges, players: pl.Series) -> Asked:
    """Return pairs of names as games between players of a stream.

    Parameters
    ----------
    pairs : a table, or a file of one, with columns first, second and perhaps edge and stage, whatever else it has; or
        a sequence of pairs of names.
    edge : of all games or of each, where the table has none; None: that of the table, or nobody has one.

    Raises
    ------
    InputError : a player is not in the stream or plays against themselves, an edge is no number or said twice.
    """
    table, origin = _loaded(pairs)
    for side in SIDES:
        if side not in table.columns:
            raise InputError(f"no column '{side}'", where=origin.place, near=nearest(side, table.columns))
    names = table.select(pl.col(SIDES).cast(pl.String))
    first, second = (_rows(names[side], players, origin) for side in SIDES)
    origin.refuse(first == second, "second", "{} plays against themselves", names["second"], "another player")
    stage = table["stage"].cast(pl.String) if "stage" in table.columns else None
    return Asked(names, first, second, _edges(table, edge, origin), stage)


def day_of(time: Moment) -> float:
    """Return a moment as days since 1970-01-01 UTC: from a date, a datetime (UTC where it names no zone), or days.

    Raises
    ------
    InputError : it is none of these.

    >>> day_of("1970-01-02"), day_of(date(1970, 1, 2)), day_of(1.5)
    (1.0, 1.0, 1.5)
    """
    try:
        return float(intake.days(pl.Series("time", [time]), "time", intake.Origin())[0])
    except (InputError, TypeError, pl.exceptions.PolarsError):
        expected = "a date such as 2024-01-31, or days since 1970-01-01"
        raise InputError(f"time {shown(time)}", expected=expected) from None


def days_of(times: Sequence[Moment] | Floats) -> Floats:
    """Return moments (M,) as days since 1970-01-01 UTC, each as `day_of` has it.

    Raises
    ------
    InputError : one is none.

    >>> days_of(["1970-01-02", 1.5])
    array([1. , 1.5])
    """
    if isinstance(times, np.ndarray) and times.dtype.kind in "fiu":
        return times.astype(np.float64)
    return np.array([float(time) if isinstance(time, float | int) else day_of(time) for time in times], np.float64)


def _loaded(pairs: Pairs) -> tuple[pl.DataFrame, intake.Origin]:
    """Return pairs as a table, and what messages call it."""
    if isinstance(pairs, pl.DataFrame):
        return pairs, intake.Origin("pairs")
    if isinstance(pairs, str | Path):
        with readable(Path(pairs)):
            return scan(pairs).collect(), intake.Origin(str(pairs))
    for row, pair in enumerate(pairs):
        if not _are_names(pair):
            raise InputError(shown(pair), where=f"pairs, row {row + 1}", expected='two names, such as ("A", "B")')
    table = pl.DataFrame(list(map(list, pairs)), schema=dict.fromkeys(SIDES, pl.String), orient="row")
    return table, intake.Origin("pairs")


def _are_names(pair: object) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(name, str) for name in pair)


def _rows(names: pl.Series, players: pl.Series, origin: intake.Origin) -> Ints:
    """Return the rows of players, in the order of their names."""
    rows = pl.DataFrame({"player": players, "row": np.arange(len(players), dtype=np.int32)})
    found = names.to_frame("player").join(rows, on="player", how="left", maintain_order="left")["row"]
    if found.null_count():
        row = int(found.is_null().arg_max() or 0)
        name = names[row]
        said = "no name" if name is None else f"no player '{intake.shown(name)}' in the stream"
        near = None if name is None else nearest(name, players.to_list())
        raise InputError(said, where=origin.where(names.name, row), near=near)
    return found.to_numpy()


def _edges(table: pl.DataFrame, edge: Edges, origin: intake.Origin) -> Floats:
    games, own = table.height, "edge" in table.columns
    if own and edge is not None:
        raise InputError("edge, and a column edge", where=origin.place, expected="one of them")
    if own:
        given = table.select(number(pl.col("edge"), table.schema["edge"])).to_series()
    elif edge is None or isinstance(edge, float | int):
        given = pl.repeat(0.0 if edge is None else edge, games, dtype=pl.Float64, eager=True)
    else:
        given = intake.series(edge, "edge", origin)
    if len(given) != games:
        raise InputError(f"{len(given):,} edges", where=origin.place, expected=f"one, or one for each of {games:,}")
    return np.ascontiguousarray(intake.numbers(given, "edge", origin, NUMBERS["edge"]))
