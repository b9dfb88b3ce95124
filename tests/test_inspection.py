"""`ratesim inspect`: what it counts, against counts by hand; what it says; what it draws."""

import gzip
import json

import numpy as np
import polars as pl
import pytest

from ratesim.analysis import connectivity, inspection, overview
from ratesim.analysis.inspection import clocks
from ratesim.cli import main
from ratesim.cli.inspection_text import INDENT, WIDTH, duration, lines, percent
from ratesim.errors import InputError
from ratesim.stream import GameStream


@pytest.fixture(scope="module")
def games() -> pl.DataFrame:
    """300 games of 20 players in two circles that never meet, over two years, some without ratings."""
    random = np.random.default_rng(7)
    circle = random.integers(0, 2, 300)
    first, step = random.integers(0, 10, 300), random.integers(1, 10, 300)
    frame = pl.DataFrame(
        {
            "first": [f"{'ab'[c]}{k}" for c, k in zip(circle, first, strict=True)],
            "second": [f"{'ab'[c]}{k}" for c, k in zip(circle, (first + step) % 10, strict=True)],
            "score": random.choice([0, 0.5, 1], 300),
            "time": np.sort(random.integers(19000, 19700, 300)) + random.choice([0, 0.5], 300),
            "edge": random.choice([-1.0, 0.0, 1.0], 300),
            "pool": random.choice(["blitz", "rapid", "rapid"], 300),
            "stage": ["final" if k % 60 == 59 else "league" for k in range(300)],
            "event": [f"open {k // 70}" for k in range(300)],
            "published_first": random.integers(1400, 2400, 300).astype(float),
            "published_second": np.where(random.random(300) < 0.2, np.nan, random.integers(1400, 2400, 300)),
        }
    )
    return frame.sort("time", maintain_order=True)


def stream(frame: pl.DataFrame) -> GameStream:
    return GameStream.of(**{column.name: column for column in frame})


def test_edges_pools_events_and_ratings_are_counted(games):
    found = inspection(stream(games))
    with_edge = games.filter(pl.col("edge") != 0)
    own = pl.when(pl.col("edge") > 0).then("score").otherwise(1 - pl.col("score"))
    assert found["edge"] == {
        "first": (games["edge"] == 1).mean(),
        "neutral": (games["edge"] == 0).mean(),
        "second": (games["edge"] == -1).mean(),
        "score": pytest.approx(with_edge.select(own.mean()).item()),
    }
    for each in found["pools"]:
        here = games.filter(pl.col("pool") == each["pool"])
        players = set(here["first"]) | set(here["second"])
        assert (each["games"], each["players"]) == (here.height, len(players))
    assert [each["pool"] for each in found["pools"]] == ["rapid", "blitz"]
    assert found["stages"] == [{"stage": "league", "games": 295}, {"stage": "final", "games": 5}]
    per_event = games["event"].value_counts()["count"]
    assert found["events"] == {"events": 5, "median_games": per_event.median()}
    rated = games.filter(pl.col("published_second").is_not_nan())
    apart = rated["published_first"] - rated["published_second"]
    higher = np.where(apart > 0, rated["score"], 1 - rated["score"])[apart != 0]
    assert found["published"]["both"] == rated.height / 300
    assert found["published"]["higher_score"] == pytest.approx(higher.mean())
    expected = (1 / (1 + 10 ** (-apart.abs() / 400))).filter(apart != 0).mean()
    assert found["published"]["expected_score"] == pytest.approx(expected)
    known = [*games["published_first"], *rated["published_second"]]
    assert (found["published"]["low"], found["published"]["high"]) == (min(known), max(known))


def test_times_and_gaps_are_counted(games):
    found = inspection(stream(games))
    stamps = games["time"].unique().sort()
    steps = sorted(np.diff(stamps), reverse=True)[:3]
    assert [gap["days"] for gap in found["gaps"]] == steps
    for gap in found["gaps"]:
        last, next_ = (pl.Series([gap[end]]).str.to_datetime().dt.timestamp("ms")[0] / 864e5 for end in ("from", "to"))
        assert next_ - last == gap["days"]
        assert last in stamps.implode()[0]
        assert not stamps.is_between(last, next_, closed="none").any()
    assert found["midnight"] == (games["time"] % 1 == 0).mean()


