"""A system that is fitted anew: everybody's share of the points so far."""

from typing import Literal

import numpy as np

from ratesim.spec import quantity
from ratesim.systems.base import Fit, Fitter, Floats, Games, Ints, Refit


class ShareFit(Fit):
    def __init__(self, share: Floats) -> None:
        self.share = share

    def predict(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats:
        return 0.5 + 0.5 * (self.share[first] - self.share[second])

    def columns(self, day: float) -> dict[str, Floats]:
        return {"rating": 1000.0 * self.share}


class ShareFitter(Fitter):
    def __init__(self, games: Games, draws: float) -> None:
        self.games, self.draws = games, draws

    def refit(self, upto: int, day: float) -> ShareFit:
        g = self.games
        weight = np.ones(upto) if g.weight is None else g.weight[:upto]
        sides, score = np.concatenate([g.first[:upto], g.second[:upto]]), g.score[:upto]
        points = np.bincount(sides, np.concatenate([weight * score, weight * (1.0 - score)]), g.players)
        games = np.bincount(sides, np.tile(weight, 2), g.players)
        return ShareFit((points + 0.5 * self.draws) / (games + self.draws))


class Shares(Refit):
    """Expect of a player what the share of points so far is above the opponent's."""

    kind: Literal["shares"] = "shares"
    draws: float = quantity(1.0, "drawn games counted before the first one", unit="games", gt=0)

    def fitter(self, games: Games) -> ShareFitter:
        return ShareFitter(games, self.draws)
