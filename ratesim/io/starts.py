"""What is known of players before the first game: a table with a row each."""

import difflib
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..errors import InputError, nearest
from ..intake import Numbers, Origin, days, numbers, shown, texts, years
from ..rules import List
from . import parse
from .fide_list import is_fide_list, read_fide_list
from .table import readable, scan

if TYPE_CHECKING:
    from ..stream import GameStream
    from .gamefile import GameFile

COLUMNS = {
    "rating": Numbers("a rating, in rating points", missing=True),
    "deviation": Numbers("a deviation in rating points, at least 0", low=0.0, missing=True),
    "volatility": Numbers("a volatility, at least 0", low=0.0, missing=True),
    "games": Numbers("a whole number of games, at least 0", low=0.0, missing=True, whole=True),
    "peak": Numbers("the highest rating held, in rating points", missing=True),
    "k": Numbers("a K-factor as published, at least 0", low=0.0, missing=True),
    "born": Numbers("a birth year", low=1.0, high=9999.0, missing=True, whole=True),
    "inactive": Numbers("1 for one without a rated game in the year before, else 0", low=0.0, high=1.0, missing=True),
    "standard": Numbers("a rating on the standard list, in rating points", missing=True),
    "last": Numbers("a date, or a number of days since 1970-01-01", missing=True),
    "since": Numbers("a date, or a number of days since 1970-01-01", missing=True),
}
DAYS = {"last", "since"}
DATES = {"born", *DAYS}
SAID = ("rating", "deviation", "volatility")  # what a row with `since` may say
OTHERS = {  # what tables of others call ours
    "name": "player",
    "elo": "rating",
    "rd": "deviation",
    "vol": "volatility",
    "n_games": "games",
    "k_factor": "k",
    "birth_year": "born",
    "birthday": "born",
    "last_game": "last",
    "last_played": "last",
}
PUBLISHED, SKILLS = "published", "skills"  # said in the place of a file
log = logging.getLogger("ratesim")
Table = str | Path | pl.DataFrame | Mapping[str, Mapping[str, Any]]


def read_starts(
    table: Table,
    columns: Mapping[str, str] | None = None,
    list: List | None = None,  # noqa: A002  # FIDE's word
) -> pl.DataFrame:
    """Return what players start with.

    Parameters
    ----------
    table : a CSV, TSV or Parquet file, a frame, a mapping `{"A": {"rating": 1500, "deviation": 200}}`, or a monthly
        list of FIDE's (see `read_fide_list`), whose players are named by their FIDE ids. Columns that
        are not ours are left alone, unless they look like a slip for one of ours. A cell that is empty, NaN or NA is
        not known. Players start alike in every pool, so a column `pool` is refused.
        A row with a day in `since` is no start: it has a rating, and perhaps a deviation and a volatility, which
        replace what is believed of the player, as if they began so, before their first game in a period that opens on
        that day or later. A player may have several such rows, of different days.
    columns : what the table calls ours, where it has other names: `{"player": "team", "rating": "elo"}`.
    list : standard, rapid or blitz, of a list of FIDE's that holds all three.

    Returns
    -------
    A frame with `player` (unique, or unique beside `since`) and those of rating, deviation (rating points),
    volatility, games, peak (rating points), k (K-factor as published), born (year), inactive (1: no rated game in the
    year before), standard (rating points on FIDE's standard list, for the others), last (days since 1970-01-01, of the
    last game) and since (days since then) that the table has; NaN where not known.

    Raises
    ------
    InputError : the file cannot be read, a column is missing or slipped, a value out of range, a player there twice.

    >>> read_starts({"A": {"rating": 1500, "deviation": 200}, "B": {"rating": 1700}}).rows()
    [('A', 1500.0, 200.0), ('B', 1700.0, nan)]
    """
    frame, place = _loaded(table, list)
    used = _found(frame.columns, columns or {}, place, strict=isinstance(table, Mapping))
    origin = Origin(place, None, used)
    if not len(frame):
        raise InputError("no players", where=place, expected="at least one row")
    players = texts(frame[used.pop("player")], "player", origin, "player").cast(pl.String)
    values = {key: _column(frame[name], key, origin) for key, name in used.items()}
    starts = pl.DataFrame({"player": players, **values})
    _check_once(starts, origin)
    _check_later(starts, origin)
    return starts


