"""The report: everything in it, nothing from elsewhere, the same bytes."""

import math
import re
from html.parser import HTMLParser

import polars as pl
import pytest

from ratesim.errors import InputError
from ratesim.report import inline, render, write_report as write
from ratesim.report.lookup import lookup, text
from ratesim.store import write_json, write_table

DRAWING = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="99pt" height="9pt" viewBox="0 0 99 9"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
<metadata><date>2020-02-02</date></metadata>
<defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>
<defs><clipPath id="c1"><rect width="9" height="9"/></clipPath><path id="m1" d="M 0 0"/></defs>
<g id="axes_1" clip-path="url(#c1)" style="fill: #ffffff; marker: url(#m1)"><use xlink:href="#m1"/></g>
</svg>"""


class Page(HTMLParser):
    """What a page holds, as a browser would see it."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.words = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in {"href", "src", "xlink:href"}:
                self.links.append(value)
            self.links += [f"#{found}" for found in re.findall(r"url\(#([^)]*)\)", value or "")]

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def run(name, label, loss, *, calendar="months", left_out=0, tuned="default"):
    metrics = {"log_loss": loss, "accuracy": None if loss is None else 1 - loss}
    return {
        "id": name,
        "label": f"{label}, {calendar}",
        "stream": "cup",
        "metrics": {
            key: {"mean": value, "se": None if value is None else 0.00123, "n": 1234, "left_out": left_out, "blocks": 9}
            for key, value in metrics.items()
        },
        "rests_on": {"parameters": tuned, "calendar": calendar, "clip": 1e-6, "block": "month"},
        "excess": {},
        "truth": {},
        "diagnostics": [{"name": "several roots", "count": 3, "player": "Ajax", "time": 7.0}] if left_out else [],
    }


@pytest.fixture
def summary():
    runs = [
        run("aaa", "elo <k> & more", 0.6039),
        run("bbb", "glicko", 0.6123, left_out=77, tuned="tuned on cup 1999"),
        run("ccc", "even", None, calendar="per-game"),
    ]
    stream = {"name": "cup", "games": 1311, "judged": 1234, "players": 56, "first": "2001-01-01", "last": "2009-12-31"}
    stream |= {"digest": "0123abcd", "notes": ["2 of 1,311 games are exact duplicates: kept"], "world": None}
    stream |= {"replicates": 0, "oracle": {}, "lookup": None}
    pair = {"metric": "log_loss", "run": "bbb", "against": "aaa", "difference": 0.0084, "low": -0.001, "high": 0.0179}
    score = {"metrics": ["log_loss", {"kind": "accuracy"}], "level": 0.95}
    return {
        "experiment": {
            "file": "cup.toml",
            "title": "Cups <& more>",
            "answer": "Elo <wins>.",
            "more": "",
            "seed": 5,
            "score": score,
            "source": "the cup, CC0",
        },
        "versions": {"python": "3.11.7", "ratesim": "0.1.0"},
        "stream": stream,
        "streams": [stream],
        "runs": runs,
        "standings": [
            {"stream": "cup", "calendar": "months", "runs": ["aaa", "bbb"]},
            {"stream": "cup", "calendar": "per-game", "runs": ["ccc"]},
        ],
        "comparison": [],
        "paired": [{**pair, "n": 1200, "level": 0.95}],
        "figures": [],
        "strata": None,
        "notes": ["all games are judged"],
    }


def figures(*names):
    drawn = {name: inline(DRAWING, name, "A & B") for name in names}
    return [{"name": n, "svg": svg, "caption": f"What {n} shows.", "csv": "data:,x"} for n, svg in drawn.items()]


def test_all_that_was_found_is_said(summary):
    text = Page(render(summary, figures("history"))).text
    for said in (
        "Cups <& more>",
        "3 runs over cup: 1,311 games of 56 players, 2001-01-01 to 2009-12-31.",
        "elo <k> & more 0.6039 ± 0.0012 0.3961 ± 0.0012 1,234 default",
        "glicko 0.6123 ± 0.0012 0.3877 ± 0.0012 1,234 tuned on cup 1999",
        "even – – 1,234 default",
        "glicko elo <k> & more +0.00840 −0.00100 to +0.01790 1,200",
        "95% interval",
        "All games are judged.",
        "glicko, months: 77 games without a forecast are left out.",
        "glicko, months: several roots 3 times, first for Ajax.",
        "cup: 2 of 1,311 games are exact duplicates: kept.",
        "What history shows.",
        "ratesim run cup.toml",
        "the cup, CC0",
        "0123abcd",
        "python 3.11.7, ratesim 0.1.0",
        "Run bbb glicko, months",
    ):
        assert said in text


