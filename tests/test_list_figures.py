"""Figures about rating lists, against plain walks through what they are made of."""

import itertools
import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest

from ratesim.analysis import bands, initial, monthly
from ratesim.errors import InputError
from ratesim.stream import GameStream

PLAYERS, LISTS = 60, 24
SKILL = [1500.0 + 10 * k for k in range(PLAYERS)]


def stream(*, simulated: bool = True) -> GameStream:
    """Everybody plays the next one on the first day."""
    skills = {"skill_first": SKILL, "skill_second": [*SKILL[1:], SKILL[0]]} if simulated else {}
    names = [f"p{k}" for k in range(PLAYERS)]
    return GameStream.of(
        first=names, second=[*names[1:], names[0]], score=[0.5] * PLAYERS, time=[0.0] * PLAYERS, **skills
    )


def lists(seed: int) -> pl.DataFrame:
    """Monthly ratings of players who play 0 to 9 games a month; the first half is unrated in the beginning."""
    random = np.random.default_rng(seed)
    rows = []
    for player in range(PLAYERS):
        rating, games = SKILL[player] + random.normal(0, 50), 0
        for month in range(LISTS):
            more = int(random.integers(0, 10))
            games, rating = games + more, rating + random.normal(0, 5 * math.sqrt(more))
            rated = player >= PLAYERS / 2 or month >= player / 2
            rows.append((30.0 * month, f"p{player}", rating if rated else math.nan, float(games)))
    return pl.DataFrame(rows, schema=["time", "player", "rating", "games"], orient="row")


def shuffled(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=3)


def rms(values) -> float:
    return math.sqrt(math.fsum(each**2 for each in values) / len(values))


def test_a_month_is_what_lies_between_two_lists():
    history = lists(1)
    off = {
        time: np.mean([row[2] - SKILL[int(row[1][1:])] for row in part.rows() if not math.isnan(row[2])])
        for (time,), part in history.group_by("time")
    }
    found = defaultdict(list)
    for part in history.partition_by("player"):
        rows = part.rows()
        for (_, _, before, had), (time, name, after, has) in itertools.pairwise(rows):
            if has > had and not math.isnan(before):
                begin = max(each for each in (1, 2, 3, 4, 6, 8) if each <= has - had)
                found[begin].append((has - had, after - before, after - SKILL[int(name[1:])] - off[time]))
    table = monthly({"x": shuffled(history)}, stream())
    assert table.frame["from"].to_list() == [1, 2, 3, 4, 6, 8]
    for row in table.frame.rows(named=True):
        games, change, error = zip(*found[row["from"]], strict=True)
        assert (row["n"], row["games"]) == (len(games), pytest.approx(np.mean(games)))
        assert (row["change"], row["error"]) == (pytest.approx(rms(change)), pytest.approx(rms(error)))
        half = 1.959963984540054 * np.std(np.square(change), ddof=1) / math.sqrt(len(change))
        assert row["change_high"] ** 2 == pytest.approx(rms(change) ** 2 + half)
    assert f"With 8 games or more: {rms([each[1] for each in found[8]]):.0f} by x." in table.caption


def test_months_of_a_real_stream_have_no_errors():
    frame = monthly({"x": lists(1)}, stream(simulated=False)).frame
    assert frame["error"].null_count() == len(frame) > 0
    assert frame["change"].equals(monthly({"x": lists(1)}, stream()).frame["change"])


def test_who_is_read_before_the_first_game_has_no_error_yet():
    history = lists(1)
    early = history.filter(pl.col("time") == 0).with_columns(time=pl.lit(-30.0), games=pl.lit(2.0), rating=pl.lit(0.0))
    frames = [monthly({"x": each}, stream()).frame for each in (pl.concat([early, history]), history)]
    assert frames[0].equals(frames[1])


