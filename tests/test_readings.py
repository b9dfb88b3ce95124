"""Ratings from performances: what a reading is worth, and what noise does."""

import math

import numpy as np
import pytest

import ratesim as rs
from ratesim.errors import InputError

Q = math.log(10) / 400


def stream(games: int, *, edge: float = 0.0, seed: int = 1) -> rs.GameStream:
    """One player against newcomers, each with a performance of their own."""
    shown = np.random.default_rng(seed).normal(1700, 220, (2, games))
    return rs.GameStream.of(
        first=["A"] * games, second=[f"P{n}" for n in range(games)], score=[0] * games, time=np.arange(float(games)),
        performance_first=shown[0], performance_second=shown[1], edge=[edge] * games,
    )  # fmt: skip


def rating(system: rs.Readings, games: rs.GameStream, player: str = "A") -> float:
    table = rs.replay(system, games).ratings()
    return table.filter(player=player)["rating"].item()


def test_results_are_never_looked_at():
    games = stream(50)
    shown = games.performance_first
    assert rating(rs.Readings(), games) == pytest.approx((1500 + shown.sum()) / 51, abs=1e-9)
    assert rating(rs.Readings(prior=10), games) == pytest.approx((15_000 + shown.sum()) / 60, abs=1e-9)


def test_an_edge_is_in_the_performance_and_is_taken_off():
    plain, ahead = (rating(rs.Readings(prior=1e-6, advantage=points), stream(20, edge=1.0)) for points in (0, 60))
    assert plain - ahead == pytest.approx(30, abs=1e-4)  # half of the lead is each side's, see `worlds.performing`


def test_noise_has_its_standard_deviation_and_hangs_on_the_reading_alone():
    games = stream(4000)
    noisy, plain = (rs.replay(rs.Readings(noise=noise), games).ratings()["rating"].to_numpy()[1:] for noise in (300, 0))
    errors = 2 * (noisy - plain)  # of one reading beside the start
    n = len(errors)
    assert abs(errors.mean()) < 3.3 * 300 / math.sqrt(n)  # one in 1,000 by chance
    assert abs(errors.std() / 300 - 1) < 3.3 / math.sqrt(2 * n)
    assert len(np.unique(errors.round(6))) == n
    backwards = rs.GameStream.of(
        first=[f"P{k}" for k in reversed(range(n))], second=["A"] * n, score=[1] * n, time=np.arange(float(n)),
        performance_first=games.performance_second[::-1], performance_second=games.performance_first[::-1],
    )  # fmt: skip
    again = rs.replay(rs.Readings(noise=300), backwards).ratings()
    found = dict(zip(again["player"], again["rating"], strict=True))
    assert [found[f"P{k}"] for k in range(n)] == pytest.approx(noisy, abs=1e-6)
    assert rating(rs.Readings(noise=300, seed=2), games) != rating(rs.Readings(noise=300), games)


def test_a_stream_without_performances_is_refused_in_one_line():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(InputError, match=r"^system readings: the stream has no performances; expected columns perfor"):
        rs.replay(rs.Readings(), games)
