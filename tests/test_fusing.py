"""Games of one time stamp, and lanes with results of their own: the same bits as by the plain way."""

from dataclasses import replace

import numpy as np
import pytest
from lanes import composed

import ratesim as rs
from ratesim.replaying.session import Session, Variant

LANES = 5
SYSTEMS = {
    "elo": [Variant(rs.Elo(advantage=a), composed(40 - a / 10)) for a in np.linspace(0, 60, LANES)],
    "glicko": [Variant(rs.Glicko(c=c, per=30), rs.Constant()) for c in np.linspace(1, 60, LANES)],
    "glicko2": [Variant(rs.Glicko2(tau=t, per=30), rs.Constant()) for t in np.linspace(0.2, 1.2, LANES)],
}
FEW = 12  # players who meet at one time, two by two


def tied(rounds: int = 80, players: int = 40, *, twice: bool = False) -> rs.GameStream:
    """Rounds at one time each, in which nobody stands twice, or somebody does in the last."""
    rng = np.random.default_rng(8)
    who = np.array([rng.permutation(players)[:FEW] for _ in range(rounds)])
    if twice:
        who[-1, 2] = who[-1, 0]
    games = who.size // 2
    return rs.GameStream.of(
        first=who[:, ::2].ravel().astype(str), second=who[:, 1::2].ravel().astype(str),
        score=rng.choice([0, 0.5, 1.0], games), time=15000 + np.repeat(np.arange(rounds) * 7.0, FEW // 2),
        edge=rng.choice([-1.0, 0, 1], games), weight=rng.choice([0.0, 1, 1, 2], games),
    )  # fmt: skip


GAMES = tied()


def same(a, b):
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def beliefs(session):
    return session.finished().rows[:, : session.fields + 3 * session.gains.career]


@pytest.mark.parametrize(
    ("name", "lanes"),
    [pytest.param(name, n, marks=pytest.mark.slow if n > 1 else ()) for k, name in enumerate(SYSTEMS) for n in (1, 3)],
)
def test_games_of_one_time_in_which_nobody_stands_twice_are_played_one_by_one(name, lanes):
    fused, plain = (Session(SYSTEMS[name][:lanes], GAMES, rs.PerGame()) for _ in range(2))
    plain.go_on_in_periods()
    assert fused.fused
    assert not plain.fused
    assert len(fused.schedule.opens) == len(GAMES) / (FEW / 2)
    cuts = (1, 200, 201, len(GAMES))  # within rounds and between
    assert same(np.concatenate([fused.advance(upto) for upto in cuts]), plain.advance(len(GAMES)))
    assert same(beliefs(fused), beliefs(plain))
    assert same(fused.finished().flags, plain.finished().flags)


def test_somebody_who_stands_twice_in_one_time_is_judged_by_what_was_believed_before():
    games = tied(twice=True)
    session = Session(SYSTEMS["elo"][:1], games, rs.PerGame())
    assert not session.fused
    last = games.take(slice(len(games) - FEW // 2, len(games)))
    player = last.first[0]
    assert (np.concatenate([last.first, last.second]) == player).sum() == 2
    run = rs.replay(rs.Elo(), games)
    before = rs.replay(rs.Elo(), games.take(slice(len(games) - FEW // 2))).ratings()["rating"].to_numpy()
    assert run.forecast[-FEW // 2 :] == pytest.approx(
        1 / (1 + 10 ** ((before[last.second] - before[last.first]) / 400))
    )


def test_pieces_of_games_are_never_fused_over_their_ends():
    assert not Session(SYSTEMS["elo"][:1], GAMES, rs.PerGame(), ends=float(GAMES.time[-1])).fused
    assert not Session(SYSTEMS["elo"][:1], GAMES, rs.Months()).fused


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_saved_state_leaves_the_last_time_open(name, tmp_path):
    (system, policy), cut = SYSTEMS[name][0], 201  # within a round
    how = {"policy": policy if system.takes_policy else None, "calendar": rs.PerGame()}
    whole = rs.replay(system, GAMES, **how)
    part = rs.replay(system, GAMES.take(slice(cut)), **how)
    assert part.session.fused
    part.save(tmp_path / "state")
    rest = rs.replay(system, GAMES.take(slice(cut, None)), state=rs.load_state(tmp_path / "state"), **how)
    assert same(np.concatenate([part.forecast, rest.forecast]), whole.forecast)


@pytest.mark.parametrize("calendar", [rs.PerGame(), rs.Every(days=30)], ids=["singly", "periods"])
@pytest.mark.parametrize("name", ["elo", "glicko", "glicko2"])
@pytest.mark.interpreted
def test_a_lane_with_results_of_its_own_is_a_replay_of_them(name, calendar):
    played = GAMES.take(slice(10 * FEW // 2))  # few, for Python
    scores = np.random.default_rng(2).choice([0, 0.5, 1.0], (len(played), LANES))
    session = Session(SYSTEMS[name], played, calendar, scores=scores)
    forecast = session.advance(len(played))
    for lane, (system, policy) in enumerate(SYSTEMS[name]):
        games = replace(played, score=scores[:, lane].copy())
        alone = Session([Variant(system, policy)], games, calendar)
        assert same(forecast[:, lane], alone.advance(len(played))[:, 0])
        assert same(beliefs(session)[:, :, lane], beliefs(alone)[:, :, 0])


def test_results_of_lanes_have_a_column_for_each():
    with pytest.raises(ValueError, match=r"scores \(480, 2\); expected \(480, 5\)"):
        Session(SYSTEMS["elo"], GAMES, rs.PerGame(), scores=np.zeros((480, 2)))