def together(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return several tables as `read_starts` returns them as one.

    Raises
    ------
    InputError : a player begins twice, or has two rows of one day in `since`.
    """
    if len(tables) == 1:
        return tables[0]
    table = pl.concat(tables, how="diagonal").with_columns(pl.exclude("player").fill_null(np.nan))
    _check_once(table, Origin("tables of starts"))
    return table


def _check_once(starts: pl.DataFrame, origin: Origin) -> None:
    """Refuse a player who begins twice, or of whom two things are said at one day."""
    told = [name for name in ("player", "since") if name in starts.columns]
    again = ~starts.select(pl.struct(told).is_first_distinct()).to_series()
    expected = "each player once" + (", or at different days of since" if "since" in told else "")
    origin.refuse(again.to_numpy(), "player", "{} is here again", starts["player"], expected)


def _check_later(starts: pl.DataFrame, origin: Origin) -> None:
    """Refuse a row of a later day that says nothing, or more than a belief."""
    if "since" not in starts.columns:
        return
    later = starts["since"].is_not_nan()
    lacking = later if "rating" not in starts.columns else later & starts["rating"].is_nan()
    origin.refuse(lacking.to_numpy(), "rating", "no rating of {} beside since", starts["player"], "one")
    for key in (key for key in COLUMNS if key not in (*SAID, "since") and key in starts.columns):
        more = later & starts[key].is_not_nan()
        expected = f"{', '.join(SAID)} alone"
        origin.refuse(more.to_numpy(), key, f"{key} of {{}} beside since", starts["player"], expected)


def starts_of(
    said: Path,
    games: "GameStream | GameFile",
    list: List | None = None,  # noqa: A002  # FIDE's word
) -> pl.DataFrame:
    """Return what players of a stream start with: from a file, or from it, by the word `published` or `skills`.

    Raises
    ------
    InputError : as `read_starts`, `GameStream.published_starts` and `GameStream.skill_starts`; a list is named that
        nothing is read from.
    """
    if str(said) not in (PUBLISHED, SKILLS):
        return read_starts(said, list=list)
    _check_list(list)
    return games.published_starts() if str(said) == PUBLISHED else games.skill_starts()


def _check_list(of: List | None) -> None:
    if of is not None:
        raise InputError(f"list = '{of}'", where="start", expected="it with a monthly list of FIDE's alone")


def _loaded(table: Table, of: List | None) -> tuple[pl.DataFrame, str]:
    """Return a table as it stands, and what messages call it."""
    if isinstance(table, str | Path) and is_fide_list(table):
        known = read_fide_list(table, of)
        beside = ["standard"] if known["standard"].count() else []
        inactive = pl.col("flag").fill_null("").str.contains("i").cast(pl.Float64).alias("inactive")
        named = pl.col("id").cast(pl.String).alias("player")
        return known.select(named, "rating", "k", "born", inactive, *beside), str(table)
    _check_list(of)
    if isinstance(table, str | Path):
        with readable(Path(table)):
            return scan(table).collect(), str(table)
    if not isinstance(table, pl.DataFrame | Mapping):
        raise InputError(
            f"{shown(table)} is no table", where="start", expected='a file, a frame, or {"A": {"rating": 1500}}'
        )
    return (table, "table of players") if isinstance(table, pl.DataFrame) else (_of_mapping(table), "start")


def _of_mapping(table: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    for player, known in table.items():
        if not isinstance(known, Mapping):
            expected = "a table such as { rating = 1500 }"
            raise InputError(f"{shown(player)} = {shown(known)}", where="start", expected=expected)
    if not table:
        return pl.DataFrame({"player": []})
    rows = [{"player": player, **known} for player, known in table.items()]
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def _found(header: list[str], columns: Mapping[str, str], place: str, *, strict: bool) -> dict[str, str]:
    """Return the table's name of each of our columns that it has."""
    ours = ("player", *COLUMNS)
    for key, name in columns.items():
        if key not in ours:
            raise InputError(f"unknown column '{key}'", where=place, expected=f"one of {', '.join(ours)}")
        if name not in header:
            raise InputError(f"missing column '{name}'", where=place, near=nearest(name, header))
    used = {key: columns.get(key, key) for key in ours if columns.get(key, key) in header}
    if "player" not in used:
        near = nearest("player", header) or next(
            (name for name in header if OTHERS.get(name.lower()) == "player"), None
        )
        raise InputError("missing column 'player'", where=place, near=near, expected="names")
    if "pool" in header:
        expected = "a row a player, and no such column"
        raise InputError("starts are of players, alike in every pool", where=f"{place}, column pool", expected=expected)
    for name in header:
        unused = [key for key in ours if key not in used]
        other = OTHERS.get(name.lower())
        near = other if other in unused else nearest(name, unused)
        slip = other in unused or bool(difflib.get_close_matches(name.lower(), unused, cutoff=0.8))
        if name not in used.values() and (slip or strict):
            raise InputError(f"unknown column '{shown(name)}'", where=place, near=near)
    return used


def _column(cells: pl.Series, key: str, origin: Origin) -> pl.Series:
    """Return one column as numbers, NaN where nothing is known."""
    kind = COLUMNS[key]
    values = cells
    if cells.dtype == pl.String:
        empty = cells.is_null() | cells.str.strip_chars().is_in(parse.MISSING)
        example = cells.filter(~empty).head(1)
        written = parse.form_of(example) if key in DATES and len(example) else parse.NUMBER
        moment = parse.moment(pl.lit(cells), cells.dtype, None, written or parse.NUMBER)
        values = pl.select(moment if key in DATES else parse.number(pl.lit(cells), cells.dtype)).to_series()
        origin.refuse((values.is_null() & ~empty).to_numpy(), key, f"{key} '{{}}'", cells, kind.expected)
    if key == "born" and values.dtype.is_temporal():
        values = values.dt.year()
    if key in DAYS and (line := years(values)):
        log.info("start: %s", line.replace("time", key, 1))
    read = days(values, key, origin, missing=True) if key in DAYS else numbers(values, key, origin, kind)
    return pl.Series(read)
