"""The protocol of systems that are fitted anew, to all games so far, as each period opens."""

from collections.abc import Mapping
from typing import ClassVar

from ...spec import choice
from .rater import Rater
from .seen import Floats, Games, Ints


class Fit:
    """What a system believes of everybody, by the games it was fitted to. Players are rows of the stream."""

    settled: bool = True  # whether the fit came to an end

    def predict(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats:
        """Return the expected score of first (G,) in games of a day (since 1970-01-01 UTC), or of a day each."""
        raise NotImplementedError

    def draw(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats | None:
        """Return the chance of a draw (G,), None where the system has no draw model of its own."""
        return None

    def columns(self, day: float) -> dict[str, Floats]:
        """Return what is believed on a day, as columns (N,): `rating` first, then the system's own."""
        raise NotImplementedError

    @property
    def found(self) -> Mapping[str, float]:
        """What was fitted beside ratings, by name."""
        return {}


class Fitter:
    """What fits a system to the first games of one stream, then to more of them."""

    def refit(self, upto: int, day: float) -> Fit:
        """Return the fit to the first `upto` games as of a day: never fewer games than the call before.

        A fit may begin where the last one ended; fits that were returned stay as they are.
        """
        raise NotImplementedError


class Refit(Rater):
    """A system that is fitted to all games so far as each period opens, and forecasts the period by that."""

    default_calendar: ClassVar[str] = "months"
    tells: ClassVar[tuple[str, ...]] = ("rating",)  # columns of its fits

    hindsight: bool = choice(
        False, "whether it is fitted once, to all games, those it is asked about among them: no forecast"
    )

    def check(self, games: Games) -> None:
        """Refuse a stream that the system has no use for, before anything is fitted.

        Raises
        ------
        InputError : what is wrong.
        """

    def fitter(self, games: Games) -> Fitter:
        """Return what fits the system to the games (in order of time).

        Raises
        ------
        InputError : the stream lacks what the system goes by.
        """
        raise NotImplementedError
