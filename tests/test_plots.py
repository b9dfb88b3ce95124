"""Drawings show their tables, fit their sheet, and are the same bytes anywhere."""

import json
import os
import subprocess
import sys
from functools import cache, partial

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from policy_tables import DAY, N, gains, movers, ratings

from ratesim.analysis import (
    Drifting,
    FigureTable,
    bands,
    calibration,
    careers,
    curves,
    difference,
    frontier,
    history,
    inflation,
    initial,
    monthly,
    moved,
    movement,
    overview,
    response,
    truth_figures,
    truth_tables,
)
from ratesim.errors import InputError
from ratesim.plots import DRAWINGS, Style, draw, save
from ratesim.replaying.snapshots import Snapshot
from ratesim.stream import GameStream

LONG = "glicko2 tau=0.5 volatility=0.06 rating=1500 deviation=350 per=30.436875, calendar months, football"


def walks(players: int, *, banded: bool, days: float = 20_000, name: str = "player") -> pl.DataFrame:
    """Ratings of some players at 50 times."""
    random = np.random.default_rng(players)
    time = np.tile(np.linspace(0, days, 50), players)
    frame = pl.DataFrame(
        {
            "time": time,
            "player": np.repeat([f"{name} {k}" for k in range(players)], 50),
            "rating": 1500 + random.normal(0, 15, (players, 50)).cumsum(axis=1).ravel(),
            "games": time,
        }
    )
    return frame.with_columns(deviation=350 / (1 + pl.col("time") / 500).sqrt()) if banded else frame


def pool() -> GameStream:
    return GameStream.of(
        first=[f"player {k}" for k in range(40)] * 50,
        second=[f"player {(k + 1) % 40}" for k in range(40)] * 50,
        score=[0.5] * 2000,
        time=range(2000),
        skill_first=list(range(40)) * 50,
        skill_second=[*range(1, 40), 0] * 50,
    )


def with_edges() -> GameStream:
    random = np.random.default_rng(4)
    first, step = random.integers(0, 5000, 20_000), random.integers(1, 50, 20_000)
    score = random.choice([0, 0.5, 1], 20_000, p=[0.48, 0.02, 0.5])
    time, edge = np.linspace(0, 50_000, 20_000), random.choice([-1, 0, 1], 20_000)
    return GameStream.of(first=first, second=(first + step) % 5000, score=score, time=time, edge=edge)


def simulated(make) -> FigureTable:
    return make({"elo": walks(40, banded=False), LONG: walks(40, banded=True)}, pool())


@cache
def beside_truth(*labels: str, replicates: int = 4) -> dict[str, FigureTable]:
    """Figures of runs whose ratings come near to skills, one of which jumps, and of players who come and go."""
    random = np.random.default_rng(6)
    skill = random.normal(1500, 200, (replicates, 30))
    runs = {}
    for label in labels:
        rows = []
        for t in range(12):
            now = np.where(np.arange(30) < t, skill, np.nan) if t < 3 else skill + 300.0 * (np.arange(30) < 2 * (t > 6))
            games, rating = np.full(skill.shape, 30.0 * t), 1500 + (1 - 0.7**t) * (skill - 1500)
            rating += random.normal(0, 30, skill.shape) * (t > 0)
            rows.append(Snapshot(60.0 * t, np.arange(replicates), rating, np.full(skill.shape, 60.0), games, now))
        runs[label] = truth_tables(rows)
    theory = {labels[0]: pl.DataFrame({"games": [1.0, 100, 1000], "rmse": [200.0, 100, 50]})}
    return {each.name: each for each in truth_figures(runs, theory=theory)}


def apart(*labels: str) -> FigureTable:
    random = np.random.default_rng(2)
    names = [f"player {k}" for k in range(200)]
    runs = {each: pl.DataFrame({"player": names, "rating": random.normal(1500, 200, 200)}) for each in labels}
    return bands(runs)


def calibrated(*names: str, games: int = 5000) -> FigureTable:
    random = np.random.default_rng(1)
    return calibration({name: random.random(games) for name in names}, random.integers(0, 2, games))


def moving():
    """Twelve players with a game a day, but none in a fortnight."""
    days = [day for day in range(60) if not 20 <= day < 34]
    rows = [(float(d), f"p{p}", 1500.0 + d * p, 1.0 + k) for p in range(12) for k, d in enumerate(days)]
    readings = pl.DataFrame(rows, schema=["time", "player", "rating", "games"], orient="row")
    return movement({"elo": readings, LONG: readings}, pause=14)


