"""Drawings show their tables, fit their sheet, and are the same bytes anywhere."""

import json
import os
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from figure_tables import TABLES, calibrated, walks
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from ratesim.analysis import FigureTable, curves, difference, history
from ratesim.errors import InputError
from ratesim.plots import DRAWINGS, Style, draw, save

NARROW, WIDE = Style(width_mm=84, font_pt=8), Style()
SHEETS = [(name, NARROW) for name in TABLES] + [
    (name, WIDE) for name in ("history", "calibration, many", "convergence", "overview, edges")
]


@pytest.mark.filterwarnings("error")
def test_names_that_no_font_has_are_boxes_and_one_line(caplog, tmp_path):
    named = walks(2, banded=True, name="\ue0ff\t$x$ _\U000f1234")  # letters for private use, in no font
    drawn = [make({"elo": named, "_b$\\frac$": named}) for make in (history, difference)]
    with caplog.at_level("WARNING", "ratesim"):
        for table in drawn:
            for form in ("svg", "png"):
                save(draw(table), tmp_path / f"a.{form}", form)
    assert caplog.messages == ["figures: no font here has 2 of the letters (U+E0FF U+F1234); boxes stand for them"]
    assert (tmp_path / "a.svg").stat().st_size > 0


def test_letters_that_the_first_font_lacks_come_from_another(caplog, tmp_path):
    lacked = "\u20dd"  # in a font that comes with matplotlib, but not in the first
    with caplog.at_level("WARNING", "ratesim"):
        save(draw(calibrated(f"elo {lacked}")), tmp_path / "a.svg")
    assert caplog.messages == []
    assert "STIXGeneral" in (tmp_path / "a.svg").read_text()


def test_every_drawing_is_tried():
    assert {made().meta["drawing"] for made in TABLES.values()} == set(DRAWINGS)


@pytest.mark.parametrize(("name", "style"), SHEETS, ids=lambda each: getattr(each, "label", each))
def test_text_fits_the_sheet_and_none_stands_on_another(name, style):
    figure = draw(TABLES[name](), style)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    sheet = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent()) for text in written(figure)]
    for text, box in boxes:
        assert sheet.x0 - 1 <= box.x0 < box.x1 <= sheet.x1 + 1, text
        assert sheet.y0 - 1 <= box.y0 < box.y1 <= sheet.y1 + 1, text
    for k, (text, box) in enumerate(boxes):
        on = [other for other, there in boxes[k + 1 :] if box.padded(-1).overlaps(there.padded(-1))]
        assert on == [], text


def written(figure) -> list[Text]:
    """Every text that is seen: matplotlib also keeps the labels of ticks outside the view."""
    ticks = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    labels = {id(tick.label1): tick.label1 for axis in ticks for tick in axis._update_ticks()}
    hidden = {id(text) for axis in ticks for text in axis.findobj(Text)} - {id(axis.label) for axis in ticks}
    texts = [text for text in figure.findobj(Text) if id(text) not in hidden or id(text) in labels]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


@pytest.mark.parametrize("name", ["history", "difference", "calibration", "convergence"])
def test_bytes_depend_on_the_table_alone(name, tmp_path):
    table, folder = TABLES[name](), tmp_path
    table.frame.write_parquet(folder / "t.parquet")
    (folder / "t.json").write_text(json.dumps({"caption": table.caption, "meta": table.meta}))
    said = json.loads((folder / "t.json").read_text())
    again = FigureTable(table.name, pl.read_parquet(folder / "t.parquet"), said["caption"], said["meta"])
    save(draw(table), folder / "a.svg")
    with mpl.rc_context({"font.size": 30, "axes.grid": False, "lines.linewidth": 9, "svg.fonttype": "none"}):
        save(draw(again), folder / "b.svg")
    assert (folder / "a.svg").read_bytes() == (folder / "b.svg").read_bytes()


def test_another_process_draws_the_same_bytes(tmp_path):
    code = (
        "import sys, pathlib; from ratesim.analysis import curves; from ratesim.plots import draw, save;"
        "[save(draw(curves(limit=50)), pathlib.Path(sys.argv[1]) / f'b.{f}', f) for f in ('svg', 'pdf', 'png')];"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nsvg.hashsalt: other\nsavefig.bbox: tight\n")
    env = os.environ | {"PYTHONHASHSEED": "3", "TZ": "Asia/Tokyo", "MATPLOTLIBRC": str(tmp_path / "matplotlibrc")}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=env)
    for kind in ("svg", "pdf", "png"):
        save(draw(curves(limit=50)), tmp_path / f"a.{kind}", kind)
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes(), kind


