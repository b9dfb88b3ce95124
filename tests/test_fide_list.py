"""FIDE's monthly lists in all their forms, of players who are invented."""

import json
import zipfile
from datetime import date

import polars as pl
import pytest

import ratesim as rs
from ratesim.experiment import read
from ratesim.io.fide_list import list_month
from ratesim.plan import load

# Where columns begin in the lists of 2012 and after, with and without the column FOA, and in those before.
ONE = "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
ONE += "FOA NOV24 Gms K  B-day Flag"
ALL = ONE.replace("NOV24 Gms K  ", "SRtng SGm SK RRtng RGm Rk BRtng BGm BK ")
WITHOUT_FOA = ALL.replace("FOA ", "")
BEFORE = "ID number Name                              TitlFed  Jul10 GamesBorn  Flag"

PLAYERS = [  # id, name, federation, sex, title, (rating, games, K) of each list, born, flag
    (900001, "Ask, Bo", "NOR", "M", "GM", (2412, 9, 10), (2380, 0, 10), (2400, 31, 20), 1990, ""),
    (900002, "Dal, Eva", "SWE", "F", "", (0, 0, 0), (1611, 4, 40), (0, 0, 0), 2011, "w"),
    (90000317, "Fell", "DEN", "F", "WFM", (1987, 0, 20), (0, 0, 0), (1850, 0, 20), 0, "wi"),
]
COLUMNS = ["id", "name", "federation", "sex", "title", "rating", "period_games", "k", "born", "flag", "standard"]


def person(p) -> str:
    return f"{p[0]:<15}{p[1]:<61}{p[2]:<4}{p[3]:<4}{p[4]:<5}{'':<5}{'IA,FT':<15}"


def one(p, which=0) -> str:
    rating, games, k = p[5 + which]
    return f"{person(p)}{'':<4}{rating:<6}{games:<4}{k:<3}{p[8]:<6}{p[9]:<4}"


def combined(p, foa="    ") -> str:
    return person(p) + foa + "".join(f"{r:<6}{g:<4}{k:<3}" for r, g, k in p[5:8]) + f"{p[8]:<6}{p[9]:<4}"


def before(p) -> str:
    title = {"GM": "g", "WFM": "wf"}.get(p[4], "")
    return f"{p[0]:>8}  {p[1]:<34}{title:<4}{p[2]:<5}{p[5][0] or '':<5} {p[5][1]:>4} {p[8] or '':<6}{p[9]}"


def xml(p, *, several: bool) -> str:
    tags = {"fideid": p[0], "name": p[1], "country": p[2], "sex": p[3], "title": p[4], "w_title": "", "o_title": "IA"}
    for prefix, of in zip(["", "rapid_", "blitz_"][: 1 + 2 * several], p[5:8], strict=False):
        tags |= dict(zip([f"{prefix}rating", f"{prefix}games", f"{prefix}k"], [v or "" for v in of], strict=True))
    tags |= {"birthday": p[8] or "", "flag": p[9]}
    return "<player>\n" + "".join(f"<{tag}>{value}</{tag}>\n" for tag, value in tags.items()) + "</player>\n"


def whole_xml(*, several: bool) -> str:
    return "<playerslist>\n" + "".join(xml(p, several=several) for p in PLAYERS) + "</playerslist>\n"


def expected(which: int) -> list[tuple]:
    return [
        (*p[:4], p[4] or None, p[5 + which][0] or None, p[5 + which][2] or None, p[8] or None, p[9]) for p in PLAYERS
    ]


def found(path, of=None) -> list[tuple]:
    frame = rs.read_fide_list(path, of)
    assert frame.columns == COLUMNS
    return frame.drop("period_games", "standard").rows()