def test_first_ratings_are_those_of_the_first_list_that_has_one():
    history = lists(2)
    started = [f"p{k}" for k in range(PLAYERS // 2, PLAYERS)]
    late = history.filter(~((pl.col("player") == "p5") & pl.col("rating").is_finite()))  # p5 never gets a rating
    table = initial({"x": shuffled(late)}, stream(), started)
    assert table.frame["from"].to_list() == [1500, 1600, 1700]
    for k, row in enumerate(table.frame.rows(named=True)):
        errors = []
        for player in range(10 * k, 10 * k + 10):
            ratings = [row[2] for row in late.filter(player=f"p{player}").rows() if not math.isnan(row[2])]
            errors += [each - SKILL[player] for each in ratings[:1]]
        assert (row["n"], row["rated"], row["skill"]) == (10, len(errors) / 10, 1545 + 100 * k)
        if len(errors) < 10:
            assert math.isnan(row["error"])
        else:
            assert (row["error"], row["rmse"]) == (pytest.approx(np.mean(errors)), pytest.approx(rms(errors)))
            assert row["low"] <= sorted(errors)[1]
            assert sorted(errors)[-2] <= row["high"]
    assert "First ratings of 30 simulated newcomers" in table.caption
    assert "By x 29 got one" in table.caption


def test_bands_compare_the_same_players():
    random = np.random.default_rng(4)
    own = random.permutation(np.linspace(1500, 1799, 90))
    other = own + random.normal(0.1 * (own - 1650), 5)
    names = [f"p{k}" for k in range(90)]
    ratings = {
        "a": pl.DataFrame({"player": names, "rating": own}),
        "b": shuffled(pl.DataFrame({"player": names, "rating": other})),
        "even": pl.DataFrame({"player": names}),
    }
    table = bands(ratings, width=50)
    assert table.frame["system"].unique().to_list() == ["b"]
    assert table.frame["n"].sum() == 90
    for row in table.frame.rows(named=True):
        here = (own >= row["from"]) & (own < row["from"] + 50)
        more = (other - own)[here]
        assert (row["n"], row["rating"]) == (here.sum(), pytest.approx(own[here].mean()))
        half = 1.959963984540054 * more.std(ddof=1) / math.sqrt(len(more))
        assert [row["more"], row["low"], row["high"]] == pytest.approx(
            [more.mean(), more.mean() - half, more.mean() + half]
        )
    assert f"All players together: {(other - own).mean():+.1f} by b." in table.caption
    assert "No ratings are kept by even." in table.caption


FEW = pl.DataFrame({"player": ["A"], "rating": [1500.0], "games": [1.0], "time": [0.0]})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: bands({"a": FEW}), "one run with ratings"),
        (lambda: bands({"a": FEW, "b": FEW}), "no band has 10 players"),
        (lambda: bands({"a": FEW, "b": FEW}, width=0), "width = 0; expected above 0 points"),
        (lambda: monthly({"a": FEW}, stream()), "no 10 players have equally many games in a month"),
        (lambda: initial({"a": FEW}, stream(), [f"p{k}" for k in range(PLAYERS)]), "no 10 newcomers"),
        (lambda: initial({"a": FEW}, stream(simulated=False)), "no skills to compare with"),
    ],
)
def test_what_cannot_be_shown_is_said(make, said):
    with pytest.raises(InputError, match=said):
        make()


def test_skills_are_starts_and_some_players_are_newcomers(tmp_path):
    from ratesim.experiment import read
    from ratesim.plan import load

    text = """
[world]
players = 200
rounds = 20
events = "10d"
start = "skills"
newcomers = 0.25
[[system]]
kind = "fide"
"""
    (tmp_path / "a.toml").write_text(text)
    (loaded,) = load(read(tmp_path / "a.toml"))
    skill = dict(loaded.stream.players.select("player", "skill").rows())
    assert len(loaded.start) == 150
    assert all(rating == round(skill[player]) for player, rating in loaded.start.rows())
    assert 20 < sum(name in set(loaded.start["player"]) for name in list(skill)[:40]) < 40
    (again,) = load(read(tmp_path / "a.toml"))
    assert again.start.equals(loaded.start)
    assert [len(loaded.stream.events), loaded.stream.events[99]] == [100, "99"]
    assert np.array_equal(loaded.stream.event, np.floor(loaded.stream.time / 10))
    (tmp_path / "b.toml").write_text(text.replace('start = "skills"\n', ""))
    with pytest.raises(InputError, match=r"b.toml, world: key 'newcomers'; expected none where there is no start"):
        read(tmp_path / "b.toml")


def test_a_stream_of_no_world_has_no_skills_to_start_with():
    with pytest.raises(InputError, match="start: the stream has no skills; expected a simulated stream"):
        stream(simulated=False).skill_starts()
