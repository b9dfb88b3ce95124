"""Where games of PGN were played, and what follows from it: events, pools, whether they were rated, their ids."""

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..rules import List
from .pgn_sites import address_ids, chess_com_class, fics_pool, lichess_ids, lichess_speed, occasion, variant_of
from .pgn_table import NULL, Table, Words
from .pgn_words import DAY, PRECISIONS, day_code, list_of

CHESS_COM: Final = ("chess.com", "www.chess.com", "https://www.chess.com")
FRIENDLY: Final = ("Live Chess", "Let's Play!", "Live Chess - Chess960")  # events of chess.com that are none
AFTER: Final = "ratings in PGN of chess.com are those after the game: not read as published"
NOWHERE, ON_LICHESS, ON_CHESS_COM, ON_FICS = range(4)


class Places:
    """Where the games of a table were played.

    Attributes
    ----------
    after : (G,) whether ratings are those after the game, as chess.com writes them.
    unsure : whether the start of a game's event has to be worked out from its games.
    """

    def __init__(self, table: Table, of: List | None) -> None:
        self.table, self.list = table, of
        self.ids, self.where = _places(table)
        self.after = self.where == ON_CHESS_COM
        self.unsure = bool((self.where == NOWHERE).any()) and table.has("Event", "BroadcastName", "EventDate")
        self.events = table.words("Event")
        self.occasions = [occasion(name) if name else occasion("") for name in self.events.names]

    def notes(self) -> tuple[str, ...]:
        """Return what a reader should know."""
        return (AFTER,) if self.after.any() and self.table.has("WhiteElo", "BlackElo") else ()

    def columns(self) -> dict[str, pl.Series]:
        """Return the columns that follow; some of them may be empty."""
        event = self._event()
        return {"event": event, "event_start": self._event_start(event.is_null()), "pool": self._pool()}

    def beside(self) -> dict[str, pl.Series]:
        """Return the columns that follow which a stream does not hold."""
        termination = self.table.words("Termination").series()
        return {"rated": self._rated(), "termination": termination, "game_id": self.ids}

    def _event(self) -> pl.Series:
        alone = np.array([each.alone for each in self.occasions])[self.events.at] & (self.where != NOWHERE)
        quiet = self.events.names.is_in(FRIENDLY).fill_null(value=False).to_numpy()[self.events.at] & self.after
        names = self.events.under(self.table.words("BroadcastName")).series()
        return names.zip_with(pl.Series(~(alone | quiet)), NULL) if (alone | quiet).any() else names

    def _event_start(self, none: pl.Series) -> pl.Series:
        """Return the first day of events over the board, where `EventDate` says it to the day."""
        days = self.table.words("EventDate").numbers(_first_day, np.nan)
        days[(self.where != NOWHERE) | none.to_numpy()] = np.nan
        return pl.Series(days, nan_to_null=True)

    def _pool(self) -> pl.Series:
        """Return the pools that ratings are kept by at each place."""
        pools = NULL.new_from_index(0, len(self.table))
        for place, pool in POOLS.items():
            here = self.where == place
            if here.all():
                pools = pool(self).series()
            elif here.any():
                pools = pool(self).series().zip_with(pl.Series(here), pools)
        variants = self.table.words("Variant").mapped(variant_of)
        if variants.silent:
            return pools
        played = variants.series()
        both = (played + " " + pools).zip_with(pl.Series(self.where == ON_CHESS_COM), played)
        return both.fill_null(played).fill_null(pools)

    def over_the_board(self) -> Words:
        """Return the list that is given, or that of the rate of play where that is sure."""
        if self.list:
            return Words(pl.Series([self.list, None], dtype=pl.String), np.zeros(len(self.table), np.int64))
        return self._clocks().mapped(list_of)

    def on_lichess(self) -> Words:
        """Return what the event says, or else the speed of the clock."""
        return self._clocks().mapped(lichess_speed).under(self.by_event())

    def on_chess_com(self) -> Words:
        """Return the time class of the clock."""
        return self._clocks().mapped(chess_com_class)

    def on_fics(self) -> Words:
        """Return what the event says, in whatever words."""
        return self.events.mapped(fics_pool)

    def by_event(self) -> Words:
        """Return what the event says."""
        return Words(pl.Series([each.perf for each in self.occasions], dtype=pl.String), self.events.at)

    def _clocks(self) -> Words:
        """Return the rates of play, `-` among them, which on Lichess is no clock at all."""
        return self.table.words("TimeControl", but="-")

    def _rated(self) -> pl.Series:
        """Return whether games were rated: as their event says, or since ratings changed; null: nobody says."""
        told = np.array([-1 if each.rated is None else each.rated for each in self.occasions], np.int8)[self.events.at]
        told[self.where == NOWHERE] = -1
        for tag in ("WhiteRatingDiff", "BlackRatingDiff"):
            words = self.table.words(tag)
            told[words.names.is_not_null().to_numpy()[words.at] & (told < 0)] = 1
        return pl.Series(told == 1).zip_with(pl.Series(told >= 0), pl.Series([None], dtype=pl.Boolean))


POOLS: Final = {
    NOWHERE: Places.over_the_board,
    ON_LICHESS: Places.on_lichess,
    ON_CHESS_COM: Places.on_chess_com,
    ON_FICS: Places.on_fics,
}


def _places(table: Table) -> tuple[pl.Series, NDArray[np.int64]]:
    """Return what games are called by the site where they were played, and which that is."""
    where = np.full(len(table), NOWHERE)
    ids = NULL.new_from_index(0, len(table))
    if table.has("FICSGamesDBGameNo"):
        ids = table.plain("FICSGamesDBGameNo")
        where[ids.is_not_null().to_numpy()] = ON_FICS
    for tag in ("GameURL", "Link"):
        if table.has(tag):
            ids = address_ids(table.plain(tag)).fill_null(ids)
    if table.has("Site"):
        site = table.plain("Site")
        lichess = lichess_ids(site)
        where[lichess.is_not_null().to_numpy()] = ON_LICHESS
        where[site.is_in(["Chess.com", *CHESS_COM]).fill_null(value=False).to_numpy()] = ON_CHESS_COM
        ids = lichess.fill_null(ids) if lichess.null_count() else lichess
    for tag in ("LichessId", "GameId"):
        if table.has(tag):
            ids = table.plain(tag).fill_null(ids)
    return ids, where


def _first_day(text: str) -> float:
    """Return a date as days since 1970-01-01, or NaN if it is not known to the day."""
    days, known = divmod(day_code(text), PRECISIONS)
    return float(days) if known == DAY else np.nan
