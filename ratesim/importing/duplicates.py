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
ROW, OF, HASH, ID = "row", "of", "hash", "game_id"
PLAYERS: Final = {  # numbers of the two, whoever is first
    "low": pl.min_horizontal("first", "second"),
    "high": pl.max_horizontal("first", "second"),
}

Key = Callable[[pl.DataFrame], pl.DataFrame]  # rows in question, with `row` and what is compared


class Exact(NamedTuple):
    """Rows that repeat an earlier one, and ids that stand for several games.

    Attributes
    ----------
    pairs : `row`, ascending, and `of`, the earliest row that it repeats.
    clashes : `row` and `of` of rows with the id of an earlier row of other players: these are no duplicates.
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

    A row with a `game_id` repeats an earlier one of that id and the same two players; one without, an earlier one
    without that is equal in all columns but place and source.

    Parameters
    ----------
    room : rows that are judged at once, about.

    Raises
    ------
    InputError : the disk is full.
    """
    pairs, clashes = [], []
    if ID in spool.columns:
        for some in _suspects(spool, _with_id, {ID, "first", "second"}, [ID], room):
            first = some.select(ROW, same=pl.col(ROW).min().over(ID, *PLAYERS), id=pl.col(ROW).min().over(ID))
            pairs.append(_pairs(first, "same"))
            clashes.append(_pairs(first.filter(pl.col(ROW) == pl.col("same")), "id"))
    told = [name for name in spool.columns if name not in {"place", SOURCE}]
    if spool.filled[ID] < spool.rows:
        compared = [name for name in told if name != ID]
        rest = _suspects(spool, _without_id, told, compared, room)
        pairs += [_pairs(some.select(ROW, same=pl.col(ROW).min().over(compared)), "same") for some in rest]
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


def _with_id(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col(ID).is_not_null()).select(ROW, ID, **PLAYERS)


def _without_id(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col(ID).is_null()).drop(ID) if ID in frame.columns else frame


def _as_met(frame: pl.DataFrame) -> pl.DataFrame:
    score = pl.when(pl.col("first") < pl.col("second")).then("score").otherwise(1.0 - pl.col("score"))
    return frame.select(ROW, SOURCE, **PLAYERS, day=pl.col("time").floor(), result=score.round(9))


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
