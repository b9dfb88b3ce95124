"""Seasons: a part of every year is played in."""

from typing import Literal, Self

import numpy as np
from pydantic import Field, StrictBool, model_validator

from ...errors import InputError
from ...rng import Luck
from ...spec import Duration, quantity
from ..base import ACTIVITIES, Activity, Floats, Mask, Memory, Moment
from ..bounds import LONG, YEAR


@ACTIVITIES.add
class Seasons(Activity):
    """Nobody plays in a round that opens out of season, or nobody of those whose season it is not."""

    kind: Literal["seasons"] = "seasons"
    length: Duration = quantity(0.75 * YEAR, "of a season", unit="days", gt=0, le=LONG)
    every: Duration = quantity(YEAR, "from the beginning of a season to that of the next", unit="days", gt=0, le=LONG)
    opens: Duration = quantity(0.0, "a day on which a season begins", unit="days", ge=0, le=LONG)
    together: StrictBool = Field(
        default=True,
        description="whether all have one season; otherwise each player's begins later by a time of their own, uniform",
    )

    @model_validator(mode="after")
    def _within(self) -> Self:
        if self.length > self.every:
            raise InputError(f"length = {self.length:g}", expected=f"at most every = {self.every:g} (days)")
        return self

    def begin(self, luck: Luck, players: int, moment: Moment) -> Memory:
        """Return `late`, days (R, N) or (1, 1) by which a player's season begins later."""
        late = np.zeros((1, 1)) if self.together else self.every * luck.uniform("late", 0, players)
        return {"late": late}

    def weight(self, memory: Memory, luck: Luck, moment: Moment) -> Floats:
        """Return 1 (R, N) or (1, 1) in season, 0 out of it."""
        weight: Floats = self._in_season(moment, memory["late"]).astype(np.float64)
        return weight

    def closed(self, moment: Moment) -> bool:
        """Return whether a round has no games: it is out of the season that all have."""
        return self.together and not self._in_season(moment, np.zeros(1)).all()

    def _in_season(self, moment: Moment, late: Floats) -> Mask:
        into = np.mod(moment.day - self.opens - late, self.every)
        within: Mask = (into < self.length) | (self.length == self.every)
        return within
