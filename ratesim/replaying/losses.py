"""Losses summed by month while games are played: what means, errors and paired differences are made from.

Sums go on from game to game in the order of the stream, so that they are those of all forecasts at once, bit for bit.
"""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError, nearest
from ..inference import Mean, Paired, Sums, difference, mean_of, month_blocks, paired_of
from ..metrics import Metric
from ..sample import Sampler, Strata
from ..state import Floats, Ints
from ..stream import GameStream

ALL: Final = "all"
SCHEMA: Final = {
    "metric": pl.String, "by": pl.String, "stratum": pl.String, "month": pl.Date, "total": pl.Float64,
    "games": pl.Float64, "left_out": pl.Float64,
}  # fmt: skip


class JudgedGames(NamedTuple):
    """The games of a piece that are judged."""

    mask: NDArray[np.bool_]  # (G,)
    score: Floats  # of the games judged, as all that follows
    block: Ints  # month, 0 that of the first game
    weight: Floats | None
    parts: Mapping[str, Strata]


class Judging:
    """Which games are judged, piece by piece, the same for all systems.

    Parameters
    ----------
    begins, ends : days of the first and the last game.
    sampler : which games are judged, and how they are told apart.
    """

    def __init__(self, begins: float, ends: float, sampler: Sampler) -> None:
        self.first, last = (int(month) for month in month_blocks([begins, ends]))
        self.months = last - self.first + 1
        self._sampler = sampler

    def over(self, games: GameStream) -> JudgedGames:
        """Return the games of the next piece that are judged."""
        mask, parts = self._sampler.take(games)
        weight = None if games.weight is None else games.weight[mask]
        judged = {by: Strata(each.code[mask], each.names) for by, each in parts.items()}
        return JudgedGames(mask, games.score[mask], month_blocks(games.time[mask]) - self.first, weight, judged)


class Tally:
    """Sums by stratum and month of one metric; (S, B), S as far as strata have been seen."""

    def __init__(self, months: int) -> None:
        self.names: tuple[str, ...] = ()
        self.sums = np.zeros((3, 0, months))  # of losses, of games, of games without a forecast

    def add(self, loss: Floats, strata: Strata, block: Ints, weight: Floats | None) -> None:
        """Add games one after the other."""
        place = {name: n for n, name in enumerate(dict.fromkeys((*self.names, *strata.names)))}
        if len(place) > len(self.names):
            self.names = tuple(place)
            more = np.zeros((3, len(place) - self.sums.shape[1], self.sums.shape[2]))
            self.sums = np.concatenate([self.sums, more], axis=1)
        code = np.array([place[name] for name in strata.names])[strata.code]
        there, weights = ~np.isnan(loss), np.ones(len(loss)) if weight is None else weight
        cell = code * self.sums.shape[2] + block
        for sums, some, value in (
            (self.sums[0], there, weights * np.where(there, loss, 0.0)), (self.sums[1], there, weights),
            (self.sums[2], ~there, weights),
        ):  # fmt: skip
            np.add.at(sums.reshape(-1), cell[some], value[some])


class Losses:
    """The losses of one system, summed as it is played."""

    def __init__(self, metrics: Mapping[str, Metric], judging: Judging) -> None:
        self._metrics, self._judging = metrics, judging
        self._tallies: dict[tuple[str, str], Tally] = {}

    def add(self, judged: JudgedGames, forecast: Floats) -> None:
        """Add the games of a piece that are judged, with their forecasts, NaN where there is none."""
        everything = Strata(np.zeros(len(judged.score), np.int32), (ALL,))
        for name, metric in self._metrics.items():
            loss = metric.each(forecast, judged.score)
            for by, strata in {ALL: everything, **judged.parts}.items():
                tally = self._tallies.setdefault((name, by), Tally(self._judging.months))
                tally.add(loss, strata, judged.block, judged.weight)

    def table(self) -> pl.DataFrame:
        """Return the sums as a table: metric, by, stratum, month (its first day), total, games, left_out."""
        return pl.concat([pl.DataFrame(schema=SCHEMA), *(self._rows(*key) for key in self._tallies)])

    def _rows(self, metric: str, by: str) -> pl.DataFrame:
        tally = self._tallies[metric, by]
        there: NDArray[np.bool_] = np.any(tally.sums != 0.0, axis=0)
        there[~there.any(axis=1), 0] = True  # a stratum without games is known all the same
        stratum, month = np.nonzero(there)
        total, games, left_out = tally.sums[:, stratum, month]
        days = (month + self._judging.first).astype("datetime64[M]").astype("datetime64[D]")
        names = pl.Series(list(tally.names), dtype=pl.String).gather(stratum)
        return pl.DataFrame(
            {"metric": pl.repeat(metric, len(names), eager=True), "by": pl.repeat(by, len(names), eager=True),
             "stratum": names, "month": days, "total": total, "games": games, "left_out": left_out},
            schema=SCHEMA,
        )  # fmt: skip


def sums_of(losses: pl.DataFrame, metric: str, by: str = ALL, stratum: str = ALL) -> Sums:
    """Return the sums of one metric by month.

    Raises
    ------
    InputError : the table has no such metric.
    """
    rows = _rows_of(losses, metric, by, stratum)
    there = rows.filter(pl.col("games") > 0)
    return Sums(there["total"].to_numpy(), there["games"].to_numpy(), math.fsum(rows["left_out"]))


def _rows_of(losses: pl.DataFrame, metric: str, by: str = ALL, stratum: str = ALL) -> pl.DataFrame:
    metrics = losses["metric"].unique(maintain_order=True).to_list()
    if metric not in metrics:
        near = nearest(metric, metrics)
        raise InputError(f"no losses by '{metric}'", expected="" if near else f"one of {', '.join(metrics)}", near=near)
    return losses.filter(metric=metric, by=by, stratum=stratum)


def mean_loss(losses: pl.DataFrame, metric: str, by: str = ALL, stratum: str = ALL) -> Mean:
    """Return the mean loss over games and its error, as `mean` finds it from all forecasts.

    Parameters
    ----------
    losses : as `StreamedRun.losses`.

    Raises
    ------
    InputError : the table has no such metric.
    """
    return mean_of(sums_of(losses, metric, by, stratum))


def paired_loss(
    a: pl.DataFrame, b: pl.DataFrame, metric: str, *, seed: int, level: float = 0.95, draws: int = 2000
) -> Paired:
    """Return the mean difference of two systems' losses over the same games, as `paired` finds it from all forecasts.

    Parameters
    ----------
    a, b : as `StreamedRun.losses`, of systems that forecast every game.

    Raises
    ------
    InputError : they are not of the same games, a game has no forecast, or there is no such metric.
    """
    one, other = sums_of(a, metric), sums_of(b, metric)
    if one.left_out or other.left_out:
        raise InputError("games without a forecast", where="losses", expected="all forecasts, to see which have both")
    months = [_rows_of(each, metric).filter(pl.col("games") > 0).select("month", "games") for each in (a, b)]
    if not months[0].equals(months[1]):
        raise InputError("losses of different games", where="losses", expected="the same games")
    return paired_of(Sums(difference(one.total, other.total), one.games), seed=seed, level=level, draws=draws)
