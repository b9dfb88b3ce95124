"""What games say of their players beside their names, gathered as it passes: the latest word counts."""

from typing import Final

import polars as pl

from ..io.batch import ATTRIBUTES

SIDES: Final = ("first", "second")
PIECES: Final = 32  # tables that wait before they become one


class Players:
    """Attributes of players, from batches: what the latest game says, and before it what tables of players do."""

    def __init__(self) -> None:
        self._told: dict[str, list[pl.DataFrame]] = {}  # by attribute: player, when, word
        self._given: list[pl.DataFrame] = []

    def hear(self, games: pl.DataFrame, given: pl.DataFrame | None) -> pl.DataFrame:
        """Note what games and a table of players say; return the games without those columns."""
        if given is not None:
            self._given.append(given)
        heard = []
        for kind in ATTRIBUTES:
            for side in SIDES:
                if (name := f"{kind}_{side}") in games.columns:
                    heard.append(name)
                    self._note(kind, games.select(player=side, when="time", word=name).drop_nulls("word"))
        return games.drop(heard)

    def _note(self, kind: str, said: pl.DataFrame) -> None:
        told = self._told.setdefault(kind, [])
        if len(said):
            told.append(_latest([said.cast({"player": pl.String, "word": pl.String})]))
        if len(told) > PIECES:
            told[:] = [_latest(told)]

    def table(self) -> pl.DataFrame | None:
        """Return the attributes of the players of whom something was said; None where nothing was.

        A table that came whole, and alone, is returned as it came.
        """
        tables = [*self._given, *(_named(kind, parts) for kind, parts in self._told.items() if parts)]
        if len(tables) < 2:  # one that stays as it is, or none
            return tables[0] if tables else None
        joined = pl.concat(tables, how="diagonal_relaxed")
        return joined.group_by("player", maintain_order=True).agg(pl.all().drop_nulls().last())


def _named(kind: str, parts: list[pl.DataFrame]) -> pl.DataFrame:
    return _latest(parts).select("player", pl.col("word").alias(kind))


def _latest(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the latest word on each player, of two at one time that which came last."""
    return pl.concat(parts).sort("when", maintain_order=True).unique("player", keep="last", maintain_order=True)
