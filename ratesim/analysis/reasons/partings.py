"""Which games parted two systems about one player: the difference of their ratings, taken apart into what made it."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from ...errors import InputError, nearest, shown
from ...replaying.paths import FIRST, LOST, paths
from ...replaying.run import Run
from ...stream import GameStream
from ..table import listed
from .scale import ScaleMap

CAUSES = (FIRST, "time", "override", "rule", "season", LOST, "games")  # in the order in which they come on one day
COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "time": pl.Float64, "cause": pl.String, "games": pl.List(pl.Int64), "n": pl.Int64, "against": pl.String,
    **dict.fromkeys(
        (
            "score", "expected", "expected_other", "moved", "moved_other", "difference", "rating", "rating_other",
            "running",
        ),
        pl.Float64,
    ),
}  # fmt: skip
ORDERS = ("time", "difference")
Told = Callable[[float], float]


def partings(
    run: Run, other: Run, player: str, *, pool: str | None = None, scale: ScaleMap | None = None,
    by: Literal["time", "difference"] = "time",
) -> pl.DataFrame:  # fmt: skip
    """Return what parted two systems about a player, game by game: a row each, which add up to the whole difference.

    Where a rating period of either has several games of the player, they are one row; where periods of the two overlap,
    these are one row.

    Parameters
    ----------
    run, other : over the same games, of systems that keep ratings. player : a name.
    pool : whose rating is meant, of runs that keep ratings by pool.
    scale : from `scale_map`; ratings of `other` are then told in points of `run`, and the difference is that which no
        scale explains. Steps outside of what it covers move nothing there.
    by : time: rows in order of time; difference: those first that part the two most.

    Returns
    -------
    Columns: time (days since 1970-01-01, of the last game), cause (games, and as `replaying.paths` has them: first
    rating, time, season, override, rule, unrated), games (numbers in the stream), n (how many), against (the
    opponents), score, expected and expected_other (of the player in these games, summed; null where there are none, NaN
    where one had no forecast), moved and moved_other (by what the two have changed the rating, rating points),
    difference (of these), then what stands once the row is done, rows taken in order of time: rating, rating_other and
    running, their difference.

    A first rating moves from 0, so that `moved` adds up to the rating; the first of either stands first, even where one
    has to be earned by games. Sums are made without rounding and rounded once:
    the last `running` in time is the difference of the two final ratings to the last bit.

    Raises
    ------
    InputError : `by` is none of these, the runs are of different games, the player or the pool is in none, one of them
        keeps no ratings, or the player is not rated at the end.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A", "A"], second=["B", "C"], score=[1, 0.5], time=[0, 1])
    >>> slow, fast = (rs.replay(rs.Elo(), games, policy=rs.Constant(k)) for k in (20, 40))
    >>> partings(fast, slow, "A", by="difference").select("cause", "against", "moved", "moved_other").head(1).rows()
    [('games', 'B', 20.0, 10.0)]
    """
    if by not in ORDERS:
        expected = " or ".join(f"'{order}'" for order in ORDERS)
        raise InputError(f"unknown order {shown(by)}", where="by", expected=expected, near=nearest(str(by), ORDERS))
    if run.stream.digest != other.stream.digest:
        raise InputError("the two runs are of different games", expected="two over the same stream")
    one, two = (_of_pool(paths(each, [player]), pool, player) for each in (run, other))
    found = parted(one, two, run, other, scale)
    return found if by == "time" else found.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def parted(
    path: pl.DataFrame, other_path: pl.DataFrame, run: Run, other: Run, scale: ScaleMap | None = None
) -> pl.DataFrame:
    """Return the same of the paths that `replaying.paths` has of one player (in one pool) in two runs."""
    for each in (path, other_path):
        if not each.height or np.isnan(each["after"][-1]):
            raise InputError("the player is not rated at the end", expected="one who is, by both")
    told: Told = float if scale is None else lambda value: float(scale.told(value))
    block = _blocks(path, other_path)
    moved = _sums((_steps(path, float), _steps(other_path, told)), block)
    whole: dict[Key, list[int]] = {key: [] for key in moved}
    for game, number in sorted(block.items()):
        whole[Key("games", number)].append(game)
    days = _days(whole, run.stream)
    looks, rows, now = _Games(run, other, path["player"][0]), [], [Fraction(0), Fraction(0)]
    for key in sorted(moved, key=lambda key: (key != BEGINNING, days[key], CAUSES.index(key.cause))):
        one, two = moved[key]
        now = [now[0] + one, now[1] + two]
        numbers = map(float, (one, two, one - two, *now, now[0] - now[1]))
        rows.append((days[key], key.cause, whole[key], len(whole[key]), *looks.of(whole[key]), *numbers))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


class Key(NamedTuple):
    """What steps of two paths are one row by."""

    cause: str
    when: float  # day; of games their block; of a first rating 0 for the first one


BEGINNING = Key(FIRST, 0.0)


class Step(NamedTuple):
    """A step of a path."""

    key: Key
    games: list[int]
    moved: Fraction


def _steps(path: pl.DataFrame, told: Told) -> Iterator[Step]:
    """Yield the steps of a path with what they move, without rounding; who is not rated is at 0."""
    begun = False
    for row in path.rows(named=True):
        before, after = (
            Fraction(0) if np.isnan(row[name]) else Fraction(told(row[name])) for name in ("before", "after")
        )
        first = row["cause"] == FIRST and not begun
        begun |= first
        yield Step(BEGINNING if first else Key(row["cause"], row["time"]), row["games"], after - before)


def _sums(sides: tuple[Iterator[Step], Iterator[Step]], block: dict[int, int]) -> dict[Key, list[Fraction]]:
    """Return what either side moves by each row."""
    moved: dict[Key, list[Fraction]] = {}
    for side, steps in enumerate(sides):
        for step in steps:
            key = Key("games", block[step.games[0]]) if step.games else step.key
            moved.setdefault(key, [Fraction(0), Fraction(0)])[side] += step.moved
    return moved


def _days(whole: dict[Key, list[int]], stream: GameStream) -> dict[Key, float]:
    """Return the day of each row: of its last game, and of a first rating that of the first row after it."""
    days = {key: float(stream.time[games[-1]]) if games else key.when for key, games in whole.items()}
    days[BEGINNING] = min((day for key, day in days.items() if key != BEGINNING), default=0.0)
    return days


def _blocks(path: pl.DataFrame, other: pl.DataFrame) -> dict[int, int]:
    """Return the block of each game: games that a period of either has together are in one."""
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    period: list[dict[int, int]] = []
    for each in (path, other):
        some = each.filter(pl.col("games").list.len() > 0)["games"].to_list()
        period.append({game: n for n, row in enumerate(some) for game in row})
    one, two = period
    if not one:
        return {}
    here = np.array([one[game] for game in one], dtype=np.int64)
    there = np.array([two[game] for game in one], dtype=np.int64) + len(one)
    size = 2 * len(one)
    graph = coo_array((np.ones(len(here)), (here, there)), shape=(size, size))
    _, label = connected_components(graph, directed=False)
    return {game: int(label[n]) for game, n in one.items()}


class _Games:
    """What the games of a player were, and were expected to be."""

    def __init__(self, run: Run, other: Run, player: str) -> None:
        self.stream, self.forecasts = run.stream, (run.forecast, other.forecast)
        self.names = self.stream.players["player"]
        self.player = _number(self.stream, player)

    def of(self, games: list[int]) -> tuple[str | None, float | None, float | None, float | None]:
        """Return opponents, score and what either run expected of it."""
        if not games:
            return None, None, None, None
        some, stream = np.array(games), self.stream
        first = stream.first[some] == self.player
        foes = self.names.gather(np.where(first, stream.second[some], stream.first[some])).unique(maintain_order=True)
        score, one, two = (
            float(np.where(first, each[some], 1.0 - each[some]).sum()) for each in (stream.score, *self.forecasts)
        )
        return listed(foes.to_list(), most=4), score, one, two


def _number(stream: GameStream, player: str) -> int:
    return int(stream.players["player"].eq(player).arg_max() or 0)


def _of_pool(path: pl.DataFrame, pool: str | None, player: str) -> pl.DataFrame:
    """Return the part of a path that is of one pool.

    Raises
    ------
    InputError : ratings are by pool and none is said, or there is none of that name.
    """
    pools = path["pool"].drop_nulls().unique(maintain_order=True).to_list()
    if pool is None and pools:
        raise InputError(f"{player} has a rating in each pool", expected=f"pool = one of {', '.join(pools)}")
    if pool is not None and pool not in pools:
        raise InputError(f"no pool '{pool}'", expected=f"one of {', '.join(pools)}" if pools else "runs by pool")
    return path if pool is None else path.filter(pl.col("pool") == pool)
