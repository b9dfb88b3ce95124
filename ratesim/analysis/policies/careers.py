"""The K in force over the careers of players."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ..means import groups
from ..remaining import FEWEST
from ..table import EmptyFigureError, FigureTable, counted, listed

LOW, HIGH = 0.1, 0.9  # quantiles of the band
ALL = "all players"
COLUMNS = {
    "panel": pl.String, "line": pl.String, **dict.fromkeys(("x", "y", "low", "high"), pl.Float64), "n": pl.Int64,
}  # fmt: skip


def careers(
    gains: Mapping[str, pl.DataFrame], players: Sequence[str] = (), *, days: bool = False, name: str = "careers"
) -> FigureTable:
    """Return the K in force by games played, over all players, and over time for some.

    Parameters
    ----------
    gains : by label of the run, what `rs.k_in_force` returns of all players at moments close together: time, player,
        games before, k. Runs of systems with neither K nor deviations are empty, and left out.
    players : whose K is told over time.
    days : time is counted in days, as in a simulated stream, and not shown as dates.
    name : of the figure.

    Returns
    -------
    Rows of the panel "all players": line (label of the run), x (games played before), y (the median of K over players),
    low and high (its quantiles .1 and .9), n (players). Each player enters a group of 0, 1, 2, 3, 4-5, 6-7, 8-10, ...
    games once, with the first game in it; groups of fewer than ten players are left out. Then rows of a panel for each
    player: x (time), y (K); low, high and n are null.

    Raises
    ------
    InputError : no group has ten players, and none of the players named has a game.
    """
    told = {label: frame for label, frame in gains.items() if frame.height and "games" in frame.columns}
    parts = [pl.DataFrame(schema=COLUMNS), *(_by_games(label, frame) for label, frame in told.items())]
    parts += [_over_time(label, frame, player) for player in players for label, frame in told.items()]
    frame = pl.concat(parts)
    if frame.is_empty():
        said = f"no {FEWEST} players with a K in force"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more players, or a system with K or deviations")
    panels = [each for each in (ALL, *players) if each in set(frame["panel"])]
    effective = [label for label, each in told.items() if "deviation" in each.columns]
    caption = (
        f"The K-factor in force by {listed(list(told))}. All players: median over players (line) and the middle eight "
        "tenths of them (band), by games played before. "
        + (f"Over time for {listed(panels[1:])}: K of each game. " if len(panels) > 1 else "")
        + (f"Of {listed(effective)}, which have deviations and no K, it is the effective K of a game with an equal of "
           "the same deviation RD: q g / (1 / RD² + q² g² / 4). " if effective else "")
        + _after(frame)
    )  # fmt: skip
    meta = {"drawing": "careers", "title": "K in force", "panels": panels, "lines": list(told), "days": days}
    return FigureTable(name, frame, caption.strip(), meta | {"runs": list(gains)})


def _by_games(label: str, gains: pl.DataFrame) -> pl.DataFrame:
    """Return quantiles of K over players, by games played."""
    whose = [each for each in ("player", "pool") if each in gains.columns]
    begins = [0, *groups(int(gains["games"].to_numpy().max()) + 1)]
    group = np.searchsorted(begins, gains["games"].to_numpy(), side="right")
    entered = (
        gains.with_columns(group=pl.Series(group))
        .sort("time", maintain_order=True)
        .unique([*whose, "group"], keep="first", maintain_order=True)
        .sort("group", *whose)
    )
    rows = []
    for part in entered.partition_by("group", maintain_order=True):
        if part.height >= FEWEST:
            k, games = part["k"].to_numpy(), part["games"].to_numpy()
            middle, low, high = np.quantile(k, [0.5, LOW, HIGH]).tolist()
            rows.append((ALL, label, float(games.mean()), middle, low, high, part.height))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _over_time(label: str, gains: pl.DataFrame, player: str) -> pl.DataFrame:
    """Return K of each of a player's games; of one in several pools, game by game in any of them."""
    own = gains.filter(pl.col("player") == player).sort("time", maintain_order=True)
    none = pl.lit(None, dtype=pl.Float64)
    return own.select(
        panel=pl.lit(player), line=pl.lit(label), x=pl.col("time").cast(pl.Float64), y="k", low=none, high=none,
        n=pl.lit(None, dtype=pl.Int64),
    )  # fmt: skip


def _after(frame: pl.DataFrame) -> str:
    """What the last group of each run has, in words."""
    last = frame.filter(pl.col("panel") == ALL).group_by("line", maintain_order=True).last().rows(named=True)
    said = [
        f"{row['y']:.1f} of the {counted(row['n'], 'player')} left after {row['x']:,.0f} games by {row['line']}"
        for row in last
    ]
    return f"Median K: {listed(said)}." if said else ""
