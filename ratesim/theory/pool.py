"""T8: players who are paired at random, by equations linear in the error."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..curves import Q
from ..errors import InputError
from .ranges import inside, whole

Floats = NDArray[np.float64]


class RandomPool(NamedTuple):
    """Elo in a pool where each game is between two players drawn at random, T8.

    D. Gomes de Pinho Zanco, L. Szczecinski, E. V. Kuhn and R. Seara, Stochastic analysis of the Elo rating algorithm in
    round-robin tournaments, Digital Signal Processing (2024), arXiv:2212.12015. Good for K up to about .2 s; at first
    errors shrink more slowly than it says, as it is linear about the true skills: `mean_field` is not.
    """

    players: int  # M
    skill_sd: float  # rating points
    k: float
    edge: float = 0.0  # advantage of first, rating points

    @property
    def beta(self) -> float:
        """K in units of s."""
        inside(0, k=self.k)
        return self.k * Q

    @property
    def spread(self) -> float:
        """v, the variance of skills in units of s^2."""
        inside(0, closed=True, skill_sd=self.skill_sd)
        return (self.skill_sd * Q) ** 2

    @property
    def h1(self) -> float:
        """Mean of p (1 - p) over games, about .25 / sqrt(1 + v) exp(-eta^2 / (2 (2v + 2)))."""
        v, eta = self.spread, self.edge * Q
        return 0.25 / math.sqrt(1.0 + v) * math.exp(-eta * eta / (4.0 * (v + 1.0)))

    @property
    def h2(self) -> float:
        """Mean of its square, about (1 / 16) / sqrt(1 + 2v) exp(-eta^2 / (2 (2v + 1)))."""
        v, eta = self.spread, self.edge * Q
        return 0.0625 / math.sqrt(1.0 + 2.0 * v) * math.exp(-eta * eta / (2.0 * (2.0 * v + 1.0)))

    @property
    def rest(self) -> float:
        """Mean squared error of a rating at rest, rating points squared: V / M.

        V = (M - 1) / 2 beta h1 / (h1 - beta h2), summed over players, in units of s^2, the mean rating being right.
        """
        m = self.players
        self._check()
        return (m - 1) / (2.0 * m) * self.beta * self.h1 / (self.h1 - self.beta * self.h2) / Q**2

    @property
    def loss(self) -> float:
        """Excess log loss a game at rest over who knows the skills, nats: beta h1^2 / (2 (h1 - beta h2))."""
        self._check()
        return self.beta * self.h1**2 / (2.0 * (self.h1 - self.beta * self.h2))

    @property
    def stable(self) -> bool:
        """Whether errors shrink at all: beta < h1 / h2."""
        return self.beta < self.h1 / self.h2

    def reached(self, games: float) -> float:
        """Return the share of the way to the true skill that mean ratings have gone, 1 - (1 - 2 beta h1 / (M - 1))^k.

        Parameters
        ----------
        games : k, of the whole pool, from equal ratings.

        Raises
        ------
        InputError : one game takes two players further than all the way.
        """
        self._check()
        inside(0, closed=True, games=games)
        left = 1.0 - 2.0 * self.beta * self.h1 / (self.players - 1)
        if left < 0:
            most = (self.players - 1) / (2.0 * self.h1 * Q)
            said = f"k = {self.k} of {self.players} players, whose mean ratings swing about the skills above {most:.6g}"
            raise InputError(said, expected="a smaller K")
        return 1.0 - math.pow(left, games)

    def error(self, games: float) -> float:
        """Return the mean squared error of a rating after so many games of the pool, from equal ratings.

        MSD_k = a^k (v - V / M) + V / M, a = 1 - 4 beta (h1 - beta h2) / (M - 1); rating points squared.
        """
        self._check()
        inside(0, closed=True, games=games)
        a = 1.0 - 4.0 * self.beta * (self.h1 - self.beta * self.h2) / (self.players - 1)  # below 0 by rounding alone
        return self.rest + math.pow(max(a, 0.0), games) * (self.skill_sd**2 - self.rest)

    def best_k(self, games: int) -> float:
        """Return the constant K that leaves the least `error` after so many games of the pool, from equal ratings."""
        from scipy.optimize import minimize_scalar

        inside(0, closed=True, games=games)
        most = 0.5 * self.h1 / self.h2 / Q  # where a step gains as much as it loses
        found = minimize_scalar(
            lambda k: self._replace(k=k).error(games), bounds=(0.0, most), method="bounded", options={"xatol": 1e-7}
        )
        return float(found.x)

    def _check(self) -> None:
        """Raise where there is no pool, or errors grow without end."""
        whole(2, players=self.players)
        inside(-math.inf, edge=self.edge)
        if not self.stable:
            said = f"k = {self.k} in a pool where errors grow from K = {self.h1 / self.h2 / Q:.6g} on"
            raise InputError(said, expected="a smaller K")


def over_games(value: Callable[[Floats], Floats], skill_sd: float) -> float:
    """Return the mean of a function of the true gap, in units of s, over games of two players drawn at random."""
    inside(0, closed=True, skill_sd=skill_sd)
    sd = math.sqrt(2.0) * skill_sd * Q
    grid = np.linspace(-9.0, 9.0, 4001)
    weight = np.exp(-grid * grid / 2.0)
    return float((weight * value(sd * grid)).sum() / weight.sum())


def mean_slope(skill_sd: float) -> float:
    """Return the mean of p (1 - p) over games of two players drawn at random: what `RandomPool.h1` is close to.

    >>> round(mean_slope(400 / 2.302585), 4)
    0.1816
    """
    return over_games(lambda x: 1.0 / (2.0 + np.exp(x) + np.exp(-x)), skill_sd)


def oracle_loss(skill_sd: float) -> float:
    """Return the log loss a game of who knows the skills, nats, where there are no draws.

    Close to ln 2 / sqrt(1 + 2 v / (4 ln 2)), v being the variance of skills in units of s^2 (Zanco et al. 2024).

    >>> round(oracle_loss(400 / 2.302585), 4)
    0.5395
    """
    return over_games(
        lambda x: np.logaddexp(0.0, -x) / (1.0 + np.exp(-x)) + np.logaddexp(0.0, x) / (1.0 + np.exp(x)), skill_sd
    )
