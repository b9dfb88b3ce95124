"""Games of which a table has two rows, one for each side, put together."""

from typing import Final

import polars as pl

from . import parse
from .columns import ROW, ColumnMap
from .games import UNFINISHED, Fault, Rows, rejected

OF_A_SIDE: Final = {  # column of a row: what it is of the game, for first and for second
    "player": ("first", "second"),
    "points": ("points_first", "points_second"),
    "published": ("published_first", "published_second"),
    "change": ("change_first", "change_second"),
}
MARGIN: Final = 1e-9  # by which two scores may miss 1


class Sides:
    """Joins the two rows of each game, wherever they stand; a row waits for the other as long as it has to.

    Rows of one id are taken two by two, in the order of the file: a third row is one without another. A game is one
    reject, or one that is left out, by the first of its rows that says so.
    """

    def __init__(self, given: ColumnMap, columns: dict[str, str]) -> None:
        self._given, self._columns = given, columns
        self._waiting: pl.DataFrame | None = None

    def joined(self, found: Rows) -> Rows:
        """Return the games of which the second row is among these, with the rejects and what is left out."""
        unfinished = found.gone.filter(pl.col("reason") == UNFINISHED).select("place", "id", good=pl.lit(value=False))
        rows = found.games
        if len(unfinished):
            rows = pl.concat([rows, unfinished], how="diagonal").sort("place")
        rows = rows.filter(pl.col("id").is_not_null())
        if self._waiting is not None:
            rows = pl.concat([self._waiting, rows])
        rows = rows.with_columns(pl.len().over("id").alias("of"), pl.int_range(pl.len()).over("id").alias("nth"))
        last = (pl.col("of") % 2 == 1) & (pl.col("nth") == pl.col("of") - 1)
        self._waiting = rows.filter(last).drop("of", "nth")
        paired = rows.filter(~last).with_columns(pair=pl.col("nth") // 2)
        one, other = (paired.filter(pl.col("nth") % 2 == nth).drop("of", "nth") for nth in (0, 1))
        pairs = one.join(other, on=["id", "pair"], suffix=" of other", maintain_order="left").drop("pair")
        told = pairs.filter(~pl.col("good") & ~pl.col("good of other"))["place of other"]
        again = pl.col("place").is_in(told.implode())
        games, wrong = self._checked(self._sided(pairs))
        return Rows(games, pl.concat([found.rejects.filter(~again), *wrong]), found.gone.filter(~again))

    def rest(self) -> pl.DataFrame:
        """Return the rows that no other came for, as rejects."""
        alone = pl.DataFrame(schema={"place": pl.Int64, "id": pl.String})
        if self._waiting is not None:
            alone = self._waiting.filter("good")
        return self._rejected(alone, "id", "game '{}' has a row without another", "two, one a side")

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
