"""K of every policy, in numbers that others print, and policies made of policies; kernels in the Python they are."""

import math
from datetime import date

import pytest

import ratesim as rs
from ratesim import theory
from ratesim.jit import plain
from ratesim.records import Career


def k_of(policy, rating=1500.0, *, games=0, fresh=1, peak=0.0, idle=0.0, born=math.nan, year=2020):
    kernels = policy.kernels()
    q = kernels.Params(*policy.params())
    return plain(kernels.gain)(q, rating, Career(games, fresh, peak, idle, born, year))


def printed(value, digits):
    return pytest.approx(value, abs=0.5000001 * 10**-digits)


# Games so far; 250 / (n + 5)^.4; US Chess from 1500, 2000 and 2400, one game; Glicko from 350 that does not grow; FIDE.
FALLING = [
    (0, 131.3, 800, 800, 800, 350.0, 40),
    (5, 99.5, 133.3, 133.3, 133.3, 99.5, 40),
    (10, 84.6, 72.7, 72.7, 72.7, 58.0, 40),
    (30, 60.3, 45.5, 27.0, 25.8, 21.7, 20),
    (100, 38.9, 45.5, 27.0, 15.7, 6.8, 20),
    (500, 20.7, 45.5, 27.0, 15.7, 1.4, 20),
]


@pytest.mark.parametrize("row", FALLING, ids=[str(row[0]) for row in FALLING])
def test_k_over_games(row):
    games, tennis, low, middle, high, glicko, fide = row
    assert k_of(rs.FiveThirtyEight(), games=games) == printed(tennis, 1)
    found = [k_of(rs.Uscf(), rating, games=games) for rating in (1500.0, 2000.0, 2400.0)]
    assert found == [printed(k, 1) for k in (low, middle, high)]
    assert k_of(rs.GlickoEffective(c=0), games=games) == printed(glicko, 1)
    assert k_of(rs.Fide(), games=games) == fide


@pytest.mark.parametrize(
    ("effective", "event", "k"),
    [
        (6, 4, 80), (6, 6, 66.67), (6, 10, 50), (20, 4, 33.33), (20, 6, 30.77), (20, 10, 26.67), (50, 4, 14.81),
        (50, 6, 14.29), (50, 10, 13.33),
    ],
)  # fmt: skip
def test_uscf_in_the_table_of_its_authors(effective, event, k):
    """K by effective games and games of an event, as Glickman's description of 2004 prints it."""
    assert k_of(rs.Uscf(), 2400.0, games=effective, fresh=event) == printed(k, 2)


def test_uscf_worked_examples():
    assert 800 / k_of(rs.Uscf(), 1700.0, games=60) - 1 == printed(20.0117867, 7)
    assert k_of(rs.Uscf(), 1300.0, games=45, fresh=4) == printed(44.1821150, 7)
    assert k_of(rs.Uscf(), 2400.0, games=60) == printed(15.686, 3)


def test_uscf_nobody_who_has_not_played_has_a_k():
    assert k_of(rs.Uscf(), games=0, fresh=0) == 0


EFFECTIVE = {  # deviation: K against opponents of 0, 50, the same deviation, 350
    30: (5.14, 5.08, 5.12, 3.45), 45: (11.46, 11.33, 11.35, 7.74), 50: (14.10, 13.93, 13.93, 9.54),
    60: (20.12, 19.89, 19.79, 13.68), 80: (34.99, 34.60, 34.01, 24.08), 100: (53.16, 52.60, 51.03, 37.14),
}  # fmt: skip
ROUGH = {
    150: (109.2, 108.2, 101.5, 80.0),
    200: (172.9, 171.9, 157.3, 134.2),
    350: (350.0, 350.0, 324.4, 324.4),
    500: (468.6, 470.6, 483.0, 499.6),
}


def effective(deviation, foe, **career):
    return k_of(rs.GlickoEffective(deviation=deviation, floor=deviation, foe=foe), **career)


@pytest.mark.parametrize("deviation", [*EFFECTIVE, *ROUGH])
def test_glicko_effective_k_of_a_deviation(deviation):
    foes = (0, 50, deviation, 350)
    values, digits = (EFFECTIVE[deviation], 2) if deviation in EFFECTIVE else (ROUGH[deviation], 1)
    assert [effective(deviation, foe, games=77, idle=9) for foe in foes] == [printed(k, digits) for k in values]