def test_scores_that_three_results_leave_out_are_told_of(summary):
    summary["experiment"]["score"]["metrics"].append("rps")
    for one in summary["runs"]:
        one["metrics"]["rps"] = {**one["metrics"]["log_loss"], "left_out": 80}
    text = Page(render(summary, [])).text
    assert "glicko, months: 77 games without a forecast are left out." in text
    other = "80 games without a forecast, or with a score other than 0, ½ and 1, are left out of rps."
    assert f"glicko, months: {other}" in text
    assert text.count("without a forecast are left out") == 1


def test_only_what_refers_to_a_place_of_the_drawing_is_renamed():
    drawing = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
    <g id="a" fill="#ff0000" stroke="url(#a)" data-of="#a"/><a href="#a"/><use xlink:href="#a"/></svg>"""
    found = inline(drawing, "f", "A figure")
    for kept in ('fill="#ff0000"', 'stroke="url(#f-a)"', 'data-of="#a"', '<a href="#f-a"', 'xlink:href="#f-a"'):
        assert kept in found


def test_it_needs_nothing_else(summary):
    page = render(summary, figures("history", "history-b"))
    found = Page(page)
    assert found.links
    assert all(link.startswith(("#", "data:")) for link in found.links)
    assert not {"link", "img", "iframe", "metadata"} & set(found.tags)
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_names_of_two_drawings_never_meet(summary):
    found = Page(render(summary, figures("history", "history-b")))
    assert len(found.ids) == len(set(found.ids))
    assert {link.removeprefix("#") for link in found.links if link.startswith("#")} <= set(found.ids)
    assert {"history-c1", "history-b-c1"} <= set(found.ids)


def test_a_drawing_fits_the_page_and_keeps_its_colours():
    drawing = inline(DRAWING, "f", 'of "us"')
    root = drawing[: drawing.index(">")]
    assert 'viewBox="0 0 99 9"' in root
    assert "pt" not in root
    assert 'aria-label="of &quot;us&quot;"' in root
    assert 'style="stroke-linejoin: round; stroke-linecap: butt"' in root
    assert "fill: var(--c-ffffff, #ffffff); marker: url(#f-m1)" in drawing
    assert "2020" not in drawing


def test_without_pairs_and_figures_their_sections_are_gone(summary):
    text = Page(render({**summary, "paired": []}, [])).text
    assert "Paired differences" not in text
    assert "Figures" not in text


def test_one_is_one_and_not_many(summary):
    stream = {**summary["stream"], "games": 1}
    one = run("aaa", "elo", 0.6039, left_out=1)
    text = Page(render({**summary, "streams": [stream], "runs": [one], "standings": [], "paired": []}, [])).text
    assert "1 run over cup: 1 game of 56 players" in text
    assert "1 game without a forecast is left out." in text


def part(name, run, metric, mean, n):
    row = {"run": run, "label": "", "stream": "cup", "system": "", "calendar": "months", "metric": metric}
    return {**row, "by": "year", "stratum": name, "mean": mean, "se": math.nan, "n": n, "left_out": 0, "blocks": 1}


def test_strata_are_a_table_in_the_order_of_the_standings(summary, tmp_path):
    rows = [
        part(year, run, metric, mean, n)
        for run, shift in (("bbb", 0.1), ("aaa", 0.0))
        for metric, loss in (("log_loss", 0.5), ("accuracy", 0.6))
        for year, mean, n in (("2001", loss + shift, 7), ("2002", math.nan, 0), ("2003", loss - shift, 1200))
    ]
    rows += [{**rows[0], "by": "all", "mean": 0.99}, {**rows[0], "stream": "league", "mean": 0.98}]
    write_table(tmp_path / "metrics.parquet", pl.DataFrame(rows))
    write_json(tmp_path / "summary.json", {**summary, "strata": {"by": ["year"], "table": "metrics.parquet"}})
    text = Page(write(tmp_path).read_text(encoding="utf-8")).text
    found = text[text.index("cup, rating periods: months, by year") :]
    assert found.startswith(
        "cup, rating periods: months, by year stratum run log loss accuracy games "
        "2001 elo <k> & more 0.5000 0.6000 7 2001 glicko 0.6000 0.7000 7 "
        "2003 elo <k> & more 0.5000 0.6000 1,200 2003 glicko 0.4000 0.5000 1,200 "
    )
    assert "2002" not in found
    assert "0.9" not in found


def test_of_many_strata_the_page_says_where_they_are(summary, tmp_path):
    rows = [part(f"{n}", run, "log_loss", 0.5, 1) for run in ("aaa", "bbb") for n in range(51)]
    write_table(tmp_path / "metrics.parquet", pl.DataFrame(rows))
    write_json(tmp_path / "summary.json", {**summary, "strata": {"by": ["year"], "table": "metrics.parquet"}})
    text = Page(write(tmp_path).read_text(encoding="utf-8")).text
    assert "cup, rating periods: months, by year: 51 parts, in metrics.parquet" in text


def test_a_simulated_stream_is_called_so(summary):
    stream = {**summary["stream"], "world": {"kind": "league"}}
    assert "56 players, simulated (league)." in Page(render({**summary, "streams": [stream]}, [])).text


def test_a_folder_is_written_twice_to_the_same_bytes(summary, tmp_path):
    write_json(tmp_path / "summary.json", summary)
    for name in ("figures", "tables"):
        (tmp_path / name).mkdir()
    path = write(tmp_path)
    first = path.read_bytes()
    assert path.name == "report.html"
    assert write(tmp_path).read_bytes() == first


def test_figures_are_those_of_the_summary_in_its_order_and_never_meet(summary, tmp_path):
    names = ["b-x.y", "b-x-y", "a"]
    for name in [*names, "stale"]:
        frame = pl.DataFrame({"x": [1]})
        write_table(tmp_path / "tables" / f"{name}.parquet", frame)
        write_json(tmp_path / "tables" / f"{name}.json", {"caption": f"What {name} shows.", "meta": {}})
        (tmp_path / "figures").mkdir(exist_ok=True)
        (tmp_path / "figures" / f"{name}.svg").write_text(DRAWING)
    listed = [{"name": name, "stream": stream} for name, stream in zip(names, ["東京", "大阪", None], strict=True)]
    write_json(tmp_path / "summary.json", {**summary, "figures": listed})
    found = Page(write(tmp_path).read_text(encoding="utf-8"))
    assert [name for name in found.ids if name in {*names, "stale"}] == names
    assert len(found.ids) == len(set(found.ids))
    assert re.findall(r"What (\S+) shows\.", found.text) == names


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no summary\.json; expected a folder that `ratesim run` wrote"):
        write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_player_without_a_rating_for_a_while_has_a_gap(summary, tmp_path):
    ratings = pl.DataFrame({"player": ["Ann", "Bo"], "rating": [1512.04, math.nan], "games": [3.0, 2.5]})
    times = pl.DataFrame({"time": [1.0, 2.0, 3.0, 4.0] * 2, "player": ["Ann"] * 4 + ["Bo"] * 4})
    history = times.with_columns(rating=pl.Series([math.nan, 1500.4, math.nan, 1512.0] + [math.nan] * 4))
    for run in summary["runs"]:
        write_table(tmp_path / "ratings" / f"{run['id']}.parquet", ratings)
        write_table(tmp_path / "histories" / f"{run['id']}-key.parquet", history)
    stream = {**summary["stream"], "lookup": "key", "players": 2}
    (told,) = lookup(tmp_path, {**summary, "streams": [stream]})
    assert told["runs"][1:] == ["glicko, months", "even, per-game"]
    assert told["times"] == [1.0, 2.0, 3.0, 4.0]
    assert told["players"] == [
        ["Ann", 3, [1512] * 3, [None] * 3, ["1 1500 x 12"] * 3],
        ["Bo", 2.5, [None] * 3, [None] * 3, [""] * 3],
    ]
    assert (told["of"], told["left_out"]) == (2, 0)


def test_players_are_as_many_as_there_is_room_for(summary, tmp_path, monkeypatch):
    ratings = pl.DataFrame({"player": [f"P{n}" for n in range(100)], "rating": [1500.0] * 100, "games": [1.0] * 100})
    for run in summary["runs"]:
        write_table(tmp_path / "ratings" / f"{run['id']}.parquet", ratings)
        history = ratings.select(pl.lit(1.0).alias("time"), "player", "rating")
        write_table(tmp_path / "histories" / f"{run['id']}-key.parquet", history)
    stream = {**summary["stream"], "lookup": "key", "players": 100}
    monkeypatch.setattr("ratesim.report.lookup.MOST_BYTES", 1000)
    told = lookup(tmp_path, {**summary, "streams": [stream]})
    assert 5 < len(told[0]["players"]) < 50
    assert len(text(told[0]["players"])) <= 1002
    page = Page(render({**summary, "streams": [stream]}, [], (), told))
    assert f"the {len(told[0]['players'])} of 100 players with most games, by 3 runs." in page.text
