"""`ratesim figure`: a stored figure drawn anew, with its table and its caption."""

import io
import json
import re
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from PIL import Image

from ratesim.cli import main
from ratesim.illustrate import ASKED_FOR, stored
from ratesim.keys import Figures

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
    assert said["caption"] == stored(folder, "calibration").caption
    assert kept(drawn, form) == said["caption"]
    assert main(words) == 0
    assert (tmp_path / f"calibration.{form}").read_bytes() == drawn


def kept(drawn, form):
    """The caption that a file carries."""
    if form == "png":
        return Image.open(io.BytesIO(drawn)).text["Description"]
    if form == "svg":
        return ET.fromstring(drawn).find(".//{http://purl.org/dc/elements/1.1/}description").text  # noqa: S314  # ours
    (found,) = re.findall(rb"/Subject (\(.*?(?<!\\)\)|<[0-9a-f]*>)", drawn, re.DOTALL)
    return pdf_text(found)


def pdf_text(found):
    """A string of a PDF, by 7.3.4.2 of ISO 32000: in parentheses, with escapes, UTF-16 where a mark says so."""
    octal = re.sub(rb"\\([0-7]{3})", lambda each: bytes([int(each[1], 8)]), found[1:-1])
    plain = re.sub(rb"\\(.)", rb"\1", octal, flags=re.DOTALL)
    return plain[2:].decode("utf-16-be") if plain.startswith(b"\xfe\xff") else plain.decode("latin-1")


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
    assert main(["figure", str(folder), "parting"]) == 2
    said = capsys.readouterr().err
    assert "no figure 'parting'; expected one of calibration, " in said
    assert said.endswith("; `parting` of [figures] in the experiment file makes it\n")
    assert set(Figures.model_fields) >= ASKED_FOR
    assert list(tmp_path.iterdir()) == []
