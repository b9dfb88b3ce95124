"""The closed loop: an organiser's ratings are those of a replay of the games that they led to."""

from typing import Literal

import numpy as np
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.replaying.pairs import usual
from ratesim.worlds import League
from ratesim.worlds.base import Pairs
from ratesim.worlds.pairings.strength import ByStrength

ORGANISERS = {
    "elo": {"organiser": "elo", "policy": {"kind": "constant", "k": 32}},
    "elo that slows": {"organiser": {"kind": "elo", "start": 1400.0}, "policy": {"kind": "harmonic"}},
    "glicko by the month": {"organiser": {"kind": "glicko", "per": "30d", "c": 30}},
    "glicko-2": {"organiser": {"kind": "glicko2"}},
}


class Sparse(ByStrength):
    """The strongest against the weakest, and so on inwards, a third of the games not played."""

    kind: Literal["sparse"] = "sparse"

    def pair(self, pool, memory, luck, moment):
        """Return the games of a round."""
        order = np.argsort(self.strength(pool), axis=1, kind="stable").astype(np.int32)
        first, second = order[:, : pool.games], order[:, ::-1][:, : pool.games]
        missed = luck.uniform("missed", moment.round, pool.games) < 1 / 3
        return Pairs(*(np.ascontiguousarray(np.where(missed, np.int32(-1), side)) for side in (first, second)))


def played(world, seed=4, replicates=range(3)):
    """Return the playing, ratings (rounds, R, N) as each round opened, and the forecasts of the organiser."""
    playing = world.play(seed, replicates)
    organiser, ratings, forecasts = playing.organiser, [], []
    hear, rate = organiser.hear, organiser.ratings
    organiser.hear = lambda *said: forecasts.append(hear(*said))
    organiser.ratings = lambda: ratings.append(rate()) or ratings[-1]
    there = [(each.first >= 0).T.ravel() for each in playing]
    return playing, np.array(ratings), np.concatenate([f[t] for f, t in zip(forecasts, there, strict=True)])


@pytest.mark.parametrize("how", ORGANISERS)
@pytest.mark.parametrize("pairing", ["closeness", "sparse"])
def test_a_replay_of_the_games_has_the_same_forecasts_and_ratings_to_the_last_bit(how, pairing):
    part = Sparse(**ORGANISERS[how]) if pairing == "sparse" else {"kind": pairing, **ORGANISERS[how]}
    world = League(players=13, rounds=24, per_round=5, days=200, pairing=part)
    playing, ratings, forecasts = played(world)
    system, policy = world.pairing.loop
    stream = world.simulate(seed=4, replicates=3)
    assert len(stream) == 3 * 24 * 5 if pairing == "closeness" else 100 < len(stream) < 3 * 24 * 5
    run = rs.replay(system, stream, policy=policy if system.takes_policy else None)
    assert forecasts.tobytes() == run.forecast.tobytes()
    assert ratings.std() > 1
    finished = playing.organiser.session.finished().rows[:-2, : playing.organiser.session.fields, 0]
    assert system.columns(finished)["rating"].tolist() == run.ratings()["rating"].to_list()


@pytest.mark.parametrize("kind", ["closeness", "nearest", "swiss", "arena"])
def test_so_it_is_with_pools_edges_breaks_newcomers_and_foul_play(kind):
    organiser = {"kind": "elo", "advantage": 40.0}
    world = League(
        players=18, rounds=40, days=800, pairing={"kind": kind, "organiser": organiser},
        pools={"names": ["A", "B"], "spread": 50.0, "bridges": 0.8}, outcomes={"kind": "logistic", "edge": 60.0},
        activity=[
            {"kind": "breaks", "share": 0.3, "length": 200}, {"kind": "turnover", "newcomers": 0.4, "stay": 600.0},
            "seasons",
        ],
        stress=[{"kind": "ring"}],
    )  # fmt: skip
    playing, _, forecasts = played(world, replicates=range(2))
    stream = world.simulate(seed=4, replicates=2)
    assert 100 < len(stream) < 2 * 40 * 9
    run = rs.replay(rs.Elo(advantage=40.0), stream)
    assert forecasts.tobytes() == run.forecast.tobytes()
    rows = playing.organiser.session.state.rows
    assert rows[:-2, 0, 0].tolist() == run.ratings()["rating"].to_list()


def test_ratings_as_a_round_opens_are_those_after_all_games_before_it():
    world = League(players=13, rounds=24, pairing="closeness")
    _, ratings, _ = played(world)
    stream = world.simulate(seed=4, replicates=3)
    for number in (1, 7, 23):
        run = rs.replay(rs.Elo(), stream.take(slice(3 * 6 * number)))
        assert run.ratings()["rating"].to_list() == ratings[number].ravel().tolist()


def test_a_period_that_is_not_over_says_nothing_yet():
    pairing = {"kind": "closeness", "organiser": {"kind": "glicko", "per": "30d"}}
    world = League(players=10, rounds=60, days=120, pairing=pairing)
    calendar = usual(world.pairing.organiser)
    assert calendar.lasting
    _, ratings, _ = played(world)
    days = np.array([world.moment(number).day for number in range(60)])
    turns = np.diff(calendar.index(days)) > 0
    moved = (np.diff(ratings, axis=0) != 0).any(axis=(1, 2))
    assert turns.any()
    assert moved.tolist() == turns.tolist()


@pytest.mark.parametrize("kind", ["closeness", "nearest", "swiss", "arena"])
def test_a_replicate_is_the_same_alone_and_in_company(kind):
    world = League(players=12, rounds=15, pairing={"kind": kind})
    together = list(world.play(9, range(5)))
    alone = list(world.play(9, [3]))
    for one, all_ in zip(alone, together, strict=True):
        for name in ("first", "second", "score", "truth", "skill"):
            assert getattr(one, name)[0].tobytes() == getattr(all_, name)[3].tobytes()


def test_which_system_organises_decides_who_meets_whom():
    def games(**pairing):
        return League(players=20, rounds=30, pairing={"kind": "closeness", "width": 40, **pairing}).simulate(seed=2)

    plain, quick = games(), games(policy={"kind": "constant", "k": 80})
    assert (plain.first != quick.first).any()
    assert plain.digest == games(by="rating", organiser={"kind": "elo"}).digest
    assert games(by="skill").digest == games(by="skill", policy={"kind": "constant", "k": 80}).digest


def test_pairing_by_skill_has_no_organiser():
    world = League(players=10, pairing={"kind": "closeness", "by": "skill"})
    assert world.pairing.loop is None
    assert world.play(1, [0]).organiser is None


@pytest.mark.parametrize(
    ("pairing", "said"),
    [
        ({"organiser": "fide"}, "organiser 'fide' has to see games before they are played"),
        ({"organiser": "published"}, "organiser 'published' has to see games before they are played"),
        ({"organiser": "elos"}, "did you mean 'elo'"),
        ({"organiser": "glicko", "policy": "constant"}, "system 'glicko' learns without K"),
        ({"width": 0.0}, "width = 0.0"),
        ({"by": "ratings"}, "did you mean 'rating'"),
    ],
)
def test_organisers_that_cannot_are_refused_in_one_line(pairing, said):
    with pytest.raises(InputError, match=said) as error:
        League(players=10, pairing={"kind": "closeness", **pairing})
    assert "\n" not in str(error.value)
