"""Experiments about how soon ratings follow: their headers' numbers come out, and would about so with another seed."""

import json
import math
from pathlib import Path

import polars as pl
import pytest
from articles import header, runner, table

S = 400 / math.log(10)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return runner(tmp_path_factory)


KS = (10, 20, 40)


@pytest.mark.slow
def test_d03_speed_against_jitter_and_glicko_has_both(run):
    folder = run("d03-k")
    labels = [*(f"Elo, K k={k}" for k in KS), "Glicko", "Glicko-2"]
    curves, equals = (table(folder, f"convergence-{world}") for world in ("new-pool", "equals"))

    def error(frame: pl.DataFrame, games: int) -> list[float]:
        rows = frame.filter(pl.col("games").round() == games)
        assert rows["system"].to_list() == labels
        return rows["rmse"].to_list()

    early, late, jitter = error(curves, 49), error(curves, 369), error(equals, 369)
    runs = json.loads((folder / "summary.json").read_text())["runs"]
    truths = {each["label"]: each["truth"] for each in runs}
    near = [next(row for row in truths[f"{each}, new pool"]["settling"] if row["within"] == 50) for each in labels]
    first, stay = ([row[name] for row in near] for name in ("first", "settled"))
    said = header("d03-k")
    assert (
        "wrong by {:.0f}, {:.0f} and {:.0f} points after 49 games each with K 10, 20 and 40, and by {:.0f}, {:.0f} and "
        "{:.0f} after 369:"
    ).format(*early[:3], *late[:3]) in said
    assert (
        "half have been within 50 points once after {:.0f}, {:.0f} and {:.0f} games, but {:.0f}, {:.0f} and {:.0f} % "
        "are there at the end"
    ).format(*first[:3], *(100 * each for each in stay[:3])) in said
    assert (
        f"wrong by {early[3]:.0f} points after 49 games, by {late[3]:.0f} after 369, half of them within 50 after "
        f"{first[3]:.0f} and {100 * stay[3]:.0f} % at the end."
    ) in said
    leading = [math.sqrt(k * S / 2) for k in KS]
    for row, values in (('error at the end, stream "equals"', jitter[:3]), ("sqrt(K s / 2)", leading)):
        assert "{} {:.1f} {:.1f} {:.1f}".format(row, *values) in said
    assert early[:3] == sorted(early[:3], reverse=True)
    assert late[:3] == sorted(late[:3])
    assert early[3] < min(early[:3]) - 3
    assert late[3] < min(late[:3]) - 3
    assert late[4] == pytest.approx(late[3], abs=0.3)
    assert first[:3] == sorted(first[:3], reverse=True)
    assert stay[:3] == sorted(stay[:3], reverse=True)
    assert stay[3] > max(stay[:3])
    assert jitter[:3] == pytest.approx([math.sqrt(k * S / 2 / (1 - k / (4 * S))) for k in KS], rel=0.06)
    drawn = curves.filter(pl.col("theory").is_not_null(), pl.col("games") > 10)
    assert drawn["system"].n_unique() == 3
    assert drawn["rmse"].to_list() == pytest.approx(drawn["theory"].to_list(), rel=0.08)


class Volatility:
    """What the run of D10 found in one world."""

    def __init__(self, folder: Path, games: int) -> None:
        self.jumps, self.movers = (table(folder, f"{name}-{games}-games-a-month") for name in ("jumps", "movers"))

    def left(self, system: str, games: int) -> float:
        """Per cent of a jump that are left about so many games after the list before it."""
        rows = self.jumps.filter(pl.col("x").round() == games, line=system)
        return rows["y"].item()

    def last(self, system: str, panel: str) -> float:
        """Error or volatility of those who changed or did not, at the end."""
        return self.movers.filter(panel=panel, line=system)["y"][-1]