def tuned(*scales: str) -> FigureTable:
    """Losses that are least at 20 % of each range, of a grid, or of settings anywhere where there are three ranges."""
    random = np.random.default_rng(2)
    places = random.random((120, 3)) if len(scales) > 2 else [(x / 9, y / 9) for x in range(10) for y in range(10)]
    shares = np.unique([row[: len(scales)] for row in places], axis=0)
    values = 10 * 8**shares if scales[0] == "log" else 10 + 70 * shares
    names = [f"{scale}.k{n}" for n, scale in enumerate(scales)]
    difference = ((shares - 0.2) ** 2).sum(axis=1)
    frame = pl.DataFrame(dict(zip(names, values.T, strict=True))).with_columns(
        loss=0.5 + difference, difference=difference, low=difference * 0.8 - 0.01, high=difference * 1.2 + 0.01,
        alike=difference < 0.0125, seen=1.0,
    )  # fmt: skip
    said = {"low": 10, "high": 80, "best": 24.0, "usual": 20, "interval": (18.0, 30.0), "alike": (15.0, 32.0)}
    return response(frame, [{**said, "name": name, "scale": name[: name.find(".")]} for name in names])


TABLES = {
    "response": lambda: tuned("linear"),
    "response, log": lambda: tuned("log"),
    "response, three": lambda: tuned("linear", "linear", "linear"),
    "surface": lambda: tuned("log", "log"),
    "surface, linear": lambda: tuned("linear", "linear"),
    "history": lambda: history({"elo": walks(5, banded=False), "glicko": walks(5, banded=True)}),
    "history, one": lambda: history({"glicko": walks(1, banded=True)}, days=True),
    "history, one system": lambda: history({"glicko": walks(12, banded=True, name="a player with a long name")}),
    "history, short": lambda: history({"glicko": walks(3, banded=True, days=2.0)}),
    "history, many": lambda: history({f"{k} {LONG}": walks(6, banded=True) for k in range(8)}, days=True),
    "history, long": lambda: history({f"{k} {LONG}": walks(7, banded=False, days=55_000) for k in range(7)}),
    "difference": lambda: difference({"elo": walks(5, banded=False), LONG: walks(5, banded=True)}),
    "difference, one": lambda: difference({"elo": walks(1, banded=False), "glicko": walks(1, banded=True)}),
    "calibration": lambda: calibrated("elo"),
    "calibration, few": lambda: calibrated("elo", "glicko", games=3),
    "calibration, many": lambda: calibrated(*(f"{k} {LONG}" for k in range(6))),
    "convergence": lambda: beside_truth("elo", LONG)["convergence"],
    **{
        f"{name}, {count}": partial(lambda name, labels: beside_truth(*labels)[name], name, labels)
        for name in ("errors", "settling", "lag", "jumps", "movers", "spread", "percentiles", "coverage", "ledger")
        for count, labels in (("one", ("elo",)), ("three", ("elo", "glicko", LONG)))
    },
    "careers": lambda: careers({"elo": gains(N), LONG: gains(20 - DAY), "538": gains(9)}, ["p3", "p5"], days=True),
    "careers, one": lambda: careers({"elo": gains(7 + N)}, ["p3"]),
    "moved": lambda: moved({"elo": ratings([1500.0] * 30), LONG: ratings([1500.0 + n for n in range(30)])}),
    "moved, few": lambda: moved({"elo": ratings([1500.0] * 2), "glicko": ratings([1500.0, 1510.0])}),
    "inflation": lambda: inflation({"elo": walks(20, banded=False), LONG: walks(20, banded=True)}),
    "frontier": lambda: frontier({"elo": movers(30, 50), LONG: movers(50, 90)}, theory=Drifting("walk", 6.0)),
    "frontier, one": lambda: frontier({"a": movers(30, 50, replicates=1), "b": movers(40, 45, replicates=1)}),
    "monthly": lambda: simulated(monthly),
    "initial": lambda: simulated(initial),
    "bands": lambda: apart("elo", "glicko", LONG),
    "bands, one": lambda: apart("elo", LONG),
    "movement": moving,
    "curves": curves,
    "overview": lambda: overview(pool()),
    "overview, one game": lambda: overview(GameStream.of(first=["A"], second=["B"], score=[1], time=[0]), days=True),
    "overview, edges": lambda: overview(with_edges()),
}
TABLES = {name: cache(made) for name, made in TABLES.items()}
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
