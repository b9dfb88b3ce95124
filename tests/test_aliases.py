"""Other names of players: what a file of them may say, and what becomes of games."""

import json
from datetime import date
from pathlib import Path

import polars as pl
import pytest

import ratesim as rs
from ratesim.dates import day_of
from ratesim.errors import InputError
from ratesim.experiment import read
from ratesim.importing.aliases import read_aliases
from ratesim.plan import load

FORMER = Path(__file__).resolve().parents[2] / "shared/data/football/former_names.csv"


@pytest.fixture
def reading(tmp_path):
    def read(text: str, name: str = "aliases.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_aliases(path)

    return read


def played(*pairs, time=None) -> pl.DataFrame:
    first, second = zip(*pairs, strict=True)
    return pl.DataFrame({"first": first, "second": second, "time": time or [float(k) for k in range(len(pairs))]})


def names(games: pl.DataFrame) -> list[tuple[str, str]]:
    return games.select(pl.col("first", "second").cast(pl.String)).rows()


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["A", "A.", "B", "C", "c", "D"])])
def test_names_are_replaced_on_both_sides_and_counted(reading, dtype):
    aliases = reading("alias,player\nA.,A\nc,C\nnobody,B\n")
    games = played(("A.", "c"), ("B", "A."), ("B", "D")).cast({"first": dtype, "second": dtype})
    done = aliases.applied(games)
    assert names(done) == [("A", "C"), ("B", "A"), ("B", "D")]
    assert done.drop("first", "second").equals(games.drop("first", "second"))
    assert done["second"].dtype == (pl.String if dtype == pl.String else pl.Categorical)
    assert (aliases.replaced, aliases.seen, aliases.unseen) == (2, {"A.", "c"}, ["nobody"])
    aliases.applied(done)
    assert aliases.replaced == 2
    aliases.applied(games)
    assert aliases.replaced == 4


def test_what_has_no_alias_comes_back_as_it_was(reading):
    aliases = reading("player\talias\nA\ta\n", "aliases.tsv")
    games = played(("B", "C")).cast({"first": pl.Enum(["B"]), "second": pl.Categorical})
    assert aliases.applied(games).equals(games)
    assert aliases.applied(games).schema == games.schema
    assert aliases.applied(games.clear()).height == 0


def test_chains_lead_to_their_end(reading):
    aliases = reading("alias,player\nb,c\na,b\nc,d\nx,d\n")
    assert names(aliases.applied(played(("a", "b"), ("c", "x"), ("d", "e")))) == [("d", "d"), ("d", "d"), ("d", "e")]
    assert aliases.replaced == 2
    assert aliases.unseen == []


def test_an_alias_holds_within_its_dates_both_included(reading):
    aliases = reading("alias,player,from,until\nX,A,1945-05-31,1950-01-01\nX,B,1950-01-02,\nY,C,,1950-01-01\n")
    days = [date(1945, 5, 30), date(1945, 5, 31), date(1950, 1, 1), date(1950, 1, 2), date(2020, 1, 1)]
    games = played(*[("X", "Y")] * 5, time=[day_of(day) + 0.75 for day in days])
    assert names(aliases.applied(games)) == [("X", "C"), ("A", "C"), ("A", "C"), ("B", "Y"), ("B", "Y")]
    assert aliases.replaced == 5


def test_a_name_that_stands_for_itself_says_nothing(reading):
    aliases = reading("alias,player\nA,A\na,A\n")
    assert names(aliases.applied(played(("a", "A")))) == [("A", "A")]
    assert (aliases.seen, aliases.unseen) == ({"a"}, [])


