"""The forecast of one who knows nothing."""

from typing import ClassVar, Literal

import numpy as np

from .base import SYSTEMS, Found, Games, WholeStream


@SYSTEMS.add
class Even(WholeStream):
    """Expect one half of every game: the baseline that any system must beat.

    Its log loss is ln 2 = .69315 where no game is drawn, and where some are, by the usual formula for a score of
    one half, too.
    """

    by_game: ClassVar[bool] = True

    kind: Literal["even"] = "even"

    def whole(self, games: Games) -> Found:
        """Return .5 for each game (G,)."""
        return Found(np.full(len(games.score), 0.5))
