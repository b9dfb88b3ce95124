"""Replays at the rim: starts, moments, states, and what is refused in one line."""

from datetime import date

import numpy as np
import pytest

import ratesim as rs


def day(text):
    return float((date.fromisoformat(text) - date(1970, 1, 1)).days)


ONE = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[day("1970-03-19")])
KNOWN = {"rating": 1500.0, "deviation": 100.0}


@pytest.mark.parametrize("per", ["1d", None])
@pytest.mark.parametrize("cls", [rs.Glicko, rs.Glicko2])
@pytest.mark.parametrize("last", ["1970-03-01", "1970-03-15", "1970-03-19"])
def test_a_last_game_in_the_first_period_ages_nobody(per, cls, last):
    """The period opens on the 1st; a belief of a later day must not be aged backwards to it."""
    fresh = rs.replay(cls(per=per), ONE, calendar=rs.Months(), start={"A": KNOWN, "B": KNOWN})
    brought = rs.replay(cls(per=per), ONE, calendar=rs.Months(), start={"A": {**KNOWN, "last": day(last)}, "B": KNOWN})
    assert brought.ratings().rows() == fresh.ratings().rows()


def test_a_last_game_before_it_ages_by_elapsed_time_or_by_periods():
    def forecast(per):
        start = {"A": {**KNOWN, "last": day("1970-01-15")}, "B": KNOWN}
        return rs.replay(rs.Glicko(per=per, c=20), ONE, calendar=rs.Months(), start=start).ratings()["deviation"][0]

    def after(variance, foe=100.0):
        g = 1 / np.sqrt(1 + 3 * (np.log(10) / 400) ** 2 * foe**2 / np.pi**2)
        return (1 / (1 / variance + (np.log(10) / 400) ** 2 * g**2 / 4)) ** 0.5

    assert forecast("1d") == pytest.approx(after(100**2 + 400 * 45), abs=1e-9)  # 15 January to 1 March
    assert forecast(None) == pytest.approx(after(100**2 + 400 * 2), abs=1e-9)  # two onsets of months


def test_a_moment_before_a_player_s_first_game_shows_nobody():
    start = {"A": {**KNOWN, "games": 30, "last": day("1970-02-01")}}
    history = rs.replay(rs.Glicko(), ONE, start=start).history(
        [day("1970-01-01"), day("1970-03-20"), day("1970-04-01")]
    )
    assert history.select("time", "player", "games").rows() == [(90.0, "A", 31.0), (90.0, "B", 1.0)]
    assert rs.replay(rs.Glicko(), ONE, start=start).history([]).is_empty()


def hopeless(loser="A", games=31, begin=0.0):
    """A 1900 who loses to a 1300, month after month: the volatility equation has three roots."""
    return rs.GameStream.of(
        first=[loser] * games, second=["B"] * games, score=[0] * games, time=begin + np.repeat(np.arange(1), games)
    )


def test_diagnostics_name_the_first_player_and_day_after_a_resume_too(tmp_path):
    start = {"A": {"rating": 1900, "deviation": 30}, "B": {"rating": 1300, "deviation": 30}}
    head, tail = hopeless(games=29, begin=40.0), hopeless(games=3, begin=100.0)
    run = rs.replay(rs.Glicko2(), head, calendar=rs.Months(), start=start)
    run.save(tmp_path / "state.npz")
    (found,) = run.diagnostics
    assert (found.name, found.player, found.time) == ("several roots of the volatility equation", "A", 31.0)
    resumed = rs.replay(rs.Glicko2(), tail, calendar=rs.Months(), state=rs.load_state(tmp_path / "state.npz"))
    again = resumed.diagnostics[0]
    assert (again.name, again.player, again.time) == (found.name, "A", 31.0)


def test_diagnostics_are_the_same_for_single_games_and_periods():
    rng = np.random.default_rng(0)
    games = rs.GameStream.of(first=["A"] * 60, second=["B"] * 60, score=[0] * 60, time=np.cumsum(rng.uniform(1, 9, 60)))
    start = {"A": {"rating": 2900, "deviation": 30}, "B": {"rating": 500, "deviation": 30}}
    run = rs.replay(rs.Glicko2(per=30, tau=1.2), games, calendar=rs.PerGame(), start=start)
    session = run.again()
    session.go_on_in_periods()
    session.advance(len(games))
    flags = session.finished().flags[:, :, 0]
    counted = [(d.count, d.time) for d in run.diagnostics]
    assert counted == [(count, when) for count, _, when in flags.tolist() if count]
    assert counted
    assert counted[0][1] in games.time


