"""The laws of `ratesim.testing` over every registered system, per game and by months."""

from collections.abc import Iterator

import pytest

import ratesim as rs
from ratesim.systems.base import SYSTEMS, Growing, Rater
from ratesim.testing import checks_for
from ratesim.testing.laws import LAWS

# Tests of one process register systems of their own, broken ones among them.
OURS = {kind: cls for kind, cls in SYSTEMS.kinds().items() if cls.__module__.startswith("ratesim.")}


def trials() -> Iterator[tuple[Rater, object]]:
    """Each system by months, and per game where it has a per-game meaning: growth then needs a duration."""
    for kind, cls in OURS.items():
        system = rs.FideElo(start=1500, floor="none") if kind == "fide" else cls()  # laws are about rated players
        yield system, rs.Months()
        if kind != "glicko2-pypi":  # the package knows only periods
            yield cls(per="30d") if issubclass(cls, Growing) else system, rs.PerGame()


@pytest.mark.parametrize("check", [check for trial in trials() for check in checks_for(*trial)], ids=str)
def test_law(check):
    check()


def test_bounds_are_held_where_there_are_some():
    """The floor is off by default, so the defaults cannot show that it is held."""
    for system in (
        rs.Glicko(deviation=250, floor=80, ceiling=250, c=120),
        rs.Glicko2(deviation=250, floor=80, ceiling=250, volatility_cap=0.07),
    ):
        (check,) = (check for check in checks_for(system) if check.law == "bounds")
        check()


def test_every_law_speaks_of_some_system_and_every_exception_names_a_law():
    spoken = {check.law for system, calendar in trials() for check in checks_for(system, calendar)}
    assert spoken == set(LAWS)
    assert all(set(cls.breaks) <= set(LAWS) for cls in OURS.values())


def test_an_exception_that_is_none_is_found():
    class Meek(rs.Even):
        breaks = {"sides": "it says"}  # noqa: RUF012  # what a third party might write

    (check,) = (check for check in checks_for(Meek()) if check.law == "sides")
    with pytest.raises(AssertionError, match="declares that it breaks 'sides'"):
        check()


def test_an_exception_to_no_law_is_refused():
    class Odd(rs.Even):
        breaks = {"gravity": "it floats"}  # noqa: RUF012  # what a third party might write

    with pytest.raises(ValueError, match="gravity"):
        checks_for(Odd())
