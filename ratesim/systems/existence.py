"""Whether any parameters are likeliest at all: a likelihood may rise for ever, and no step of a fit would tell."""

import numpy as np

from ..errors import InputError
from .base import Floats
from .bradley_terry_kernels import Prior
from .paired import Pairs


def check(met: Pairs, counts: Floats, players: int, prior: Prior, ties: str, games: int, *, worth: bool) -> None:
    """Refuse results so far under which nothing is likeliest.

    Parameters
    ----------
    counts : (3, P) wins, draws and losses of the pairs so far. players : how many have been met.
    games : how many have been told. worth : whether an advantage is fitted.

    Raises
    ------
    InputError : which parameters run away.
    """
    if not players or prior.draws:
        return
    where = f"fit to the first {games:,} games"
    if not prior.ridge and parted(met, counts, players):
        raise InputError(
            "without a prior no strengths are likeliest: some players won all, or lost all, against the rest",
            where=where, expected="virtual_draws above 0, or a spread",
        )  # fmt: skip
    names = ["advantage"] * worth + ["tie parameter"] * (ties != "half")
    if names and endless(met, counts, players, strengths=not prior.ridge, worth=worth, ties=ties):
        raise InputError(
            f"without virtual games no {' or '.join(names)} is likeliest: results so far push it without end",
            where=where, expected="virtual_draws above 0",
        )  # fmt: skip


def parted(met: Pairs, counts: Floats, players: int) -> bool:
    """Whether some players won all, or lost all, against the rest, so that no strengths are likeliest.

    L. R. Ford, Am. Math. Monthly 64 (1957) 28: from everybody a chain of wins must lead to everybody.

    Parameters
    ----------
    counts : (3, P) wins, draws and losses of the pairs so far. players : how many have been met.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    won, lost = (counts[k] + counts[1] > 0 for k in (0, 2))
    winner = np.append(met.first[won], met.second[lost])
    loser = np.append(met.second[won], met.first[lost])
    graph = coo_array((np.ones(len(winner)), (winner, loser)), (players, players))
    return bool(connected_components(graph, connection="strong", return_labels=False) > 1)


def endless(met: Pairs, counts: Floats, players: int, *, strengths: bool, worth: bool, ties: str) -> bool:
    """Whether some way leads on and on to likelier parameters, so that none are likeliest, by a linear program.

    Along it every win's gap grows at least as the tie parameter does, and every draw's at most so. `strengths` and
    `worth` are whether these may go along.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, hstack, vstack

    if ties == "rao-kupper" and not counts[1].any():
        return True  # its parameter falls to 0, where it has no logarithm
    some, count, one = np.arange(len(met.first)), len(met.first), np.ones(len(met.first))
    rows = np.concatenate([some, some, some])
    columns = np.concatenate([met.first, met.second, np.full(count, players)])
    gap = coo_array((np.concatenate([one, -one, met.edge]), (rows, columns)), (count, players + 1)).tocsr()
    won, drawn, lost = (np.flatnonzero(kind) for kind in counts)
    ways = vstack([gap[won], -gap[lost]])
    level = vstack([gap[drawn], -gap[drawn]])
    free = ties != "half"

    tie = np.repeat([0.0, -1.0, 1.0], [ways.shape[0], ways.shape[0], level.shape[0]]) * free
    told = hstack([vstack([ways, ways, level]), tie[:, None]]).tocsr()
    most = np.append(np.full(players, 1.0 * strengths), [1.0 * worth, 1.0 * free])
    least = -most
    if ties == "rao-kupper":
        least[-1] = 0.0
    found = linprog(-told.sum(axis=0), -told, np.zeros(told.shape[0]), bounds=np.stack([least, most], axis=1))
    return bool(-found.fun > 1e-9)
