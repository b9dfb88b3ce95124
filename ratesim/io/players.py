"""What games say of their players beside their names, gathered as it passes: one row a player, the last word counts."""

import polars as pl

from .batch import ATTRIBUTES

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
        kinds = [kind for kind in ATTRIBUTES if f"{kind}_first" in games.columns or f"{kind}_second" in games.columns]
        if not kinds:
            return games
        for side in ("first", "second"):
            told = {kind: pl.col(f"{kind}_{side}").cast(pl.String) for kind in kinds if f"{kind}_{side}" in games.columns}
            some = games.select(pl.col(side).cast(pl.String).alias("player"), **told)
            said = some.filter(pl.any_horizontal(pl.col(*told).is_not_null()))
            if len(said):
                self._told.append(_last(said))
        if len(self._told) > PIECES:
            self._told = [_last(pl.concat(self._told, how="diagonal"))]
        return games.drop(f"{kind}_{side}" for kind in kinds for side in ("first", "second") if f"{kind}_{side}" in games)

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
