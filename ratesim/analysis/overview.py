"""A data set at a glance: when games were played, by whom, how the players hang together, what the edge is worth."""

import numpy as np
import polars as pl

from ..given import check_games
from ..stream import GameStream
from .connectivity import Connectivity, connectivity
from .table import EmptyFigureError, FigureTable, counted

YEARS, MONTHS = 8 * 366, 100  # days of a stream from which on its games are counted by year, by month
COLUMNS = {
    "panel": pl.String,
    "label": pl.String,
    "x": pl.Float64,
    "y": pl.Float64,
    "n": pl.Int64,
    "score": pl.Float64,
}
EDGES = {"first had the edge": 1, "nobody had it": 0, "second had the edge": -1}
Row = tuple[str, str | None, float | None, float, int, float | None]


def overview(
    stream: GameStream, found: Connectivity | None = None, *, days: bool = False, name: str = "overview"
) -> FigureTable:
    """Return what there is to see of a stream before anything is rated.

    Parameters
    ----------
    stream : the games.
    found : what `connectivity` found of it, where that is known already.
    days : whether times are days of a simulation, not dates.
    name : of the figure.

    Returns
    -------
    Rows of four panels:

    - `games`: x, where a year, month or day (`meta["step"]`) begins, in days since 1970-01-01; n and y, its games;
    - `players`: x, a number of games; n players, and their share y, with that many or more;
    - `ties`: label; n players, and their share y, of whom it is true;
    - `results`: label, who had the edge; x, the score of first (1, 0, and ½ for all between); n games, their share y,
      and the mean `score` of first under that label.

    Raises
    ------
    InputError : the stream has no games.
    """
    check_games(stream)
    if not len(stream):
        raise EmptyFigureError("no games", where=f"figure {name}", expected="one at least")
    found = found or connectivity(stream)
    if found.players.is_empty():
        raise EmptyFigureError("all games have weight 0", where=f"figure {name}", expected="one that counts")
    span = float(stream.time[-1] - stream.time[0])
    step = "day" if span < MONTHS else "month" if span < YEARS else "year"
    rows = [*_games(stream, step), *_players(found), *_ties(found), *_results(stream)]
    caption = (
        f"{counted(len(stream), 'game')} of {counted(found.players.height, 'player')}. Games by {step}; share of "
        "players with that many games or more (both scales logarithmic); share of players of whom is true what stands "
        "over the bar; results and mean score of first, by who had the edge. Ratings compare within a component, which "
        "chains of games tie together, and by maximum likelihood only where each has scored against each along some "
        "chain. "
        f"There {_components(found)}."
    )
    frame = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    meta = {"drawing": "overview", "title": "The games at a glance", "step": step, "days": days}
    return FigureTable(name, frame, caption, meta)


def _components(found: Connectivity) -> str:
    parts = found.components.height
    if parts == 1:
        return "is one component: games lead from everybody to everybody"
    largest = counted(found.components["players"][0], "player")
    return f"are {counted(parts, 'component')}, the largest of {largest}: no games lead from one to another"


def _games(stream: GameStream, step: str) -> list[Row]:
    """Count games by year, month or day, those without a game left out."""
    day = np.floor(stream.time).astype("datetime64[D]")
    begins, games = np.unique(day.astype(f"datetime64[{step[0].upper()}]"), return_counts=True)
    starts = begins.astype("datetime64[D]").astype(np.int64)
    return [("games", None, float(x), float(n), int(n), None) for x, n in zip(starts, games, strict=True)]


def _players(found: Connectivity) -> list[Row]:
    played, players = np.unique(found.players["games"].to_numpy(), return_counts=True)
    more = np.cumsum(players[::-1])[::-1]
    return [("players", None, float(x), n / more[0], int(n), None) for x, n in zip(played, more, strict=True)]


def _ties(found: Connectivity) -> list[Row]:
    games, main = pl.col("games"), pl.col("component") == 0
    kinds = {
        "in the largest component": main,
        "there, by more than one pair's games": main & ~pl.col("bridged"),
        "tied by points both ways (strong part)": pl.col("strong") == 0,
        "neither won all nor lost all": (pl.col("wins") < games) & (pl.col("losses") < games),
        "were both first and second": (pl.col("as_first") > 0) & (pl.col("as_first") < games),
    }
    counts = found.players.select(there.sum().alias(label) for label, there in kinds.items()).row(0)
    whole = found.players.height
    return [("ties", label, None, n / whole, int(n), None) for label, n in zip(kinds, counts, strict=True)]


def _results(stream: GameStream) -> list[Row]:
    score = np.where(stream.score == 1, 1.0, np.where(stream.score == 0, 0.0, 0.5))
    if stream.edge is None:
        sides = {"all games": np.ones(len(stream), np.bool_)}
    else:
        sides = {label: np.sign(stream.edge) == sign for label, sign in EDGES.items()}
    rows: list[Row] = []
    for label, here in sides.items():
        if games := int(np.count_nonzero(here)):
            counts = [int(np.count_nonzero(score[here] == x)) for x in (1.0, 0.5, 0.0)]
            mean = float(stream.score[here].mean())
            rows += [("results", label, x, n / games, n, mean) for x, n in zip((1.0, 0.5, 0.0), counts, strict=True)]
    return rows
