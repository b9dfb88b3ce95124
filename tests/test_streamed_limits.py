"""What a replay from disk refuses: what one in memory does, in the same words, and what cannot be known from sums."""

import numpy as np
import polars as pl
import pytest
from streamed_runs import same_frame

import ratesim as rs
from ratesim.replaying.kept import Keep, drawn
from ratesim.replaying.losses import paired_loss

CALENDARS = [rs.PerGame(), rs.Months(), rs.Every(days=900), rs.Whole()]


def games(count: int = 12, players: pl.DataFrame | None = None, *, begin: float = 10950.0) -> rs.GameStream:
    """Games from the last days of 1999 on, of ever new players."""
    first = [f"p{n}" for n in range(count)]
    second = [f"p{n + 1}" for n in range(count)]
    time = begin + np.arange(count)
    return rs.GameStream.of(first=first, second=second, score=[1] * count, time=time, players=players)


def said(play) -> str:
    try:
        play()
    except rs.InputError as error:
        return str(error)
    return ""


@pytest.fixture
def on_disk(tmp_path):
    def scanned(stream: rs.GameStream, piece: int = 5) -> rs.GameFile:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.parquet"
        rs.write_games(stream, path)
        return rs.scan(path, piece=piece)

    return scanned


@pytest.mark.parametrize("calendar", CALENDARS, ids=lambda calendar: calendar.kind)
@pytest.mark.parametrize("player", ["p0", "p12", "idle"])
@pytest.mark.parametrize("born", [2000, 2001, 2002, 2003])
def test_birth_years_are_those_of_all_pieces(on_disk, calendar, player, born):
    """Whoever plays later than the first piece is looked at too; and the last games say which years there can be."""
    players = pl.DataFrame({"player": [player], "born": [born]})
    words = {"policy": rs.Fide(), "calendar": calendar}
    stream = games(players=players)
    table = players.with_columns(rating=1500.0, games=30.0, peak=1500.0)
    for start in (None, table) if player != "idle" else (None,):
        whole = said(lambda: rs.replay(rs.Elo(), stream, start=start, **words))  # noqa: B023
        for piece in (1, 5):
            file = on_disk(stream, piece)
            assert said(lambda: rs.replay(rs.Elo(), file, start=start, **words)) == whole  # noqa: B023
        assert bool(whole) == (player != "idle" and born > (2002 if calendar.kind == "every" else 2000))


def test_losses_of_other_games_are_not_paired(on_disk):
    """Not even where there are as many of them in as many months."""
    one, later, other = games(), games(begin=11316.0), games()
    other = rs.GameStream.of(**{**other.to_frame().to_dict(as_series=False), "score": [0.5] * len(other)})
    runs = [rs.replay(rs.Elo(), on_disk(each), forecasts="losses") for each in (one, later, other, one)]
    for wrong in runs[1:3]:
        assert "losses of different games" in said(lambda: runs[0].paired(wrong, "brier", seed=1))  # noqa: B023
    assert runs[0].paired(runs[3], "brier", seed=1).difference == 0  # the same games in another file


def test_losses_of_other_months_are_not_paired(on_disk):
    """Sums alone tell the months, wherever they are from."""
    one, later = (rs.replay(rs.Elo(), on_disk(games(begin=begin)), forecasts="losses") for begin in (10950.0, 11316.0))
    assert one.losses["games"].equals(later.losses["games"])
    assert "losses of different games" in said(lambda: paired_loss(one.losses, later.losses, "brier", seed=1))
    assert paired_loss(one.losses, one.losses, "brier", seed=1).n == len(one.stream)


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**33, 2**64, 2**64 + 1, 10**30])
def test_every_seed_draws_a_sample_of_its_own(monkeypatch, seed):
    monkeypatch.setattr("ratesim.replaying.kept.SAMPLED", 1000)
    some = drawn(0, 10_000, 10_000, seed)
    assert 850 < some.sum() < 1150  # five standard deviations
    assert (some == np.concatenate([drawn(n, 100, 10_000, seed) for n in range(0, 10_000, 100)])).all()
    others = [drawn(0, 10_000, 10_000, other) for other in (seed + 1, seed + 2**32, seed + 2**64, seed % 2**31 + 7)]
    for other in others:
        assert 50 < (some & other).sum() < 150  # a tenth of a tenth


def test_a_negative_seed_is_refused(monkeypatch):
    monkeypatch.setattr("ratesim.replaying.kept.SAMPLED", 10)
    assert said(lambda: drawn(0, 100, 100, -1)) == "seed = -1; expected a whole number, at least 0"


@pytest.mark.parametrize("piece", [1, 5, 12])
@pytest.mark.parametrize("system", [rs.Elo(), rs.Glicko2(per=30), rs.Even()], ids=lambda system: system.kind)
def test_a_history_is_that_of_everybody_unless_some_are_named(on_disk, piece, system):
    stream = games()
    run, whole = rs.replay(system, on_disk(stream, piece)), rs.replay(system, stream)
    times = [10940.0, 10950.0, 10955.5, 10961.0, 11000.0]
    assert same_frame(run.history(times), whole.history(times))
    assert same_frame(run.history(times, ["p3", "p4"]), whole.history(times, ["p3", "p4"]))
    assert run.history(times, []).is_empty()


def test_what_is_kept_can_be_said_in_full(on_disk):
    """Nothing at all, for one."""
    file = on_disk(games())
    run = rs.replay(rs.Elo(), file, forecasts=Keep())
    assert (run.forecast, run.sample, len(run.losses) if run.losses is not None else 0) == (None, None, 0)
    assert same_frame(run.ratings(), rs.replay(rs.Elo(), file).ratings())
    assert "forecasts = 'losses' of games in memory" in said(lambda: rs.replay(rs.Elo(), games(), forecasts=Keep()))
