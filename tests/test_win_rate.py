"""Win rates: the prior, starts and draws."""

import pytest

import ratesim as rs

pytestmark = pytest.mark.interpreted


def rates(games, **parameters):
    first, second, score = zip(*games, strict=True)
    stream = rs.GameStream.of(first=first, second=second, score=score, time=[0.0] * len(games))
    start = parameters.pop("start", None)
    run = rs.replay(rs.WinRate(**parameters), stream, start=start)
    return {row["player"]: row["rate"] for row in run.ratings().iter_rows(named=True)}


def test_the_prior_is_games_half_of_them_won():
    games = [("A", "B", 1), ("A", "B", 1), ("A", "B", 0.5)]
    assert rates(games, prior=2.0)["A"] == pytest.approx(3.5 / 5, abs=1e-15)
    assert rates(games, prior=10.0)["B"] == pytest.approx(5.5 / 13, abs=1e-15)


def test_a_start_far_out_with_a_prior_of_hardly_a_game_is_told_or_refused():
    """A's one win changes nothing, B's one win beside 1e-12 games makes it a rate of 1 less what it was worth."""

    def ratings(rating, score):
        games = rs.GameStream.of(first=["A"], second=["B"], score=[score], time=[0.0])
        start = {"A": {"rating": 1500.0 + rating}, "B": {"rating": 1500.0 - rating}}
        return rs.replay(rs.WinRate(prior=1e-12), games, start=start).ratings().sort("player")["rating"].to_list()

    points = 4800.0  # of twelve powers of ten, 400 each
    assert ratings(110_000.0, 1) == pytest.approx([1500 + 110_000 + points, 1500 - 110_000 - points], abs=1e-6)
    assert ratings(110_000.0, 0) == pytest.approx([1500 - points, 1500 + points], abs=1e-6)
    for rating in (110_001.0, 1e6, -1e6):
        with pytest.raises(rs.InputError, match=r"start, .*column rating"):
            ratings(rating, 1)


def test_a_start_counts_its_games_and_the_prior():
    """A rating of 1500 + 400 log10(3) is a rate of 3/4: 12 of 16 games, then one is lost."""
    start = {"A": {"rating": 1690.848501887865, "games": 12.0}}
    assert rates([("A", "B", 0)], start=start)["A"] == pytest.approx(12 / 17, abs=1e-14)
