"""Draws by a system's own model, from its kernels to the summary of an experiment."""

import datetime as dt
from itertools import product

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.registry import load_plugin
from ratesim.store import Store

pytestmark = pytest.mark.interpreted

PLUGIN = """
from typing import Literal

import numpy as np

from ratesim.jit import kernel
from ratesim.systems.base import SYSTEMS, Found, WholeStream
from ratesim.systems.elo import Elo


@kernel
def draw(p, me, foe, game, expected):
    return 0.8 * 2.0 * expected * (1.0 - expected)


@SYSTEMS.add
class Drawing(Elo):
    kind: Literal["drawing"] = "drawing"

    def kernels(self):
        return super().kernels()._replace(draw=draw)


@SYSTEMS.add
class Half(WholeStream):
    kind: Literal["half"] = "half"

    def whole(self, games):
        return Found(np.full(len(games.score), 0.5), draw=np.full(len(games.score), 0.4))
"""
FILE = """
[stream]
games = "games.csv"
[[system]]
kind = "drawing"
advantage = 30
[[system]]
kind = "half"
[[system]]
kind = "elo"
advantage = 30
[score]
metrics = ["rps", "three_way_log_loss", "log_loss"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("own_draws")
    days = [dt.date(2020, month, day) for month, day in product(range(1, 5), range(1, 11))]
    score = np.random.default_rng(3).choice([0, 0.5, 1], 40, p=[0.3, 0.3, 0.4])
    lines = [f"{'ABCD'[n % 4]},{'BCDA'[n % 4]},{s},{day},1" for n, (s, day) in enumerate(zip(score, days, strict=True))]
    (tmp_path / "games.csv").write_text("\n".join(["first,second,score,time,edge", *lines]))
    (tmp_path / "e.toml").write_text(FILE)
    (tmp_path / "own_draws.py").write_text(PLUGIN)
    return tmp_path


def systems(folder):
    load_plugin(folder / "own_draws.py")
    return rs.SYSTEMS


def run(folder, name, out):
    return rs.run(folder / name, folder / out, workers=1, plugins=folder / "own_draws.py")


def test_an_experiment_judges_draws_as_the_system_tells_them(folder, undrawn):
    summary = run(folder, "e.toml", "out")
    store, games = Store(folder / "out"), rs.read(folder / "games.csv")
    models = {each["system"]["kind"]: each["rests_on"]["draws"] for each in summary["runs"]}
    assert models == {"drawing": "own", "half": "own", "elo": "fitted"}
    losses = {}
    for each in summary["runs"]:
        system = systems(folder).build(each["system"])
        found = rs.replay(system, games)
        own = {"drawing": 1.6 * found.forecast * (1 - found.forecast), "half": np.full(40, 0.4)}.get(system.kind)
        kept = pl.read_parquet(folder / "out" / "forecasts" / f"{each['id']}.parquet")
        assert kept.columns == ["game", "forecast", *(["draw"] if own is not None else [])]
        if own is None:
            assert store.draw(each["id"]) is None
            own = rs.draw_chances(found.forecast, games.score, rs.month_blocks(games.time)).chance
        else:
            assert kept["draw"].to_numpy() == pytest.approx(own, abs=1e-15)
        chances = rs.three_way(found.forecast, own)
        losses[each["id"]] = rs.rps(chances, games.score)
        for name, told in (
            ("rps", losses[each["id"]]),
            ("three_way_log_loss", rs.three_way_log_loss(chances, games.score)),
        ):
            assert each["metrics"][name]["mean"] == pytest.approx(told.mean(), rel=1e-12)
    for pair in summary["paired"]:
        difference = losses[pair["run"]] - losses[pair["against"]]
        assert pair["difference"] == pytest.approx(difference.mean(), abs=1e-12)
    notes = " ".join(summary["notes"])
    assert "Davidson's model, for each run without a model of its own fitted to" in notes
    assert "by the system's own model: drawing" in notes


def test_two_folders_are_compared_by_each_system_s_own_draws(folder, undrawn):
    for name, kind in (("old", "drawing"), ("new", "elo")):
        text = FILE.replace('kind = "drawing"\nadvantage = 30\n[[system]]\nkind = "half"\n[[system]]\n', "")
        (folder / f"{name}.toml").write_text(text.replace('kind = "elo"', f'kind = "{kind}"'))
    summaries = [run(folder, f"{name}.toml", name) for name in ("old", "new")]
    old, new = (summary["runs"][0]["metrics"]["rps"]["mean"] for summary in summaries)
    assert old != new
    found = rs.compare_folders(folder / "old", folder / "old")
    (each,) = found["runs"]
    assert each["same"]
    assert {row["metric"]: row["old"] for row in each["metrics"]}["rps"] == old


def test_games_to_come_have_three_chances(folder):
    games = rs.read(folder / "games.csv")
    found = rs.replay(systems(folder).build({"kind": "drawing"}), games)
    table = found.predict([("A", "B"), ("C", "A")], 20000)
    assert table.columns == ["first", "second", "forecast", "win", "draw", "loss"]
    e = table["forecast"].to_numpy()
    assert table["draw"].to_numpy() == pytest.approx(1.6 * e * (1 - e), abs=1e-15)
    assert (table["win"] + table["draw"] / 2).to_numpy() == pytest.approx(e, abs=1e-15)
    assert (table["win"] + table["draw"] + table["loss"]).to_numpy() == pytest.approx(np.ones(2), abs=1e-15)
    half = rs.replay(systems(folder).build({"kind": "half"}), games).predict([("A", "B")], 20000)
    assert half.drop("first", "second").rows() == [(0.5, 0.3, 0.4, 0.3)]
