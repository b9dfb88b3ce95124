"""Figures that are many are drawn in processes, to the same bytes."""

from dataclasses import replace

from ratesim import illustrate
from ratesim.analysis import curves


def test_processes_draw_the_same_bytes(tmp_path, monkeypatch):
    tables = [replace(curves(), name=f"curves-{n}") for n in range(3)]
    illustrate.write_figures(tables, tmp_path / "one", workers=1)
    monkeypatch.setattr(illustrate, "MANY", 3)
    illustrate.write_figures(tables, tmp_path / "two", workers=2)
    one, two = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert len(one) == 9
    assert one == two
