"""A replay that was saved and goes on is the replay without a stop: forecasts, ratings, and what was noted."""

import numpy as np
import polars as pl
import pytest
from thinned import thinned

import ratesim as rs

G, LATE = 240, 160
SYSTEMS = {
    "elo": (rs.Elo(advantage=40), rs.Fide(games=12, ratchet=1600, junior=1550)),
    "fide": (rs.FideElo(), rs.Fide(games=12, ratchet=1600, junior=1550)),
    "glicko": (rs.Glicko(c=30, per="30d", advantage=40), None),
    "glicko2": (rs.Glicko2(per="30d", tau=1.0, volatility_cap=0.0601, advantage=40), None),
}
CALENDARS = {
    "per game": rs.PerGame(), "as filed": rs.PerGame(ties="file"), "weeks": rs.Every(days=7), "months": rs.Months(),
    "seasons": rs.Seasons(), "whole": rs.Whole(),
}  # fmt: skip
CUTS = (1, 83, 84, 85, LATE, G - 1)  # 84 is inside a tie, see below
PLAYERS = np.array([*"ABCDEFGHIJ"])


def league(*, ties=True):
    """A table of games, December 1969 to March 1970; I and J come late, A pauses."""
    rng = np.random.default_rng(11)
    sides = [rng.choice([*"ABCDEFGH"] if g < LATE else [*"BCDEFGHIJ"], 2, replace=False) for g in range(G - 1)]
    first, second = np.array([*sides, ("A", "J")]).T
    time = np.sort(rng.integers(-30 * 8, 75 * 8, G) / 8) if ties else np.sort(rng.uniform(-30, 75, G))
    time[82:86] = time[82] if ties else time[82] + np.arange(4) / 64
    time = np.maximum.accumulate(time)
    return pl.DataFrame(
        {
            "first": first, "second": second, "time": time, "score": rng.choice([0, 0.5, 1, 1], G),
            "weight": rng.choice([0.0, 1.0, 1.0, 2.0], G), "edge": rng.choice([-1.0, 0.0, 1.0], G),
            "pool": np.where(np.arange(G) < LATE, rng.choice(["x", "y"], G), rng.choice(["x", "y", "z"], G)),
            "season": [f"S{n}" for n in np.searchsorted([-9, 20, 50], time, side="right")],
        }
    )  # fmt: skip


START = {
    p: {
        "rating": 1400.0 + 40 * i, "deviation": 60.0 + 25 * i, "games": i, "peak": 1450.0 + 40 * i, "born": 1950 + i,
        "last": -50.0,
    }
    for i, p in enumerate("ABCDEFGHI")
}  # fmt: skip


def stream(table):
    return rs.GameStream.of(**dict(table.to_dict()))


def replay(system, calendar, games, **more):
    rater, policy = SYSTEMS[system]
    return rs.replay(rater, stream(games), policy=policy, calendar=CALENDARS[calendar], **more)


def ratings(run):
    return run.ratings().sort(["player", *(["pool"] if run.by_pool else [])])


def gone_on(system, calendar, games, cuts, folder, **more):
    """The forecasts of the pieces in a row, and the last piece's run; each piece knows only its own players."""
    forecasts, how = [], {}
    for n, (begin, end) in enumerate(zip((0, *cuts), (*cuts, len(games)), strict=True)):
        run = replay(system, calendar, games[begin:end], start=START, **more, **how)
        forecasts.append(run.forecast)
        run.save(folder / f"{n}.state")
        how = {"state": rs.load_state(folder / f"{n}.state")}
    return np.concatenate(forecasts), run


def same(system, calendar, games, cuts, folder, **more):
    whole = replay(system, calendar, games, start=START, **more)
    forecast, run = gone_on(system, calendar, games, cuts, folder, **more)
    assert forecast.tobytes() == whole.forecast.tobytes()
    assert ratings(run).equals(ratings(whole))
    assert run.diagnostics == whole.diagnostics
    return whole


@pytest.mark.parametrize(("system", "calendar"), thinned(SYSTEMS, CALENDARS, full={"glicko2"}, usual="weeks"))
def test_one_cut_anywhere(system, calendar, tmp_path):
    games = league()
    for cut in CUTS:
        whole = same(system, calendar, games, [cut], tmp_path)
    assert (system == "glicko2") == bool(whole.diagnostics)
    assert whole.stream.n_players == len(PLAYERS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_games_all_apart(system, tmp_path):
    for cut in CUTS:
        same(system, "per game", league(ties=False), [cut], tmp_path)


@pytest.mark.parametrize(("system", "calendar"), thinned(SYSTEMS, CALENDARS, full={"elo"}, usual="months"))
def test_many_cuts_with_a_belief_for_each_pool(system, calendar, tmp_path):
    games = league(ties=calendar == "per game")
    same(system, calendar, games, [40, 84, 85, LATE + 3, 200], tmp_path, by_pool=True)


def test_what_was_noted_before_and_after_the_cut_is_counted_together(tmp_path):
    """The cap is met by A before the cut, for the first time, and by others after it."""
    games = league()
    whole = same("glicko2", "weeks", games, [120], tmp_path)
    head = replay("glicko2", "weeks", games[:120], start=START)
    (noted,), (earlier,) = whole.diagnostics, head.diagnostics
    assert noted.count > earlier.count > 0
    assert (noted.player, noted.time) == (earlier.player, earlier.time)
