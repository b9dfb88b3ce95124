"""A system made of kernels, which the engine plays."""

from collections.abc import Hashable, Mapping
from typing import ClassVar

import numpy as np

from ...spec import Duration, quantity
from .kernels import Kernels
from .rater import Rater
from .seen import Floats, Games, Mask, Opening, Start, Told


class System(Rater):
    """A rating system made of kernels: the engine plays it.

    Subclasses are frozen parameter sets in units of the rim (rating points, deviations); `params` turns them into
    what the kernels read.
    """

    surplus_in: ClassVar[float] = 1.0  # points of score in one of its evidence's `surplus`, where it has one
    held: ClassVar[bool] = True  # whether who would fall below `lowest` is held there; else they are rated no more

    def kernels(self) -> Kernels:
        """Return the kernels; which ones may depend on a parameter (the curve of `elo`)."""
        raise NotImplementedError

    def params(self) -> tuple[float, ...]:
        """Return one value for each field of `kernels().Params`."""
        raise NotImplementedError

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return the belief about a player who has not played, one value for each field of `kernels().Belief`."""
        raise NotImplementedError

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        """Return beliefs (N, F) as columns of the rim: `rating` first, then the system's own, each (N,)."""
        raise NotImplementedError

    @property
    def broken(self) -> Mapping[str, str]:
        """What `breaks` says; and no state is saved within a period where its games are judged again."""
        again = {"resume": "a period is judged several times, so no state is saved within one"}
        return self.breaks if self.kernels().passes == 1 else {**self.breaks, **again}

    @property
    def lowest(self) -> float | None:
        """The rating that nobody stays below, None where there is none."""
        return None

    @property
    def unit(self) -> float | None:
        """Days in one unit of growth, or None where it is one period of the calendar."""
        return None

    @property
    def changes(self) -> tuple[float, ...]:
        """Days since 1970-01-01 from which `params_at` says something else, rising."""
        return ()

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return the parameters in force on a day."""
        return self.params()

    @property
    def alone(self) -> bool:
        """Whether it looks at games to come or judges a period again, so that it cannot share a pass with others."""
        return self.kernels().passes > 1

    def check(self, games: Games, beliefs: Floats) -> None:
        """Refuse a stream, or starts (R, F), that the system has no use for, before anything is played.

        Raises
        ------
        InputError : what is wrong.
        """

    def told(self, games: Games) -> Told | None:
        """Return what `Game.margin` and `Game.extra` are, where they are not the stream's margin and what `open` says.

        Raises
        ------
        InputError : the stream lacks what they are made of.
        """
        return None

    @property
    def tells(self) -> Hashable:
        """What `told` goes by: systems that differ in it share no pass, since a game is the same for all lanes."""
        return None

    def attends(self, opens: Floats, before: Floats, judging: Mask) -> Mask:
        """Return the periods (T,) at whose opening `open` is to be called; it is asked only where `alone` holds.

        Parameters
        ----------
        opens : (T,) days on which periods open. before : (T,) the same of the period before each, its own of the first.
        judging : (T,) whether it judges or absorbs any games.
        """
        return np.zeros(len(opens), np.bool_)

    def open(self, beliefs: Floats, opening: Opening) -> Floats | None:
        """Change beliefs (R, F) in place as a period opens; return `Game.extra` of the games that it judges."""
        return None


class Growing(System):
    """A system whose deviation grows with time."""

    per: Duration | None = quantity(
        None, "unit of growth: a duration; left out, one period of the calendar", unit="days", gt=0, le=1e6
    )

    @property
    def unit(self) -> float | None:
        """Days in one unit of growth (`per`), or None where it is one period of the calendar."""
        return self.per

    @property
    def grows(self) -> bool:
        """Whether time changes a belief, so that growth must have a unit."""
        return True