def test_connectivity_is_summed_up(games):
    played = stream(games)
    found, tables = inspection(played)["connectivity"], connectivity(played)
    assert found["components"] == 2
    assert [found["largest"]["players"], found["next"][0]["players"]] == [10, 10]
    assert found["largest"]["games"] + found["next"][0]["games"] == 300
    assert found["bridges"] == tables.bridges.height == 0
    assert found["largest_strong"] == 10


def test_one_sided_players_are_counted():
    first = ["w"] * 10 + ["l", "a", "b", "a"]
    second = [f"p{k}" for k in range(10)] + ["a", "b", "a", "d"]
    found = inspection(
        GameStream.of(first=first, second=second, score=[1] * 10 + [0, 1, 1, 0.5], time=range(14), edge=[1] * 14)
    )
    assert (found["only_wins"], found["only_losses"], found["only_draws"], found["one_game"]) == (1, 11, 1, 12)
    assert found["one_sided"] == {
        "fewest": 10, "players": 1, "always_ahead": 1, "always_behind": 0, "always_first": 1, "always_second": 0,
    }  # fmt: skip
    (said,) = [
        line.said for line in lines({**found, "file": "f", "header": [], "columns": {}}) if "strength" in line.said
    ]
    assert said == "Nobody changes sides: what it is worth to be first cannot be told from strength."


def test_no_games_are_nothing_to_count(games):
    none = stream(games).take(slice(0, 0))
    found = inspection(none)
    assert (found["games"], found["played"], found["draws"], found["gaps"]) == (0, 0, None, [])
    assert found["connectivity"]["largest"] is None
    said = [str(line) for line in lines({**found, "file": "f", "header": [], "columns": {}})]
    assert "games              0" in said
    with pytest.raises(InputError, match="no games"):
        overview(none)


def test_the_text_is_short_and_says_what_numbers_mean(games):
    found = inspection(stream(games))
    said = [str(line) for line in lines({**found, "file": "f.csv", "header": ["first"], "columns": {"first": "a b"}})]
    printed = "\n".join(said).splitlines()
    assert len(printed) <= 40
    assert all(len(line) <= WIDTH for line in printed)
    assert said[0].split() == ["file", "f.csv"]
    assert "columns            --map 'first=a b'" in said
    next_one = said.index("".ljust(INDENT) + "No games lead from one to another: ratings of different components "
                          "cannot be compared.")  # fmt: skip
    assert said[next_one - 2].startswith("components         2; the largest has 10 players")