@pytest.mark.slow
def test_d10_volatility_adds_something_only_in_long_periods(run):
    folder = run("d10-volatility")
    few, many = Volatility(folder, 10), Volatility(folder, 100)
    glicko, two, free = "Glicko c=10.4, monthly", "Glicko-2, monthly", "Glicko-2, free, monthly"
    same = [few.left(system, 96) for system in (glicko, two, free)]
    apart = [many.left(system, 202) for system in (glicko, two, free, "Glicko c=40, monthly")]
    steady = [many.last(system, "error, skill unchanged") for system in ("Glicko c=40, monthly", free, glicko)]
    said = header("d10-volatility")
    assert (
        "of a jump of skill Glicko leaves {:.1f} % after 96 games and Glicko-2 {:.1f} %, {:.1f} % however free its "
        "volatility is."
    ).format(*same) in said
    assert (
        "With 100 games in a period they leave {:.0f} and {:.0f} % after 202 games, and {:.0f} % where volatility is "
        "free (tau 1.2, no cap): as little as Glicko with c = 40, which leaves {:.0f} %."
    ).format(*apart) in said
    assert (
        "an error of {:.0f} points among all who never jumped, where Glicko-2 stays at {:.0f}:".format(*steady) in said
    )
    assert max(same) - min(same) < 3
    assert apart[0] - apart[2] > 15
    assert abs(apart[2] - apart[3]) < 25
    assert steady[0] > 1.5 * steady[1]
    assert steady[1] == pytest.approx(steady[2], rel=0.1)
    for games, world in ((96, few), (202, many)):
        singly = [world.left(f"{system}, game by game", games) for system in ("Glicko c=10.4", "Glicko-2, free")]
        assert singly[0] == pytest.approx(singly[1], abs=1)
    shares = [100 * 10.4**2 / (10.4**2 + 4 * S**2 / games) for games in (1, 10, 100)]
    single, ten, hundred = (f"{each:.2g}".removeprefix("0") for each in shares)
    assert f"{single} % with 1 game, {ten} % with 10 and {hundred} % with 100." in said
    volatile, calm = (many.last(free, f"volatility, skill {who}") for who in ("changed", "unchanged"))
    assert volatile > 1.5 * calm


@pytest.mark.slow
def test_d09_newcomers_and_players_back_from_a_break(run):
    folder = run("d09-break")
    moved, frame = (table(folder, name) for name in ("movement", "returns"))
    glicko, slow, fast = "Glicko", "Elo, K k=20", "Elo, K k=40"

    def change(who: str, game: int | None) -> list[float]:
        rows = moved.filter(pl.col("game").eq_missing(pl.lit(game)), who=who)
        return [rows.filter(system=system)["change"].item() for system in (glicko, slow, fast)]

    def after(games: int, panel: str, *systems: str) -> list[float]:
        rows = frame.filter(pl.col("x").round() == games, panel=panel)
        return [rows.filter(line=system)["y"].item() for system in systems]

    first, back, other = change("newcomers", 1), change("returners", 1), change("others", None)
    said = header("d09-break")
    assert (
        "a first game moves newcomers by {:.0f} points in Glicko and by {:.0f} and {:.0f} in Elo (K 20 and 40), "
        "the first game after a break of 18 months by {:.0f}, {:.0f} and {:.0f}, any other game by {:.0f}, {:.0f} and "
        "{:.0f}."
    ).format(*first, *back, *other) in said
    assert first[0] > 4 * back[0] > 6 * other[0]
    assert back[1:] == pytest.approx(other[1:], rel=0.2), "Elo does not know who was away"
    soon, late = (after(games, "back from a break: error", glicko, fast, slow) for games in (1, 25))
    honest = [after(games, "back from a break: error / deviation", glicko)[0] for games in (1, 25)]
    assert (
        "wrong by {:.0f} points after a game and by {:.0f} after 25 in Glicko, which says so itself (the error is "
        "{:.2f} and {:.2f} deviations), by {:.0f} and {:.0f} with K 40, and by {:.0f} and {:.0f} with K 20."
    ).format(soon[0], late[0], *honest, soon[1], late[1], soon[2], late[2]) in said
    assert soon == sorted(soon)
    assert late[0] + 5 < late[1] < late[2] - 15
    assert honest == pytest.approx([1, 1], abs=0.2)
    new = after(24, "newcomers: error", glicko, fast, slow)
    assert "Newcomers are wrong by {:.0f}, {:.0f} and {:.0f} points after 24 games.".format(*new) in said
    assert new == sorted(new)


@pytest.mark.slow
def test_d09_deviations_grow_in_a_break(run):
    history = table(run("d09-break"), "history").filter(system="Glicko")
    for player, away in (("P004 #0", True), ("P009 #0", True), ("P001 #0", False), ("P002 #0", False)):
        own = history.filter(player=player).with_columns(stretch=pl.col("rating").rle_id())
        longest = max((part for _, part in own.group_by("stretch", maintain_order=True)), key=len)
        width = (longest["high"] - longest["low"]).to_numpy()
        assert (longest["time"][-1] - longest["time"][0] > 500) == away
        assert (width[-1] > 1.2 * width[0]) == away
