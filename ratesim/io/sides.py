"""Games of which a table has two rows, one for each side, put together."""

from typing import Final, NamedTuple

import polars as pl

from . import parse
from .columns import ROW, ColumnMap
from .games import Fault, rejected

OF_A_SIDE: Final = {  # column of a row: what it is of the game, for first and for second
    "player": ("first", "second"),
    "points": ("points_first", "points_second"),
    "published": ("published_first", "published_second"),
    "change": ("change_first", "change_second"),
}
MARGIN: Final = 1e-9  # by which two scores may miss 1


class Joined(NamedTuple):
    """Games, and those that cannot be put together."""

    games: pl.DataFrame
    rejects: pl.DataFrame


class Sides:
    """Joins the two rows of each game, wherever they stand; a row waits for the other as long as it has to.

    A game with a third row is found out if that stands near the first two; else the third is a row without another.
    """

    def __init__(self, given: ColumnMap, columns: dict[str, str]) -> None:
        self._given, self._columns = given, columns
        self._waiting: pl.DataFrame | None = None

    def joined(self, rows: pl.DataFrame) -> Joined:
        """Return the games of which the second row is among these."""
        rows = rows.filter(pl.col("id").is_not_null())
        if self._waiting is not None:
            rows = pl.concat([self._waiting, rows])
        rows = rows.with_columns(pl.len().over("id").alias("of"), pl.int_range(pl.len()).over("id").alias("nth"))
        self._waiting = rows.filter(pl.col("of") == 1).drop("of", "nth")
        crowds = rows.filter((pl.col("of") > 2) & (pl.col("nth") == 0))
        one, other = (rows.filter((pl.col("of") == 2) & (pl.col("nth") == nth)).drop("of", "nth") for nth in (0, 1))
        pairs = one.join(other, on="id", suffix=" of other", maintain_order="left")
        crowded = self._rejected(crowds, "id", "game '{}' has more than two rows", "two, one a side")
        games, wrong = self._checked(self._sided(pairs))
        return Joined(games, pl.concat([crowded, *wrong]))

    def rest(self) -> pl.DataFrame:
        """Return the rows that no other came for, as rejects."""
        alone = pl.DataFrame(schema={"place": pl.Int64, "id": pl.String})
        if self._waiting is not None:
            alone = self._waiting.filter("good")
        return self._rejected(alone, "id", "game '{}' has one row", "two, one a side")

    def _sided(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Return pairs of rows with what each is of: `swap` where the second row is that of first, null if unclear."""
        if "side" not in pairs.columns:
            return pairs.with_columns(swap=pl.lit(value=False))
        ours, theirs = (self._is_first(pl.col(name)) for name in ("side", "side of other"))
        return pairs.with_columns(swap=pl.when(ours != theirs).then(theirs))

    def _is_first(self, side: pl.Expr) -> pl.Expr:
        of = self._given.first_side
        found = parse.truth(side, pl.String()) if of is None else side == of
        return found.fill_null(value=False)

    def _checked(self, pairs: pl.DataFrame) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
        """Return the pairs that make a game, and the others; rows that were wrong have been rejected before."""
        pairs = pairs.filter(pl.col("good") & pl.col("good of other"))
        sided = f"one with {self._columns.get('side', 'side')} = {self._given.first_side or 'true'}"
        faults = [("id", pl.col("swap").is_null(), "game '{}' has no row of first, or two", sided)]
        if self._given.time != ROW:
            apart = pl.col("time").ne_missing(pl.col("time of other"))
            faults.append(("id", apart, "the rows of game '{}' have two times", "one time"))
        if "score" in pairs.columns:
            total = pl.col("score") + pl.col("score of other")
            wrong = (total - 1).abs() > MARGIN
            faults.append(("id", wrong, "the scores of game '{}' do not make 1", "a score for each side"))
        rejects = []
        for key, bad, what, expected in faults:
            rejects.append(self._rejected(pairs.filter(bad), key, what, expected))
            pairs = pairs.filter(~bad)
        return self._games(pairs), rejects

    @staticmethod
    def _games(pairs: pl.DataFrame) -> pl.DataFrame:
        columns = {}
        for name in pairs.columns:
            other = f"{name} of other"
            if name.endswith(" of other") or name in {"swap", "side"}:
                continue
            if name in {"id", "place", "good"}:
                columns[name] = pl.col(name)
                continue
            first, second = (pl.when("swap").then(a).otherwise(b) for a, b in ((other, name), (name, other)))
            if name in OF_A_SIDE:
                columns |= dict(zip(OF_A_SIDE[name], (first, second), strict=True))
            else:
                columns[name] = first
        return pairs.select(**columns)

    def _rejected(self, rows: pl.DataFrame, key: str, what: str, expected: str) -> pl.DataFrame:
        fault = Fault(rows["place"].is_null(), key, what, expected)
        return rejected(rows["place"], self._columns[key], fault, rows[key], [None] * len(rows))
