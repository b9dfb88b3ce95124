"""How near ratings come to the truth of a simulated stream."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..stream import GameStream
from .table import Z95, EmptyFigureError, FigureTable, counted, listed, meta_of, with_ratings, without_ratings

Floats = NDArray[np.float64]
FEWEST = 10  # players behind a point of the figure
COLUMNS = {
    "system": pl.String,
    "games": pl.Float64,
    "n": pl.Int64,
    **{f"{name}{end}": pl.Float64 for name in ("rmse", "correlation") for end in ("", "_low", "_high")},
    "claimed": pl.Float64,
}


class Band(NamedTuple):
    """A statistic and its 95 % band."""

    value: float
    low: float
    high: float


def milestones(games: GameStream, points: int = 40) -> Floats:
    """Return times at which to read histories for `convergence`: evenly spaced in the logarithm of games played.

    The k-th is the time of the game by which players have played g_k games on average, g from 1 to all of them.
    """
    total = np.cumsum(np.ones(len(games)) if games.weight is None else games.weight)
    each = 2 * float(total[-1]) / games.n_players
    played = np.geomspace(min(1.0, each), each, points)
    last = np.minimum(np.searchsorted(total, played * games.n_players / 2, side="right"), len(games) - 1)
    return np.unique(games.time[last])


def convergence(histories: Mapping[str, pl.DataFrame], games: GameStream, *, name: str = "convergence") -> FigureTable:
    """Return how near ratings come to the skills of a simulated stream, by games played.

    Players are put together by the games they have played, 1, 2, 3, 4-5, 6-7, 8-10, 11-15, ...: each enters a group
    once, with the first reading that finds them there. Only differences of ratings mean anything, so at each time the
    mean of rating - skill over all players seen is taken off first.

    Parameters
    ----------
    histories : by label of the run, all players at times such as `milestones(games)`, as `history` takes them, with
        `games` played.
    games : a simulated stream.
    name : of the figure.

    Returns
    -------
    A row a system and group of at least ten players: games (mean of the group), n, the RMSE of ratings and their
    correlation with skill, each with a 95 % band (delta method; Fisher's z), and `claimed`, the root mean square of
    the deviations that the system claims (null without), which an honest system has equal to its RMSE.

    Raises
    ------
    InputError : the stream is not simulated, no run keeps ratings, or there is no such group.
    """
    if games.skill_first is None or games.skill_second is None:
        raise InputError("no skills to converge to", where=f"figure {name}", expected="a simulated stream")
    rated = with_ratings(histories)
    frame = pl.concat([_converging(label, frame, games) for label, frame in rated.items()])
    if frame.is_empty():
        said = f"no {FEWEST} players have played equally many games"
        raise EmptyFigureError(said, where=f"figure {name}", expected="a stream of more players or games")
    claims = [label for label in rated if "deviation" in rated[label].columns]
    differ = frame["correlation"].is_finite().any()
    caption = (
        f"How near ratings come to the true skills of {games.n_players:,} simulated players in "
        f"{counted(len(games), 'game')}, by games played, for {listed(list(rated))}. Root mean square error in rating "
        f"points, the mean error of all players taken off{', and correlation with skill' if differ else ''}. "
        "Shaded: 95 % bands over players. "
        + _ends(frame)
        + (f"Dotted: the error that a system claims by its deviations ({listed(claims)}). " if claims else "")
        + without_ratings(histories, rated)
    )
    return FigureTable(name, frame, caption.strip(), meta_of("convergence", "Convergence to true skill", rated))


def _ends(frame: pl.DataFrame) -> str:
    """Where the lines end, in words."""
    last = frame.group_by("system", maintain_order=True).last().rows(named=True)
    ends = [f"{row['rmse']:.1f} by {row['system']}" for row in last]
    return f"Error at the end, after {counted(round(last[0]['games']), 'game')} each: {listed(ends)}. "


def groups(most: int) -> list[int]:
    """Return where groups of games played begin, two to each doubling.

    >>> groups(50)
    [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45]
    """
    return sorted({begin for k in range(2 * most.bit_length()) if (begin := round(2 ** (k / 2))) <= most})


def _converging(label: str, history: pl.DataFrame, games: GameStream) -> pl.DataFrame:
    error = pl.col("rating") - pl.col("skill")
    claim = pl.col("deviation") if "deviation" in history.columns else pl.lit(None, dtype=pl.Float64)
    read = (
        history.sort("time", maintain_order=True)
        .join_asof(skills(games), on="time", by="player", check_sortedness=False)
        .drop_nulls("skill")  # of those whose first game is to come, in an event that has begun
        .with_columns(error=error - error.mean().over("time"), claim=claim)
        .filter(pl.col("games") >= 1)
    )
    if read.is_empty():
        return _points(label, [])
    begins = groups(int(read["games"].to_numpy().max()))
    read = read.with_columns(group=pl.Series(np.searchsorted(begins, read["games"].to_numpy(), side="right")))
    whose = [name for name in ("player", "pool") if name in read.columns]
    first = read.unique([*whose, "group"], keep="first", maintain_order=True)
    parts = first.sort("group", maintain_order=True).partition_by("group", maintain_order=True)
    return _points(label, [part for part in parts if part.height >= FEWEST])


def skills(games: GameStream) -> pl.DataFrame:
    """Return the skill of each player at each of their games, in order of time."""
    names = games.players["player"].gather(np.concatenate([games.first, games.second]))
    skill = np.concatenate([games.skill_first, games.skill_second])
    return pl.DataFrame({"player": names, "time": np.tile(games.time, 2), "skill": skill}).sort(
        "time", maintain_order=True
    )


def _points(label: str, parts: list[pl.DataFrame]) -> pl.DataFrame:
    rows = []
    for part in parts:
        error, correlation = rmse(part["error"].to_numpy()), _correlation(part)
        claimed = None if part["claim"][0] is None else math.sqrt(float(np.mean(part["claim"].to_numpy() ** 2)))
        rows.append((label, float(part["games"].to_numpy().mean()), part.height, *error, *correlation, claimed))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def mean(values: Floats) -> Band:
    """Return the mean, in NumPy, whose sums are the same with any number of cores."""
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(len(values))
    middle = float(values.mean())
    return Band(middle, middle - half, middle + half)


def rmse(error: Floats) -> Band:
    """Return the root mean square, with a band by the delta method."""
    middle, low, high = mean(error * error)
    return Band(math.sqrt(middle), math.sqrt(max(0.0, low)), math.sqrt(high))


def _correlation(part: pl.DataFrame) -> Band:
    rating, skill = part["rating"].to_numpy(), part["skill"].to_numpy()
    if np.ptp(rating) == 0 or np.ptp(skill) == 0:
        return Band(math.nan, math.nan, math.nan)
    r = float(np.corrcoef(rating, skill)[0, 1])
    z, half = math.atanh(min(max(r, -1 + 1e-15), 1 - 1e-15)), Z95 / math.sqrt(part.height - 3)
    return Band(r, math.tanh(z - half), math.tanh(z + half))
