"""Paths of ratings: what they say adds up to the bit, under every system, and is what a rating is moved by."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.replaying.moves import moves
from ratesim.replaying.paths import paths

pytestmark = pytest.mark.interpreted
GAMES = 60


def stream(*, tied: bool, pools: bool = False) -> rs.GameStream:
    """Games of nine players in four months and two seasons, of some of them several a day."""
    rng = np.random.default_rng(5)
    first = rng.integers(9, size=GAMES)
    time = np.sort(rng.integers(0, 60, GAMES)) * 2.0 if tied else np.arange(GAMES) * 2.0
    return rs.GameStream.of(
        first=first.astype(str), second=((first + rng.integers(1, 9, GAMES)) % 9).astype(str),
        score=rng.choice([0, 0.5, 1.0], GAMES), time=19700 + time, edge=rng.choice([0.0, 1.0], GAMES),
        season=np.arange(GAMES) // 35, event=(np.arange(GAMES) // 7 % 12).astype(str),
        weight=rng.choice([1.0, 1.0, 1.0, 0.0], GAMES), pool=np.where(pools & (first > 4), "blitz", "chess"),
        performance_first=rng.normal(size=GAMES), performance_second=rng.normal(size=GAMES),
    )  # fmt: skip


SYSTEMS = {
    "elo": (rs.Elo(advantage=30.0), rs.PerGame()),
    "elo by season": (rs.Elo(reversion=0.4), rs.PerGame()),
    "elo by season, monthly": (rs.Elo(reversion=0.4), rs.Months()),
    "glicko": (rs.Glicko(per="30d"), rs.PerGame()),
    "glicko monthly": (rs.Glicko(), rs.Months()),
    "glicko2 monthly": (rs.Glicko2(), rs.Months()),
    "readings": (rs.Readings(), rs.Months()),
    "fide": (rs.FideElo(start=1500, floor="none", rules="as-of"), rs.Lists()),
    "fide, unrated": (rs.FideElo(rules="as-of"), rs.Lists()),
}
START = pl.DataFrame({
    "player": ["2", "3", "4", "4"], "rating": [1850.0, 1800.0, 1900.0, 1720.0],
    "since": [np.nan, np.nan, 19740.0, 19765.0],
    **{name: [said, said, None, None] for name, said in (("games", 40.0), ("peak", 1900.0), ("born", 1980.0))},
})  # fmt: skip


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True)


@pytest.mark.filterwarnings("ignore:overflow")  # of hashes, which is meant
@pytest.mark.parametrize(
    ("name", "tied"), [(name, tied) for name in SYSTEMS for tied in (True, False) if tied or name in {"elo", "glicko"}]
)
def test_they_lead_from_nothing_to_the_final_rating_to_the_bit(name, tied):
    system, calendar = SYSTEMS[name]
    games = stream(tied=tied)
    run = rs.replay(system, games, calendar=calendar, start=START)
    found = paths(run, games.players["player"].to_list())
    final = dict(run.ratings().select("player", "rating").iter_rows())
    assert found["player"].n_unique() == 9
    for (player,), path in found.group_by("player", maintain_order=True):
        assert np.isnan(path["before"][0])
        assert same(path["before"][1:], path["after"][:-1])
        assert same(path["after"][-1], final[player])
        number = games.players["player"].to_list().index(player)
        played = np.flatnonzero((games.first == number) | (games.second == number)).tolist()
        told = path["games"].explode().drop_nulls()
        assert sorted(told) == played
        assert set(path.filter(pl.col("games").list.len() > 0)["cause"]) == {"games"}
        assert path["time"].is_sorted()
    causes = set(found["cause"])
    assert ("season" in causes) == ("season" in name)
    assert ("rule" in causes) == ("fide" in name)  # ratings were raised on 1 March 2024
    assert "override" in causes


def test_players_asked_for_together_are_as_alone():
    games = stream(tied=True)
    run = rs.replay(rs.Elo(reversion=0.4), games, start=START)
    both = paths(run, ["7", "4"])
    assert pl.concat([paths(run, [name]) for name in both["player"].unique(maintain_order=True)]).equals(both)


def test_pools_have_paths_of_their_own():
    games = stream(tied=True, pools=True)
    run = rs.replay(rs.Elo(), games, by_pool=True)
    found = paths(run, ["7"])
    final = run.ratings().filter(pl.col("player") == "7")
    ends = found.group_by("pool", maintain_order=True).last()
    assert ends.height == 2
    assert dict(ends.select("pool", "after").iter_rows()) == dict(final.select("pool", "rating").iter_rows())


@pytest.mark.parametrize("calendar", [rs.PerGame(), rs.Months()], ids=str)
def test_games_move_ratings_as_moves_say(calendar):
    run = rs.replay(rs.Elo(reversion=0.4), stream(tied=False), policy=rs.Constant(24), calendar=calendar)
    said = moves(run).frame.filter(pl.col("row") == 4, pl.col("fresh") > 0)
    name = run.stream.players["player"][4]
    own = paths(run, [name]).filter(pl.col("cause") == "games", pl.col("after") != pl.col("before"))
    expected = said.filter(pl.col("after") != pl.col("drifted"))
    assert own.height > 2
    assert own["before"].to_list() == expected["drifted"].to_list()
    assert own["after"].to_list() == expected["after"].to_list()


def test_a_season_an_override_and_games_by_hand():
    """K 20: 1500 +10 by a win over an equal; a third of the way to 1500 in season 2; 1600 said; a win over 1493."""
    games = rs.GameStream.of(
        first=["A", "A", "A"], second=["B", "C", "B"], score=[1, 0.5, 1], time=[0, 10, 20], season=["1", "2", "2"]
    )
    start = pl.DataFrame({"player": ["A"], "rating": [1600.0], "since": [15.0]})
    run = rs.replay(rs.Elo(reversion=1 / 3, reversion_to=1500), games, policy=rs.Constant(20), start=start)
    found = paths(run, ["A"]).select("time", "cause", "games", "after").rows()
    drawn = 1500 + 20 / 3 + 20 * (0.5 - 1 / (1 + 10 ** (-(20 / 3) / 400)))
    won = 1600 + 20 * (1 - 1 / (1 + 10 ** ((1490 + 10 / 3 - 1600) / 400)))
    assert [row[:3] for row in found] == [
        (0.0, "first rating", []), (0.0, "games", [0]), (10.0, "season", []), (10.0, "games", [1]),
        (20.0, "override", []), (20.0, "games", [2]),
    ]  # fmt: skip
    assert [row[3] for row in found] == pytest.approx([1500, 1510, 1500 + 20 / 3, drawn, 1600, won], rel=1e-14)


def test_a_player_nobody_knows_and_a_system_without_ratings_are_refused():
    run = rs.replay(rs.Elo(), stream(tied=True))
    with pytest.raises(rs.InputError, match="no player '77' in the stream"):
        paths(run, ["77"])
    with pytest.raises(rs.InputError, match="forecasts whole streams only"):
        paths(rs.replay(rs.Even(), stream(tied=True)), ["7"])
