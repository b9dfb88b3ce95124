"""The ratings that a stream carries, as they stood before each game, and the forecasts they imply."""

from typing import ClassVar, Literal

import numpy as np

from ..curves import LN10, logistic_curve
from ..errors import InputError
from ..jit import specialise
from ..spec import quantity
from .base import SYSTEMS, Floats, Found, Games, WholeStream


@SYSTEMS.add
class Published(WholeStream):
    """Forecast by the two published ratings of a game and the logistic curve.

    Expected score of first: 1 / (1 + 10^((second - first) / scale)), Elo, The Rating of Chessplayers (1978), 8.43.
    Where either rating is missing there is no forecast (NaN).
    """

    by_game: ClassVar[bool] = True
    breaks: ClassVar[dict[str, str]] = {"foresight": "games to come publish no ratings yet"}

    kind: Literal["published"] = "published"
    scale: float = quantity(400.0, "difference at which ten points are expected to one", unit="rating points", gt=0)

    def check(self, games: Games) -> None:
        """Refuse a stream without published ratings."""
        if games.published_first is None or games.published_second is None:
            raise InputError(
                "the stream has no published ratings",
                where="system published",
                expected="columns published_first and published_second",
            )

    def whole(self, games: Games) -> Found:
        """Return the forecasts (G,), NaN where a rating is missing."""
        self.check(games)
        forecast = np.asarray(games.published_first) - np.asarray(games.published_second)
        specialise(read_off, "published ratings")(LN10 / self.scale, forecast)
        return Found(forecast)


def read_off(q: float, gaps: Floats) -> None:
    """Put the expected score in the place of each gap; a gap that is not known stays so."""
    for g in range(gaps.size):
        if gaps[g] == gaps[g]:
            gaps[g] = logistic_curve(q, gaps[g])
