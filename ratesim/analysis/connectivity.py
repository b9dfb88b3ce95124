"""How players hang together by their games: where ratings can be compared, and by how little."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..given import check_games
from ..stream import GameStream
from .bridges import Bridges, bridges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NAMED = 3  # players that stand for a component: those with most games
Ints = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]
Counts = NDArray[np.float64]


class Connectivity(NamedTuple):
    """What `connectivity` finds.

    Attributes
    ----------
    players : a row a player with a game, in order of first appearance: `player`; `games`; `wins` (score 1), `losses`
        (score 0), `draws` (all between); `as_first`, `ahead`, `behind`: games as first, with the edge, with the edge
        against them; `component` and `strong` (numbers of the tables below); `bridged`: whether only bridges join
        them to the largest part of their component that no single pair could part.
    components : largest first: `component`, `players`, `games`, `names` (up to three, those with most games). No chain
        of games leads from one to another, so nothing is known of how their ratings compare.
    bridges : pairs without whose games a component would fall apart, most players first: `near` and `far` (names),
        `games` between them, `players` beyond, on the smaller side, which is that of `far`.
    strong : parts within which each has scored against each along some chain, largest first: `strong`, `players`.
        Ratings of greatest likelihood exist in one such part alone (Ford, Am. Math. Mon. 64, no. 8, 1957, 28).
    """

    players: pl.DataFrame
    components: pl.DataFrame
    bridges: pl.DataFrame
    strong: pl.DataFrame


def connectivity(stream: GameStream) -> Connectivity:
    """Return how players hang together by their games.

    All pools are looked at together; where ratings are kept by pool, look at each: `stream.take(stream.pool == 0)`.
    Games of weight 0 are none.

    >>> first, second = ["A", "B", "C", "X"], ["B", "C", "A", "Y"]
    >>> games = GameStream.of(first=first, second=second, score=[1] * 4, time=range(4))
    >>> found = connectivity(games)
    >>> found.components.rows()
    [(0, 3, 3, ['A', 'B', 'C']), (1, 2, 1, ['X', 'Y'])]
    >>> found.bridges.rows()
    [('X', 'Y', 1, 1)]
    >>> found.strong["players"].to_list()
    [3, 1, 1]
    """
    check_games(stream)
    if stream.weight is not None and not stream.weight.all():
        stream = stream.take(stream.weight > 0)
    counts = _counts(stream)
    played = counts["games"] > 0
    pairs = _graph(np.minimum(stream.first, stream.second), np.maximum(stream.first, stream.second), stream.n_players)
    component, sizes = _parts(pairs, played, directed=False)
    strong, strong_sizes = _parts(_scored(stream), played, directed=True)
    both = (pairs + pairs.T).tocsr()
    found = bridges(both.indptr, both.indices)
    gone = _where(pairs, found)
    names = stream.players["player"]
    players = pl.DataFrame(
        {
            "player": names,
            **counts,
            "component": component,
            "strong": strong,
            "bridged": _bridged(pairs, gone, component, played),
        }
    ).filter(played)
    return Connectivity(
        players,
        _components(players, sizes),
        _named(found, pairs.data[gone], sizes[component[found.far]], names),
        pl.DataFrame({"strong": np.arange(len(strong_sizes)), "players": strong_sizes}),
    )


def _counts(stream: GameStream) -> dict[str, Ints]:
    """Count the games of each player (N,), by how they ended and where they were played."""
    edge = np.zeros(1) if stream.edge is None else stream.edge
    won, lost = stream.score == 1, stream.score == 0
    first, second = (
        [_count(side, which, stream.n_players) for which in (None, *sides)]
        for side, sides in (
            (stream.first, (won, lost, edge > 0, edge < 0)),
            (stream.second, (lost, won, edge < 0, edge > 0)),
        )
    )
    games, wins, losses, ahead, behind = (one + other for one, other in zip(first, second, strict=True))
    draws = games - wins - losses
    return {
        "games": games, "wins": wins, "draws": draws, "losses": losses,
        "as_first": first[0], "ahead": ahead, "behind": behind,
    }  # fmt: skip


def _count(side: Ints, which: Mask | None, n: int) -> Ints:
    if which is not None:
        side = side[np.broadcast_to(which, side.shape)]
    return np.bincount(side, minlength=n)


def _graph(one: Ints, other: Ints, n: int) -> "csr_array":
    """Return the graph of some pairs, whose entries count how often each is there."""
    from scipy.sparse import coo_array  # slow to import

    return coo_array((np.ones(len(one)), (one, other)), shape=(n, n)).tocsr()


def _scored(stream: GameStream) -> "csr_array":
    """Return who has scored against whom."""
    first, second = stream.score > 0, stream.score < 1
    one = np.concatenate([stream.first[first], stream.second[second]])
    other = np.concatenate([stream.second[first], stream.first[second]])
    return _graph(one, other, stream.n_players)


def _parts(graph: "csr_array", played: Mask, *, directed: bool) -> tuple[Ints, Ints]:
    """Return which part each is in (N,), largest first and then by first appearance, and the sizes of parts."""
    from scipy.sparse.csgraph import connected_components  # slow to import

    _, label = connected_components(graph, directed=directed, connection="strong")
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    sizes = np.bincount(inverse[played], minlength=len(first))
    order = np.lexsort((first, -sizes))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[inverse], sizes[order][: np.count_nonzero(sizes)]


def _where(pairs: "csr_array", found: Bridges) -> Ints:
    """Return which of the pairs (B,) the bridges are."""
    n, kept = np.int64(pairs.shape[0]), pairs.tocoo()
    key = np.minimum(found.near, found.far) * n + np.maximum(found.near, found.far)
    return np.searchsorted(kept.row * n + kept.col, key)


def _bridged(pairs: "csr_array", gone: Ints, component: Ints, played: Mask) -> Mask:
    """Return who is not in the largest part of their component that is left when all bridges are gone."""
    kept, n = pairs.tocoo(), len(played)
    left = np.ones(pairs.nnz, np.bool_)
    left[gone] = False
    block, _ = _parts(_graph(kept.row[left], kept.col[left], n), played, directed=False)
    largest = np.full(n, n)
    np.minimum.at(largest, component, block)  # blocks are numbered from the largest down
    bridged: Mask = block != largest[component]
    return bridged


def _components(players: pl.DataFrame, sizes: Ints) -> pl.DataFrame:
    """Return the table of components; each game is one of two players."""
    most = players.sort("games", descending=True, maintain_order=True)
    named = (
        most.group_by("component", maintain_order=True)
        .agg(pl.col("games").sum() // 2, names=pl.col("player").head(NAMED))
        .sort("component")
    )
    return named.select("component", pl.Series("players", sizes), "games", "names")


def _named(found: Bridges, games: Counts, whole: Ints, names: pl.Series) -> pl.DataFrame:
    """Return the table of bridges, with `far` on the smaller side."""
    turn = 2 * found.beyond > whole
    near, far = np.where(turn, found.far, found.near), np.where(turn, found.near, found.far)
    table = pl.DataFrame(
        {
            "near": names.gather(near),
            "far": names.gather(far),
            "games": games.astype(np.int64),
            "players": np.where(turn, whole - found.beyond, found.beyond),
        }
    )
    return table.sort("players", "games", descending=[True, False], maintain_order=True)
