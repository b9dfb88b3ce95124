"""The ratings that a stream carries, as they stood before each game, and the forecasts they imply."""

import math
from typing import Literal

from ..errors import InputError
from ..spec import quantity
from .base import SYSTEMS, Floats, Found, Games, WholeStream


@SYSTEMS.add
class Published(WholeStream):
    """Forecast by the two published ratings of a game and the logistic curve.

    Expected score of first: 1 / (1 + 10^((second - first) / scale)), Elo, The Rating of Chessplayers (1978), 8.43.
    Where either rating is missing there is no forecast (NaN).
    """

    kind: Literal["published"] = "published"
    scale: float = quantity(400.0, "difference at which ten points are expected to one", unit="rating points", gt=0)

    def whole(self, games: Games) -> Found:
        """Return the forecasts (G,), NaN where a rating is missing.

        Raises
        ------
        InputError : the stream has no published ratings.
        """
        from scipy.special import expit

        if games.published_first is None or games.published_second is None:
            raise InputError(
                "the stream has no published ratings",
                where="system published",
                expected="columns published_first and published_second",
            )
        gap = games.published_first - games.published_second
        forecast: Floats = expit(gap * (math.log(10) / self.scale))
        return Found(forecast)
