"""What games first say of each player, from which a replay can start."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import polars as pl

from .errors import InputError


class Pieces(Protocol):
    """Games of players in pieces, in order of time; a stream in memory is one."""

    @property
    def players(self) -> pl.DataFrame:
        """One row a player."""

    def pieces(self) -> Iterator[Any]:
        """Yield streams that share these players."""


class Debuts:
    """Games that may say what players start with: a part of what a stream is, in memory or on disk."""

    def published_starts(self: Pieces) -> pl.DataFrame:
        """Return the first rating that the games publish of each player, as a table to start a replay with.

        Returns
        -------
        A frame with `player`, `rating` (rating points) and, where the players' attributes have it, `born` (year), in
        the order of `players`; those without a published rating are not in it.

        Raises
        ------
        InputError : the games publish no rating.

        >>> from ratesim import GameStream
        >>> games = GameStream.of(
        ...     first=["A", "B"], second=["B", "C"], score=[1, 1], time=[0, 1],
        ...     published_first=[1500, 1610], published_second=[1600, None],
        ... )
        >>> games.published_starts().rows()
        [('A', 1500.0), ('B', 1600.0)]
        """
        starts = first_told(self, "published_first", "published_second")
        if starts is None:
            expected = "columns published_first and published_second"
            raise InputError("the stream has no published ratings", where="start", expected=expected)
        return starts

    def skill_starts(self: Pieces) -> pl.DataFrame:
        """Return the skill of each player in their first game, to the nearest point, as a table to start a replay with.

        A frame as of `published_starts`.

        Raises
        ------
        InputError : the games know no skills.
        """
        starts = first_told(self, "skill_first", "skill_second")
        if starts is None:
            raise InputError("the stream has no skills", where="start", expected="a simulated stream")
        return starts.with_columns(pl.col("rating").round())


def first_told(games: Pieces, *sides: str) -> pl.DataFrame | None:
    """Return what columns of first and of second say first of each player as ratings; None if they say nothing."""
    rating = np.full(len(games.players), np.nan)
    for piece in games.pieces():
        told = [np.full(len(piece), np.nan) if (said := getattr(piece, side)) is None else said for side in sides]
        player, found = (np.stack(both, axis=1).ravel() for both in ([piece.first, piece.second], told))
        new = np.flatnonzero(~np.isnan(found) & np.isnan(rating[player]))[::-1]  # what is told first is put last
        rating[player[new]] = found[new]
    born = [pl.col("born").cast(pl.Float64)] if "born" in games.players.columns else []
    table = games.players.select("player", pl.Series("rating", rating), *born).filter(pl.col("rating").is_not_nan())
    return table if len(table) else None