def test_an_svg_has_its_width_no_date_and_no_font(tmp_path):
    save(draw(curves(limit=50), Style(width_mm=84, font_pt=7)), tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text()
    points = float(svg.split('width="', 1)[1].split("pt", 1)[0])
    assert points == pytest.approx(84 / 25.4 * 72, abs=1e-3)
    assert "<text" not in svg
    assert "dc:date" not in svg


def test_text_has_the_size_asked_for():
    figure = draw(curves(limit=50), Style(font_pt=11))
    sizes = {round(text.get_fontsize(), 6) for text in figure.findobj(Text) if text.get_text()}
    assert sizes == {11, 9.9}


def lines(axes) -> list[list[tuple[float, float]]]:
    return [[(float(x), float(y)) for x, y in line.get_xydata()] for line in axes.get_lines()]


@pytest.mark.parametrize("name", ["response, idle", "surface, idle"])
def test_what_changes_nothing_is_said_and_not_magnified(name):
    table = TABLES[name]()
    (axes, *bars) = draw(table).axes
    assert not bars
    assert "changes nothing here" in [text.get_text() for text in axes.texts]
    assert "nothing here." in table.caption
    if name.startswith("response"):
        assert axes.get_ylim() == pytest.approx((0.475, 0.525))


def test_all_that_a_response_shows_is_named_and_none_of_its_band_is_cut_off():
    table = TABLES["response"]()
    figure = draw(table)
    (legend,), (axes,) = figure.legends, figure.axes
    assert [text.get_text() for text in legend.get_texts()] == [
        "loss", "paired error, 95 %", "best", "its interval, 95 %", "not told from it", "usual",
    ]  # fmt: skip
    best = table.frame["loss"] - table.frame["difference"]
    low, high = axes.get_ylim()
    assert low < (best + table.frame["low"]).min()
    assert (best + table.frame["high"]).max() < high


def test_few_systems_are_lines_of_a_panel_a_player():
    table = TABLES["history"]()
    figure = draw(table)
    assert [axes.get_title(loc="left") for axes in figure.axes] == table.meta["players"]
    for axes, player in zip(figure.axes, table.meta["players"], strict=True):
        expected = [
            table.frame.filter((pl.col("player") == player) & (pl.col("system") == system))
            .select("time", "rating")
            .rows()
            for system in ("elo", "glicko")
        ]
        assert lines(axes) == expected
        assert len(axes.collections) == 1  # glicko's band


def test_many_systems_have_a_panel_each_and_lines_are_players():
    figure = draw(TABLES["history, many"]())
    assert len(figure.axes) == 8
    assert {len(axes.get_lines()) for axes in figure.axes} == {6}


def test_difference_is_drawn_about_zero():
    table = TABLES["difference, one"]()
    (axes,) = draw(table).axes
    zero, line = lines(axes)
    assert [y for _, y in zero] == [0, 0]
    assert line == table.frame.select("time", "difference").rows()


def test_calibration_points_are_the_table():
    table = TABLES["calibration"]()
    (axes,) = draw(table).axes
    (bars,) = [each for each in axes.containers if hasattr(each, "lines")]
    assert [tuple(point) for point in bars.lines[0].get_xydata().tolist()] == table.frame.select(
        "forecast", "score"
    ).rows()
    ends = [segment[:, 1].tolist() for segment in bars.lines[2][0].get_segments()]
    assert ends == [pytest.approx(row) for row in table.frame.select("low", "high").rows()]
    shares = [patch.get_height() for patch in axes.patches]
    assert sum(shares) == pytest.approx(1)


def test_convergence_draws_both_statistics_what_is_claimed_and_theory():
    table = TABLES["convergence"]()
    error, correlation = draw(table).axes
    parts = table.frame.partition_by("system", maintain_order=True)
    assert lines(correlation) == [part.select("games", "correlation").rows() for part in parts]
    drawn = lines(error)
    assert [drawn[0], drawn[3]] == [part.select("games", "rmse").rows() for part in parts]
    assert [drawn[1], drawn[4]] == [part.select("games", "claimed").rows() for part in parts]
    assert drawn[2] == parts[0].select("games", "theory").rows()


def test_where_all_skills_are_equal_only_the_error_is_drawn():
    table = TABLES["convergence"]()
    equals = FigureTable("equals", table.frame.with_columns(correlation=np.nan), table.caption, table.meta)
    (error,) = draw(equals).axes
    assert len(lines(error)) == 6


def test_no_two_of_28_lines_look_alike():
    table = history({"elo": walks(28, banded=False)})
    (axes,) = draw(table).axes
    looks = [(line.get_color(), str(line.get_linestyle()), str(line._dash_pattern)) for line in axes.get_lines()]
    assert len(set(looks)) == 28


def test_a_newcomers_band_does_not_flatten_the_lines():
    (axes,) = draw(history({"glicko": walks(3, banded=True)})).axes
    low, high = axes.get_ylim()
    ratings = np.concatenate([line.get_ydata() for line in axes.get_lines()])
    assert low < ratings.min() < ratings.max() < high
    assert np.ptp(ratings) > 0.3 * (high - low)


def test_an_unknown_drawing_or_format_is_one_line(tmp_path):
    with pytest.raises(InputError, match="figure x: unknown drawing 'histry'; did you mean 'history'"):
        draw(FigureTable("x", pl.DataFrame(), "", {"drawing": "histry"}))
    with pytest.raises(InputError, match="format 'bmp'; expected one of svg, pdf, png"):
        save(draw(curves(limit=5)), tmp_path / "a.bmp", "bmp")
    with pytest.raises(InputError, match="width_mm"):
        Style(width_mm=0)
