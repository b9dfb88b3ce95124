"""The report in a real browser: Chromium without a window."""

import csv
import io
import os
import re
import shutil
from xml.etree import ElementTree as ET

import pytest

import ratesim as rs
from ratesim.illustrate import stored
from ratesim.store import Store

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true", reason="there is no chromium: apt-get install chromium"
)

NAMES = ["Ann", "Bo", "Zoë & <Co>", 'D "the" Dee', "Eve", "Fay", "Gus"]
GAMES = "\n".join(
    ["first,second,score,time"]
    + [
        f"{_a},{_b},{(k * k % 5) / 4 if k % 3 else 1},{2020 + k // 120}-{1 + k // 10 % 12:02}-{1 + k % 10:02}"
        for k in range(240)
        for _a, _b in [['"' + NAMES[n % 7].replace('"', '""') + '"' for n in (k, k + 1 + k // 7 % 5)]]
    ]
)
EXPERIMENT = """
title = "Which of the three?"
answer = "None, by these games."
stream.games = "cup.csv"
system = [{ kind = "even" }, { kind = "elo" }, { kind = "glicko" }]
policy = { kind = "constant", k = 20, systems = "elo" }
calendar.kind = "months"
score.strata = ["year", "games"]
"""
WIDTHS = (1280, 400)
REACHABLE = "a[href], button, input, summary, [tabindex]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("browser")
    (place / "cup.csv").write_text(GAMES, encoding="utf-8")
    (place / "cup.toml").write_text(EXPERIMENT, encoding="utf-8")
    rs.run(place / "cup.toml", place / "out", workers=1)
    return place / "out"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture
def show(browser, folder):
    """Open the report, and hold it to the silence of its console and of the network."""
    opened, heard, asked = [], [], []

    def opens(width=1280, **how):
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **how)
        page = context.new_page()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / "report.html").as_uri())
        opened.append(context)
        return page

    yield opens
    for context in opened:
        context.close()
    assert heard == []
    assert asked == [(folder / "report.html").as_uri()] * len(opened)


def column(page, n, table=0):
    rows = page.locator("table").nth(table).locator("tbody tr")
    return [rows.nth(k).locator("th, td").nth(n).inner_text() for k in range(rows.count())]


def test_it_says_what_was_asked_and_what_came_out(show):
    page = show()
    assert page.title() == page.locator("h1").inner_text() == "Which of the three?"
    assert page.get_by_text("None, by these games.").is_visible()
    assert page.locator("section:visible").count() == page.locator("nav a").count()


def test_a_table_sorts_by_click_and_by_keyboard(show):
    page = show()
    heads = page.locator("table").first.locator("thead th")
    n = heads.all_inner_texts().index("log loss")
    before = column(page, n)
    heads.nth(n).locator("button").click()
    assert heads.nth(n).get_attribute("aria-sort") == "ascending"
    assert [float(text.split()[0]) for text in column(page, n)] == sorted(float(text.split()[0]) for text in before)
    page.keyboard.press("Enter")
    assert heads.nth(n).get_attribute("aria-sort") == "descending"
    assert [float(text.split()[0]) for text in column(page, n)] == sorted(
        (float(text.split()[0]) for text in before), reverse=True
    )
    heads.first.locator("button").press("Space")
    assert heads.nth(n).get_attribute("aria-sort") is None
    assert column(page, 0) == sorted(column(page, 0))


def test_what_has_no_number_is_last_whichever_way(show):
    page = show()
    table = page.locator("#s-calibration table").first
    for _ in range(2):
        table.locator("thead th").nth(1).locator("button").click()
        assert table.locator("tbody tr").last.locator("td").first.inner_text() == "–"


@pytest.mark.parametrize("name", NAMES[2:4])
def test_every_player_is_found_with_the_rating_at_the_end(show, folder, name):
    page = show()
    page.keyboard.press("Tab")
    page.locator("#look-name").fill(name.upper())
    rows = page.locator("#look-found tbody tr")
    assert rows.count() == 2
    (ratings,) = (frame for frame in ends(folder) if "deviation" in frame.columns)
    row = next(row for row in ratings.rows(named=True) if row["player"] == name)
    found = [float(rows.nth(1).locator("td").nth(k).inner_text().replace(",", "")) for k in range(2)]
    assert found == [round(row["rating"], 1), round(row["deviation"], 1)]
    assert f"{name}, cup: {row['games']:.0f} games" in page.locator("#look-found caption").inner_text()
    lines = page.locator("#look-found .chart path")
    assert lines.count() == 2
    assert all(len(lines.nth(k).get_attribute("d").split("L")) > 20 for k in range(2))