@pytest.mark.parametrize(("k", "deviation"), [(10, 42.2), (16, 53.7), (20, 60.3), (24, 66.4), (32, 77.4), (40, 87.4)])
def test_glicko_effective_what_fixed_k_stand_for(k, deviation):
    low, high = (effective(deviation + each, deviation + each) for each in (-0.05, 0.05))
    assert low < k < high


def test_glicko_effective_idle_time_makes_up_for_games():
    policy = rs.GlickoEffective(c=60, per="1y", foe=80)
    year, g = 365.2425, theory.deviation.shrink(80)
    for games, years in ((3, 0.0), (3, 0.5), (40, 2.0), (400, 60.0)):
        deviation = math.hypot(theory.deviation_after(games * g**2), 60 * math.sqrt(years))
        expected = theory.gain(min(deviation, 350), 80)
        assert k_of(policy, games=games, idle=years * year) == pytest.approx(expected, rel=1e-12)


def test_tracking_is_the_optimum_on_paper():
    assert k_of(rs.Tracking(drift=5)) == 10
    assert k_of(rs.Tracking(drift=1, by="improvement")) == printed(22.3, 1)
    assert k_of(rs.Tracking(drift=2, by="improvement")) == printed(35.4, 1)
    assert rs.Tracking().kernels() == rs.Constant().kernels()


@pytest.mark.parametrize(
    ("policy", "ks"),
    [
        (rs.Fide(), (40, 20, 10)),
        (rs.Fide(rules=date(2014, 6, 30)), (30, 15, 10)),
        (rs.Fide(rules=date(2011, 7, 1)), (30, 15, 10)),
        (rs.Fide(rules=date(2011, 6, 30)), (25, 15, 10)),  # so in the Handbook of 2003, and still in 2009 and June 2010
        (rs.Fide(rules=date(1999, 1, 1)), (25, 15, 10)),
    ],
)
def test_fide_by_date(policy, ks):
    new, most, top = (
        k_of(policy, games=games, peak=peak, born=1960) for games, peak in ((29, 2399), (30, 2399), (30, 2400))
    )
    assert (new, most, top) == ks


def test_steps_by_age_go_by_the_year_and_an_unknown_age_is_past_all():
    policy = rs.Steps(by="age", k=(40, 30, 20), at=(14, 19))
    found = [k_of(policy, born=born) for born in (2015, 2007, 2006, 2002, 2001, 1950, math.nan)]
    assert found == [40, 40, 30, 30, 20, 20, 20]


def test_steps_by_idle_time():
    policy = rs.Steps(by="idle", k=(20, 30, 40), at=("180d", "2y"))
    assert policy.at == (180.0, 2 * 365.2425)
    assert [k_of(policy, games=9, idle=days) for days in (0, 179.9, 180, 730, 731)] == [20, 20, 30, 30, 40]


NESTED = {
    "kind": "steps",
    "k": [40, {"kind": "steps", "by": "rating", "k": [20, 10], "at": [2400]}, "harmonic"],
    "at": [30, 100],
}


def test_values_of_steps_may_be_policies():
    policy = rs.POLICIES.build(NESTED)
    found = [k_of(policy, rating, games=games) for rating in (2399.0, 2400.0) for games in (0, 29, 30, 99, 110)]
    assert found == [40, 40, 20, 20, 10, 40, 40, 10, 10, 10]
    assert rs.POLICIES.build(policy.canonical()) == policy
    assert policy.label == "steps k=[40, steps(by=rating, k=[20.0, 10.0], at=[2400.0]), harmonic] at=[30.0, 100.0]"


def test_policies_made_alike_share_a_kernel_whatever_their_numbers():
    other = {**NESTED, "at": [20, 50], "k": [30, {**NESTED["k"][1], "k": [15, 5]}, {"kind": "harmonic", "k": 90}]}
    kernels = rs.POLICIES.build(NESTED).kernels()
    assert rs.POLICIES.build(other).kernels() == kernels
    assert rs.POLICIES.build({**NESTED, "by": "idle"}).kernels() != kernels


@pytest.mark.parametrize("by", ["games", "rating", "age", "idle"])
def test_steps_share_a_kernel_whatever_their_number_up_to_four_then_eight(by):
    made = {n: rs.Steps(by=by, k=tuple(range(n)), at=tuple(range(10, 9 + n))) for n in (1, 2, 3, 4, 5, 8, 9)}
    kernels = {n: steps.kernels() for n, steps in made.items()}
    assert all(kernels[n] is kernels[4] for n in (1, 2, 3))
    assert kernels[5] is kernels[8]
    assert len({*map(id, kernels.values())}) == 3
    for n, steps in made.items():
        for x in (9.5, 10.0, 10.5, 11, 12, 16.5, 99, math.nan):
            told = {"games": {"games": x}, "rating": {"rating": x}, "age": {"born": 2020 - x}, "idle": {"idle": x}}[by]
            passed = n - 1 if math.isnan(x) else sum(at <= x for at in steps.at)
            assert k_of(steps, **told) == steps.k[passed]


