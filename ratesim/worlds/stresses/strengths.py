"""Players who are not as strong as they play: sandbaggers and users of engines."""

from typing import Literal

import numpy as np

from ...rng import Luck
from ...spec import quantity
from ..base import STRESSES, Floats, Memory, Moment
from ..bounds import FAR
from .some import Some


@STRESSES.add
class Sandbagging(Some):
    """Some players play below their skill, for a rating that wins them prizes later; then as well as they can."""

    kind: Literal["sandbagging"] = "sandbagging"
    points: float = quantity(300.0, "how far below their skill they play", unit="rating points", ge=0, le=FAR)

    def strengthen(self, strength: Floats, memory: Memory, moment: Moment) -> None:
        """Take the points off."""
        if self.on(moment):
            np.subtract(strength, self.points, out=strength, where=memory["place"] < self.count)


@STRESSES.add
class Engine(Some):
    """Some players have an engine play for them, in every round or in a share of rounds, each at random."""

    kind: Literal["engine"] = "engine"
    strength: float = quantity(
        3000.0, "that of the engine; whoever is stronger plays alone", unit="rating points", ge=-FAR, le=FAR
    )
    share: float = quantity(1.0, "share of rounds in which a player uses it", unit="share", gt=0, le=1)

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return places, and the luck that says when it is used."""
        return {**super().begin(luck, players), "luck": luck}

    def strengthen(self, strength: Floats, memory: Memory, moment: Moment) -> None:
        """Put the engine in the player's place."""
        if not self.on(moment):
            return
        using = memory["place"] < self.count
        if self.share < 1.0:
            using &= memory["luck"].uniform("use", moment.round, using.shape[1]) < self.share
        np.maximum(strength, self.strength, out=strength, where=using)
