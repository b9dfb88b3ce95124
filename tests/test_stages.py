"""What a game was played for: the column `stage` from a file to the kernels, and what comes back of it."""

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import ratesim as rs
from ratesim.cli.guess import guess
from ratesim.cli.inspection_text import lines
from ratesim.errors import InputError

TABLE = """date,home,away,home_goals,away_goals,tournament
2024-01-01,A,B,2,0,Friendly
2024-01-02,B,C,1,1,Cup
2024-01-03,A,C,0,3,Friendly
"""
MAP = {
    "first": "home", "second": "away", "points_first": "home_goals", "points_second": "away_goals", "time": "date",
    "stage": "tournament",
}  # fmt: skip


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_stream_has_codes_and_names_in_order_of_appearance():
    games = rs.GameStream.of(
        first=["A", "B", "C"], second=["B", "C", "A"], score=[1, 0, 1], time=[2, 1, 0], stage=["cup", "league", "cup"]
    )
    assert games.stages == ("cup", "league")
    assert games.stage.tolist() == [0, 1, 0]
    assert games.to_frame()["stage"].to_list() == ["cup", "league", "cup"]
    other = rs.GameStream.of(
        first=["A", "B", "C"], second=["B", "C", "A"], score=[1, 0, 1], time=[2, 1, 0], stage=["cup", "cup", "cup"]
    )
    assert other.digest != games.digest


@pytest.mark.parametrize("stage", [["cup", None], ["cup", " "], ["cup", "a\nb"]])
def test_a_game_without_a_plain_stage_is_refused(stage):
    with pytest.raises(InputError, match="row 2, column stage"):
        rs.GameStream.of(first=["A", "B"], second=["B", "C"], score=[1, 0], time=[0, 1], stage=stage)


def test_a_table_is_mapped_and_comes_back_from_disk(table, tmp_path):
    games = rs.read(table, MAP)
    assert games.to_frame()["stage"].to_list() == ["Friendly", "Cup", "Friendly"]
    for path, write in (
        (tmp_path / "written.parquet", lambda path: rs.write_games(games, path)),
        (tmp_path / "imported.parquet", lambda path: rs.import_games(table, path, MAP)),
    ):
        write(path)
        assert rs.read(path).to_frame().equals(games.to_frame())
        scanned = rs.scan(path, piece=1)
        assert scanned.stages == games.stages
        assert [piece.stages[piece.stage[0]] for piece in scanned.pieces()] == ["Friendly", "Cup", "Friendly"]


def test_a_row_that_does_not_say_is_of_an_unknown_stage(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text(TABLE.replace("1,1,Cup", "1,1,"), encoding="utf-8")
    assert rs.read(path, MAP).to_frame()["stage"].to_list() == ["Friendly", "unknown", "Friendly"]


def test_a_guess_takes_a_stage_and_offers_a_tournament():
    header = ["date", "home", "away", "result"]
    rows = [{"date": "2024-01-01", "result": "H"}]
    assert guess([*header, "stage"], rows).columns["stage"] == "stage"
    assert guess([*header, "tournament"], rows).offered["stage"] == "tournament"
    assert guess([*header, "playoff"], rows).offered["stage"] == "playoff"


def test_inspect_counts_them(table):
    facts = rs.analysis.inspection(rs.read(table, MAP)) | {"file": "games.csv", "header": [], "columns": MAP}
    assert facts["stages"] == [{"stage": "Friendly", "games": 2}, {"stage": "Cup", "games": 1}]
    assert "stage" in facts["optional_columns"]
    (line,) = (line.said for line in lines(facts) if line.name == "games by stage")
    assert line == "Friendly 2, Cup 1"


def test_init_offers_it(table, tmp_path):
    from ratesim.cli import app

    made = tmp_path / "made.toml"
    result = CliRunner().invoke(app, ["init", str(table), "-o", str(made)])
    assert result.exit_code == 0, result.output
    assert '# stage = "tournament"\n' in made.read_text(encoding="utf-8")


def test_losses_are_told_apart_by_it(table):
    games = rs.read(table, MAP)
    found = rs.strata(games, "stage")
    assert (found.names, found.code.tolist()) == (("Friendly", "Cup"), [0, 1, 0])


def test_two_sides_of_a_game_share_it(tmp_path):
    path = tmp_path / "sides.csv"
    path.write_text("id,player,score,time,stage\n1,A,1,0,cup\n1,B,0,0,cup\n2,B,1,1,league\n2,A,0,1,league\n")
    games = rs.read(path, {"rows": "sides"})
    assert games.to_frame()["stage"].to_list() == ["cup", "league"]


@pytest.mark.interpreted
def test_a_saved_state_goes_on_with_stages_of_its_own(tmp_path):
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({
        "first": rng.choice(list("ABC"), 60), "second": rng.choice(list("DEF"), 60),
        "score": rng.choice([0.0, 0.5, 1.0], 60), "time": np.arange(60.0),
        "stage": np.where(np.arange(60) < 30, "cup", np.where(np.arange(60) % 2 == 0, "league", "final")),
    })  # fmt: skip
    system, whole = rs.Elo(k_by_stage={"cup": 3.0, "final": 2.0}), rs.GameStream.of(**frame.to_dict())
    run = rs.replay(system, whole)
    begun = rs.replay(system.model_copy(update={"k_by_stage": {"cup": 3.0}}), whole.take(slice(0, 30)))
    assert begun.ratings().height == 6
    first = rs.replay(system, whole.take(slice(0, 30)))
    first.save(tmp_path / "state.npz")
    later = rs.GameStream.of(**frame[30:].to_dict())
    assert later.stages == ("league", "final")
    went_on = rs.replay(system, later, state=rs.load_state(tmp_path / "state.npz"))
    assert went_on.forecast.tolist() == run.forecast[30:].tolist()
    assert went_on.ratings().sort("player").equals(run.ratings().sort("player"))
    rs.write_games(later, tmp_path / "later.parquet")
    streamed = rs.replay(system, rs.scan(tmp_path / "later.parquet"), state=rs.load_state(tmp_path / "state.npz"))
    assert streamed.ratings().sort("player").equals(run.ratings().sort("player"))
