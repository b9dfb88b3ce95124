"""The laws that any rating system keeps, as checks: a third party runs them over its own.

    import pytest, ratesim.testing

    @pytest.mark.parametrize("check", ratesim.testing.checks_for(MySystem()), ids=str)
    def test_contract(check):
        check()

A law that a system rightly breaks is declared in its class, `breaks = {"complement": "why"}`, or, where parameters
decide, in its property `broken`; the check then is that it really does, or refuses what the law would ask of it.
"""

from dataclasses import dataclass

from ..calendars import CALENDARS, Calendar
from ..errors import InputError
from ..systems.base import Rater
from . import asking, looking  # noqa: F401  # each enters its law
from .laws import LAWS
from .trial import Trial

__all__ = ["Check", "checks_for"]


@dataclass(frozen=True)
class Check:
    """One law, to be tried on one system under one calendar."""

    law: str
    trial: Trial
    broken: str | None  # why the system is said to break it

    def __call__(self) -> None:
        """Try it.

        Raises
        ------
        AssertionError : the system breaks the law, or keeps one that it declares it breaks.
        """
        try:
            LAWS[self.law].prove(self.trial)
        except (AssertionError, InputError) as error:
            if self.broken is None:
                raise AssertionError(str(error)) from error
            return
        if self.broken is not None:
            raise AssertionError(f"{self.trial} declares that it breaks '{self.law}' ({self.broken}), but it keeps it")

    def __str__(self) -> str:
        return f"{self.law}, {self.trial}"


def checks_for(system: Rater, calendar: Calendar | None = None) -> list[Check]:
    """Return the checks of the laws that speak of such a system.

    Parameters
    ----------
    system : with the parameters to be tried, of a registered class. Bounds of its deviation are those it calls
        `floor` and `ceiling`, that of its volatility `volatility_cap`.
    calendar : None is the system's default. Try per-game and a calendar of periods.

    Raises
    ------
    ValueError : the system declares that it breaks a law there is not.
    """
    broken = system.broken
    if unknown := set(broken) - set(LAWS):
        raise ValueError(f"{type(system).__name__}.breaks names {sorted(unknown)}; the laws are {sorted(LAWS)}")
    trial = Trial(system, calendar or CALENDARS.build(system.usual_calendar))
    return [Check(name, trial, broken.get(name)) for name, law in LAWS.items() if law.speaks_of(system)]
