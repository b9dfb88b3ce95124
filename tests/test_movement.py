"""How far single games move ratings, against a plain walk through the readings."""

import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ratesim.analysis import movement
from ratesim.analysis.movement import MOST
from ratesim.errors import InputError
from ratesim.plots import draw

START, PAUSE = 1500.0, 30.0


def walk(seed: int, *, players: int = 40, days: int = 200) -> pl.DataFrame:
    """Daily readings of players who play now and then, half of them not at all for 40 days."""
    random = np.random.default_rng(seed)
    rows = []
    for player in range(players):
        rating, games = START, 0
        for day in range(days):
            away = player % 2 and 90 <= day < 130
            for _ in range(0 if away else random.choice([0, 1, 2], p=[0.6, 0.3, 0.1])):
                rating += random.normal() * (100 if games < 5 else 10)
                games += 1
            if games:
                rows.append((float(day), f"p{player}", rating, float(games)))
    return pl.DataFrame(rows, schema=["time", "player", "rating", "games"], orient="row")


def by_hand(history: pl.DataFrame) -> dict[tuple[str, int | None], list[float]]:
    found = defaultdict(list)
    for part in history.partition_by("player"):
        rating, games, seen, back = START, 0.0, math.inf, None
        for time, _, now, total in part.rows():
            if total == games:
                continue
            if time - seen >= PAUSE:
                back = games
            if total == games + 1:
                k = int(total - back) if back is not None else 0
                key = ("returners", k) if 1 <= k <= MOST else ("newcomers", int(total))
                if key[0] == "newcomers" and total > MOST:
                    key = ("others", None)
                found[key].append(abs(now - rating))
            rating, games, seen = now, total, time
    return found


def test_changes_are_those_of_a_walk_through_the_readings():
    history = walk(1)
    frame = movement({"x": history.sample(fraction=1, shuffle=True, seed=5)}, pause=PAUSE, starts={"x": START}).frame
    expected = {key: each for key, each in by_hand(history).items() if len(each) >= 10}
    assert {(row["who"], row["game"]) for row in frame.rows(named=True)} == set(expected)
    assert ("returners", 1) in expected
    for row in frame.rows(named=True):
        changes = expected[row["who"], row["game"]]
        assert (row["n"], row["change"]) == (len(changes), pytest.approx(np.mean(changes), rel=1e-12))
        half = stats.norm.ppf(0.975) * stats.sem(changes)
        assert (row["low"], row["high"]) == pytest.approx((row["change"] - half, row["change"] + half), rel=1e-12)


def test_without_a_start_the_first_game_is_left_out():
    with_start, without = (
        movement({"x": walk(2)}, pause=PAUSE, starts=starts).frame for starts in ({"x": START}, None)
    )
    first = pl.col("who").eq("newcomers") & pl.col("game").eq(1).fill_null(value=False)
    assert with_start.filter(first).height == 1
    assert with_start.filter(~first).equals(without)


def test_the_caption_says_what_first_games_do_and_the_drawing_shows_both_groups():
    table = movement({"a": walk(3), "b": walk(4), "none": pl.DataFrame({"player": ["p0"]})}, pause=PAUSE)
    others = table.frame.filter(who="others")["change"].to_list()
    assert f"Other games: {others[0]:.1f} by a and {others[1]:.1f} by b. No ratings are kept by none." in table.caption
    newcomers, returners = draw(table).axes
    for axes, who in ((newcomers, "newcomers"), (returners, "returners")):
        drawn = [list(zip(*line.get_data(), strict=True)) for line in axes.get_lines()]
        for k, system in enumerate("ab"):
            assert drawn[2 * k] == table.frame.filter(who=who, system=system).select("game", "change").rows()


def test_somebody_must_keep_ratings():
    with pytest.raises(InputError, match="no run keeps ratings"):
        movement({"even": pl.DataFrame({"player": ["p0"]})}, pause=PAUSE)