@pytest.fixture
def put(tmp_path):
    def written(text: str, name="list.txt", encoding="utf-8"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        return tmp_path / name

    return written


def lines(header, row, end="\r\n") -> str:
    return end.join([header, *map(row, PLAYERS), ""])


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("stripped", [False, True])
def test_a_list_of_its_own(put, end, stripped):
    text = lines(ONE, one, end)
    path = put(end.join(line.rstrip() for line in text.split(end)) if stripped else text)
    assert found(path) == found(path, "rapid") == expected(0)
    assert rs.read_fide_list(path)["period_games"].to_list() == [9, 0, 0]


@pytest.mark.parametrize(("which", "of"), [(0, "standard"), (1, "rapid"), (2, "blitz")])
def test_the_combined_list(put, which, of):
    with_foa, without = put(lines(ALL, combined), "a.txt"), put(lines(WITHOUT_FOA, lambda p: combined(p, "")), "b.txt")
    assert found(with_foa, of) == found(without, of) == expected(which)
    assert rs.read_fide_list(with_foa, of)["period_games"].to_list() == [p[5 + which][1] for p in PLAYERS]
    assert found(put(whole_xml(several=True), "a.xml"), of) == expected(which)


def test_an_xml_of_one_list(put):
    path = put("<?xml version='1.0'?>\n" + whole_xml(several=False))
    assert found(path) == expected(0)
    assert rs.read_fide_list(path)["period_games"].to_list() == [9, None, None]  # an empty cell says nothing


def test_a_list_before_2012_has_no_sex_and_no_k(put):
    rows = [(*row[:3], None, *row[4:6], None, *row[7:]) for row in expected(0)]
    assert found(put(lines(BEFORE, before))) == rows


@pytest.mark.parametrize("name", ["standard_rating_list.txt", "standard_rating_list.xml"])
def test_an_archive(put, tmp_path, name):
    text = lines(ONE, one) if name.endswith("txt") else whole_xml(several=False)
    with zipfile.ZipFile(tmp_path / "list.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    assert found(tmp_path / "list.zip") == expected(0)
    with zipfile.ZipFile(tmp_path / "list.zip", "a") as archive:
        archive.writestr("other.txt", text)
    with pytest.raises(rs.InputError, match=r"list\.zip: 2 files of text or XML inside; expected one list$"):
        rs.read_fide_list(tmp_path / "list.zip")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("form", ["txt", "xml"])
def test_letters_of_any_kind(put, encoding, form):
    text = lines(ONE, one) if form == "txt" else whole_xml(several=False)
    path = put(text.replace("Ask, Bo", "Åsk, Bø"), encoding=encoding)
    assert found(path)[0][1] == "Åsk, Bø"
    assert found(path)[1:] == expected(0)[1:]


def test_entities_of_xml(put):
    assert found(put(whole_xml(several=False).replace("Ask, Bo", "O&apos;Ask &amp; Bo")))[0][1] == "O'Ask & Bo"


def test_other_titles_that_overflow_by_a_character(put):
    line = one(PLAYERS[0]).replace("IA,FT" + 14 * " ", "SI,FI,LSI,SLI,NAAFM ")
    assert len(line) == len(one(PLAYERS[0])) + 1
    assert found(put(f"{ONE}\n{line}\n")) == expected(0)[:1]


def test_blank_lines_count_as_lines(put):
    text = lines(ONE, one).replace(" 2412 ", " 24x2 ").replace("\r\n", "\r\n\r\n")
    with pytest.raises(rs.InputError, match=r"list.txt, line 3, column NOV24: rating '24x2'; expected a rating from 0"):
        rs.read_fide_list(put(text))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("900001 ", "9O0001 "), r"list\.txt, line 2, column ID Number: id '9O0001'; expected a FIDE id$"),
        (("900001 ", "       "), r"list\.txt, line 2, column ID Number: no id; expected a FIDE id$"),
        (("900002 ", "900001 "), r"line 3, column ID Number: id 900001 is here again; expected each player once$"),
        ((" 2412 ", " 4012 "), r"list\.txt, line 2, column NOV24: rating '4012'; expected a rating from 0 to 4000$"),
        ((" 1990 ", " 1.90 "), r"list\.txt, line 2, column B-day: born '1\.90'; expected a year of birth$"),
        (("NOV24", "XYZ24"), r"list\.txt: no column 'rating'; expected FIDE's monthly rating list"),
    ],
)
def test_a_wrong_cell_is_named(put, change, said):
    with pytest.raises(rs.InputError, match=said) as error:
        rs.read_fide_list(put(lines(ONE, one).replace(*change, 1)))
    assert "\n" not in str(error.value)


def test_a_wrong_cell_of_an_xml_is_named(put):
    text = whole_xml(several=True)
    with pytest.raises(rs.InputError, match=r"list.xml, player 2, column rapid_rating: rating '16l1'; expected a rat"):
        rs.read_fide_list(put(text.replace("1611", "16l1"), "list.xml"), "rapid")
    with pytest.raises(rs.InputError, match=r"list.xml: is no whole XML \(no element found: line 29, column 0\)"):
        rs.read_fide_list(put("".join(text.splitlines(keepends=True)[:28]), "list.xml"), "rapid")
    with pytest.raises(rs.InputError, match="no players"):
        rs.read_fide_list(put("<playerslist></playerslist>"))


def test_what_is_no_list(put, tmp_path):
    for text in ("", "player,rating\nA,1500\n", "<html></html>"):
        with pytest.raises(
            rs.InputError, match=r"list\.txt: is no list of FIDE's; expected FIDE's monthly rating list"
        ):
            rs.read_fide_list(put(text))
    with pytest.raises(rs.InputError, match=r"none\.txt: no such file; expected FIDE's monthly rating list"):
        rs.read_fide_list(tmp_path / "none.txt")
    with pytest.raises(rs.InputError, match=r"none\.txt: no such file; expected a CSV, TSV or Parquet file"):
        rs.read_starts(tmp_path / "none.txt")
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(rs.InputError, match=r"bad\.zip: File is not a zip file; expected FIDE's"):
        rs.read_fide_list(tmp_path / "bad.zip")
    with pytest.raises(rs.InputError, match="no players"):
        rs.read_fide_list(put(ONE))
    with pytest.raises(rs.InputError, match=r"list = 'rapids'; expected one of .*; did you mean 'rapid'\?"):
        rs.read_fide_list(put(lines(ALL, combined)), "rapids")