def test_rows_that_say_the_same_twice_are_one(reading):
    aliases = reading("alias,player,from,until\na,A,,\na,A,1900-01-01,2000-01-01\n")
    done = aliases.applied(played(("a", "B"), ("B", "a")))
    assert names(done) == [("A", "B"), ("B", "A")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alias,palyer\na,A\n", "unknown column 'palyer'; expected alias, player, from, until; did you mean 'player'?"),
        ("player,from\nA,\n", "aliases.csv: missing column 'alias'; expected alias and player, or former and current"),
        ("alias,player,former\na,A,b\n", "aliases.csv: columns alias and former are the same; expected one of them"),
        ("alias,player\na,A\n ,B\nc,\n", "aliases.csv, row 2, column alias: no name; expected a name"),
        ("former,current\na,A\nc,\n", "aliases.csv, row 2, column current: no name; expected a name"),
        ("alias,player\na,A\nb,B\na,C\n", "row 3, column player: 'a' stands for 'A' and for 'C'; expected one"),
        (
            "alias,player,from,until\na,A,,1950-01-01\na,B,1950-01-01,\n",
            "row 2, column player: 'a' stands for 'A' and for 'B'; expected one player at a time",
        ),
        ("alias,player,from,until\na,A,1950-01-02,1950-01-01\n", "row 1, column until: 'a' ends before it begins"),
        ("alias,player,from\na,A,soon\n", "row 1, column from: 'soon' is no date"),
        ("alias,player\na,b\nb,c\nc,a\n", "aliases.csv: 'a' is an alias of itself, by way of others"),
        ("alias,player\nx,a\na,b\nb,a\n", "aliases.csv: 'a' is an alias of itself, by way of others"),
        ("", "aliases.csv: is empty"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(text, said, reading):
    with pytest.raises(InputError) as error:
        reading(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.data
@pytest.mark.skipif(not FORMER.exists(), reason="needs the football games in ../shared")
def test_former_names_of_countries_hold_within_their_dates():
    aliases = read_aliases(FORMER)
    assert aliases.table.height == FORMER.read_text(encoding="utf-8").count("\n") - 1
    games = played(
        ("Zaïre", "Ireland"), ("Zaïre", "Ireland"), ("DR Congo", "Éire"),
        time=[day_of(date(1974, 6, 14)), day_of(date(1997, 4, 28)), day_of(date(1950, 1, 1))],
    )  # fmt: skip
    assert names(aliases.applied(games)) == [
        ("DR Congo", "Ireland"),
        ("Zaïre", "Ireland"),
        ("DR Congo", "Republic of Ireland"),
    ]
    ireland = played(("Ireland", "Wales"), time=[day_of(date(1882, 2, 25))])
    assert names(aliases.applied(ireland)) == [("Northern Ireland", "Wales")]
    assert "Ireland" in aliases.seen


RESULTS = FORMER.with_name("results.csv")
FOOTBALL = {
    "first": "home_team", "second": "away_team", "points_first": "home_score", "points_second": "away_score",
    "time": "date", "neutral": "neutral", "stage": "tournament",
}  # fmt: skip
GAMES = "first,second,score,time\nDahomey,Togo,1,1975-11-30\nBenin,Togo,0,1975-12-01\nDahomey,Togo,0,1976-01-01\n"
TABLE = "current,former,start_date,end_date\nBenin,Dahomey,1959-11-08,1975-11-30\nBenin,Danhome,,\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "games.csv").write_text(GAMES, encoding="utf-8")
    (tmp_path / "former.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_a_stream_is_read_under_the_names_of_players(files):
    games = rs.read(files / "games.csv", aliases=files / "former.csv")
    assert names(games.to_frame()) == [("Benin", "Togo"), ("Benin", "Togo"), ("Dahomey", "Togo")]
    assert games.notes[:2] == (
        "1 game with a player called by an alias: renamed",
        "aliases that nobody had: Danhome",
    )
    with pytest.raises(InputError, match=r"formr\.csv: no such file"):
        rs.read(files / "games.csv", aliases=files / "formr.csv")


@pytest.mark.parametrize("verb", [("rate", "--system", "elo"), ("inspect",)])
def test_verbs_read_under_the_names_of_players(files, call, verb):
    name, *how = verb
    code, said, _ = call(name, files / "games.csv", "--aliases", files / "former.csv", *how, "--json")
    assert code == 0
    assert "1 game with a player called by an alias: renamed" in json.loads(said)["notes"]
    code, _, error = call(name, files / "games.csv", "--aliases", files / "formr.csv", *how)
    assert code == 2
    assert "formr.csv: no such file" in error


@pytest.mark.interpreted
@pytest.mark.parametrize("imported", [False, True])
def test_an_experiment_names_them_beside_its_games(files, imported, tmp_path):
    path = files / "games.csv"
    if imported:
        path = files / "games.parquet"
        rs.import_games(files / "games.csv", path)
    (tmp_path / "folder").mkdir()
    experiment = tmp_path / "folder" / "e.toml"
    text = f'[stream]\nname = "g"\ngames = "../{path.name}"\naliases = "former.csv"\n[[system]]\nkind = "elo"\n'
    experiment.write_text(text, encoding="utf-8")
    (loaded,) = load(read(experiment))
    assert set(loaded.stream.players["player"]) == {"Benin", "Togo", "Dahomey"}
    alone = rs.read(files / "games.csv", aliases=files / "former.csv")
    assert loaded.stream.digest == alone.digest


@pytest.mark.data
@pytest.mark.skipif(not FORMER.exists(), reason="needs the football games in ../shared")
def test_football_under_the_names_of_its_day_is_football_under_those_of_today(tmp_path):
    """The source has the names of today; put into those of their day, the table of former names leads back to them."""
    today = pl.read_csv(RESULTS, infer_schema=False)
    spans = pl.read_csv(FORMER, infer_schema=False).with_row_index("row")
    day = today
    for row in spans.iter_rows(named=True):
        then = pl.col("date").is_between(pl.lit(row["start_date"]), pl.lit(row["end_date"]))
        day = day.with_columns(
            pl.when(then & (pl.col(side) == row["current"])).then(pl.lit(row["former"])).otherwise(side).alias(side)
            for side in ("home_team", "away_team")
        )
    assert day.filter(pl.col("home_team") == "Dahomey")["date"].max() <= "1975-11-30"
    assert (day["home_team"] != today["home_team"]).sum() > 1000
    path = tmp_path / "day.csv"
    day.write_csv(path)
    told, named = rs.read(RESULTS, FOOTBALL), rs.read(path, FOOTBALL, aliases=FORMER)
    assert named.digest == told.digest
    assert "aliases that nobody had" not in " ".join(named.notes)
    rs.import_games(path, tmp_path / "games.parquet", {**FOOTBALL, "duplicates": "keep"}, aliases=FORMER)
    assert rs.read(tmp_path / "games.parquet").to_frame().equals(told.to_frame())
