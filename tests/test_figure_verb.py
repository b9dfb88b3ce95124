"""`ratesim figure`: a stored figure drawn anew, with its table and its caption."""

import json
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from ratesim.cli import main
from ratesim.illustrate import stored

EXPERIMENT = """
world = { players = 12, rounds = 50, days = 300 }
system = [{ kind = "elo" }, { kind = "fide", start = 1500 }]
policy = { kind = "constant", systems = "elo" }
calendar.kind = "months"
figures = { top = 2, points = 20 }
"""
STARTS = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("figure")
    (place / "small.toml").write_text(EXPERIMENT, encoding="utf-8")
    assert main(["run", str(place / "small.toml"), "--out", str(place / "out"), "--workers", "1"]) == 0
    return place / "out"


def test_a_figure_has_the_size_asked_for_and_its_table_beside_it(folder, tmp_path, capsys):
    path = tmp_path / "new" / "h.svg"
    assert main(["figure", str(folder), "history", "--width-mm", "84", "--font-pt", "8", "-o", str(path)]) == 0
    table = stored(folder, "history")
    assert capsys.readouterr().out == f"{table.caption}\n"
    assert float(ET.parse(path).getroot().get("width").removesuffix("pt")) == pytest.approx(84 / 25.4 * 72, abs=0.01)  # noqa: S314  # our own drawing
    assert pl.read_csv(path.with_suffix(".csv")).rows() == table.frame.rows()
    assert sorted(each.name for each in path.parent.iterdir()) == ["h.csv", "h.svg"]


@pytest.mark.parametrize("form", STARTS)
def test_every_form_is_drawn_here_and_twice_alike(folder, tmp_path, monkeypatch, capsys, form):
    monkeypatch.chdir(tmp_path)
    words = ["figure", str(folder), "calibration", "--format", form, "--json"]
    assert main(words) == 0
    said = json.loads(capsys.readouterr().out)
    drawn = (tmp_path / f"calibration.{form}").read_bytes()
    assert (said["figure"], said["table"]) == (f"calibration.{form}", "calibration.csv")
    assert drawn.startswith(STARTS[form])
    assert main(words) == 0
    assert (tmp_path / f"calibration.{form}").read_bytes() == drawn


def test_the_suffix_tells_the_form(folder, tmp_path):
    path = tmp_path / "h.png"
    assert main(["figure", str(folder), "calibration", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(STARTS["png"])


def test_an_unknown_name_has_a_nearest(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["figure", str(folder), "histroy"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "did you mean 'history'?" in said.err
    assert list(tmp_path.iterdir()) == []
