"""First ratings of newcomers against their true skill."""

from collections.abc import Collection, Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..given import check_games
from ..stream import GameStream
from .means import skills
from .table import EmptyFigureError, FigureTable, counted, listed, meta_of, with_ratings, without_ratings

FEWEST = 10  # newcomers behind a point of the figure
WIDTH = 100  # rating points
COLUMNS = {
    "system": pl.String,
    "from": pl.Float64,
    "n": pl.Int64,
    **dict.fromkeys(("skill", "rated", "error", "low", "high", "rmse"), pl.Float64),
}


def initial(
    histories: Mapping[str, pl.DataFrame], games: GameStream, started: Collection[str] = (), *, name: str = "initial"
) -> FigureTable:
    """Return how far first ratings are from the skills of newcomers to a simulated stream, by skill.

    Parameters
    ----------
    histories : by label of the run, all players on the first of each month, as `history` takes them; NaN of those who
        are not rated.
    games : a simulated stream.
    started : names of those who began with a rating; all others are newcomers.
    name : of the figure.

    Returns
    -------
    A row a system and band of 100 points of skill with at least ten newcomers: from, n, skill (their mean), rated (the
    share who got a rating), and the error of first ratings: mean, 10th and 90th percentile (low, high), and rmse; NaN
    where fewer than ten got one.

    Raises
    ------
    InputError : the stream is not simulated, no run keeps ratings, or no band has ten newcomers.
    """
    check_games(games)
    if games.skill_first is None:
        raise InputError("no skills to compare with", where=f"figure {name}", expected="a simulated stream")
    newcomers = skills(games).unique("player", keep="first", maintain_order=True)
    newcomers = newcomers.filter(~pl.col("player").is_in(list(started))).select("player", "skill")
    rated = with_ratings(histories)
    firsts = {label: _firsts(each, newcomers) for label, each in rated.items()}
    frame = pl.concat([_banded(label, each) for label, each in firsts.items()])
    if frame.is_empty():
        raise EmptyFigureError(f"no {FEWEST} newcomers", where=f"figure {name}", expected="players without a rating")
    caption = (
        f"First ratings of {counted(len(newcomers), 'simulated newcomer')} minus their true skill, by skill in bands "
        f"of {WIDTH} points, by {listed(list(rated))}: mean, shaded where the middle 80 % lie, and root mean square. "
        f"{''.join(_said(*each) for each in firsts.items())}{without_ratings(histories, rated)}"
    )
    return FigureTable(name, frame, caption.strip(), meta_of("initial", "First ratings against skill", rated))


def _firsts(history: pl.DataFrame, newcomers: pl.DataFrame) -> pl.DataFrame:
    """Return newcomers with their skill and the error of their first rating, null without one."""
    first = history.sort("time", maintain_order=True).unique("player", keep="first", maintain_order=True)
    found = newcomers.join(first.select("player", "rating"), on="player", how="left", maintain_order="left")
    return found.select("skill", error=pl.col("rating") - pl.col("skill"))


def _banded(label: str, firsts: pl.DataFrame) -> pl.DataFrame:
    into = np.floor(firsts["skill"].to_numpy() / WIDTH)
    rows = []
    for band in np.unique(into):
        here = firsts.filter(into == band)
        if len(here) >= FEWEST:
            error = here["error"].drop_nulls().to_numpy()
            share = len(error) / len(here)
            rows.append(
                (label, band * WIDTH, len(here), float(here["skill"].to_numpy().mean()), share, *_spread(error))
            )
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _spread(error: NDArray[np.float64]) -> tuple[float, float, float, float]:
    if len(error) < FEWEST:
        return np.nan, np.nan, np.nan, np.nan
    low, high = np.quantile(error, [0.1, 0.9])
    return float(error.mean()), float(low), float(high), float(np.sqrt(np.mean(error**2)))


def _said(label: str, firsts: pl.DataFrame) -> str:
    error = firsts["error"].drop_nulls().to_numpy()
    if not len(error):
        return f"By {label} nobody got one. "
    return (
        f"By {label} {len(error):,} got one, {error.mean():+.0f} points from their skill on average and "
        f"{np.sqrt(np.mean(error**2)):.0f} in the root mean square. "
    )
