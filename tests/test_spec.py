"""A mistake in a parameter is one line that says what, the range and its unit, and the nearest right name."""

import pytest

import ratesim as rs

MISTAKES = {
    "unknown": (lambda: rs.Glicko2(tua=1), "unknown key 'tua'; did you mean 'tau'?"),
    "range": (lambda: rs.Elo(scale=0), "scale = 0; expected a number more than 0 and at most 1e+06 (rating points)"),
    "type": (lambda: rs.Glicko2(tau="x"), "tau = 'x'; expected a number more than 0 and at most 10 (natural log)"),
    "infinite": (lambda: rs.Elo(cap=float("inf")), "cap = inf; expected a number more than 0 (rating points) or none"),
    "a truth": (
        lambda: rs.Elo(advantage=True),
        "advantage = True; expected a number at least -10000 and at most 10000 (rating points)",
    ),
    "a text": (
        lambda: rs.Elo(advantage="5"),
        "advantage = '5'; expected a number at least -10000 and at most 10000 (rating points)",
    ),
    "a date": (lambda: rs.Every(origin="foo"), "origin = 'foo'; expected a date such as 2026-01-31"),
    "a list": (lambda: rs.Steps(k=3), "k = 3; expected a list"),
    "choice": (lambda: rs.Elo(curve="cubic"), "curve = 'cubic'; expected one of logistic, normal"),
    "near choice": (lambda: rs.Elo(curve="normall"), "curve = 'normall'; did you mean 'normal'?"),
    "bounds": (lambda: rs.Glicko(deviation=500), "deviation 500 is not between floor 0 and ceiling 350"),
    "duration": (
        lambda: rs.Glicko(per="30 dd"),
        "per = '30 dd': a duration is a number and one of s, min, h, d, w, mo, y, such as '30d'",
    ),
    "thresholds": (lambda: rs.Steps(k=[1, 2], at=[3, 4]), "2 values of k need 1 thresholds in 'at', not 2"),
    "order": (lambda: rs.Steps(by="rating", k=[1, 2, 3], at=[9, 4]), "at = [9.0, 4.0]; expected thresholds that rise"),
    "cap": (lambda: rs.Glicko2(volatility=0.2), "volatility 0.2 is above volatility_cap 0.1"),
    "whole": (lambda: rs.FideElo(start=1500.5), "start = 1500.5: a FIDE rating is a whole number"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_one_line_says_it_all(name):
    mistake, text = MISTAKES[name]
    with pytest.raises(rs.InputError) as caught:
        mistake()
    assert str(caught.value) == text


def test_a_spec_is_frozen_and_knows_what_was_changed():
    system = rs.Glicko(per="2w", c=15)
    assert (system.per, system.label) == (14.0, "glicko per=14 c=15")
    assert system == rs.Glicko(c=15.0, per=14)
    with pytest.raises(Exception, match="frozen"):
        system.c = 3.0


def test_the_nearest_kind_is_named():
    with pytest.raises(rs.InputError, match=r"unknown system 'glico2'; did you mean 'glicko2'"):
        rs.SYSTEMS.build("glico2")
    with pytest.raises(rs.InputError, match=r"unknown system 'zzz'; expected one of .*elo, .*even, fide"):
        rs.SYSTEMS.build("zzz")


def test_none_is_a_value_of_what_may_have_no_bound():
    """So that an axis of an experiment can hold both: `limit = [700, "none"]`."""
    found = [rs.Bounded(limit="none"), rs.Elo(cap="none", floor="none"), rs.Glicko2(volatility_cap="none")]
    assert found == [rs.Bounded(limit=None), rs.Elo(), rs.Glicko2(volatility_cap=None)]
