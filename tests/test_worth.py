"""What a rating is worth: by plain walks over a few players, and as the figures show it."""

import numpy as np
import polars as pl
import pytest
from test_truth import R, hand_made, readings, still

from ratesim.analysis import truth_figures, truth_tables
from ratesim.analysis.truth import averaged
from ratesim.analysis.truth.worth_figure import worth
from ratesim.errors import InputError


def test_worth_is_what_a_plain_walk_finds():
    table = truth_tables(hand_made())["worth"]
    seen = {(number, day): rows for number, day, rows in by_reading()}
    assert set(table.select("replicate", "day").unique().rows()) == set(seen)
    for row in table.rows(named=True):
        rows = seen[row["replicate"], row["day"]]
        near = [skill for rating, skill in rows if -50 <= rating - row["rating"] < 50]
        assert row["players"] == len(near)
        assert row["skill"] == (pytest.approx(sum(near) / len(near)) if near else None)
        assert row["below"] == pytest.approx(sum(rating < row["rating"] for rating, _ in rows) / len(rows))
        assert row["weaker"] == pytest.approx(sum(skill < row["rating"] for _, skill in rows) / len(rows))


def by_reading():
    for number, day, rows in readings():
        yield number, day, [(row[1], row[2]) for row in rows]


def test_every_player_is_at_one_rating_and_shares_go_from_none_to_all():
    table = truth_tables(hand_made())["worth"]
    listed = truth_tables(hand_made())["errors"].filter(pl.col("players") > 0)
    each = table.group_by("replicate", "day").agg(
        pl.col("players").sum(), pl.col("below", "weaker").last().name.suffix("_last"), pl.col("below").first()
    )
    joined = each.join(listed, on=["replicate", "day"], suffix="_listed")
    assert joined["players"].to_list() == joined["players_listed"].to_list()
    assert set(each["below"]) == {0.0}
    assert set(each["below_last"]) == set(each["weaker_last"]) == {1.0}


def test_players_at_whole_hundreds_are_not_below_them():
    tables = truth_tables(still([1400.0, 1500, 1500, 1600], [[1500.0, 1500, 1549, 1550]], [[1.0, 1, 1, 1]]))
    rows = tables["worth"].drop("replicate", "day").rows()
    assert rows == [(1400, 0, None, 0, 0), (1500, 3, pytest.approx(4400 / 3), 0, 0.25), (1600, 1, 1600, 1, 0.75)]


@pytest.mark.parametrize("wild", [12_345.0, 1e15, 1e60])
def test_ratings_that_grow_beyond_all_bounds_do_not_make_the_table_grow(wild):
    skill = [1400.0, 1500, 1500, 1600, 1500]
    far = truth_tables(still(skill, [[-wild, 1500, 1549, 1550, wild]], [[1.0] * 5]))["worth"]
    assert far["rating"].to_list() == [100.0 * k for k in range(-35, 66)], "5,000 points about the median skill"
    (middle,) = far.filter(rating=1500.0).select("players", "skill", "below", "weaker").rows()
    assert middle == (2, 1500, 0.2, 0.2)
    assert far["below"].to_list() == [0.2] * 51 + [0.8] * 50
    assert far["players"].sum() == 3, "one is too low, one too high"


def test_the_figure_is_the_mean_over_replicates():
    runs = {"one": truth_tables(hand_made(1)), "other": truth_tables(hand_made(2))}
    figures = {each.name: each for each in truth_figures(runs)}
    frame, means = figures["worth"].frame, averaged("worth", runs["one"]["worth"])
    assert frame.height > 0
    for row in frame.filter(line="one").rows(named=True):
        (own,) = means.filter(rating=float(row["panel"].split()[1].replace(",", "")), day=row["x"]).rows(named=True)
        assert [row["y"], row["low"], row["high"]] == [own[f"skill{end}"] for end in ("", "_low", "_high")]
    shares = figures["percentiles"].frame.filter(panel="share below a rating", line="one").sort("x")
    last = means.filter(pl.col("day") == means["day"].max())
    assert np.all(np.diff(shares["y"].to_numpy()) >= 0)
    below = dict(zip(last["rating"], last["below"], strict=True))
    assert shares["y"].to_list() == [100 * below[rating] for rating in shares["x"]]


def test_an_empty_list_has_no_worth():
    tables = truth_tables(still([1500.0, 1500], [[1500.0, 1500]], [[0.0, 0]]))
    assert tables["worth"].is_empty()
    with pytest.raises(InputError, match="nobody is listed"):
        worth({"nobody": tables})
    assert averaged("worth", truth_tables(hand_made())["worth"])["replicates"].max() == R
