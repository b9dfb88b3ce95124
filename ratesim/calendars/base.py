"""What a calendar is: a rule that divides a stream into rating periods."""

from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..registry import Registry
from ..spec import Spec
from ..stream import GameStream

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
MOST = 10_000_000  # periods


def date_of(day: float) -> str:
    """Return a day since 1970-01-01 as a date.

    >>> date_of(-0.5)
    '1969-12-31'
    """
    return str(np.datetime64(int(np.floor(day)), "D"))


class Schedule(NamedTuple):
    """The periods of a stream, numbered without gaps from `base` on."""

    at: Ints  # (G,) period of each game, non-decreasing
    base: int
    opens: Floats  # (T,) days since 1970-01-01 UTC, rising
    closes: Floats  # (T,) the same as opens where a period has no length
    singly: bool  # every game is a period of its own
    into: Ints | None = None  # (G,) period that absorbs each game, where it is not always `at`


class Before(NamedTuple):
    """What a calendar has to know of a replay that goes on."""

    period: int  # the one still open
    opens: float  # when it opened, in days
    season: str | None = None  # its season
    unfinished: bool = True  # games may still join it, whether or not any has left evidence
    events: tuple[str, ...] = ()  # of its games
    last: int | None = None  # the last period of which evidence waits
    opened: str | None = None  # the season in which it opened


class Calendar(Spec):
    """A rule that divides a stream into rating periods."""

    lasting: ClassVar[bool] = True  # periods have a length, so one of them can be a unit of growth

    @property
    def depth(self) -> int:
        """How many periods ahead evidence can wait to be absorbed, that of its game included."""
        return 1

    def order(self, stream: GameStream) -> NDArray[np.int64] | None:
        """Return the games (G,) in the order of their periods; None where that is as they stand."""
        return None

    def schedule(self, stream: GameStream, before: Before | None = None) -> Schedule:
        """Return the periods of a stream whose games stand in their `order`, or of its continuation.

        Raises
        ------
        InputError : the stream lacks what the calendar goes by.
        """
        raise NotImplementedError

    def index(self, day: Floats) -> NDArray[np.int64]:
        """Return the period in which each day falls.

        Raises
        ------
        InputError : only the games of a stream say where its periods lie.
        """
        raise InputError(f"periods of calendar '{self.kind}' are known by its games only", expected="every or months")

    def opening(self, period: NDArray[np.int64]) -> Floats:
        """Return the day on which each period opens."""
        raise NotImplementedError

    def closing(self, ends: float) -> float:
        """Return the day on which the last period closes of games that end on a day."""
        return ends


CALENDARS: Registry[Calendar] = Registry("calendar", "ratesim.calendars")


class Regular(Calendar):
    """A calendar that knows its periods without looking at games."""

    def closing(self, ends: float) -> float:
        """Return the day on which the period of a day closes."""
        return float(self.opening(self.index(np.array([ends])) + 1)[0])

    def schedule(self, stream: GameStream, before: Before | None = None) -> Schedule:
        """Return the periods from that of the first game, or the one still open, to that of the last."""
        at = self.index(stream.time)
        base = int(at[0]) if before is None else before.period
        if at[-1] - base >= MOST or np.abs(at[[0, -1]]).max() >= np.iinfo(np.int32).max:
            raise InputError(
                f"'{self.label}' makes {at[-1] - base + 1:,} periods, from number {base:,} on", where="calendar",
                expected=f"at most {MOST:,}: longer ones",
            )  # fmt: skip
        bounds = self.opening(np.arange(base, int(at[-1]) + 2))
        return Schedule(at.astype(np.int32), base, bounds[:-1], bounds[1:], singly=False)
