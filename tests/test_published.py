"""Published numbers: ours beside theirs; and experiments on games that are not ours to ship."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.experiment import read
from ratesim.plan import load, plan

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "experiments" / "published"
ABSENT = ("stephenson", "kickscore", "esportsbench")


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(ROOT / "experiments"))
    import published

    yield published
    sys.path.remove(str(ROOT / "experiments"))


@pytest.mark.data
def test_football_is_theirs_and_the_page_says_so(script):
    rows = list(script.football(script.NFL))
    assert [row.what for row in rows if not row.agrees] == []
    assert sum(row.theirs == row.ours for row in rows if not row.tolerance) == 2
    made = f"{script.HEAD}\n{script.table([*rows, *script.measures()])}\n"
    assert script.HOME.read_text(encoding="utf-8") == made


def test_measures_are_theirs(script):
    rows = list(script.measures())
    assert {row.of for row in rows} == {"Kaggle 2010, six games", "Kaggle 2011", "PlayerRatings"}
    assert [row.what for row in rows if not row.agrees] == []


def test_a_row_that_does_not_agree_is_shown(script):
    row = script.Row("a", "b", 1.0, 1.1, 0.05)
    assert not row.agrees
    assert "**no**" in script.table([row])


@pytest.mark.parametrize("name", ABSENT)
def test_without_the_games_one_line_says_where_they_are_from(name, call, tmp_path):
    text = (PUBLISHED / f"{name}.toml").read_text(encoding="utf-8")
    (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    code, _, err = call("run", tmp_path / f"{name}.toml", "--out", tmp_path / "out")
    assert code == 2
    assert f"no file {tmp_path / read(PUBLISHED / f'{name}.toml').sources[0].path.name}" in err
    assert "https://" in err or "http://" in err
    assert "column" in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def lay_out(name: str, folder: Path) -> int:
    """Write made-up games in the layout that an experiment asks for; return how many lie within what is judged."""
    random, n = np.random.default_rng(1), 400
    first = random.integers(0, 10, n)
    second = (first + random.integers(1, 10, n)) % 10
    score, order = random.choice([0, 0.5, 1], n), np.sort(random.integers(0, 20 * 365, n))
    if name == "stephenson":
        month = 1 + order * 132 // (20 * 365)
        games = pl.DataFrame(
            {"PTID": range(n), "MonthID": month, "WhitePlayer": first, "BlackPlayer": second, "WhiteScore": score}
        )
        (folder / "stephenson").mkdir()
        for part in range(3):
            games.filter(games["PTID"] % 3 == part).write_csv(
                folder / f"stephenson/primary_training_part{part + 1}.csv"
            )
        starts = pl.DataFrame({"player": range(8), "rating": 2300.0, "deviation": 200.0, "games": 20})
        starts.write_csv(folder / "stephenson-ratings.csv")
        return int(((month >= 85) & (month <= 108)).sum())
    day = np.datetime64("2000-01-01") + order
    if name == "kickscore":
        t = (day - np.datetime64("1970-01-01")).astype(np.int64) * 86400
        pl.DataFrame({"t": t, "winner": first, "loser": second, "score": 1}).write_csv(folder / "kickscore.csv")
        return int((day >= np.datetime64("2011-08-28")).sum())
    games = pl.DataFrame({"date": day, "competitor_1": first, "competitor_2": second, "outcome": score})
    games.with_columns(pl.col("competitor_1", "competitor_2").cast(pl.String)).write_parquet(
        folder / "esportsbench.parquet"
    )
    return int((day <= np.datetime64("2023-03-31")).sum())


@pytest.mark.parametrize("name", ABSENT)
def test_games_laid_out_as_asked_are_read(name, tmp_path):
    judged = lay_out(name, tmp_path)
    (tmp_path / f"{name}.toml").write_text((PUBLISHED / f"{name}.toml").read_text(encoding="utf-8"), encoding="utf-8")
    experiment = read(tmp_path / f"{name}.toml")
    (loaded,) = load(experiment)
    assert (len(loaded.stream), loaded.stream.n_players) == (400, 10)
    sample = experiment.score.sample.model_copy(update={"burn_in": 0})
    assert int(sample.mask(loaded.stream).sum()) == judged > 50
    assert len(plan(experiment, [loaded])) == len(experiment.cells)
    if name == "stephenson":
        assert loaded.start.height == 8
        assert loaded.stream.time.min() == 1
        assert (loaded.stream.edge == 1).all()


def test_an_experiment_names_what_it_lacks(tmp_path):
    with pytest.raises(InputError, match=r"nfl_games\.csv of https://github\.com/fivethirtyeight"):
        load(read(PUBLISHED / "nfl-538.toml", tmp_path / "nowhere.csv"))
