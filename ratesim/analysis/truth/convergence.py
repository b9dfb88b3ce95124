"""The figure of convergence: how near ratings come to skills by games played, beside what theory says."""

import math
from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ...curves import Q
from ...errors import InputError
from ...stream import GameStream
from ...theory import mean_field
from ..remaining import ENDING, FEWEST, enough
from ..table import Z95, EmptyFigureError, FigureTable, counted, listed, meta_of
from .gathering import Runs, fewer, gathered, replicated

POOL = 40  # players that stand for all on paper
Floats = NDArray[np.float64]


def convergence(
    runs: Runs, *, theory: Mapping[str, pl.DataFrame] | None = None, name: str = "convergence"
) -> FigureTable:
    """Return how near ratings come to the skills of a simulated world, by games played.

    Parameters
    ----------
    runs : by label, what `truth_tables` returns.
    theory : by label, tables with columns games and rmse, such as `expected_convergence` returns.
    name : of the figure.

    Returns
    -------
    A row a system and group of games played: games (mean of the group), n (players of all replicates, at least ten and
    a tenth of the most in any group), the RMSE of ratings after the best shift and their correlation with skill, each
    with a 95 % band over replicates (of a single one, over players: delta method; Fisher's z), `claimed`, the root mean
    square of the deviations that the system claims (null without), `replicates` behind the row, and `theory`, the RMSE
    on paper (null without).

    Raises
    ------
    InputError : no group has ten players.
    """
    frame = gathered(runs, "games")
    if frame.height:
        count = pl.concat(list(_counts(runs)))
        joined = frame.join(count, on=("system", "from"), how="left", maintain_order="left")
        frame = joined.filter(enough("n"))
    if frame.is_empty():
        said = f"no {FEWEST} players have played equally many games"
        raise EmptyFigureError(said, where=f"figure {name}", expected="a stream of more players or games")
    alone = frame["replicates"].max() == 1
    frame = (_over_players(frame) if alone else frame.rename(_renamed(""))).select(
        "system", "games", "n", *(f"{what}{end}" for what in ("rmse", "correlation") for end in ("", "_low", "_high")),
        "claimed", "replicates",
    )  # fmt: skip
    frame = frame.with_columns(theory=_read(frame, theory or {}))
    labels = frame["system"].unique(maintain_order=True).to_list()
    differ = frame["correlation"].is_not_null().any()
    claims = frame.filter(pl.col("claimed").is_not_null())["system"].unique(maintain_order=True).to_list()
    caption = (
        f"How near ratings come to the true skills of simulated players, by games played, for {listed(labels)}. "
        "Root mean square error in rating points, the mean error of all players taken off"
        f"{', and correlation with skill' if differ else ''}. "
        f"{'Shaded: 95 % bands over players.' if alone else replicated(runs)} {_ends(frame)}{ENDING} "
        + (f"Dotted: the error that a system claims by its deviations ({listed(claims)}). " if claims else "")
        + (f"Dashed: what theory says for {listed(list(theory))}. " if theory else "")
    )
    return FigureTable(
        name, frame, caption.strip() + fewer(frame), meta_of("convergence", "Convergence to true skill", labels)
    )


