"""Bradley-Terry and whole-history rating as log-posteriors, game by game, their tops found by scipy alone.

Written from the papers. Slopes come from complex steps, so nothing is derived by hand.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import root

S = 400 / np.log(10)


class Game(NamedTuple):
    first: int
    second: int
    score: float
    day: float = 0.0
    edge: float = 0.0
    weight: float = 1.0


def slope(f: Callable[[np.ndarray], complex], x: np.ndarray) -> np.ndarray:
    """Gradient by complex steps: exact to rounding."""
    step = 1e-30j
    return np.array([f(x + step * unit).imag / 1e-30 for unit in np.eye(len(x))])


def bend(f: Callable[[np.ndarray], complex], x: np.ndarray) -> np.ndarray:
    """Negative Hessian, by central differences of the gradient."""
    h = 1e-5
    rows = [(slope(f, x + h * unit) - slope(f, x - h * unit)) / (2 * h) for unit in np.eye(len(x))]
    return -0.5 * (np.array(rows) + np.array(rows).T)


def top(f: Callable[[np.ndarray], complex], x: np.ndarray) -> np.ndarray:
    """Where the gradient is 0."""
    found = root(lambda y: slope(f, y), x, method="hybr", options={"xtol": 1e-15, "maxfev": 100_000})
    assert np.abs(slope(f, found.x)).max() < 1e-9, found.message
    return found.x


def half_point(z: complex) -> complex:
    """Log-likelihood of a draw that is half a win and half a loss."""
    return -0.5 * np.log(1 + np.exp(-z)) - 0.5 * np.log(1 + np.exp(z))


def result(ties: str, z: complex, tie: complex, score: float) -> complex:
    """Log-likelihood of a win, a draw or a loss at gap z."""
    strong, weak = np.exp(z / 2), np.exp(-z / 2)
    if ties == "half":
        return score * np.log(strong / (strong + weak)) + (1 - score) * np.log(weak / (strong + weak))
    if ties == "davidson":
        drawn = np.exp(tie)
        return np.log({1.0: strong, 0.5: drawn, 0.0: weak}[score] / (strong + weak + drawn))
    theta = np.exp(tie)
    win, loss = strong / (strong + theta * weak), weak / (weak + theta * strong)
    return np.log({1.0: win, 0.5: (theta**2 - 1) * strong * weak / (strong + theta * weak) / (weak + theta * strong),
                   0.0: loss}[score])  # fmt: skip


def bradley_terry(
    games: Sequence[Game], players: int, ties: str = "half", *, draws: float = 1.0, ridge: float = 0.0,
    worth: float = 0.0, fitted: bool = False,
) -> np.ndarray:  # fmt: skip
    """Strengths, worth of an edge and tie parameter (players + 2,), natural units."""
    begin = np.append(np.zeros(players), [worth, 0.5])

    free = [*range(players), *([players] if fitted else []), *([players + 1] if ties != "half" else [])]

    def posterior(x: np.ndarray) -> complex:
        full = begin.astype(complex)
        full[free] = x
        total = sum(draws * half_point(full[k]) for k in free if k <= players)
        total -= 0.5 * ridge * sum(full[:players] ** 2)
        if ties != "half":
            total += draws / 3 * sum(result(ties, 0.0, full[-1], s) for s in (0.0, 0.5, 1.0))
        for g in games:
            z = full[g.first] - full[g.second] + full[players] * g.edge
            total += g.weight * result(ties, z, full[-1], g.score)
        return total

    found = begin.copy()
    found[free] = top(posterior, begin[free])
    return found


def histories(
    games: Sequence[Game], w2: float, *, draws: float = 2.0, damping: float = 0.0
) -> dict[tuple[int, float], tuple[float, float]]:
    """Rating and deviation, in rating points about 0, of each player on each day of theirs (Coulom 2008).

    The deviation is from a player's own curvature; `damping` is what the packages add to it, of several days.
    """
    nodes = sorted({(p, g.day) for g in games for p in (g.first, g.second)})
    at = {node: n for n, node in enumerate(nodes)}

    def posterior(r: np.ndarray) -> complex:
        total = 0.0 + 0.0j
        for n, (player, day) in enumerate(nodes):
            if n and nodes[n - 1][0] == player:
                total -= 0.5 * (r[n] - r[n - 1]) ** 2 / (w2 / S**2 * (day - nodes[n - 1][1]))
            else:
                total += draws * half_point(r[n])
        for g in games:
            total += g.weight * result("half", r[at[g.first, g.day]] - r[at[g.second, g.day]], 0.0, g.score)
        return total

    r = top(posterior, np.zeros(len(nodes)))
    full = bend(posterior, r)
    told = {}
    for player in sorted({p for p, _ in nodes}):
        own = [n for n, node in enumerate(nodes) if node[0] == player]
        curvature = full[np.ix_(own, own)] + damping * (len(own) > 1) * np.eye(len(own))
        variance = np.linalg.inv(curvature).diagonal()
        for n, v in zip(own, variance, strict=True):
            told[nodes[n]] = (S * r[n], S * np.sqrt(v))
    return told
