"""The laws of `ratesim.testing` over every registered system, per game and by months."""

from collections.abc import Iterator

import pytest

import ratesim as rs
from ratesim.systems.base import SYSTEMS, Growing, Rater, Refit
from ratesim.testing import Check, checks_for
from ratesim.testing.laws import LAWS

# Tests of one process register systems of their own, broken ones among them.
OURS = {kind: cls for kind, cls in SYSTEMS.kinds().items() if cls.__module__.startswith("ratesim.")}


def trials() -> Iterator[tuple[Rater, object]]:
    """Each system by months, and per game where it has a per-game meaning: growth then needs a duration."""
    for kind, cls in OURS.items():
        system = rs.FideElo(start=1500, floor="none") if kind == "fide" else cls()  # laws are about rated players
        if kind == "fide":
            yield rs.FideElo(start=1500, floor="none", rules="2025-10-01", list="blitz"), rs.Lists()
        yield system, rs.Months()
        # The package knows only periods; fits game by game are tried in tests/test_refits.py.
        if kind != "glicko2-pypi" and not issubclass(cls, Refit):
            yield cls(per="30d") if issubclass(cls, Growing) else system, rs.PerGame()


VARIANTS = {  # what parameters switch on
    "thurstone-mosteller": rs.WengLin(model="thurstone-mosteller"),
    "no draws": rs.TrueSkill(p_draw=0.0),
    "one step": rs.UscfElo(steps="one"),
    "bonus": rs.Stephenson(bonus=1.0),
    "elo davidson": rs.Elo(draws="davidson", advantage=35.0),
    "youth": rs.Dwz(age="youth"),
    "davidson": rs.BradleyTerry(ties="davidson"),
    "rao-kupper": rs.BradleyTerry(ties="rao-kupper"),
    "fitted advantage": rs.BradleyTerry(advantage="fitted"),
}
DEAR = {"one kernel", "same bytes", "truth"}  # laws that take long, for which the defaults stand


COMPILED = {"elo", "glicko2", "readings"}  # whose engines other tests ask for too


def tried(check: Check) -> tuple[pytest.MarkDecorator, ...]:
    """How a law is tried by default: by engines in Python; `test_kernels` compiles all kernels by themselves."""
    if check.trial.system.kind in COMPILED:
        return ()
    return (pytest.mark.slow if check.law in {"one kernel", "same bytes"} else pytest.mark.interpreted,)


CHECKS = [
    pytest.param(check, marks=tried(check), id=str(check))
    for system, calendar in trials()
    for check in checks_for(system, calendar)
] + [
    pytest.param(check, marks=pytest.mark.interpreted, id=f"{check.law}, {name}")
    for name, system in VARIANTS.items()
    for check in checks_for(system, rs.Months())
    if check.law not in DEAR
]


@pytest.mark.parametrize("check", CHECKS)
def test_law(check):
    check()


LIVES = {check.law: check for check in checks_for(rs.FideElo(), rs.Lists())}
WITHOUT = {  # what laws ask that no list with a floor and unrated players can keep
    "translation": "not the same numbers are missing",  # the floor stays where it is
    "complement": "not the same numbers are missing",  # newcomers have no forecast
    "truth": "nobody is rated when the stream begins",
}


@pytest.mark.parametrize("check", [check for law, check in LIVES.items() if law not in WITHOUT], ids=str)
def test_law_of_players_who_come_unrated_and_fall_off_the_list(check):
    check()


@pytest.mark.parametrize(("law", "why"), WITHOUT.items())
def test_such_players_are_the_only_reason(law, why):
    with pytest.raises((AssertionError, rs.InputError), match=why):
        LIVES[law]()


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
