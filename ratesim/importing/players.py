"""What games say of their players beside their names, gathered as it passes: one row a player, the last word counts."""

import polars as pl

from ..io.batch import ATTRIBUTES

SIDES = ("first", "second")
PIECES = 32  # tables that wait before they become one


class Players:
    """Attributes of players, from batches in order."""

    def __init__(self) -> None:
        self._told: list[pl.DataFrame] = []
        self._given: list[pl.DataFrame] = []

    def hear(self, games: pl.DataFrame, given: pl.DataFrame | None) -> pl.DataFrame:
        """Note what games and a table of players say; return the games without those columns."""
        if given is not None:
            self._given.append(given)
        columns = [f"{kind}_{side}" for kind in ATTRIBUTES for side in SIDES if f"{kind}_{side}" in games.columns]
        for side in SIDES if columns else ():
            told = {kind: f"{kind}_{side}" for kind in ATTRIBUTES if f"{kind}_{side}" in columns}
            if not told:
                continue
            some = games.select(player=pl.col(side), **{kind: pl.col(name) for kind, name in told.items()})
            said = some.filter(pl.any_horizontal(pl.col(*told).is_not_null())).cast(pl.String)
            if len(said):
                self._told.append(_last(said))
        if len(self._told) > PIECES:
            self._told = [_last(pl.concat(self._told, how="diagonal"))]
        return games.drop(columns)

    def table(self) -> pl.DataFrame | None:
        """Return the attributes of the players of whom something was said; None where nothing was.

        A table that came whole, and alone, is returned as it came.
        """
        if not self._told:
            if not self._given:
                return None
            return self._given[0] if len(self._given) == 1 else _last(pl.concat(self._given, how="diagonal_relaxed"))
        return _last(pl.concat([*self._given, *self._told], how="diagonal_relaxed"))


def _last(told: pl.DataFrame) -> pl.DataFrame:
    return told.group_by("player", maintain_order=True).agg(pl.all().drop_nulls().last())
