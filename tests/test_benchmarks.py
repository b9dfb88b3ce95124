import json

import numpy as np
import pytest
import race
import rivals
import scoreboard
import zipf
from scoreboard import Bound, Row

import ratesim as rs

FASTER = Row("elo", "Elo", "per game", "ns/game", [10.0, 20.0, 40.0], "C", [12.0, 30.0, 20.0], Bound(ratio=0.5))
SLOWER = Row("start", "", "help", "s", [0.3, 0.31, 0.29], bound=Bound(most=0.3, strict=True))


@pytest.mark.skipif(not rivals.has_gcc(), reason="needs gcc")
def test_the_c_loop_forecasts_what_we_do(tmp_path):
    games = zipf.columns(5000, 60)
    ours = rs.replay(rs.Elo(), games.stream(), policy=rs.Constant(k=rivals.K)).forecast
    theirs = np.zeros(5000)
    rivals.c_loop(rivals.build_c(tmp_path), games, theirs)
    assert np.ptp(ours) > 0.5
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=1e-12)


def test_peers_play_the_same_games_to_the_same_ratings():
    pytest.importorskip("riix", reason="needs the extra bench")
    games = zipf.columns(2000, 30)
    run = rs.replay(rs.Elo(), games.stream(), policy=rs.Constant(k=rivals.K))
    rating = run.ratings()["rating"].to_numpy()
    np.testing.assert_allclose(rivals.evalica_core(games)(), rating, rtol=0, atol=1e-9)
    riix = rivals.riix("elo", games)
    rivals.riix_ratings(riix, games)()
    np.testing.assert_allclose(riix.ratings, rating, rtol=0, atol=1e-9)
    kept = rivals.riix_forecasts(rivals.riix("elo", games), games)()
    np.testing.assert_allclose(kept, run.forecast, rtol=0, atol=1e-12)


def test_the_stream_is_one_of_few_busy_players():
    games = zipf.columns(20_000, 100)
    assert (games.first != games.second).all()
    assert np.bincount(games.first, minlength=100)[0] > 10 * np.bincount(games.first, minlength=100)[-1]
    assert (np.diff(games.time) > 0).all()


def test_rounds_are_interleaved_and_the_first_does_not_count():
    seen = []
    contenders = {name: (lambda name=name: lambda: seen.append(name), 10) for name in "ab"}
    found = race.race(contenders, 3)
    assert "".join(seen) == "abababab"
    assert [len(found[name]) for name in "ab"] == [3, 3]
    assert all(value >= 0 for name in "ab" for value in found[name])


def test_the_ratio_is_the_median_over_rounds():
    assert FASTER.ratio == 1.2  # of 1.2, 1.5 and .5
    assert FASTER.met
    assert SLOWER.ratio is None
    assert SLOWER.met is False  # .3 is not under .3


def test_a_table_of_canned_numbers():
    head, rule, faster, slower = scoreboard.table([FASTER, SLOWER]).splitlines()
    assert faster == "| Elo | per game | ns/game | 20 | 10–40 | C | 20 | 12–30 | 1.2 × | ≥ 0.5 × | yes |"
    assert slower == "|  | help | s | 0.3 | 0.29–0.31 |  |  |  |  | < 0.3 | **no** |"
    assert head.count("|") == rule.count("|") == faster.count("|") == slower.count("|") == 12


def test_rows_become_json_with_every_round():
    told = json.loads(json.dumps([FASTER.to_json(), SLOWER.to_json()]))
    assert told[0]["ours"] == [10, 20, 40]
    assert [row["met"] for row in told] == [True, False]
    assert told[1]["bound"] == "< 0.3"