def test_three_lists_need_one_to_be_named(put):
    for path in (put(lines(ALL, combined)), put(whole_xml(several=True), "list.xml")):
        with pytest.raises(rs.InputError, match=r"holds three lists; expected list = one of standard, rapid, blitz$"):
            rs.read_fide_list(path)


def test_as_what_players_start_with(put):
    starts = rs.read_starts(put(lines(ALL, combined)), list="blitz")
    assert starts.columns == ["player", "rating", "k", "born", "inactive", "standard"]
    assert starts.fill_nan(None).rows() == [
        ("900001", 2400.0, 20.0, 1990.0, 0.0, 2412.0),
        ("900002", None, None, 2011.0, 0.0, None),
        ("90000317", 1850.0, 20.0, None, 1.0, 1987.0),
    ]
    alone = rs.read_starts(put(lines(ONE, one)))
    assert alone.columns == ["player", "rating", "k", "born", "inactive"]
    assert rs.read_starts(put(whole_xml(several=True), "list.xml"), list="blitz").equals(starts)


def test_a_list_of_a_table_that_is_none(put):
    with pytest.raises(rs.InputError, match="start: list = 'rapid'; expected it with a monthly list of FIDE's alone"):
        rs.read_starts(put("player,rating\nA,1500\n"), list="rapid")


def test_the_k_of_a_table(put):
    starts = rs.read_starts(put("player,rating,k\nA,1500,20\nB,2400,\n"))
    assert starts["k"].fill_nan(None).to_list() == [20.0, None]
    with pytest.raises(rs.InputError, match=r"column k: k -1.0; expected a K-factor as published"):
        rs.read_starts(pl.DataFrame({"player": ["A"], "k": [-1]}))
    with pytest.raises(rs.InputError, match=r"unknown column 'K'; did you mean 'k'\?"):
        rs.read_starts(pl.DataFrame({"player": ["A"], "K": [20]}))


GAMES = """\
[White "Ask, Bo"]
[Black "Fell"]
[WhiteFideId "900001"]
[BlackFideId "90000317"]
[Result "0-1"]
[Date "2024.11.02"]
"""


def test_ratings_from_a_list(put, call):
    games, start = put(GAMES, "games.pgn"), put(lines(ALL, combined))
    code, out, _ = call("rate", games, "--system", "elo", "--start", start, "--start-list", "blitz", "--json")
    assert code == 0
    lost = 20 / (1 + 10 ** (-(2400 - 1850) / 400))
    ratings = {each["player"]: each["rating"] for each in json.loads(out)["ratings"]}
    assert ratings == {"900001": pytest.approx(2400 - lost), "90000317": pytest.approx(1850 + lost)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--start", "list.txt"], "list.txt: holds three lists; expected list = one of standard, rapid, blitz"),
        (["--start-list", "blitz"], "--start-list: a list without a start; expected --start with a list of FIDE's"),
        (["--start", "published", "--start-list", "blitz"], "start: list = 'blitz'; expected it with a monthly list"),
        (["--start", "published"], "start: the stream has no published ratings; expected columns published_first and"),
    ],
)
def test_a_start_that_cannot_be(put, call, monkeypatch, words, said):
    monkeypatch.chdir(put(lines(ALL, combined)).parent)
    code, out, err = call("rate", put(GAMES, "games.pgn"), "--system", "elo", *words)
    assert (code, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1


def test_an_experiment_names_the_list(put):
    put(lines(ALL, combined))
    put(GAMES, "games.pgn")
    table = '[stream]\ngames = "games.pgn"\nstart = "list.txt"\nstart_list = "rapid"\n[[system]]\nkind = "elo"\n'
    (loaded,) = load(read(put(table, "a.toml")))
    rated = loaded.start.filter(pl.col("rating").is_not_nan())
    assert rated.drop("standard", "inactive").rows() == [("900001", 2380, 10, 1990), ("900002", 1611, 40, 2011)]
    with pytest.raises(rs.InputError, match=r"a\.toml, stream, .*list\.txt: holds three lists"):
        load(read(put(table.replace('start_list = "rapid"\n', ""), "a.toml")))
    with pytest.raises(
        rs.InputError, match=r"a\.toml, stream: key 'start_list'; expected none where there is no start"
    ):
        read(put(table.replace('start = "list.txt"\n', ""), "a.toml"))


def test_lines_that_end_with_carriage_returns_alone(put):
    assert rs.read_fide_list(put(lines(ONE, one).replace("\n", "\r"))).equals(rs.read_fide_list(put(lines(ONE, one))))


def test_a_download_that_broke_off_is_refused(put):
    text = lines(ONE, one).rstrip("\n")
    with pytest.raises(rs.InputError, match=r"line 4: the last line ends before its rating"):
        rs.read_fide_list(put(text[: text.rindex("\n") + 90]))


def test_the_header_names_the_month(put):
    assert list_month(put(lines(ONE, one))) == date(2024, 11, 1)
    assert list_month(put(lines(BEFORE, before))) == date(2010, 7, 1)
    assert list_month(put(lines(ALL, combined))) is None
    assert list_month(put(whole_xml(several=True), "list.xml")) is None
