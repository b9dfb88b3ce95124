"""What a replay from disk refuses: what one in memory does, in the same words, and what cannot be known from sums."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs

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