def test_bounds_and_the_700_rule():
    policy = rs.Bounded(policy=rs.Harmonic(k=120, half=10), least=16, most=40)
    assert [k_of(policy, games=games) for games in (0, 20, 30, 200)] == [40, 40, 30, 16]
    held = rs.Bounded(policy=40.0, limit=700)
    assert [k_of(held, fresh=n) for n in (17, 18, 20, 71)] == [40, 38, 35, 9]
    assert [k_of(held, fresh=n) for n in (17, 20)] == [k_of(rs.Fide(), fresh=n) for n in (17, 20)]


def test_bounds_may_be_policies():
    policy = rs.Bounded(policy=rs.FiveThirtyEight(), least=rs.Fide(), most=rs.Uscf())
    found = [k_of(policy, rating=2000.0, games=games, fresh=1) for games in (10, 30, 100)]
    assert found == [printed(72.7, 1), printed(27.0, 1), printed(27.0, 1)]


def test_fics_had_a_floor_of_16_so_that_equals_win_8_points_at_least():
    policy = rs.Bounded(policy=rs.GlickoEffective(c=0), least=16)
    assert [k_of(policy, games=games) for games in (10, 30, 100)] == [printed(58.0, 1), printed(21.7, 1), 16]


def test_a_product_multiplies():
    policy = rs.Product(of=("fide", 0.5, {"kind": "steps", "by": "idle", "k": [1, 2], "at": ["1y"]}))
    assert [k_of(policy, games=40, idle=days) for days in (0, 400)] == [10, 20]


def test_rules_by_date_hold_inside_others():
    inside = rs.Bounded(policy={"kind": "fide", "rules": "as-of"}, least=12)
    assert inside.changes == rs.Fide(rules="as-of").changes
    day = float((date(2010, 1, 1) - date(1970, 1, 1)).days)
    assert inside.params_at(day)[:3] == (25, 15, 10)
    assert inside.params()[:3] == (40, 20, 10)
    system = rs.FideElo(rules=date(2013, 1, 1))
    assert system.learning(rs.Bounded(policy=rs.Fide())).params()[:3] == (30, 15, 10)
    with pytest.raises(rs.InputError, match="K of A depends on games and peak"):
        rs.replay(
            rs.Elo(),
            rs.GameStream.of(first=["A"], second=["B"], score=[1.0], time=[0.0]),
            policy=rs.Steps(k=(rs.Fide(rules=date(2020, 1, 1), new=30), 10), at=(50,)),
            start={"A": {"rating": 2000.0}},
        )


MISTAKES = {
    "a name": (lambda: rs.Steps(k=(1, "fid")), "k 2: unknown policy 'fid'; did you mean 'fide'?"),
    "inside": (lambda: rs.Steps(k=(1, {"kind": "harmonic", "hal": 3})), "k 2: unknown key 'hal'; did you mean 'half'?"),
    "negative": (lambda: rs.Steps(k=(1, -2)), "k 2 = -2: K is a number from 0 to 10000, or a policy"),
    "by": (lambda: rs.Steps(by="rating", at=(2300,)), "by = 'rating'; expected k and at beside it"),
    "order": (lambda: rs.Bounded(least=30, most=20), "least = 30; expected at most most = 20"),
    "time": (lambda: rs.Steps(by="idle", k=(1, 2), at=("1q",)), "a duration is a number and one of"),
    "no time": (lambda: rs.Steps(at=("1y",)), "at 1 = '1y'; expected a number"),
    "no end": (
        lambda: rs.FiveThirtyEight(offset=1e-300, shape=10),
        "k = 250, offset = 1e-300, shape = 10; expected a K of the first game, k / offset^shape, of at most 10000",
    ),
    "no deviation": (lambda: rs.GlickoEffective(deviation=1e-200), "deviation = 1e-200; expected a number at least 1"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_told_in_a_line(case):
    make, told = MISTAKES[case]
    with pytest.raises(rs.InputError) as error:
        make()
    assert told in str(error.value)
    assert "\n" not in str(error.value)