def test_a_share_is_never_rounded_to_none_or_all():
    for share in np.linspace(0, 1, 2001).tolist():
        said = percent(share)
        assert (said == "0 %") == (share == 0)
        assert (said == "100 %") == (share == 1)
        assert said.startswith(("<", ">")) or abs(float(said.split()[0]) / 100 - share) <= 0.00051


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_a_figure_is_drawn(games, suffix, tmp_path, capsys):
    path, drawn = tmp_path / "games.csv", tmp_path / f"seen.{suffix}"
    games.select("first", "second", "score", "time").write_csv(path)
    assert main(["inspect", str(path), "--map=time_unit=D", "--figure", str(drawn), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["figure"]["file"] == str(drawn)
    assert found["figure"]["caption"].startswith("300 games of 20 players. ")
    assert drawn.read_bytes()[:4] in {b"<?xm", b"%PDF", b"\x89PNG"}
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["games.csv", drawn.name])


@pytest.mark.parametrize(
    ("figure", "said"),
    [("seen.gif", "expected one of .svg, .pdf, .png"), ("games.csv", "--figure and GAMES are one file")],
)
def test_a_wrong_figure_is_refused_before_anything_is_read(games, figure, said, tmp_path, capsys):
    path = tmp_path / "games.csv"
    games.write_csv(path)
    assert main(["inspect", str(path), "--figure", str(tmp_path / figure)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_the_figure_shows_what_is_there(games):
    table = overview(stream(games))
    frame = table.frame
    months = games.select(pl.from_epoch((pl.col("time") * 86400).cast(pl.Int64)).dt.truncate("1mo").value_counts())
    assert table.meta["step"] == "month"
    by_month = frame.filter(pl.col("panel") == "games")
    assert sorted(by_month["n"]) == sorted(months.unnest("time")["count"])
    assert by_month["n"].sum() == 300
    counts = pl.concat([games["first"], games["second"]]).value_counts()["count"]
    for x, y in frame.filter(pl.col("panel") == "players").select("x", "y").rows():
        assert y == (counts >= x).mean()
    ties = dict(frame.filter(pl.col("panel") == "ties").select("label", "n").rows())
    assert ties["in the largest component"] == 10
    for label, edge in (("first had the edge", 1), ("nobody had it", 0), ("second had the edge", -1)):
        here = games.filter(pl.col("edge") == edge)["score"]
        rows = frame.filter(pl.col("label") == label)
        assert rows["n"].to_list() == [(here == x).sum() for x in (1, 0.5, 0)]
        assert rows["score"][0] == pytest.approx(here.mean())
        assert rows["y"].sum() == pytest.approx(1)
    assert "There are 2 components, the largest of 10 players" in table.caption


@pytest.mark.parametrize(("span", "step"), [(30, "day"), (1000, "month"), (20_000, "year")])
def test_games_are_counted_by_what_gives_enough_bars(span, step):
    table = overview(
        GameStream.of(first=["A"] * 100, second=["B"] * 100, score=[1] * 100, time=np.linspace(0, span, 100))
    )
    assert table.meta["step"] == step
    assert 10 < table.frame.filter(pl.col("panel") == "games").height <= 100


@pytest.mark.parametrize("day", [-1, 0, 15_000, 19_999, 90_000])
def test_every_second_of_a_day_is_told_as_it_is(day):
    """Days are doubles, and few seconds are one that is no rounded one."""
    seconds = np.arange(86_400)
    midnight = np.datetime64(day, "D").astype("datetime64[s]")
    expected = [str(each).replace("T", " ") for each in midnight + seconds]
    assert clocks(day + seconds / 86_400) == expected
    assert clocks(np.array([day + 25.5 / 86_400])) == [f"{expected[25]}.500000"]


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (400.2, "400 days"), (10.4, "10 days"), (1.0, "1 day"), (1.5, "1.5 days"), (0.5, "12 hours"),
        (23.8 / 24, "1 day"), (1 / 24, "1 hour"),
        (1.5 / 24, "1.5 hours"), (1 / 1440, "1 minute"), (59 / 1440, "59 minutes"), (59.9 / 1440, "1 hour"),
        (0.0001, "8.6 seconds"), (1 / 86_400, "1 second"), (0.02 / 86_400, "0.02 seconds"),
    ],
)  # fmt: skip
def test_a_gap_is_told_in_a_unit_that_it_fills(days, said):
    assert duration(days) == said
    assert duration((20_000 + days) - 20_000).split()[1] == said.split()[1]  # as far as doubles tell


def test_gaps_of_dense_games_are_told_with_the_clock():
    found = inspection(GameStream.of(first="ABC", second="BCA", score=[1, 1, 1], time=[0, 10 / 86_400, 310 / 86_400]))
    said = [str(line) for line in lines({**found, "file": "f", "header": [], "columns": {}})]
    text = " ".join(" ".join(said).split())
    assert "5 minutes (1970-01-01 00:00:10 to 1970-01-01 00:05:10)" in text
    assert "10 seconds (1970-01-01 00:00:00 to 1970-01-01 00:00:10)" in text


def test_games_of_weight_0_are_told():
    """They are games of the file, and none of anybody."""
    columns = {"first": "ABC", "second": "BCA", "score": [1, 1, 0.5], "time": [1, 2, 3]}
    found = inspection(GameStream.of(**columns, weight=[1, 0, 0]))
    assert (found["games"], found["weightless"], found["played"]) == (3, 2, 2)
    said = [str(line) for line in lines({**found, "file": "f", "header": [], "columns": {}})]
    assert any("2 of weight 0" in line for line in said)
    found = inspection(GameStream.of(**columns))
    assert (found["games"], found["weightless"], found["played"]) == (3, 0, 3)


@pytest.mark.parametrize("words", [["inspect"], ["rate", "--system=elo"]])
def test_games_may_be_packed_or_a_folder_as_the_help_says(games, words, tmp_path, capsys):
    frame = games.select("first", "second", "score", "time").with_columns(time=pl.from_epoch("time", time_unit="d"))
    folder = tmp_path / "games"
    folder.mkdir()
    with gzip.open(folder / "games.csv.gz", "wt") as file:
        file.write(frame.write_csv())
    found = []
    for path in (folder, folder / "games.csv.gz"):
        assert main([*words, str(path), "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["digest"])
    assert found[0] == found[1] == stream(frame).digest
    assert main([words[0], "--help"]) == 0
    said = " ".join("".join(c if c.isascii() else " " for c in capsys.readouterr().out).split())
    assert "any form that `ratesim import` takes, packed or not, or a folder" in said
