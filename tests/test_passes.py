"""Periods judged several times: the engine's passes against a plain loop, and what such systems cannot do."""

from typing import ClassVar, Literal, NamedTuple

import numpy as np
import pytest

import ratesim as rs
from ratesim.jit import kernel
from ratesim.systems.base import Floats, Kernels, Start, System

ROUNDS, K = 3, 24.0


class Params(NamedTuple):
    k: float


class Belief(NamedTuple):
    rating: float
    tentative: float


class Evidence(NamedTuple):
    games: float
    surplus: float


@kernel
def predict(p, me, foe, game):
    return min(max(0.5 + (me.rating - foe.tentative) / 800.0, 0.0), 1.0)


@kernel
def evidence(p, me, foe, game, expected):
    return Evidence(1.0, game.score - expected)


@kernel
def between(p, me, total, n):
    return Belief(me.rating, me.rating + n * p.k * total.surplus)


@kernel
def absorb(p, me, total, gain, clock):
    after = me.rating + p.k * total.surplus
    return Belief(after, after)


class Thrice(System):
    """Each period is judged three times, by what the time before made of the opponents."""

    kind: Literal["thrice"] = "thrice"
    default_calendar: ClassVar[str] = "months"

    def kernels(self):
        return Kernels(Params, Belief, Evidence, predict, evidence, absorb, passes=ROUNDS, between=between)

    def params(self) -> tuple[float, ...]:
        return (K,)

    def belief(self, start: Start) -> tuple[float, ...]:
        rating = 1500.0 if np.isnan(start.rating) else start.rating
        return (rating, rating)

    def columns(self, beliefs: Floats) -> dict[str, Floats]:
        return {"rating": beliefs[:, 0]}


def games(n=400, players=12, days=200.0):
    rng = np.random.default_rng(7)
    sides = np.array([rng.choice(players, 2, replace=False) for _ in range(n)])
    return rs.GameStream.of(
        first=[f"p{a}" for a in sides[:, 0]], second=[f"p{b}" for b in sides[:, 1]],
        score=rng.integers(3, size=n) / 2, time=np.sort(rng.uniform(0, days, n)), weight=rng.integers(3, size=n) * 1.0,
    )  # fmt: skip


def by_hand(stream, period):
    """The same in plain Python: forecasts, ratings after the last period."""
    rating, forecast = dict.fromkeys(range(stream.n_players), 1500.0), np.empty(len(stream))
    for t in np.unique(period):
        mine = np.flatnonzero(period == t)
        tentative = dict(rating)
        for n in range(1, ROUNDS + 1):
            total = dict.fromkeys(rating, 0.0)
            for g in mine:
                for me, foe, score, sign in (
                    (stream.first[g], stream.second[g], stream.score[g], 0),
                    (stream.second[g], stream.first[g], 1 - stream.score[g], 1),
                ):
                    e = min(max(0.5 + (rating[me] - tentative[foe]) / 800, 0), 1)
                    if n == 1 and not sign:
                        forecast[g] = e
                    total[me] += stream.weight[g] * (score - e)
            step = n if n < ROUNDS else 1
            tentative = {i: rating[i] + step * K * total[i] for i in rating}
        rating = tentative
    return forecast, np.array(list(rating.values()))


CALENDARS = [rs.Months(), rs.Every(days=1), rs.PerGame(), rs.Whole()]


@pytest.mark.interpreted
@pytest.mark.parametrize("calendar", CALENDARS, ids=lambda each: each.kind)
def test_each_period_is_judged_as_often_as_asked(calendar):
    stream = games()
    run = rs.replay(Thrice(), stream, calendar=calendar)
    forecast, final = by_hand(stream, run.period)
    assert run.forecast == pytest.approx(forecast, abs=1e-12)
    assert run.ratings()["rating"].to_numpy() == pytest.approx(final, abs=1e-9)


@pytest.mark.slow
def test_compiled_it_does_so_too():
    stream = games()
    run = rs.replay(Thrice(), stream)
    forecast, final = by_hand(stream, run.period)
    assert run.forecast == pytest.approx(forecast, abs=1e-12)
    assert run.ratings()["rating"].to_numpy() == pytest.approx(final, abs=1e-9)


@pytest.mark.interpreted
def test_histories_see_closed_periods_and_change_nothing():
    stream = games()
    run = rs.replay(Thrice(), stream)
    before = run.ratings()
    moment = 120.0
    closed = run.history([moment])
    opens = np.flatnonzero(np.asarray(run.period) < run.period[np.searchsorted(stream.time, moment)])
    shorter = rs.replay(Thrice(), stream.take(slice(int(opens[-1]) + 1)))
    expected = shorter.ratings().filter(shorter.ratings()["games"] > 0)
    found = dict(closed.select("player", "rating").iter_rows())
    assert found == dict(expected.select("player", "rating").iter_rows())
    assert run.ratings().equals(before)


@pytest.mark.interpreted
def test_played_in_parts_it_is_the_same():
    stream = games()
    run = rs.replay(Thrice(), stream)
    session = run.again()
    parts = [session.advance(upto) for upto in (1, 7, 130, 131, 399, len(stream))]
    assert np.concatenate(parts)[:, 0].tobytes() == run.forecast.tobytes()
    assert session.finished().rows[:, 0, 0].tobytes() == run.session.finished().rows[:, 0, 0].tobytes()


@pytest.mark.interpreted
def test_a_state_is_not_saved_and_lists_are_refused(tmp_path):
    run = rs.replay(Thrice(), games())
    with pytest.raises(rs.InputError, match="judges the games of an open period again"):
        run.save(tmp_path / "x.state")
    assert not (tmp_path / "x.state").exists()
    with pytest.raises(rs.InputError, match="judges a period again"):
        rs.replay(Thrice(), games(), calendar=rs.Lists())


@pytest.mark.interpreted
def test_a_game_that_is_a_period_of_its_own_is_judged_as_often():
    """The loop of single games is that of periods, bit for bit; a game of weight 0 leaves everything as it is."""
    stream = games()
    assert len(np.unique(stream.time)) == len(stream)
    run = rs.replay(Thrice(), stream, calendar=rs.PerGame())
    assert run.session.fused
    session = run.again()
    session.go_on_in_periods()
    assert session.advance(len(stream))[:, 0].tobytes() == run.forecast.tobytes()
    assert session.finished().rows[:, 0, 0].tobytes() == run.session.finished().rows[:, 0, 0].tobytes()
