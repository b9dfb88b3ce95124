"""A baseline or a peer, which forecasts a whole stream in one call."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from .rater import Rater
from .seen import Floats, Games


class Noted(NamedTuple):
    """Something that a whole-stream system met with, as it knows players and periods: by number."""

    name: str
    times: int  # players and periods
    player: int  # the first it happened to
    period: int  # in which it did


class Found(NamedTuple):
    """What a whole-stream system makes of a stream."""

    forecast: Floats  # (G,) made before any result of the game's period, NaN where it has none
    columns: Mapping[str, Floats] = MappingProxyType({})  # (players,) after the last game; none where it keeps none
    noted: tuple[Noted, ...] = ()
    draw: Floats | None = None  # (G,) chances of a draw, where the system has a model of its own


class WholeStream(Rater):
    """A baseline or a peer that forecasts all games of a stream in one call."""

    keeps_ratings: ClassVar[bool] = False  # so that a start table or pools would mean something to it
    by_game: ClassVar[bool] = False  # a forecast looks at its game alone, so that games on disk will do

    def check(self, games: Games) -> None:
        """Refuse a stream that lacks what the system goes by, before anything is played.

        Raises
        ------
        InputError : what is lacking.
        """

    def whole(self, games: Games) -> Found:
        """Return the forecasts, and what is believed after the last game."""
        raise NotImplementedError
