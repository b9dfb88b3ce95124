"""Elo ratings with the logistic or the normal curve, or with Davidson's draws."""

import math
from collections.abc import Hashable

import numpy as np

from ..curves import LN10
from ..dates import date_on
from ..errors import InputError
from .base import SYSTEMS, Floats, Games, Kernels, Start, Told
from .elo_evidence import AVERAGE, BY_MARGIN, BY_STAGE, DAVIDSON, LOGISTIC, NORMAL
from .elo_kernels import absorb_above, revert
from .elo_parameters import EloParameters
from .stages import factors

UNKNOWN = np.full(1, np.nan)


@SYSTEMS.add
class Elo(EloParameters):
    """Elo: R' = R + K (S - E), the expected score E read off a curve over the rating difference.

    A. E. Elo, The Rating of Chessplayers, Past and Present, 1978. The logistic curve is 1 / (1 + 10**(-d / scale));
    the normal one has the standard deviation 5/7 of the scale, 2000/7 for 400, which FIDE's table was made with.

    `draws = "davidson"` is the Elo-Davidson algorithm, also called kappa-Elo (L. Szczecinski & A. Djebbi, Understanding
    draws in Elo rating algorithm, J. Quant. Anal. Sports 16 (2020) 211; R. R. Davidson, 1970): with
    x = 10**(d / (2 scale)), wins, draws and losses are as x : kappa : 1/x, and E = (x + kappa/2) / (x + kappa + 1/x).
    Equals draw kappa / (2 + kappa) of their games; kappa = 2, half of them, is Elo of twice the scale, and 0 is Elo.

    `margin = "football"` is the index of goal differences of the World Football Elo Ratings (R. Runyan 1997,
    eloratings.net): the surplus counts once up to a goal's difference, 1.5 times at two, (11 + N) / 8 times at N from
    three on. `k_by_stage` multiplies K by what a game was played for, as their 60 of World Cups to 20 of friendlies,
    and `edge_by_stage` the edge, as that of play-offs; a stage that is not named has the factor of `other`, or 1. Their
    home advantage is 100.

    `margin = "538"` and `reversion` are what FiveThirtyEight rates teams of American football with
    (fivethirtyeight/nfl-elo-game, forecast.py): the surplus is multiplied by
    ln(max(|margin|, 1) + 1) 2.2 / (0.001 w + 2.2), where w is the winner's difference with the advantage in it, and the
    divisor is 1 in a draw; and R + (reversion_to - R) / 3 is what a team opens its next season with.

    `opponents = "average"` is the shortcut for events, R + K (points - n E(mean of the opponents)): the curve is looked
    up once for all games of a period, at the mean of their differences, which the cap then holds. It is what each game
    by itself gives where the opponents are equal, and more is expected of the stronger side where they are not.

    Departures
    ----------
    None from the formulas. Over a rating period the surplus is summed and absorbed once, as Elo's periodic formula has
    it. The cap holds the difference with the advantage in it. A floor, as some federations have one, holds ratings from
    below: what a loser does not lose at it enters the pool. 538's formula divides by nothing where the winner was 2200
    behind: here the divisor is 0.2 at least. A debut reverts nothing. eloratings.net rounds ratings to whole points.
    """

    def kernels(self) -> Kernels:
        """Return the kernels of the chosen curve, with a floor, margins, an average and reversion or without."""
        chosen = DAVIDSON if self.draws == "davidson" else LOGISTIC if self.curve == "logistic" else NORMAL
        if self.floor is not None:
            chosen = chosen._replace(absorb=absorb_above)
        chosen = chosen._replace(evidence=(BY_MARGIN if self.k_by_stage is None else BY_STAGE)[self.margin])
        if self.opponents == "average":
            chosen = AVERAGE[self.curve]
        return chosen._replace(drift=revert) if self.reversion else chosen

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, cap, floor, reversion, reversion_to, kappa."""
        cap = math.inf if self.cap is None else self.cap
        mean = self.start if self.reversion_to is None else self.reversion_to
        return (LN10 / self.scale, self.advantage, cap, self._floor, self.reversion, mean, self.kappa)

    @property
    def tells(self) -> Hashable:
        """The factors by stage."""
        return tuple(None if each is None else tuple(each.items()) for each in (self.k_by_stage, self.edge_by_stage))

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse a stream without the margins or the seasons that are to be looked at."""
        if self.reversion and games.season is None:
            raise InputError("the stream has no seasons", where="system elo, key reversion", expected="a column season")
        if self.edge_by_stage is not None and games.edge is None:
            where, expected = "system elo, key edge_by_stage", "a column edge, or neutral"
            raise InputError("nobody ever has the edge", where=where, expected=expected)
        if self.margin == "none":
            return
        where = "system elo, key margin"
        if games.margin is None:
            expected = "a column margin, or points_first and points_second"
            raise InputError("the stream has no margins", where=where, expected=expected)
        unknown = np.isnan(games.margin) if games.weight is None else np.isnan(games.margin) & (games.weight != 0.0)
        if unknown.any():
            day = date_on(float(games.time[unknown.argmax()]))
            raise InputError(f"a game of {day} has no margin", where=where, expected="one, or weight 0")

    def told(self, games: Games) -> Told | None:
        """Return the factors of K as `Game.extra`, and edges times theirs.

        Raises
        ------
        InputError : the stream has no stages, or none of a name that is given.
        """
        if self.k_by_stage is None and self.edge_by_stage is None:
            return None
        extra = edge = None
        if self.k_by_stage is not None:
            extra = factors(self.k_by_stage, games, "system elo, key k_by_stage")
        if self.edge_by_stage is not None and games.edge is not None:
            edge = games.edge * factors(self.edge_by_stage, games, "system elo, key edge_by_stage")
        return Told(UNKNOWN if games.margin is None else games.margin, UNKNOWN if extra is None else extra, edge)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the start rating."""
        return (max(self.start if math.isnan(start.rating) else start.rating, self._floor),)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return the rating."""
        return {"rating": beliefs[:, 0]}

    @property
    def lowest(self) -> float | None:
        """The floor."""
        return self.floor

    @property
    def _floor(self) -> float:
        return -math.inf if self.floor is None else self.floor
