"""Runs under their addresses, files whole or not there, the same bytes for the same value."""

import json
import math
import sys

import numpy as np
import polars as pl
import pytest

from ratesim import files, provenance
from ratesim.errors import InputError
from ratesim.files import sweep, whole
from ratesim.provenance import address, sources, versions
from ratesim.registry import load_plugin
from ratesim.store import Store, json_text, write_json, write_table
from ratesim.systems.base import SYSTEMS
from ratesim.systems.even import Even

RECORD = {"system": {"kind": "even"}, "diagnostics": []}


def keep(store, run="abc", histories=("h",)):
    store.keep(
        run,
        forecast=np.array([0.5, math.nan, 0.25]),
        ratings=pl.DataFrame({"player": ["A"], "rating": [1500.0]}),
        histories={key: pl.DataFrame({"player": ["A"], "time": [0.0]}) for key in histories},
        record=RECORD,
    )


def test_what_is_kept_is_found(tmp_path):
    store = Store(tmp_path / "new" / "folder")
    store.open()
    assert not store.has("abc", [])
    keep(store)
    assert store.has("abc", ["h"])
    assert not store.has("abc", ["h", "another"])
    np.testing.assert_array_equal(store.forecast("abc"), [0.5, math.nan, 0.25])
    assert store.ratings("abc")["rating"].to_list() == [1500.0]
    assert store.history("abc", "h")["player"].to_list() == ["A"]
    assert store.record("abc") == RECORD
    assert pl.read_parquet(store.folder / "forecasts" / "abc.parquet").columns == ["game", "forecast"]


def test_a_run_is_finished_only_with_its_record(tmp_path):
    store = Store(tmp_path)
    store.open()
    keep(store)
    (tmp_path / "provenance" / "abc.json").unlink()
    assert not store.has("abc", ["h"])


def test_a_folder_of_other_things_is_foreign(tmp_path):
    assert not Store(tmp_path / "not there").foreign
    assert not Store(tmp_path).foreign
    (tmp_path / "thesis.tex").write_text("years of work")
    assert Store(tmp_path).foreign
    Store(tmp_path).open()
    assert not Store(tmp_path).foreign
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        Store(tmp_path / "file" / "folder").open()


def test_opening_clears_what_a_killed_run_left(tmp_path):
    store = Store(tmp_path)
    store.open()
    keep(store)
    for place in (tmp_path / ".summary.json.part", tmp_path / "forecasts" / ".abc.parquet.part"):
        place.write_text("half")
    store.open()
    assert not list(tmp_path.rglob("*.part"))
    assert store.has("abc", ["h"])


def test_a_file_that_fails_leaves_the_old_one(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"a": 1})

    def fail():
        with whole(path) as place:
            place.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert json.loads(path.read_text()) == {"a": 1}
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_sweep_leaves_what_is_not_ours(tmp_path):
    (tmp_path / "mine.part").write_text("")
    (tmp_path / f".a{files.UNFINISHED}").write_text("")
    sweep(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.part"]


def test_the_same_table_is_the_same_bytes(tmp_path):
    frame = pl.DataFrame({"x": np.random.default_rng(1).normal(size=50_000), "name": [f"n{i}" for i in range(50_000)]})
    parts = pl.concat([frame[:20_000], frame[20_000:]], rechunk=False)
    for name, each in (("a", frame), ("b", frame.clone()), ("c", parts)):
        write_table(tmp_path / name, each)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def test_json_is_sorted_and_has_no_nan():
    text = json_text({"b": [math.nan, math.inf], "a": {"z": 0.1, "é": ()}})
    assert list(json.loads(text)) == ["a", "b"]
    assert json.loads(text) == {"a": {"z": 0.1, "é": []}, "b": [None, None]}


def test_an_address_depends_on_values_and_not_on_their_order():
    assert address({"a": 1, "b": 0.1}) == address({"b": 0.1, "a": 1})
    assert address({"a": 1}) != address({"a": 2})
    assert len(address({})) == 12


def test_sources_change_with_any_file_that_forecasts_depend_on(tmp_path, monkeypatch):
    for name in ("engine.py", "report.py", "systems/elo.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    monkeypatch.setattr(provenance, "HERE", tmp_path)

    def digest() -> str:
        provenance.package_sources.cache_clear()
        return provenance.package_sources()

    before = digest()
    (tmp_path / "report.py").write_text("two")
    assert digest() == before
    (tmp_path / "systems/elo.py").write_text("two")
    assert digest() != before
    provenance.package_sources.cache_clear()


PLUGIN = """
from typing import Literal
import numpy as np
from ratesim.systems.base import SYSTEMS, Found, WholeStream

@SYSTEMS.add
class Sure(WholeStream):
    kind: Literal["{kind}"] = "{kind}"
    def whole(self, games):
        return Found(np.full(len(games.first), {forecast}))
"""


def test_sources_of_a_plugin_are_part_of_it(tmp_path):
    digests = []
    for kind, forecast in (("sure-a", 0.9), ("sure-b", 0.8)):
        path = tmp_path / f"{kind}.py"
        path.write_text(PLUGIN.format(kind=kind, forecast=forecast))
        load_plugin(path)
        digests.append(sources(SYSTEMS.build(kind), None))
        SYSTEMS._kinds.pop(kind)
    assert len({*digests, sources(Even()), sources(None)}) == 3


def test_versions_name_what_numbers_pass_through():
    found = versions()
    assert found["numpy"] == np.__version__
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
