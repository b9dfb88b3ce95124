"""Games told twice: the same row again, and what looks like the same game in another source.

Hashes of rows, on disk where memory has no place for them, say which rows may be equal; their values say which are.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .piles import Pile, scatter
from .spool import SOURCE, Rows, Spool

ROOM: Final = 2_000_000  # rows that are judged at once
SHOWN: Final = 20
ROW, OF, HASH, ID, PRINT = "row", "of", "hash", "game_id", "fingerprint"
MET: Final = {  # numbers of the two, whoever is first, and how it ended, seen from the lower one
    "low": pl.min_horizontal("first", "second"),
    "high": pl.max_horizontal("first", "second"),
    "result": pl.when(pl.col("first") < pl.col("second")).then("score").otherwise(1.0 - pl.col("score")).round(9),
}
PRINTED: Final = (PRINT, "first", "second", "score", "time")  # by which a game with a fingerprint is known

Key = Callable[[pl.DataFrame], pl.DataFrame]  # rows in question, with `row` and what is compared


class Exact(NamedTuple):
    """Rows that repeat an earlier one, and ids that stand for several games.

    Attributes
    ----------
    pairs : `row`, ascending, and `of`, the earliest row that it repeats.
    clashes : `row` and `of` of rows with the id of an earlier row that tells of another game, with other players or
        another result: these are no duplicates.
    """

    pairs: pl.DataFrame
    clashes: pl.DataFrame

    @property
    def rows(self) -> Rows:
        """Numbers of the rows that repeat an earlier one, ascending."""
        return self.pairs[ROW].cast(pl.Int64).to_numpy()


class Near(NamedTuple):
    """Games that look like an earlier one of another source.

    Attributes
    ----------
    games : how many.
    pairs : the first of them: `row`, ascending, and `of`, the earliest row that it is like.
    """

    games: int
    pairs: pl.DataFrame


def exact(spool: Spool, *, room: int = ROOM) -> Exact:
    """Return the rows that repeat an earlier one.

    A row with a `game_id` repeats an earlier one of that id, the same two players and the same result, whoever is first
    and whenever it was; one with a `fingerprint`, an earlier one of that fingerprint, players, score and time; any
    other, an earlier one with neither that is equal in all columns but place and source.

    Parameters
    ----------
    room : rows that are judged at once, about.

    Raises
    ------
    InputError : the disk is full.
    """
    pairs, clashes = [], []
    if spool.filled[ID]:
        for some in _suspects(spool, _with_id, {ID, "first", "second", "score"}, [ID], room):
            first = some.select(ROW, same=pl.col(ROW).min().over(ID, *MET), id=pl.col(ROW).min().over(ID))
            pairs.append(_pairs(first, "same"))
            clashes.append(_pairs(first.filter(pl.col(ROW) == pl.col("same")), "id"))
    if spool.filled[PRINT]:
        pairs += _equal(spool, _with_print, {ID, *PRINTED}, PRINTED, room)
    if max(spool.filled[ID], spool.filled[PRINT]) < spool.rows:
        told = [name for name in spool.columns if name not in {"place", SOURCE}]
        pairs += _equal(spool, _with_neither, told, [name for name in told if name not in {ID, PRINT}], room)
    return Exact(_joined(pairs), _joined(clashes))


def near(spool: Spool, *, leave_out: Rows | None = None, shown: int = SHOWN, room: int = ROOM) -> Near:
    """Return rows that look like an earlier one of another source: same two players, day and result.

    The first such game of a source is held against the first of the other, the second against the second, so a pair
    that played thrice on a day in both sources counts as three games.

    Parameters
    ----------
    leave_out : numbers of rows, ascending, that are not looked at: those that `exact` found.
    shown : how many are listed.
    room : rows that are judged at once, about.

    Raises
    ------
    InputError : the disk is full.
    """
    games, pairs = 0, _joined([])
    if spool.sources < 2:
        return Near(games, pairs)
    compared = ["low", "high", "day", "result"]
    columns = {"first", "second", "time", "score", SOURCE}
    for some in _suspects(spool, _as_met, columns, compared, room, leave_out):
        nth = some.with_columns(nth=pl.int_range(pl.len()).over(*compared, SOURCE))
        found = _pairs(nth.select(ROW, same=pl.col(ROW).min().over(*compared, "nth")), "same")
        games += len(found)
        pairs = _joined([pairs, found]).head(shown)
    return Near(games, pairs)


def _equal(
    spool: Spool, key: Key, columns: Collection[str], compared: Sequence[str], room: int
) -> Iterator[pl.DataFrame]:
    """Yield pairs of rows that are equal in what is compared."""
    for some in _suspects(spool, key, columns, compared, room):
        yield _pairs(some.select(ROW, same=pl.col(ROW).min().over(compared)), "same")


def _with_id(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col(ID).is_not_null()).select(ROW, ID, **MET)


def _with_print(frame: pl.DataFrame) -> pl.DataFrame:
    return _without(frame, ID).filter(pl.col(PRINT).is_not_null())


def _with_neither(frame: pl.DataFrame) -> pl.DataFrame:
    return _without(_without(frame, ID), PRINT)


def _without(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return rows that say nothing in a column, and no such column."""
    return frame.filter(pl.col(name).is_null()).drop(name) if name in frame.columns else frame


def _as_met(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(ROW, SOURCE, day=pl.col("time").floor(), **MET)


def _suspects(
    spool: Spool, key: Key, columns: Collection[str], compared: Sequence[str], room: int, leave_out: Rows | None = None
) -> Iterator[pl.DataFrame]:
    """Yield frames of what `key` makes of rows; those that are equal in what is compared stand in one frame, in order.

    Left out are rows of which the hash says that no other is equal.
    """

    def keyed(rows: Rows, frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
        made = key(frame.with_columns(pl.Series(ROW, rows, pl.UInt32)))
        return made, made.select(compared).hash_rows().alias(HASH)

    shelf = spool.shelf()
    piles = shelf.piles(spool.rows // room + 1)
    for rows, frame in spool.frames(columns, leave_out):
        made, hashed = keyed(rows, frame)
        scatter(pl.DataFrame([hashed, made[ROW]]), _shares(hashed, piles), piles)
    suspects = np.sort(np.concatenate([_hashed_alike(pile) for pile in piles]))
    if not len(suspects):
        return
    piles = shelf.piles(len(suspects) // room + 1)
    for rows, frame in spool.frames(columns, only=suspects):
        made, hashed = keyed(rows, frame)
        scatter(made, _shares(hashed, piles), piles)
    for pile in piles:
        if pile.rows:
            yield pile.whole()
        pile.drop()


def _shares(hashed: pl.Series, piles: Sequence[Pile]) -> NDArray[np.uint16]:
    return (hashed.to_numpy() % len(piles)).astype(np.uint16)


def _hashed_alike(pile: Pile) -> Rows:
    """Return the rows of a pile of hashes that are not alone with theirs; the pile is gone."""
    rows = pile.whole().filter(pl.col(HASH).is_duplicated())[ROW] if pile.rows else pl.Series(dtype=pl.UInt32)
    pile.drop()
    return rows.cast(pl.Int64).to_numpy()


def _pairs(rows: pl.DataFrame, of: str) -> pl.DataFrame:
    return rows.filter(pl.col(of) != pl.col(ROW)).select(ROW, pl.col(of).alias(OF))


def _joined(pairs: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame(schema={ROW: pl.UInt32, OF: pl.UInt32}), *pairs]).sort(ROW)
