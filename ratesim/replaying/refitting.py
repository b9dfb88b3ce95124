"""Replays of systems that are fitted anew to all games so far, and what such a replay believes at any moment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from ..calendars import Schedule
from ..state import Floats
from ..systems.base import Fit, Games, Refit
from .predicting import Foreseen, by_fit


class FitThen(NamedTuple):
    """A fit as of a moment."""

    day: float  # since 1970-01-01
    upto: int  # games that had been played in periods that had closed
    fit: Fit


@dataclass(frozen=True, eq=False)
class Refits:
    """A replay that can be fitted again as of any moment.

    Attributes
    ----------
    columns, schedule : the games in order of time, and their periods.
    last : the fit to all games.
    foreseen : what was made of all games, as the fits of their periods had it.
    unsettled : periods whose fit did not come to an end.
    """

    system: Refit
    columns: Games
    schedule: Schedule
    last: FitThen
    foreseen: Foreseen = field(repr=False)
    unsettled: list[int] = field(default_factory=list, repr=False)

    def at(self, days: Sequence[float] | Floats) -> Iterator[FitThen]:
        """Yield the fits as of days, in rising order: each sees the periods that have closed by then.

        In hindsight every one is the fit to all games.
        """
        fitter, schedule = self.system.fitter(self.columns), self.schedule
        for day in np.unique(np.asarray(days, dtype=np.float64)).tolist():
            period = schedule.base + int(np.searchsorted(schedule.closes, day, side="right"))
            upto = int(np.searchsorted(schedule.at, period))
            fit = self.last.fit if self.system.hindsight else fitter.refit(upto, day)
            yield FitThen(day, upto, fit)

    def table(self, then: FitThen, names: pl.Series) -> pl.DataFrame:
        """Return what is believed of everybody: player, rating, games (that counted), then the system's own columns."""
        columns = then.fit.columns(then.day)
        games = self.games(then.upto)
        return pl.DataFrame({"player": names, "rating": columns.pop("rating"), "games": games, **columns})

    def games(self, upto: int) -> Floats:
        """Return how many of the first games counted of each player (N,), by their weights."""
        c = self.columns
        sides = np.stack([c.first[:upto], c.second[:upto]], axis=1).ravel()
        weight = None if c.weight is None else np.repeat(c.weight[:upto], 2)
        return np.bincount(sides, weight, c.players).astype(np.float64)


def refitted(system: Refit, columns: Games, schedule: Schedule) -> Refits:
    """Forecast each period by the fit to all games of earlier ones; in hindsight, all games by the fit to all.

    Raises
    ------
    InputError : as the system's fits.
    """
    fitter, count, closes = system.fitter(columns), len(columns.score), float(schedule.closes[-1])
    if system.hindsight:
        last = FitThen(closes, count, fitter.refit(count, closes))
        foreseen = _foreseen(last.fit, columns, slice(0, count))
        return Refits(system, columns, schedule, last, foreseen, [] if last.fit.settled else [int(schedule.at[0])])
    told, unsettled = [], []
    for period, rows in _periods(schedule):
        fit = fitter.refit(rows.start, float(schedule.opens[period - schedule.base]))
        told.append(_foreseen(fit, columns, rows))
        unsettled += [] if fit.settled else [period]
    last = FitThen(closes, count, fitter.refit(count, closes))
    unsettled += [] if last.fit.settled else [int(schedule.at[-1])]
    draws = [each.draw for each in told if each.draw is not None]
    foreseen = Foreseen(np.concatenate([each.forecast for each in told]), np.concatenate(draws) if draws else None)
    return Refits(system, columns, schedule, last, foreseen, unsettled)


def _foreseen(fit: Fit, games: Games, rows: slice) -> Foreseen:
    edge = None if games.edge is None else games.edge[rows]
    return by_fit(fit, games.first[rows], games.second[rows], edge, games.time[rows])


def _periods(schedule: Schedule) -> Iterator[tuple[int, slice]]:
    """Yield each period that has games, with its rows."""
    begins = np.append(0, np.flatnonzero(np.diff(schedule.at)) + 1)
    for begin, end in zip(begins, np.append(begins[1:], len(schedule.at)), strict=True):
        yield int(schedule.at[begin]), slice(int(begin), int(end))
