"""What a replay of a stream in memory found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from ..calendars import Calendar
from ..errors import InputError
from ..policies import Policy
from ..state import Floats, Ints
from ..stream import GameStream
from ..systems.base import Rater
from .believed import Diagnostic, believed, diagnostics, known, nothing, ratings
from .moments import moments
from .order import Order, restored
from .saved import Saved, write_state
from .session import Session


@dataclass(frozen=True, eq=False)
class Run:
    """What a replay found.

    Attributes
    ----------
    system, policy, calendar, stream : what was replayed; policy is None where K means nothing to the system.
    forecast : (G,) expected score of first before each game, NaN where the system has none.
    noted : what a whole-stream system noted; see `diagnostics`.
    """

    system: Rater
    policy: Policy | None
    calendar: Calendar
    stream: GameStream = field(repr=False)
    forecast: Floats = field(repr=False)
    start: pl.DataFrame | None = field(default=None, repr=False)
    by_pool: bool = False
    noted: list[Diagnostic] = field(default_factory=list, repr=False)
    session: Session | None = field(default=None, repr=False)
    lane: int = field(default=0, repr=False)
    saved: Saved | None = field(default=None, repr=False)
    columns: dict[str, Floats] = field(default_factory=dict, repr=False)
    order: Order | None = field(default=None, repr=False)  # in which the games were played, None as they stand

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What the system noted while it learned, only what happened at all."""
        if self.session is None or not self.session.kernels.flags:
            return self.noted
        return diagnostics(self.session, self.session.finished().flags[:, :, self.lane])

    @cached_property
    def period(self) -> Ints:
        """(G,) rating period of each game; numbers rise with time."""
        played = self.stream if self.order is None else self.stream.in_order(self.order)
        at = self.calendar.schedule(played).at if self.session is None else self.session.schedule.at
        return restored(at, self.order)

    def ratings(self) -> pl.DataFrame:
        """Return what is believed after the last period, a row for each player (and pool), in the stream's order.

        Columns: player, pool where kept apart, rating (rating points), games (that counted), then the system's own.
        A baseline that keeps no ratings has the column player only.
        """
        if self.session is None:
            return pl.DataFrame({"player": self.stream.players["player"], **self.columns})
        return ratings(self.session, self.lane)

    def history(self, times: Sequence[float] | Floats, players: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the ratings as of given moments, deviations aged to them; nothing is changed.

        Parameters
        ----------
        times : (M,) days since 1970-01-01 UTC; a moment sees the periods that closed up to it.
        players : names, all who have played by then where None.

        Returns
        -------
        Long table: time, player, then as `ratings`; players who have not played are absent, and everybody is for a
        whole-stream system.

        Raises
        ------
        InputError : a player who is not in the stream.
        """
        if players is not None:
            known(players, self.stream.players["player"])
        if self.session is None:
            return nothing()
        session = self.again()
        tables = []
        for moment in moments(session, times):
            seen = pl.Series(moment.games > session.brought)
            table = believed(session, moment.rows, 0, moment.games).filter(seen)
            if players is not None:
                table = table.filter(pl.col("player").is_in(list(players)))
            tables.append(table.select(pl.lit(moment.day).alias("time"), pl.all()))
        return pl.concat(tables or [self.ratings().clear().select(pl.lit(0.0).alias("time"), pl.all())])

    def save(self, path: str | Path) -> None:
        """Write all that the replay remembers, the evidence of the open period included.

        `replay(..., state=load_state(path))` goes on with later games, with the same bits as if there had been no cut.

        Raises
        ------
        InputError : the system is a whole-stream one, or was replayed beside others.
        """
        if self.session is None or len(self.session.variants) > 1:
            raise InputError(f"system '{self.system.kind}' has no state of its own to save")
        write_state(path, self._left_open(), by_pool=self.by_pool)

    def _left_open(self) -> Session:
        """Return a session at the end of the stream whose last period is still open to later games of its time."""
        assert self.session is not None  # noqa: S101  # the caller has looked
        if not self.session.fused:
            return self.session
        session, at = self.again(), self.session.schedule.at
        session.advance(int(np.searchsorted(at, at[-1])))
        session.go_on_in_periods()
        session.advance(len(self.stream))
        return session

    def again(self) -> Session:
        """Return a session of the same replay that has played nothing yet.

        Raises
        ------
        InputError : a whole-stream system has none.
        """
        if self.session is None:
            raise InputError(f"system '{self.system.kind}' forecasts whole streams only", expected="one with ratings")
        variant = self.session.variants[self.lane]
        old = self.saved
        return Session(
            [variant], self.session.stream, self.calendar, start=self.start, by_pool=self.by_pool,
            earlier=old.earlier(self.session.stream) if old else None, before=old.before if old else None,
        )  # fmt: skip