def expected_convergence(stream: GameStream, k: float, points: int = 60) -> pl.DataFrame:
    """Return the error of Elo with a constant K over games played, on paper: where pairs are drawn at random.

    Skills stand still, and all begin with one rating. Mean ratings follow the mean-field equation (T9), of quantiles of
    the skills. About them ratings scatter by the variance of T8, which begins at 0: with M players in the pool,
    V (1 - a^(n M / 2)) after n games each, a = 1 - 4 beta (h1 - beta h2) / (M - 1) and
    V = (M - 1) / (2 M) s^2 beta Var(S) / (h1 - beta h2), where Var(S), h1 and h2 are means over the games of the stream
    of (S - p)^2, p (1 - p) and its square. Good for K up to about .2 s, as T8 is: some 4 % too small by then.

    Returns
    -------
    games (of each player), rmse (rating points, after the best shift).

    Raises
    ------
    InputError : the stream is not simulated.
    """
    if stream.truth is None or "skill" not in stream.players.columns:
        raise InputError("no skills to converge to", expected="a stream that a world simulated")
    each = 2 * len(stream) / stream.n_players
    games = np.unique(np.geomspace(min(1.0, each), 2 * each, points))  # some play more than others
    own = stream.players["skill"].to_numpy().reshape(stream.players["replicate"].n_unique(), -1)
    skill = np.quantile(own - own.mean(axis=1, keepdims=True), (np.arange(POOL) + 0.5) / POOL)
    pairs = np.full((POOL, POOL), 2 / (POOL * (POOL - 1))) - np.diag(np.full(POOL, 2 / (POOL * (POOL - 1))))
    mean = mean_field(skill, pairs, k, (games * POOL / 2).tolist())
    bias = ((mean - skill) ** 2).mean(axis=1)
    scatter = _scatter(stream, k * Q, games)
    return pl.DataFrame({"games": games, "rmse": np.sqrt(bias + scatter)})


def _scatter(stream: GameStream, beta: float, games: Floats) -> Floats:
    """Return the variance of ratings about their means after games of each player, rating points squared."""
    assert stream.truth is not None  # noqa: S101  # the caller has looked
    players = stream.n_players // stream.players["replicate"].n_unique()
    noise, slope = (stream.score - stream.truth) ** 2, stream.truth * (1 - stream.truth)
    h = float(slope.mean()) - beta * float((slope * slope).mean())
    rest = (players - 1) / (2 * players) * beta * float(noise.mean()) / h / Q**2
    found: Floats = rest * (1 - (1 - 4 * beta * h / (players - 1)) ** (games * players / 2))
    return found


def _renamed(end: str) -> dict[str, str]:
    return {"rmse": "raw", "shifted": "rmse", **{f"rmse_{end}": f"raw_{end}" for end in ("low", "high")}} | {
        f"shifted_{end}": f"rmse_{end}" for end in ("low", "high")
    }


def _counts(runs: Runs) -> list[pl.DataFrame]:
    """Return how many players of all replicates enter each group."""
    return [
        tables["games"].group_by("from", maintain_order=True).agg(n=pl.col("players").sum().cast(pl.Int64))
        .select(pl.lit(label).alias("system"), "from", "n")
        for label, tables in runs.items() if "games" in tables
    ]  # fmt: skip


def _over_players(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the means of a single replicate, with bands over its players."""
    rmse, r, n = (frame[each].fill_null(math.nan).to_numpy() for each in ("shifted", "correlation", "n"))
    half = Z95 * 2 * rmse * frame["shifted_se"].fill_null(math.nan).to_numpy()
    z, about = np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15)), Z95 / np.sqrt(np.maximum(n - 3, 1))
    bands = {"rmse_low": np.sqrt(np.maximum(rmse**2 - half, 0)), "rmse_high": np.sqrt(rmse**2 + half)}
    bands |= {"correlation_low": np.tanh(z - about), "correlation_high": np.tanh(z + about)}
    return frame.with_columns(
        pl.Series("rmse", rmse), *(pl.Series(name, values).fill_nan(None) for name, values in bands.items())
    )


def _read(frame: pl.DataFrame, theory: Mapping[str, pl.DataFrame]) -> pl.Series:
    """Return what theory says at the games of each row, null where it says nothing."""
    values = np.full(len(frame), np.nan)
    for label, curve in theory.items():
        here = (frame["system"] == label).to_numpy()
        games = frame["games"].to_numpy()[here]
        values[here] = np.interp(np.log(games), np.log(curve["games"]), curve["rmse"], left=np.nan, right=np.nan)
    return pl.Series(values).fill_nan(None)


def _ends(frame: pl.DataFrame) -> str:
    """Where the lines end, in words."""
    last = frame.group_by("system", maintain_order=True).last().rows(named=True)
    ends = [f"{row['rmse']:.1f} by {row['system']}" for row in last]
    games, players = round(last[0]["games"]), last[0]["n"]
    return f"Error at the end, after {counted(games, 'game')} each of {counted(players, 'player')}: {listed(ends)}. "
