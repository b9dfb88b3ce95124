"""Strata by what one run made of the games: the same games for all runs, by the run that is named."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.replaying.before import beliefs_before

FILE = """
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "elo"
[[system]]
kind = "glicko"
per = "30d"
label = "glicko"
[[calendar]]
kind = "months"
[score]
metrics = ["log_loss"]
"""


@pytest.fixture
def games(tmp_path):
    rng = np.random.default_rng(8)
    first = rng.integers(9, size=150)
    games = rs.GameStream.of(
        first=first.astype(str), second=((first + rng.integers(1, 9, 150)) % 9).astype(str),
        score=rng.choice([0, 0.5, 1.0], 150), time=18000 + np.sort(rng.integers(0, 300, 150)),
    )  # fmt: skip
    games.to_frame().write_csv(tmp_path / "games.csv")
    return rs.read(tmp_path / "games.csv")


def run(tmp_path, score):
    (tmp_path / "e.toml").write_text(FILE + score)
    summary = rs.run(tmp_path / "e.toml", tmp_path / "out", workers=1, overwrite=True)
    return summary, pl.read_parquet(tmp_path / "out/metrics.parquet")


def test_they_go_by_one_run_for_all(tmp_path, undrawn, games):
    strata = '["gap", "year", "rating", "deviation", "rest"]'
    summary, table = run(tmp_path, f"strata = {strata}\n")
    assert "games: strata by gap, rating and deviation go by glicko" in summary["notes"]
    reference = rs.replay(rs.Glicko(per="30d"), games, calendar=rs.Months())
    believed = beliefs_before(reference)
    level = np.floor(believed["rating"].mean(axis=0) / 200) * 200
    forecasts = {"even": np.full(150, 0.5), "glicko": reference.forecast}
    for label, forecast in forecasts.items():
        loss = rs.log_loss(forecast, games.score)
        mine = table.filter(label=label, by="rating")
        assert mine["n"].sum() == 150
        for low in np.unique(level):
            (row,) = mine.filter(stratum=f"{low:.0f} to {low + 200:.0f}").to_dicts()
            assert row["n"] == (level == low).sum()
            assert row["mean"] == pytest.approx(loss[level == low].mean(), rel=1e-12)
        wide = table.filter(label=label, by="deviation", stratum="300 or more")["n"].item()
        assert wide == (believed["deviation"].max(axis=0) >= 300).sum()
        close = table.filter(label=label, by="gap", stratum="0 to 50")["n"].item()
        gap = 400 * np.abs(np.log10(reference.forecast / (1 - reference.forecast)))
        assert close == (gap < 50).sum()
    assert table.filter(label="even")["by"].unique(maintain_order=True).to_list() == [
        "all", "gap", "year", "rating", "deviation", "rest",
    ]  # fmt: skip


def test_the_run_may_be_named_and_is_not_played_again(tmp_path, undrawn, games, monkeypatch):
    summary, table = run(tmp_path, 'strata = ["rating"]\nreference = "elo"\n')
    assert "games: strata by rating go by elo" in summary["notes"]
    monkeypatch.delattr("ratesim.references.replay")
    again, same = run(tmp_path, 'strata = ["rating"]\nreference = "elo"\n')
    assert same.equals(table)
    assert again["notes"] == summary["notes"]


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ('strata = ["gap"]\nreference = "elos"', "e.toml, score.reference: no run 'elos'; did you mean 'elo'?"),
        (
            'strata = ["year"]\nreference = "elo"',
            "e.toml, score: key 'reference'; expected it with strata by gap, rating",
        ),
        (
            'strata = ["deviation"]\nreference = "elo"',
            "e.toml, score: strata by deviation with reference = 'elo'; expec",
        ),
        (
            'strata = ["gap"]\nreference = "even"',
            "e.toml, score: strata by gap with reference = 'even'; expected a system",
        ),
    ],
)
def test_a_reference_that_cannot_be_is_one_line(tmp_path, score, said):
    (tmp_path / "e.toml").write_text(FILE + score)
    with pytest.raises(rs.InputError) as error:
        rs.run(tmp_path / "e.toml", tmp_path / "out")
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("by", ["gap", "rest"])
def test_they_are_not_known_of_games_on_disk(tmp_path, games, by):
    rs.write_games(games, tmp_path / "games.parquet")
    file = FILE.replace("games.csv", "games.parquet").replace('[[system]]\nkind = "even"\n', "")
    (tmp_path / "e.toml").write_text(f'{file}strata = ["{by}"]\nforecasts = "losses"\n')
    with pytest.raises(
        rs.InputError, match=rf"score\.strata: strata by {by}; expected it left out, or forecasts = 'all'"
    ):
        rs.run(tmp_path / "e.toml", tmp_path / "out")
