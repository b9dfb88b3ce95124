"""What one game is worth by result and by the opponent's lead, against a plain walk through the games."""

from collections import defaultdict

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.analysis import EmptyFigureError, upsets
from ratesim.errors import InputError
from ratesim.plots import draw

K, ROUNDS, PLAYERS = 24.0, 60, 30
NAMES = [f"p{n:02}" for n in range(PLAYERS)]


def played(seed: int) -> tuple[rs.GameStream, pl.DataFrame, list[tuple[float, float, float, int]]]:
    """Rounds in which all but two play once; readings between; and points, gap, change, fewest before of each side."""
    random = np.random.default_rng(seed)
    rating, games = dict.fromkeys(NAMES, 1500.0), dict.fromkeys(NAMES, 0)
    rows, readings, sides = [], [], []
    for day in range(ROUNDS):
        order = [NAMES[n] for n in random.permutation(PLAYERS)[:-2]]
        for one, other in zip(order[::2], order[1::2], strict=True):
            points = float(random.choice([0, 0.5, 1]))
            change = K * (points - 1 / (1 + 10 ** ((rating[other] - rating[one]) / 400))) + random.normal()
            fewest = min(games[one], games[other])
            if games[one] and games[other]:  # who has not played is not read
                sides.append((points, rating[other] - rating[one], change, fewest))
                sides.append((1 - points, rating[one] - rating[other], -change, fewest))
            rows.append((one, other, points, float(day)))
            rating[one], rating[other] = rating[one] + change, rating[other] - change
            games[one], games[other] = games[one] + 1, games[other] + 1
        readings += [(day + 0.5, name, rating[name], float(games[name])) for name in NAMES if games[name]]
    stream = rs.GameStream.of(**pl.DataFrame(rows, ["first", "second", "score", "time"], orient="row").to_dict())
    return stream, pl.DataFrame(readings, ["time", "player", "rating", "games"], orient="row"), sides


@pytest.mark.parametrize("burn_in", [0, 20])
def test_changes_are_those_of_a_walk_through_the_games(burn_in):
    stream, history, sides = played(1)
    frame = upsets({"x": history.sample(fraction=1, shuffle=True, seed=3)}, stream, width=50, burn_in=burn_in).frame
    expected = defaultdict(list)
    for points, gap, change, fewest in sides:
        if fewest >= burn_in:
            for panel in ({1: "wins", 0.5: "draws", 0: "losses"}[points], "all games"):
                expected[panel, 50 * np.floor(gap / 50)].append((gap, change))
    kept = {key: np.array(each) for key, each in expected.items() if len(each) >= 30}
    assert {(row["panel"], row["from"]) for row in frame.rows(named=True)} == set(kept)
    assert len(kept) > 8
    for row in frame.rows(named=True):
        gap, change = kept[row["panel"], row["from"]].T
        assert row["n"] == len(gap)
        assert (row["x"], row["y"]) == pytest.approx((gap.mean(), change.mean()), rel=1e-9, abs=1e-9)
        half = 1.959963984540054 * change.std(ddof=1) / np.sqrt(len(change))
        assert (row["low"], row["high"]) == pytest.approx((row["y"] - half, row["y"] + half), rel=1e-9, abs=1e-9)


def test_it_is_drawn_and_says_what_upsets_are_worth():
    stream, history, _ = played(1)
    table = upsets({"x": history}, stream, width=50, burn_in=5)
    last = table.frame.filter(panel="wins").sort("from")["y"][-1]
    assert f"A win against the strongest: {last:+.1f} by x" in table.caption
    assert "from game 6 of both on" in table.caption
    assert len(draw(table).axes) == 4


def test_ratings_of_two_pools_are_two():
    stream, history, _ = played(2)
    frame = stream.to_frame()
    both = pl.concat([frame.with_columns(pool=pl.lit(name)) for name in ("rapid", "blitz")]).sort(
        "time", maintain_order=True
    )
    pools = pl.concat([history.with_columns(pool=pl.lit(name)) for name in ("rapid", "blitz")])
    alone = upsets({"x": history}, stream, width=50).frame
    found = upsets({"x": pools}, rs.GameStream.of(**both.to_dict()), width=50).frame.join(alone, on=["panel", "from"])
    assert found.height == alone.height
    assert (found["n"] == 2 * found["n_right"]).all()
    np.testing.assert_allclose(found["y"], found["y_right"], rtol=1e-9)


def test_what_cannot_be_shown_is_refused():
    stream, history, _ = played(1)
    with pytest.raises(InputError, match="above 0 points"):
        upsets({"x": history}, stream, width=0)
    with pytest.raises(EmptyFigureError, match="no 30 changes"):
        upsets({"x": history}, stream, burn_in=1000)
    weighed = rs.GameStream.of(**stream.to_frame().with_columns(weight=pl.lit(2.0)).to_dict())
    with pytest.raises(EmptyFigureError, match="games carry weights"):
        upsets({"x": history}, weighed)
