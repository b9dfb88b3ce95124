import glicko2
import numpy as np
import pytest

from ratesim.errors import InputError
from ratesim.replay import Diagnostic, replay
from ratesim.stream import GameStream
from ratesim.systems import glicko2_pypi, glicko2_pypi_played
from ratesim.systems.base import Games
from ratesim.systems.glicko2_pypi import Glicko2PyPI


def games(rows, players) -> Games:
    """Games of rows (period, first, second, score)."""
    period, first, second, score = (np.array(x) for x in zip(*rows, strict=True))
    i32 = np.int32
    return Games(first.astype(i32), second.astype(i32), score.astype(float), period * 30.0, period.astype(i32), players)


def test_both_sides_are_updated_from_the_ratings_before_the_period():
    final = Glicko2PyPI().whole(games([(0, 0, 1, 1.0), (0, 1, 2, 0.5)], 4)).columns
    middle = glicko2.Player()
    middle.update_player([1500, 1500], [350, 350], [0, 0.5])
    end = glicko2.Player()
    end.update_player([1500], [350], [0.5])
    assert [final[c][1] for c in final] == [middle.rating, middle.rd, middle.vol]
    assert [final[c][2] for c in final] == [end.rating, end.rd, end.vol]
    assert np.isnan(final["rating"][3])  # never played


def test_idle_periods_age_and_the_debut_does_not():
    stream = games([(2, 0, 1, 1.0), (5, 0, 1, 1.0), (7, 2, 3, 1.0)], 4)
    final = Glicko2PyPI().whole(stream).columns
    one, two = glicko2.Player(), glicko2.Player()
    for idle_before in (0, 2):
        for _ in range(idle_before):
            one.did_not_compete()
            two.did_not_compete()
        before = one.rating, one.rd
        one.update_player([two.rating], [two.rd], [1])
        two.update_player([before[0]], [before[1]], [0])
    for _ in range(2):  # periods 6 and 7
        one.did_not_compete()
    assert [final[c][0] for c in final] == [one.rating, one.rd, one.vol]


def test_the_fault_of_step_5_is_the_packages():
    """The paper's volatility is .0599960 wherever the ratings lie; the package's is only right at 1700."""
    found = {}
    for shift in (0, 200):
        player = glicko2.Player(1500 + shift, 200, 0.06)
        player.update_player([1400 + shift, 1550 + shift, 1700 + shift], [30, 100, 300], [1, 0, 0])
        found[shift] = player.vol
    assert found == pytest.approx({0: 0.0599934, 200: 0.0599960}, abs=5e-8)


def test_tau_is_ours_and_the_packages_stays():
    rows = [(0, 0, 1, 1.0)] * 10 + [(1, 0, 1, 0.0)] * 10
    quiet, free = (Glicko2PyPI(tau=tau, deviation=60).whole(games(rows, 2)).columns for tau in (0.2, 1.2))
    assert free["volatility"][0] - quiet["volatility"][0] > 1e-4
    assert glicko2.Player._tau == 0.5


def test_what_the_package_cannot_solve_is_counted_and_only_ages(monkeypatch):
    monkeypatch.setattr(glicko2_pypi_played, "STEPS", 1)  # fewer evaluations than any step 5 needs
    found = Glicko2PyPI().whole(games([(0, 0, 1, 1.0), (3, 0, 1, 1.0)], 2))
    idle = glicko2.Player()
    for _ in range(4):
        idle.did_not_compete()
    for column, value in zip(found.columns.values(), (idle.rating, idle.rd, idle.vol), strict=True):
        assert column == pytest.approx([value, value], abs=1e-9)
    assert found.noted == (("step 5 not solved", 4, 0, 0),)


def test_what_was_not_solved_is_said_of_a_player_by_name_and_day(monkeypatch):
    monkeypatch.setattr(glicko2_pypi_played, "STEPS", 1)
    stream = GameStream.of(first=["Ann", "Bob"], second=["Bob", "Ann"], score=[1, 1], time=[40.0, 100.0])
    assert replay(Glicko2PyPI(), stream).diagnostics == [Diagnostic("step 5 not solved", 4, "Ann", 31.0)]


def test_a_stream_is_played_once(monkeypatch):
    played = []
    play = glicko2_pypi_played.played
    monkeypatch.setattr(glicko2_pypi, "played", lambda *given: played.append(1) or play(*given))
    stream = GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    run = replay(Glicko2PyPI(), stream)
    assert run.ratings()["rating"][0] > 1500 > run.ratings()["rating"][1]
    assert played == [1]


def test_weights_are_refused_unless_they_say_nothing():
    columns = {"first": ["A", "B"], "second": ["B", "A"], "score": [1, 1], "time": [0, 1]}
    plain, ones, twos = (GameStream.of(**columns, weight=weight) for weight in (None, [1, 1], [1, 2]))
    assert replay(Glicko2PyPI(), ones).ratings().equals(replay(Glicko2PyPI(), plain).ratings())
    with pytest.raises(InputError, match=r"^column weight: system 'glicko2-pypi' has no weights; expected 1 for every"):
        replay(Glicko2PyPI(), twos)


def test_an_overflow_in_the_package_is_a_step_not_solved():
    player = glicko2_pypi_played._peer(0.5)(1500, 30, 0.06)
    assert not glicko2_pypi_played._update(player, ([101_500], [30], [1]))  # 1 / (E (1 - E)) divides by zero
    assert glicko2_pypi_played._update(player, ([1600], [30], [1]))


@pytest.mark.parametrize("seed", range(3))
def test_forecasts_add_up_to_one_and_use_no_result_of_their_period(seed):
    rng = np.random.default_rng(seed)
    rows = [(t, a, b, rng.integers(3) / 2) for t in range(5) for a, b in rng.permutation(6).reshape(3, 2)]
    mirrored = [(t, b, a, 1 - s) for t, a, b, s in rows]
    flipped = [(t, a, b, s if t < 4 else 1 - s) for t, a, b, s in rows]
    forecast, other, same = (Glicko2PyPI().whole(games(x, 6)).forecast for x in (rows, mirrored, flipped))
    assert forecast + other == pytest.approx(np.ones(15), abs=1e-12)
    assert (forecast == same).all()