def ends(folder):
    return [Store(folder).ratings(path.stem) for path in sorted((folder / "ratings").iterdir())]


def test_part_of_a_name_is_enough_and_a_stranger_is_said_to_be_one(show):
    page = show()
    ask, found = page.locator("#look-name"), page.locator("#look-found")
    ask.fill("zo")
    assert "Zoë & <Co>" in found.inner_text()
    ask.fill("e")
    assert "names have that: " in found.inner_text()
    ask.fill("nobody")
    assert found.inner_text() == "No player here has that in the name."
    ask.fill("")
    assert found.inner_text() == ""
    assert page.locator("#look-names option").count() == len(NAMES)


def test_the_keyboard_reaches_everything(show):
    page = show()
    page.locator("details summary").first.press("Enter")
    page.locator("#look-name").fill("Ann")
    page.evaluate(f"""() => {{ document.activeElement.blur(); window.reached = new Set();
        window.all = [...document.querySelectorAll({REACHABLE!r})].filter((each) => each.checkVisibility());
        document.addEventListener("focusin", (event) => window.reached.add(event.target)); }}""")
    for _ in range(page.evaluate("window.all.length") + 5):
        page.keyboard.press("Tab")
    missed = page.evaluate("window.all.filter((each) => !window.reached.has(each)).map((each) => each.outerHTML)")
    assert missed == []
    assert page.evaluate("window.reached.size") > 30


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows(show, width):
    page = show(width)
    page.locator("details summary").first.click()
    page.locator("#look-name").fill("Ann")
    assert page.evaluate("document.documentElement.scrollWidth") == width == page.evaluate("innerWidth")
    wide = """[...document.querySelectorAll("body *")].filter((each) => !each.closest(".wide > *")
        && each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML.slice(0, 80))"""
    assert page.evaluate(wide) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_by_day_and_by_night(show, scheme):
    page = show(color_scheme=scheme)
    paper = luminance(page, "document.body", "backgroundColor")
    assert (paper < 0.05) if scheme == "dark" else (paper > 0.95)
    for what in ("body", ".soft", "nav a", "caption", "td small", "figcaption"):
        assert contrast(luminance(page, f"document.querySelector('{what}')", "color"), paper) >= 4.5, what
    assert luminance(page, "document.querySelector('figure svg path')", "fill") == paper
    lines = """[...new Set([...document.querySelectorAll("figure svg *")].map((each) => getComputedStyle(each))
        .filter((style) => parseFloat(style.strokeWidth) > 1.2).map((style) => style.stroke))]"""
    drawn = [colour for colour in page.evaluate(lines) if colour.startswith("rgb(")]
    assert len(drawn) > 1
    assert all(contrast(lightness(colour), paper) >= 2 for colour in drawn), drawn


def luminance(page, node, what):
    return lightness(page.evaluate(f"getComputedStyle({node})['{what}']"))


def lightness(colour):
    """Relative luminance of sRGB, as WCAG 2 has it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


def test_numbers_and_drawings_can_be_had_as_files(show, folder, tmp_path):
    page = show(accept_downloads=True)
    for name, label in (("history.csv", "Numbers (CSV)"), ("history.svg", "Drawing (SVG)")):
        with page.expect_download() as coming:
            page.locator("#history").get_by_text(label).click()
        assert coming.value.suggested_filename == name
        coming.value.save_as(tmp_path / name)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "history.csv").read_text(encoding="utf-8"))))
    table = stored(folder, "history").frame
    assert [row["player"] for row in rows] == table["player"].to_list()
    assert [float(row["rating"]) for row in rows] == pytest.approx(table["rating"].to_list(), rel=1e-6)
    drawing = (tmp_path / "history.svg").read_text(encoding="utf-8")
    assert ET.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  # our own
    assert "#0072b2" in drawing
    assert "var(" not in drawing


def test_without_scripts_tables_figures_and_numbers_are_there(show):
    page = show(java_script_enabled=False)
    assert page.locator("table").count() > 3
    assert page.locator("figure svg").count() == page.get_by_text("Numbers (CSV)").count() > 1
    assert not page.locator(".ask").is_visible()
    assert page.get_by_text("Looking up a player takes JavaScript").is_visible()


def test_on_paper_it_is_black_on_white_and_tables_are_not_cut(show):
    page = show(color_scheme="dark")
    page.emulate_media(media="print")
    assert luminance(page, "document.body", "backgroundColor") > 0.95
    assert luminance(page, "document.querySelector('figure svg path')", "fill") > 0.95
    assert not page.locator("nav").is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.wide')).overflowX") == "visible"
