"""A session on its way through the pieces of a stream, and what is read from it on the way."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..calendars import Before, Calendar, Regular
from ..io.gamefile import GameFile
from ..state import Floats
from ..stream import GameStream
from ..systems.base import WholeStream
from .believed import believed, nothing
from .kept import Moments
from .openings import Variant
from .saved import Saved
from .session import Session
from .whole import columns_of


class Beginning(NamedTuple):
    """What a replay begins with."""

    table: pl.DataFrame | None = None
    by_pool: bool = False
    saved: Saved | None = None


class Undo(NamedTuple):
    """What the last of all games changes where it is a period of its own: a saved state has that period open."""

    places: NDArray[np.int64]  # (2,) rows of its players
    rows: Floats
    marks: Floats
    cursor: int
    flags: Floats

    @classmethod
    def before_last(cls, session: Session) -> Self:
        """Remember what is, before the last game of the session's stream is played."""
        places, state = np.array([session.rows.first[-1], session.rows.second[-1]], np.int64), session.state
        return cls(places, state.rows[places], state.marks[places], int(state.cursor[0]), state.flags.copy())

    def undo(self, session: Session) -> None:
        """Bring the session to where it was."""
        state = session.state
        state.rows[self.places], state.marks[self.places] = self.rows, self.marks
        state.cursor[0], state.flags[:] = self.cursor, self.flags
        session.played -= 1


class Walk:
    """Lanes of one system's kernels, played piece by piece.

    Parameters
    ----------
    variants : a lane each. games : whose pieces will come. origin : what is known beforehand.
    moments : whose ratings are read on the way, and when.
    """

    session: Session

    def __init__(
        self, variants: Sequence[Variant], games: GameFile, calendar: Calendar, origin: Beginning,
        moments: Mapping[str, Moments],
    ) -> None:  # fmt: skip
        self.calendar = calendar
        self._variants, self._games, self._origin = variants, games, origin
        self._readings = {key: Reading(each, games, len(variants)) for key, each in moments.items()}
        self._closes = closes_of(games, calendar, origin.saved) if moments else {}
        self._last = self._begun = False
        self._undo: Undo | None = None

    def play(self, piece: GameStream, *, last: bool) -> Floats:
        """Play the next piece, the last or not; return the forecasts (G, L)."""
        if self._begun:
            self.session.go_on(piece)
        else:
            self._begin(piece)
        if self._closes:
            self.session.know(self._closes)
        self._last = last
        out = [self._read(time, period) for time, period in self._due()]
        return np.concatenate([*out, self._advance(len(piece))])

    def _begin(self, piece: GameStream) -> None:
        origin, saved = self._origin, self._origin.saved
        self.session = Session(
            self._variants, piece, self.calendar, start=origin.table, by_pool=origin.by_pool, ends=self._games.ends,
            earlier=saved.earlier(piece) if saved else None, before=saved.before if saved else None,
        )  # fmt: skip
        self._begun = True
        if self.session.schedule.singly and not self._singly():
            self.session.go_on_in_periods()
        for reading in self._readings.values():
            reading.begin(self.session)

    def _singly(self) -> bool:
        """Return whether every game of all pieces is a period of its own, which the first piece cannot tell."""
        return not (self._games.tied and getattr(self.calendar, "ties", "period") == "period")

    def _advance(self, upto: int) -> Floats:
        session = self.session
        final = self._last and upto == len(session.stream) > session.played
        if not (final and session.schedule.singly):
            return session.advance(upto)
        before = session.advance(upto - 1)
        self._undo = Undo.before_last(session)
        return np.concatenate([before, session.advance(upto)])

    def _due(self) -> list[tuple[float, int]]:
        """Return the moments to be read in this piece, each with the first period that is not closed by then.

        A moment is read before the first game of that period, or after the last game of all: until one of them comes,
        it may be that the period before goes on.
        """
        schedule = self.session.schedule
        times = sorted({time for each in self._readings.values() for time in each.pending})
        periods = schedule.base + np.searchsorted(schedule.closes, times, side="right")
        due = zip(times, periods.tolist(), strict=True)
        return [(time, period) for time, period in due if self._last or period <= schedule.at[-1]]

    def _read(self, time: float, period: int) -> Floats:
        """Play up to a moment, at which `period` is open, read the ratings, and return the forecasts on the way."""
        session, at = self.session, self.session.schedule.at
        upto = max(int(np.searchsorted(at, period)), session.played)
        out = self._advance(upto)
        then = session if period <= at[-1] else session.apart()  # for what comes later, the last period stays open
        then.close(period)
        for each in self._readings.values():
            if time in each.pending:
                each.take(then, time, upto)
        return out

    def histories(self, lane: int) -> dict[str, pl.DataFrame]:
        """Return what was read of a lane."""
        return {key: reading.table(lane, self.session) for key, reading in self._readings.items()}

    def left_open(self) -> Session:
        """Return the session after the last game, its period open to later games of its time."""
        if self._undo is not None:
            self._undo.undo(self.session)
            self.session.go_on_in_periods()
            self.session.advance(len(self.session.stream))
            self._undo = None
        return self.session


