"""Losses of a replay from disk are kept under the digest of what makes them: none that is stale is found again."""

import sys

import pytest

import ratesim as rs
from ratesim import digests, plan
from ratesim.metrics import METRICS
from ratesim.plan import Loaded
from ratesim.registry import load_plugin
from ratesim.replaying.kept import Keep

PLUGIN = """
from typing import Literal
from ratesim.jit import kernel
from ratesim.metrics import METRICS, Metric

@kernel
def loss(p, forecast, score):
    return {factor} * abs(forecast - score)

@METRICS.add
class Apart(Metric):
    title = "times apart"
    kind: Literal["apart"] = "apart"
    def kernel(self):
        return loss
"""


def address(metric: rs.Metric | None = None) -> str | None:
    keep = Keep("losses", {} if metric is None else {metric.kind: metric})
    return Loaded(source=None, stream=None, start=None, drawn=None, keep=keep).kept  # of neither does it depend


@pytest.mark.parametrize("module", ["metrics", "inference"])
def test_an_edit_of_what_sums_losses_makes_them_anew(module, monkeypatch):
    before = address()
    edited = {module: "edited"}
    monkeypatch.setattr(plan, "sources_of", lambda place: edited.get(place) or digests.sources_of(place))
    assert address() != before


def test_an_edit_of_a_plugin_metric_makes_its_losses_anew(tmp_path, undrawn):
    days = (f"2020-0{month}-0{day}" for month in (1, 2) for day in range(1, 9))
    rows = [f"{'AB'[n % 2]},{'BA'[n % 2]},{n % 3 / 2},{day}" for n, day in enumerate(days)]
    (tmp_path / "g.csv").write_text("\n".join(["first,second,score,time", *rows]))
    rs.write_games(rs.read(tmp_path / "g.csv"), tmp_path / "g.parquet")
    (tmp_path / "e.toml").write_text(
        '[stream]\ngames = "g.parquet"\n[[system]]\nkind = "even"\n[score]\nforecasts = "losses"\nmetrics = ["apart"]\n'
    )
    means = []
    for factor in (1.0, 3.0):
        plugin = tmp_path / "apart.py"
        plugin.write_text(PLUGIN.format(factor=factor))
        digests._module_sources.cache_clear()
        load_plugin(plugin)
        try:
            (run,) = rs.run(tmp_path / "e.toml", tmp_path / "out", workers=1, plugins=[plugin])["runs"]
        finally:
            del sys.modules[METRICS._kinds.pop("apart").__module__]  # as in another process
        means.append(run["metrics"]["apart"]["mean"])
    assert means[1] == pytest.approx(3 * means[0], rel=1e-12)
    assert means[0] > 0
