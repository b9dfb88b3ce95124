"""Runs under their addresses, files whole or not there, the same bytes for the same value."""

import importlib
import json
import math
import sys
from importlib import metadata

import numpy as np
import polars as pl
import pytest

from ratesim import digests, files
from ratesim.digests import sources
from ratesim.errors import InputError
from ratesim.files import sweep, whole
from ratesim.provenance import address, dependencies, versions
from ratesim.registry import load_plugin
from ratesim.store import Store, json_text, write_json, write_table
from ratesim.systems.base import SYSTEMS
from ratesim.systems.even import Even
from ratesim.systems.glicko2_pypi import Glicko2PyPI

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
    assert not store.has("abc", [])
    keep(store)
    assert store.has("abc", ["h"])
    assert not store.has("abc", ["h", "another"])
    np.testing.assert_array_equal(store.forecast("abc"), [0.5, math.nan, 0.25])
    assert store.ratings("abc")["rating"].to_list() == [1500.0]
    assert store.history("abc", "h")["player"].to_list() == ["A"]
    assert store.record("abc") == RECORD
    assert pl.read_parquet(store.folder / "forecasts" / "abc.parquet").columns == ["game", "forecast"]


@pytest.mark.parametrize("lost", ["provenance/abc.json", "forecasts/abc.parquet", "ratings/abc.parquet"])
def test_a_run_is_finished_only_with_all_that_it_made(tmp_path, lost):
    store = Store(tmp_path)
    keep(store)
    (tmp_path / lost).unlink()
    assert not store.has("abc", ["h"])


def test_a_folder_of_other_things_is_foreign(tmp_path):
    assert not Store(tmp_path / "not there").foreign
    assert not Store(tmp_path).foreign
    (tmp_path / "thesis.tex").write_text("years of work")
    assert Store(tmp_path).foreign
    with Store(tmp_path).held():
        assert not Store(tmp_path).foreign
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"), Store(tmp_path / "file" / "folder").held():
        pass


def test_holding_clears_what_a_killed_run_left(tmp_path):
    store = Store(tmp_path)
    keep(store)
    for place in (tmp_path / ".summary.json.0a1b2c3d.part", tmp_path / "forecasts" / ".abc.parquet.part"):
        place.write_text("half")
    with store.held():
        assert not list(tmp_path.rglob("*.part"))
    assert store.has("abc", ["h"])


def test_a_folder_is_held_by_one_and_free_again_after(tmp_path):
    with Store(tmp_path).held():
        unfinished = tmp_path / ".summary.json.0a1b2c3d.part"
        unfinished.write_text("being written")
        with pytest.raises(InputError, match="another run is writing to this folder"), Store(tmp_path).held():
            pass
        assert unfinished.is_file()
    with Store(tmp_path).held():
        assert not unfinished.is_file()


def test_holding_leaves_nothing_where_nothing_was_made(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    for folder in (tmp_path, tmp_path / "new" / "out"):
        with Store(folder).held():
            assert (folder / ".lock").is_file()
    assert [each.name for each in tmp_path.rglob("*")] == ["notes.txt"]
    with Store(tmp_path / "new" / "out").held():
        (tmp_path / "new" / "out" / "a.json").write_text("{}")
    assert (tmp_path / "new" / "out" / "a.json").is_file()


def test_two_writers_of_one_file_do_not_meet(tmp_path):
    path = tmp_path / "a.json"
    with whole(path) as one, whole(path) as other:
        one.write_text("one")
        other.write_text("other")
    assert path.read_text() == "one"  # whose block ended last
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


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
    for name in ("engine.py", "report.py", "systems/elo.py", "tasks.py", "store.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    monkeypatch.setattr(digests, "HERE", tmp_path)

    def digest() -> str:
        digests.package_sources.cache_clear()
        return digests.package_sources()

    before = digest()
    (tmp_path / "report.py").write_text("two")
    assert digest() == before
    seen = {before}
    for name in ("systems/elo.py", "tasks.py", "store.py"):
        (tmp_path / name).write_text("two")
        seen.add(digest())
    assert len(seen) == 4
    digests.package_sources.cache_clear()


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


def test_what_a_plugin_imports_from_its_folder_is_part_of_it(tmp_path):
    """Directly, by another file, inside a function, from a package; what lies there unused is not."""
    (tmp_path / "plugin.py").write_text("import numpy\ndef f():\n    from one import x\n")
    (tmp_path / "one.py").write_text("import pack.deep, one\n")
    (tmp_path / "pack").mkdir()
    for name in ("pack/__init__.py", "pack/deep.py", "pack/broken.py", "unused.py"):
        (tmp_path / name).write_text("(" if "broken" in name else "")
    found = {path.relative_to(tmp_path).as_posix() for path in digests._with_imports(tmp_path / "plugin.py")}
    assert found == {"plugin.py", "one.py", "pack/__init__.py", "pack/deep.py", "pack/broken.py"}


def test_a_plugin_beside_ratesim_does_not_take_it_for_its_own():
    plugin = digests.HERE.parent / "conftest.py"
    assert digests._with_imports(plugin) == {plugin}


def test_an_installed_package_is_part_of_it_whole(tmp_path, monkeypatch):
    package = tmp_path / "rated_toy"
    (package / "inner").mkdir(parents=True)
    for name in ("__init__.py", "inner/__init__.py", "inner/tables.py"):
        (package / name).write_text("")
    (package / "systems.py").write_text(PLUGIN.format(kind="rated-toy", forecast=0.5))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("rated_toy.systems")
    spec, seen = SYSTEMS._kinds.pop("rated-toy")(), set()
    for text in ("", "edited = 1", "edited = 2"):
        (package / "inner/tables.py").write_text(text)
        digests._module_sources.cache_clear()
        seen.add(sources(spec))
    assert len(seen) == 3


def test_a_base_from_elsewhere_is_part_of_it(tmp_path):
    (tmp_path / "base.py").write_text(PLUGIN.format(kind="sure-base", forecast=0.9))
    load_plugin(tmp_path / "base.py")
    base = SYSTEMS._kinds.pop("sure-base")

    class Derived(base):
        pass

    assert sources(Derived()) not in {sources(Even()), sources(None)}
    assert len({sources(Derived()), sources(base())}) == 2  # this file, too


def test_the_version_of_what_forecasts_depend_on_is_part_of_it(monkeypatch):
    assert dependencies(Glicko2PyPI()) == {"glicko2": metadata.version("glicko2")}
    assert dependencies(Even()) == {}
    monkeypatch.setattr(Glicko2PyPI, "depends", ("no-such-thing",))
    with pytest.raises(InputError, match=r"^system glicko2-pypi: 'no-such-thing' is not installed$"):
        dependencies(Glicko2PyPI())


def test_versions_name_what_numbers_pass_through():
    found = versions()
    assert found["numpy"] == np.__version__
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