def test_birth_years_and_starts_of_newcomers_survive_a_cut(tmp_path):
    """A junior keeps K 40 after 30 games; C, known to the start table only, begins where it says."""
    games = rs.GameStream.of(first=["A", "A", "C"], second=["B", "B", "B"], score=[1, 1, 1], time=[14610, 14650, 14700])
    known = {"rating": 1500, "games": 50, "peak": 1500}
    start = {"A": {**known, "born": 2000}, "B": {**known, "born": 1970}}
    newcomer = {"C": {"rating": 1900, "games": 40, "peak": 1900, "born": 1970}}
    whole = rs.replay(rs.FideElo(), games, start=start | newcomer)
    assert whole.ratings()["rating"][0] == 1500 + 20 + 18  # K 40 against 1500, then a gap of 30
    head = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[14610])
    rs.replay(rs.FideElo(), head, start=start).save(tmp_path / "state.npz")
    saved = rs.load_state(tmp_path / "state.npz")
    rest = rs.GameStream.of(first=["A", "C"], second=["B", "B"], score=[1, 1], time=[14650, 14700])
    assert rs.replay(rs.FideElo(), rest, state=saved, start=newcomer).ratings().rows() == whole.ratings().rows()


REFUSED = {
    "a class": (lambda: rs.replay(rs.Elo, ONE), "expected a system such as rs.Elo()"),
    "a calendar's name": (lambda: rs.replay(rs.Elo(), ONE, calendar="months"), "'months' is no calendar"),
    "a policy's class": (lambda: rs.replay(rs.Elo(), ONE, policy=rs.Fide), "expected a policy such as rs.Constant(20)"),
    "K for Glicko": (lambda: rs.replay(rs.Glicko(), ONE, policy=rs.Constant()), "system 'glicko' learns without K"),
    "strangers": (
        lambda: rs.replay(rs.Elo(), ONE, start={"Z": {"rating": 1}}),
        "start: none of its 1 players has a game; expected the names of the stream",
    ),
    "deviation": (
        lambda: rs.replay(rs.Glicko(), ONE, start={"A": {"rating": 1, "deviation": 500}}),
        "start, column deviation: 500; expected more than 0, between floor 0 and ceiling 350 of system glicko",
    ),
    "volatility": (
        lambda: rs.replay(rs.Glicko2(), ONE, start={"A": {"rating": 1, "volatility": 0}}),
        "start, column volatility: 0; expected more than 0 and at most volatility_cap 0.1 of system glicko2",
    ),
    "last under whole": (
        lambda: rs.replay(rs.Glicko(), ONE, calendar=rs.Whole(), start={"A": {"last": 0}}),
        "start, column last: under 'whole' nobody knows how many periods ago a last game was",
    ),
    "last after first": (
        lambda: rs.replay(rs.Glicko(), ONE, start={"A": {"last": 900}}),
        "start, column last: a last game on 1972-06-19; expected none after the first game of the stream, 1970-03-19",
    ),
    "growth per game": (
        lambda: rs.replay(rs.Glicko(), ONE, calendar=rs.PerGame()),
        "system glicko, key per: under 'per-game' no period has a length that growth could go by",
    ),
    "no published ratings": (
        lambda: rs.replay(rs.Published(), ONE),
        "system published: the stream has no published ratings; expected columns published_first and published_second",
    ),
    "starts for the package": (
        lambda: rs.replay(rs.Glicko2PyPI(), ONE, start={"A": {"rating": 1500}}),
        "start: system 'glicko2-pypi' forecasts whole streams only",
    ),
    "too many periods": (
        lambda: rs.replay(
            rs.Elo(),
            rs.GameStream.of(first=["A"] * 2, second=["B"] * 2, score=[1, 1], time=[0, 9e8]),
            calendar=rs.Every(days=0.5),
        ),
        "makes 1,800,000,001 periods, from number -8 on; expected at most 10,000,000",
    ),
    "numbers past 32 bits": (
        lambda: rs.replay(
            rs.Elo(), rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[30000]), calendar=rs.Every(days="1s")
        ),
        "from number 2,591,654,400 on",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_meant_is_refused_in_one_line(name):
    mistake, text = REFUSED[name]
    with pytest.raises(rs.InputError) as caught:
        mistake()
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_what_is_no_state_is_refused(content, tmp_path):
    path = tmp_path / "state.npz"
    if content is None:
        with path.open("wb") as file:
            np.save(file, np.arange(3))
    else:
        path.write_bytes(content)
    with pytest.raises(rs.InputError, match="is no saved state"):
        rs.load_state(path)


def test_an_old_season_cannot_go_on_after_a_later_one_was_saved(tmp_path):
    def season(label, begin):
        return rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[begin], season=[label])

    both = rs.GameStream.of(first=["A"] * 2, second=["B"] * 2, score=[1, 1], time=[0, 9], season=["s1", "s2"])
    rs.replay(rs.Elo(), both, calendar=rs.Seasons()).save(tmp_path / "state.npz")
    saved = rs.load_state(tmp_path / "state.npz")
    with pytest.raises(rs.InputError, match="season 's1' goes on after the saved state's 's2' began"):
        rs.replay(rs.Elo(), season("s1", 20.0), calendar=rs.Seasons(), state=saved)
    assert len(rs.replay(rs.Elo(), season("s3", 20.0), calendar=rs.Seasons(), state=saved).forecast) == 1


def test_a_run_shows_what_it_is_and_no_address():
    text = repr(rs.replay(rs.Elo(), ONE))
    assert text.startswith("Run(system=Elo(")
    assert "0x" not in text
