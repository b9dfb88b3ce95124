"""What is in a stream of games, before anything is rated: counts, and what they mean for ratings."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..curves import Q
from ..given import check_games
from ..stream import GameStream
from .connectivity import Connectivity, connectivity

QUANTILES = (0, 0.25, 0.5, 0.75, 0.95, 1)
OPTIONAL = ("edge", "margin", "weight", "season", "stage", "event", "pool", "published_first", "published_second")
FEWEST = 10  # games after which sides that never changed are no accident
MOST = 5  # of what could be many: components, bridges
GAPS = 3
Facts = dict[str, Any]


def inspection(stream: GameStream, found: Connectivity | None = None) -> Facts:
    """Return what can be counted in a stream without rating anything.

    Parameters
    ----------
    stream : the games.
    found : what `connectivity` found of it, where that is known already.

    Returns
    -------
    Numbers, shares (0 to 1), names and dates, as JSON has them:

    - `games`, `players` (of the table of players), `replicates` (of a world; null where the stream is of none), `from`,
      `to` (UTC), `digest`, `notes`, `optional_columns`;
    - `weightless` (games of weight 0: in all counts, shares and means of games, not in those of players, components and
      bridges);
    - `draws` (share of scores of ½), `first_score` (mean score of first), `edge` (share of games in which first, nobody
      and second had it, and the mean score of who had it; null where the stream has none);
    - `time_stamps` (how many), `shared_stamps` (share of games that have theirs with another), `midnight` (share of
      games at 0:00), `gaps` (the longest without a game, in days);
    - `games_per_player` (quantiles over those who played), `played` (how many did), `one_game`, `only_wins`,
      `only_losses`, `only_draws` (players);
    - `published` (share of games with both ratings; lowest and highest rating; mean score of the higher rated, and what
      the logistic curve of scale 400 expects of them; null where the stream has none), `pools` (games and players of
      each, most games first), `stages` (games of each, most first; null as with pools), `events` (how many, and games
      of the median one);
    - `one_sided`: of the players with at least `fewest` games (`players`), those who always or never had the edge, one
      side having it in all their games, and those who were always first, or always second;
    - `connectivity`: components (`largest`, and up to five `next`), bridges (`bridges`, `beyond_bridges`: players whom
      bridges alone join to the largest solid part of their component, and up to five `main_bridges`), and strong parts
      (`strong_parts`, and players in the `largest_strong`). See `connectivity`.
    """
    check_games(stream)
    found = found or connectivity(stream)
    games, players = len(stream), found.players
    return {
        "games": games,
        "weightless": 0 if stream.weight is None else int(np.count_nonzero(stream.weight == 0)),
        "players": stream.n_players,
        "replicates": _replicates(stream),
        **_times(stream),
        "draws": float(np.mean(stream.score == 0.5)) if games else None,
        "first_score": float(np.mean(stream.score)) if games else None,
        "edge": _edge(stream),
        "games_per_player": _quantiles(players["games"].to_numpy()),
        "played": players.height,
        **_kinds(players),
        "published": _published(stream),
        "pools": _pools(stream),
        "stages": _stages(stream),
        "events": _events(stream),
        "one_sided": _one_sided(players),
        "connectivity": _connected(found),
        "optional_columns": [name for name in OPTIONAL if getattr(stream, name) is not None],
        "digest": stream.digest,
        "notes": list(stream.notes),
    }


def _replicates(stream: GameStream) -> int | None:
    return stream.players["replicate"].n_unique() if "replicate" in stream.players.columns else None


def _times(stream: GameStream) -> Facts:
    time, games = stream.time, len(stream)
    if not games:
        return {"from": None, "to": None, "time_stamps": 0, "shared_stamps": None, "midnight": None, "gaps": []}
    begins = np.flatnonzero(np.append(True, time[1:] != time[:-1]))  # of each stamp
    shared = np.diff(np.append(begins, games))
    stamps = time[begins]
    gaps = np.diff(stamps)
    longest = np.argsort(-gaps, kind="stable")[:GAPS]
    dates = clocks(time[[0, -1]])
    return {
        "from": dates[0],
        "to": dates[1],
        "time_stamps": len(stamps),
        "shared_stamps": float(shared[shared > 1].sum() / games),
        "midnight": float(np.mean(time == np.floor(time))),
        "gaps": [
            {"days": days, "from": last, "to": next_}
            for days, last, next_ in zip(
                gaps[longest].tolist(), clocks(stamps[longest]), clocks(stamps[longest + 1]), strict=True
            )
        ],
    }


def clocks(days: NDArray[np.float64]) -> list[str]:
    """Return days since 1970-01-01 as texts, such as 2024-01-31 17:30:00, to the nearest millisecond.

    >>> clocks(np.array([25 / 86_400]))
    ['1970-01-01 00:00:25']
    """
    known = pl.Series(np.round(days * 86_400_000)).cast(pl.Int64).cast(pl.Datetime("ms"))
    return [moment.isoformat(" ") for moment in known]


def _edge(stream: GameStream) -> Facts | None:
    edge = stream.edge
    if edge is None or not len(edge):
        return None
    one, other = edge > 0, edge < 0
    there = int(np.count_nonzero(one) + np.count_nonzero(other))
    points = float(stream.score[one].sum() + (1 - stream.score[other]).sum())
    return {
        "first": float(np.mean(one)),
        "neutral": float(np.mean(edge == 0)),
        "second": float(np.mean(other)),
        "score": points / there if there else None,
    }


def _quantiles(games: NDArray[np.int64]) -> dict[str, float]:
    return (
        {f"{q:.0%}": float(value) for q, value in zip(QUANTILES, np.quantile(games, QUANTILES), strict=True)}
        if len(games)
        else {}
    )


def _kinds(players: pl.DataFrame) -> dict[str, int]:
    """Count players whose results leave a rating open, or at no more than one game."""
    counts = {"one_game": pl.lit(1), "only_wins": pl.col("wins"), "only_losses": pl.col("losses")}
    counts["only_draws"] = pl.col("draws")
    found = players.select((pl.col("games") == each).sum().alias(name) for name, each in counts.items())
    return dict.fromkeys(counts, 0) if players.is_empty() else found.row(0, named=True)


def _published(stream: GameStream) -> Facts | None:
    from scipy.special import expit  # slow to import

    first, second = stream.published_first, stream.published_second
    if first is None or second is None or not len(first):
        return None
    apart = first - second
    apart, score = apart[~np.isnan(apart)], stream.score[~np.isnan(apart)]
    sign = np.sign(apart)
    told = sign != 0
    known = np.concatenate([first, second])
    known = known[~np.isnan(known)]
    return {
        "both": len(apart) / len(stream),
        "low": float(known.min()) if len(known) else None,
        "high": float(known.max()) if len(known) else None,
        "higher_score": float(np.mean(0.5 + sign * (score - 0.5), where=told)) if told.any() else None,
        "expected_score": float(np.mean(expit(Q * np.abs(apart)), where=told)) if told.any() else None,
    }


def _pools(stream: GameStream) -> list[Facts] | None:
    if stream.pool is None:
        return None
    games = np.bincount(stream.pool, minlength=len(stream.pools))
    side = np.concatenate([stream.first, stream.second]) * np.int64(len(stream.pools))
    seen = pl.Series(side + np.tile(stream.pool, 2)).unique().to_numpy() % max(1, len(stream.pools))
    players = np.bincount(seen, minlength=len(stream.pools))
    order = np.argsort(-games, kind="stable").tolist()
    return [{"pool": stream.pools[k], "games": int(games[k]), "players": int(players[k])} for k in order if games[k]]


def _stages(stream: GameStream) -> list[Facts] | None:
    if stream.stage is None:
        return None
    games = np.bincount(stream.stage, minlength=len(stream.stages))
    order = np.argsort(-games, kind="stable").tolist()
    return [{"stage": stream.stages[k], "games": int(games[k])} for k in order if games[k]]


def _events(stream: GameStream) -> Facts | None:
    if stream.event is None or not len(stream):
        return None
    _, games = np.unique(stream.event, return_counts=True)
    return {"events": len(games), "median_games": float(np.median(games))}


def _one_sided(players: pl.DataFrame) -> Facts:
    asked = players.filter(pl.col("games") >= FEWEST)
    games = pl.col("games")
    counts = asked.select(
        players=pl.len(),
        always_ahead=(pl.col("ahead") == games).sum(),
        always_behind=(pl.col("behind") == games).sum(),
        always_first=(pl.col("as_first") == games).sum(),
        always_second=(pl.col("as_first") == 0).sum(),
    )
    return {"fewest": FEWEST, **counts.row(0, named=True)}


def _connected(found: Connectivity) -> Facts:
    components = found.components.drop("component").head(MOST + 1).to_dicts()
    return {
        "components": found.components.height,
        "largest": components[0] if components else None,
        "next": components[1:],
        "bridges": found.bridges.height,
        "beyond_bridges": int(found.players["bridged"].sum()),
        "main_bridges": found.bridges.head(MOST).to_dicts(),
        "strong_parts": found.strong.height,
        "largest_strong": int(found.strong["players"][0]) if found.strong.height else 0,
    }
