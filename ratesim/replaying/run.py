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
from ..systems.base import Fit, Rater, WholeStream
from .asked import Edges, Moment, Pairs, asked_of, day_of, days_of
from .believed import Diagnostic, believed, diagnostics, known, nothing, ratings
from .moments import moments
from .order import Order, restored
from .predicting import by_fit, by_kernels, by_whole, told
from .refitting import Refits
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
    drawn : what a whole-stream system says of draws; see `draws`.
    """

    system: Rater
    policy: Policy | None
    calendar: Calendar
    stream: GameStream = field(repr=False)
    forecast: Floats = field(repr=False)
    start: pl.DataFrame | None = field(default=None, repr=False)
    by_pool: bool = False
    noted: list[Diagnostic] = field(default_factory=list, repr=False)
    drawn: Floats | None = field(default=None, repr=False)
    session: Session | None = field(default=None, repr=False)
    lane: int = field(default=0, repr=False)
    saved: Saved | None = field(default=None, repr=False)
    columns: dict[str, Floats] = field(default_factory=dict, repr=False)
    refits: Refits | None = field(default=None, repr=False)  # of a system that is fitted anew
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

    @property
    def closes(self) -> float:
        """The day on which the last period closes, since 1970-01-01 UTC."""
        ends = self.calendar.closing(float(self.stream.time[-1]))
        return ends if self.session is None else float(self.session.schedule.closes[-1])

    def ratings(self) -> pl.DataFrame:
        """Return what is believed after the last period, a row for each player (and pool), in the stream's order.

        Columns: player, pool where kept apart, rating (rating points), games (that counted), then the system's own.
        A baseline that keeps no ratings has the column player only.
        """
        if self.refits is not None:
            return self.refits.table(self.refits.last, self.stream.players["player"])
        if self.session is None:
            return pl.DataFrame({"player": self.stream.players["player"], **self.columns})
        return ratings(self.session, self.lane)

    def history(self, times: Sequence[Moment] | Floats, players: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the ratings as of given moments, deviations aged to them; nothing is changed.

        Parameters
        ----------
        times : (M,) dates, or days since 1970-01-01 UTC; a moment sees the periods that closed up to it.
        players : names, all who have played by then where None.

        Returns
        -------
        Long table: time, player, then as `ratings`; players who have not played are absent, and everybody is for a
        whole-stream system.

        Raises
        ------
        InputError : a player who is not in the stream, or a time that is none.
        """
        days = days_of(times)
        if players is not None:
            known(players, self.stream.players["player"])
        if self.refits is not None:
            return self._of_fits(self.refits, days, players)
        if self.session is None:
            return nothing()
        session = self.again()
        tables = []
        for moment in moments(session, days):
            seen = pl.Series(moment.games > session.brought)
            table = believed(session, moment.rows, 0, moment.games).filter(seen)
            if players is not None:
                table = table.filter(pl.col("player").is_in(list(players)))
            tables.append(table.select(pl.lit(moment.day).alias("time"), pl.all()))
        return pl.concat(tables or [self.ratings().clear().select(pl.lit(0.0).alias("time"), pl.all())])

    def _of_fits(self, refits: Refits, days: Floats, players: Sequence[str] | None) -> pl.DataFrame:
        """Return the history of a system that is fitted anew: by its fits as of each moment."""
        names = self.stream.players["player"]
        asked = pl.lit(value=True) if players is None else pl.col("player").is_in(list(players))
        tables = [
            refits.table(then, names)
            .filter(asked, pl.col("games") > 0)
            .select(pl.lit(then.day).alias("time"), pl.all())
            for then in refits.at(days)
        ]
        return pl.concat(tables or [self.ratings().clear().select(pl.lit(0.0).alias("time"), pl.all())])

    def fit(self, time: float | None = None) -> Fit:
        """Return the fit of a system that is fitted anew: to all games, or to those of periods closed by a time (days).

        Raises
        ------
        InputError : the system learns from game to game.
        """
        if self.refits is None:
            raise InputError(f"system '{self.system.kind}' is not fitted anew", expected="bradley-terry or whr")
        return self.refits.last.fit if time is None else next(self.refits.at([time])).fit

    def predict(
        self, pairs: Pairs, time: Moment, *, edge: Edges = None, pool: str | None = None, season: str | None = None
    ) -> pl.DataFrame:  # fmt: skip
        """Return expected scores of games to come, by what is believed as of a moment; nothing is changed.

        Parameters
        ----------
        pairs : a table, or a file of one, with columns first and second (names) and perhaps edge, and stage where the
            system goes by it; or a sequence of pairs of names. All are players of the stream, those who have not played
            by then at their starts.
        time : a date, or days since 1970-01-01 UTC; as in `history`, it sees the periods that closed up to it, and
            deviations are aged to it.
        edge : 1 where first has the advantage, 0 on neutral ground, -1 where second has it; of all games or (n,) of
            each. None: the column of the table, or 0 without one.
        pool : in which the games are; needed where the replay was by pool.
        season : of the games, which may be a new one; None: that of the last game before.

        Returns
        -------
        A row for each pair: first, second, forecast (expected score of first, NaN where the system has none), and
        win, draw and loss (chances) where the system has a model of draws of its own.

        Raises
        ------
        InputError : a player is not in the stream or plays against themselves, a pool is lacking or unknown, or the
            system goes by more than who plays (`published`).

        >>> import ratesim as rs
        >>> games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
        >>> run = rs.replay(rs.Elo(), games, policy=rs.Constant(40))
        >>> run.predict([("A", "B")], 1)["forecast"].round(3).to_list()
        [0.557]
        """
        asked, day = asked_of(pairs, edge, self.stream.players["player"]), day_of(time)
        if self.session is not None:
            return told(asked, by_kernels(self.again(), asked, day, pool=pool, season=season))
        if self.refits is not None:
            fit = next(self.refits.at([day])).fit
            return told(asked, by_fit(fit, asked.first, asked.second, asked.edge, day))
        assert isinstance(self.system, WholeStream)  # noqa: S101  # all others have a session
        played = self.stream if self.order is None else self.stream.in_order(self.order)
        return told(asked, by_whole(self.system, played, self.calendar, asked, day))

    def save(self, path: str | Path) -> None:
        """Write all that the replay remembers, the evidence of the open period included.

        `replay(..., state=load_state(path))` goes on with later games, with the same bits as if there had been no cut.

        Raises
        ------
        InputError : the system is a whole-stream one, or was replayed beside others.
        """
        if self.session is None or len(self.session.variants) > 1:
            raise InputError(f"system '{self.system.kind}' has no state of its own to save")
        if self.session.kernels.passes > 1:
            said = f"system '{self.system.kind}' judges the games of an open period again, which no state holds"
            raise InputError(said, expected="a system that judges them once")
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

    def draws(self) -> Floats | None:
        """Return the chance of a draw of each game (G,) by the system's own model, None where it has none.

        A system made of kernels plays the games once more for it.
        """
        if self.session is None or self.session.kernels.draw is None:
            return self.drawn
        return restored(self.again(draws=True).advance(len(self.stream))[:, 0], self.order)

    def again(self, *, draws: bool = False) -> Session:
        """Return a session of the same replay that has played nothing yet; `draws` as in `Session`.

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
            earlier=old.earlier(self.session.stream) if old else None, before=old.before if old else None, draws=draws,
        )  # fmt: skip
