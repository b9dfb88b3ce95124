"""The map between pools: what a rating in one is worth in another."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ratesim.analysis import EmptyFigureError, pool_map
from ratesim.plots import draw

N = 4000


def hand_made(spread: float = 100.0) -> pl.DataFrame:
    """Players whose ratings in two pools have a part in common, 300 points apart on average."""
    random = np.random.default_rng(1)
    skill = random.normal(1500, 200, N)
    frames = [
        pl.DataFrame({
            "player": [f"P{n}" for n in range(N)], "pool": pool, "rating": skill + shift + random.normal(0, spread, N),
            "games": np.where(np.arange(N) < 100, 19.0, 20.0),
        })
        for pool, shift in (("club", 0.0), ("site", 300.0))
    ]  # fmt: skip
    return pl.concat(frames).sort("player", maintain_order=True)


def test_bands_are_means_of_those_who_have_played_enough_in_both():
    ratings = hand_made()
    table = pool_map({"elo": ratings}).frame.filter(pool="club")
    played = ratings.filter(pl.col("games") >= 20)
    club, site = (played.filter(pool=pool)["rating"].to_numpy() for pool in ("club", "site"))
    assert len(club) == N - 100
    for row in table.rows(named=True):
        here = (club >= row["from"]) & (club < row["from"] + 100)
        assert row["n"] == here.sum() >= 10
        assert row["x"] == pytest.approx(club[here].mean(), abs=1e-9)
        assert row["y"] == pytest.approx(site[here].mean(), abs=1e-9)
        half = stats.t.ppf(0.975, here.sum() - 1) * site[here].std(ddof=1) / np.sqrt(here.sum())
        assert [row["low"], row["high"]] == pytest.approx([row["y"] - half, row["y"] + half], abs=1e-9)
    assert table["n"].sum() > 0.99 * len(club)


def test_the_way_there_is_not_the_way_back():
    """Galton's regression: with correlation r and equal spread both lines have the slope r, not r and 1 / r."""
    frame = pool_map({"elo": hand_made()}).frame
    for pool in ("club", "site"):
        here = frame.filter(pool=pool)
        slope = np.polyfit(here["x"], here["y"], 1, w=np.sqrt(here["n"].to_numpy()))[0]
        assert slope == pytest.approx(200**2 / (200**2 + 100**2), abs=4 / np.sqrt(N))


def test_the_caption_says_how_far_pools_are_apart():
    caption = pool_map({"elo": hand_made()}).caption
    assert "by elo they stand +300 points (+29" in caption.replace("+301", "+300").replace("+299", "+300")
    assert "in site beside club, correlation 0.8" in caption
    assert "bands over players" in caption


def test_replicates_are_the_blocks_of_intervals():
    players = pl.DataFrame({"player": [f"P{n}" for n in range(N)], "replicate": [n % 4 for n in range(N)]})
    table = pool_map({"elo": hand_made()}, players)
    assert "bands over replicates" in table.caption
    ratings = hand_made().filter(pl.col("games") >= 20).join(players, on="player", maintain_order="left")
    (row,) = table.frame.filter(pool="club").filter(pl.col("from") == 1500).rows(named=True)
    club, site = (ratings.filter(pool=pool) for pool in ("club", "site"))
    here = ((club["rating"] >= 1500) & (club["rating"] < 1600)).to_numpy()
    values, block = site["rating"].to_numpy()[here], site["replicate"].to_numpy()[here]
    sums = [((values[block == r] - values.mean()).sum()) ** 2 for r in range(4)]
    half = stats.t.ppf(0.975, 3) * np.sqrt(4 / 3 * sum(sums)) / len(values)
    assert [row["low"], row["high"]] == pytest.approx([values.mean() - half, values.mean() + half], abs=1e-9)


def test_signs_are_changed_and_names_are_not():
    turned = hand_made().with_columns(pl.col("pool").replace({"club": "on-site", "site": "at-club"}))
    turned = turned.with_columns(rating=3000 - pl.col("rating"))
    caption = pool_map({"fide-elo": turned}).caption
    assert "by fide-elo they stand −" in caption
    assert "in at-club beside on-site" in caption


def test_a_band_of_one_replicate_has_no_interval():
    players = pl.DataFrame({"player": [f"P{n}" for n in range(N)]}).with_columns(replicate=pl.lit(0))
    players[0, "replicate"] = 1  # who has not played enough
    table = pool_map({"elo": hand_made()}, players)
    assert table.frame["low"].null_count() == table.frame["high"].null_count() == len(table.frame) > 0
    assert "nan" not in table.caption


def test_it_is_drawn():
    table = pool_map({"elo": hand_made(), "other": hand_made(50.0)})
    assert [panel["name"] for panel in table.meta["panels"]] == ["site over club", "club over site"]
    figure = draw(table)
    assert [axes.get_xlabel() for axes in figure.axes] == ["rating in club", "rating in site"]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (hand_made().drop("pool"), "no ratings by pool; expected by_pool = true"),
        (hand_made().filter(pool="club"), "no 10 players of one band have played 20 games in two pools"),
        (hand_made().with_columns(games=19.0), "no 10 players of one band"),
    ],
)
def test_without_such_players_there_is_no_map(frame, said):
    with pytest.raises(EmptyFigureError, match=said):
        pool_map({"elo": frame})