def closes_of(games: GameFile, calendar: Calendar, saved: Saved | None) -> dict[int, float]:
    """Return when each period closes, by number, where a calendar knows it from later games only."""
    closes: dict[int, float] = {}
    if isinstance(calendar, Regular) or not calendar.lasting:
        return closes
    before = None if saved is None else saved.before
    for piece in games.pieces():
        at, base, opens, ends, *_ = calendar.schedule(piece, before)
        closes.update(zip(range(base, base + len(ends)), ends.tolist(), strict=True))
        season = None if piece.season is None else piece.seasons[piece.season[-1]]
        before = Before(int(at[-1]), float(opens[at[-1] - base]), season)
    return closes


class Reading:
    """The ratings of some players at some moments, read on the way."""

    def __init__(self, moments: Moments, games: GameFile, lanes: int) -> None:
        self.pending = dict.fromkeys(moments.times.tolist())
        chosen, names = moments.players, games.players["player"]
        self._chosen = np.ones(len(names), np.bool_) if chosen is None else names.is_in(list(chosen)).to_numpy()
        self._found: list[list[pl.DataFrame]] = [[] for _ in range(lanes)]

    def begin(self, session: Session) -> None:
        """See what a session brings along."""
        self._places = np.flatnonzero(self._chosen[session.rows.player])
        self._brought = session.brought[self._places].copy()

    def take(self, session: Session, time: float, upto: int) -> None:
        """Read the ratings of a moment, when the first `upto` games of the piece are played."""
        del self.pending[time]
        rows, games = session.aged(time, self._places).rows, session.counted(upto)[self._places]
        for lane, found in enumerate(self._found):
            table = believed(session, rows, lane, games, self._places).filter(pl.Series(games > self._brought))
            found.append(table.select(pl.lit(time).alias("time"), pl.all()))

    def table(self, lane: int, session: Session) -> pl.DataFrame:
        """Return all that was read of a lane, as `Run.history` does."""
        nobody = np.zeros(0, np.int64)
        none = believed(session, session.state.rows[:0], lane, np.zeros(0), nobody)
        return pl.concat([none.select(pl.lit(0.0).alias("time"), pl.all()), *self._found[lane]])


class Alone:
    """A baseline whose forecasts look at nothing but their games."""

    def __init__(
        self, system: WholeStream, calendar: Calendar, origin: Beginning, moments: Mapping[str, Moments]
    ) -> None:
        self.system, self.calendar, self._origin, self._asked = system, calendar, origin, tuple(moments)

    def play(self, piece: GameStream, *, last: bool) -> Floats:  # as `Walk.play`
        """Return the forecasts (G, 1)."""
        table, by_pool, saved = self._origin
        _, columns = columns_of(self.system, piece, self.calendar, table, by_pool=by_pool, saved=saved)
        return self.system.whole(columns).forecast[:, None]

    def histories(self, lane: int) -> dict[str, pl.DataFrame]:  # as `Walk.histories`
        """Return empty tables: there are no ratings."""
        return dict.fromkeys(self._asked, nothing())
