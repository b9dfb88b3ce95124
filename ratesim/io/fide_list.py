"""FIDE's monthly rating lists: text of fixed width, or XML, alone or in a .zip."""

import codecs
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple
from xml.etree import ElementTree as ET

import polars as pl

from ..errors import InputError, nearest
from ..intake import shown
from ..rules import LISTS, List
from .trf_words import MONTHS, PIVOT, TITLES

ZIP = b"PK\x03\x04"
OPENING = 4096  # bytes that tell what a file is
PIECE = 2**16  # players at a time, or bytes
EXPECTED = "FIDE's monthly rating list, TXT or XML, or a .zip that holds it alone"
HEADER = re.compile(r"ID number\s+Name\s.*Fed", re.IGNORECASE)
WORDS = re.compile(r"ID number|Titl(?=Fed)|Games(?=Born)|\S+", re.IGNORECASE)  # older lists run two columns together
MONTH = re.compile(r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\d\d|rating|rtng", re.IGNORECASE)

# What the header of a text calls each of our columns, in lower case; the three last differ by list.
TEXT = {"id": "id number", "name": "name", "federation": "fed", "sex": "sex", "title": "tit", "born": "b-day"}
TEXT |= {"flag": "flag"}
TEXT_OF: dict[str, tuple[str, str, str]] = {
    "standard": ("srtng", "sgm", "sk"),
    "rapid": ("rrtng", "rgm", "rk"),
    "blitz": ("brtng", "bgm", "bk"),
    "one": ("rating", "gms", "k"),
}
OLDER = {"titl": "tit", "games": "gms", "born": "b-day"}  # before September 2012
XML = {"id": "fideid", "name": "name", "federation": "country", "sex": "sex", "title": "title", "born": "birthday"}
XML |= {"flag": "flag"}
XML_OF: dict[str, tuple[str, str, str]] = {
    "standard": ("rating", "games", "k"),
    "rapid": ("rapid_rating", "rapid_games", "rapid_k"),
    "blitz": ("blitz_rating", "blitz_games", "blitz_k"),
}
BESIDE = ("rapid", "blitz")  # whose unrated players count as rated by their standard rating
OF_LIST = ("rating", "period_games", "k")
COLUMNS = ("id", "name", "federation", "sex", "title", *OF_LIST, "born", "flag", "standard")
NUMBERS = {  # what each holds at most; 0 says that nothing is known
    "id": (2**53, "a FIDE id"),
    "rating": (4000, "a rating from 0 to 4000"),
    "period_games": (9999, "a number of games"),
    "k": (99, "a K-factor"),
    "born": (9999, "a year of birth"),
    "standard": (4000, "a rating from 0 to 4000"),
}


class Raw(NamedTuple):
    """Cells as texts, and how a message counts their rows."""

    cells: pl.DataFrame  # those of COLUMNS that are there, stripped, and `row`
    names: dict[str, str]  # of the columns in the file
    word: str  # line or player
    place: str


def is_fide_list(path: str | Path) -> bool:
    """Return whether a file is there and begins as FIDE's lists do."""
    path = Path(path)
    try:
        with _readable(path), _opened(path) as file:
            start = file.read(OPENING)
    except InputError:
        return False
    return _is_xml(start) or HEADER.match(_first_line(start)) is not None


def read_fide_list(path: str | Path, list: List | None = None) -> pl.DataFrame:  # noqa: A002  # FIDE's word
    """Read a monthly rating list as FIDE publishes it.

    Read are the text of fixed width and the XML, of one list (`standard_rating_list.txt`) or of all three
    (`players_list_foa.txt`), alone or in a .zip. Where a column of the text lies is found from the header line. Of the
    full list the text takes seconds to read, the XML a minute.

    Parameters
    ----------
    list : which of the three, for a file that has all; a file of one does not say which it is, and is taken as such.

    Returns
    -------
    A row a player in the order of the file: id (FIDE's number), name, federation (three letters), sex (M, F),
    title (GM, IM, ...; those of older lists, g, m, ..., as the same), rating (rating points; missing where unrated),
    period_games (games rated for this list alone, not a career's), k (K-factor), born (year),
    flag (`i` inactive, `w` woman, `wi` both, or empty); standard (rating points on the standard list, beside rapid or
    blitz of a file of all three). What the file lacks or leaves at 0 is missing.

    Raises
    ------
    InputError : the file cannot be read or is none of these lists, `list` is needed, a cell is wrong, a player there
        twice; the line (of XML, the number of the player) and the column are named.
    """
    path = Path(path)
    if list is not None and list not in LISTS:
        raise InputError(f"list = {list!r}", expected=f"one of {', '.join(LISTS)}", near=nearest(str(list), LISTS))
    with _readable(path), _opened(path) as file:
        start = file.read(OPENING)
    read = _xml if _is_xml(start) else _text
    with _readable(path), _opened(path) as file:
        return _typed(read(file, list, str(path)))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say in one line why a file cannot be read."""
    try:
        yield
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:  # the last two of odd archives
        said = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        said = "no such file" if isinstance(error, FileNotFoundError) else said
        raise InputError(said, where=str(path), expected=EXPECTED) from None


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, or the one list in an archive."""
    with path.open("rb") as file:
        if file.read(len(ZIP)) != ZIP:
            file.seek(0)
            yield file
            return
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith((".txt", ".xml"))]
        if len(names) != 1:
            raise InputError(f"{len(names)} files of text or XML inside", where=str(path), expected="one list")
        with archive.open(names[0]) as member:
            yield member


def _first_line(start: bytes) -> str:
    """Return the first line that is not blank."""
    return start.removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip().partition("\n")[0].rstrip()


def _is_xml(start: bytes) -> bool:
    return b"<playerslist" in start and start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _text(file: IO[bytes], of: List | None, place: str) -> Raw:
    """Cut the lines of a text where its header begins new columns."""
    content = file.read().removeprefix(b"\xef\xbb\xbf")
    if b"\r" in content[:OPENING]:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not HEADER.match(_first_line(content[:OPENING])):
        raise InputError("is no list of FIDE's", where=place, expected=f"{EXPECTED}: a header ID Number, Name, Fed")
    try:
        content.decode()
    except UnicodeDecodeError:
        content = content.decode("latin-1").encode()
    lines = pl.read_csv(
        content, separator="\x1e", has_header=False, quote_char=None, infer_schema=False, new_columns=["line"]
    ).with_row_index("row", 1)
    lines = lines.filter(pl.col("line").str.strip_chars() != "")
    header = lines["line"][0].rstrip()
    columns = _columns(header)
    chosen = _chosen("srtng" in columns, of, place)
    names = TEXT | dict(zip(OF_LIST, TEXT_OF[chosen], strict=True))
    if chosen in BESIDE:
        names["standard"] = TEXT_OF["standard"][0]
    lines = lines.slice(1)
    if names["rating"] in columns:
        _check_cut(lines, columns[names["rating"]][0], place)
    line = pl.col("line")
    cells = {
        ours: line.str.slice(*columns[theirs]).str.strip_chars() for ours, theirs in names.items() if theirs in columns
    }
    written = dict(zip(columns, WORDS.findall(header), strict=True))
    return Raw(
        lines.lazy().select("row", **cells).collect(),
        {ours: written.get(theirs, theirs) for ours, theirs in names.items()},
        "line",
        place,
    )


def _check_cut(lines: pl.DataFrame, rating: int, place: str) -> None:
    """Refuse a text whose last line ends before its rating, as of a download that broke off."""
    last = lines.tail(1)
    whole = int(lines["line"].str.len_chars().max() or 0)  # type: ignore[arg-type]  # a number
    if len(last) and len(last["line"][0].rstrip()) <= rating < whole and len(last["line"][0]) < whole:
        where = f"{place}, line {last['row'][0]}"
        raise InputError("the last line ends before its rating", where=where, expected=f"{EXPECTED}, whole")


def list_month(path: str | Path) -> date | None:
    """Return the first day of the month that the header of a text of one list names (NOV25); None: it names none."""
    path = Path(path)
    with _readable(path), _opened(path) as file:
        words = WORDS.findall(_first_line(file.read(OPENING)))
    named = next((word for word in words if MONTH.fullmatch(word) and word[-1].isdigit()), None)
    if named is None:
        return None
    year = int(named[-2:])
    return date(year + (1900 if year >= PIVOT else 2000), MONTHS.index(named[:3].lower()) + 1, 1)


def _columns(header: str) -> dict[str, tuple[int, int | None]]:
    """Return where each column of a text begins and how long it is, by its name in lower case.

    >>> _columns("ID Number  Name    Fed NOV24 Gms")
    {'id number': (0, 11), 'name': (11, 8), 'fed': (19, 4), 'rating': (23, 6), 'gms': (29, None)}
    """
    found = list(WORDS.finditer(header))
    starts = [0, *(each.start() for each in found[1:])]
    ends = [*starts[1:], None]
    names = ["rating" if MONTH.fullmatch(each[0]) else each[0].lower() for each in found]
    return {
        OLDER.get(name, name): (start, end and end - start)
        for name, start, end in zip(names, starts, ends, strict=True)
    }


def _chosen(several: bool, of: List | None, place: str) -> str:  # noqa: FBT001  # said by the file, not a switch
    """Return which columns are meant, of a file of all three lists or of one."""
    if several and of is None:
        raise InputError("holds three lists", where=place, expected=f"list = one of {', '.join(LISTS)}")
    return of if several and of is not None else "one"


def _xml(file: IO[bytes], of: List | None, place: str) -> Raw:
    """Return the cells of an XML, player by player."""
    try:
        return _players(file, of, place)
    except ET.ParseError as error:
        raise InputError(f"is no whole XML ({error})", where=place, expected=EXPECTED) from None


def _players(file: IO[bytes], of: List | None, place: str) -> Raw:
    with io.TextIOWrapper(file, encoding=_encoding(file)) as text:
        players = _elements(text)
        first = next(players, None)
        if first is None:
            raise InputError("no players", where=place, expected="elements 'player'")
        there = {cell.tag for cell in first}
        chosen = _chosen("rapid_rating" in there, of, place)
        names = XML | dict(zip(OF_LIST, XML_OF["standard" if chosen == "one" else chosen], strict=True))
        if chosen in BESIDE:
            names["standard"] = XML_OF["standard"][0]
        tags = {ours: tag for ours, tag in names.items() if tag in there}
        rows = (tuple([player.findtext(tag, "") for tag in tags.values()]) for player in chain([first], players))
        pieces = [_table(piece, tags) for piece in iter(lambda: [*islice(rows, PIECE)], [])]
    return Raw(pl.concat(pieces).with_row_index("row", 1), names, "player", place)


def _elements(text: IO[str]) -> Iterator[ET.Element]:
    """Yield players one by one; each is gone when the next is asked for."""
    context = ET.iterparse(text, events=("start", "end"))  # noqa: S314  # expat itself bounds what entities become
    _, root = next(iter(context))
    for event, element in context:
        if event == "end" and element.tag == "player":
            yield element
            root.clear()


def _table(rows: Sequence[tuple[str, ...]], names: Iterable[str]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, dict.fromkeys(names, pl.String), orient="row")
    return frame.with_columns(pl.all().str.strip_chars())


def _encoding(file: IO[bytes]) -> str:
    """Return how a file is written: UTF-8, or else Latin-1, which anything can be."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in iter(lambda: file.read(PIECE), b""):
            decoder.decode(piece)
    except UnicodeDecodeError:
        return "latin-1"
    finally:
        file.seek(0)
    return "utf-8-sig"


def _typed(raw: Raw) -> pl.DataFrame:
    """Return the columns as numbers and texts, in their order."""
    cells = raw.cells
    for name in ("id", "name", *OF_LIST[:1]):
        if name not in cells.columns:
            raise InputError(f"no column '{raw.names[name]}'", where=raw.place, expected=EXPECTED)
    if not len(cells):
        raise InputError("no players", where=raw.place, expected="at least one")
    table = {name: _numbers(raw, name) for name in NUMBERS if name in cells.columns}
    _check_ids(raw, table["id"])
    for name in ("name", "federation", "sex", "title"):
        if name in cells.columns:
            text = cells[name].replace("", None)
            table[name] = text.replace(TITLES) if name == "title" else text
    if "flag" in cells.columns:
        table["flag"] = cells["flag"].str.to_lowercase()
    missing = {name: pl.Int32 if name in NUMBERS else pl.String for name in COLUMNS if name not in table}
    frame = pl.DataFrame(table).with_columns(pl.lit(None, dtype).alias(name) for name, dtype in missing.items())
    return frame.select(COLUMNS)


def _numbers(raw: Raw, name: str) -> pl.Series:
    """Return a column as whole numbers; blank is missing, and so is 0 but as a number of games."""
    high, expected = NUMBERS[name]
    cells = raw.cells[name]
    values = cells.cast(pl.Int64, strict=False)
    wrong = (values.is_null() & (cells != "")) | (values < 0) | (values > high)
    _refuse(raw, name, wrong.fill_null(value=False), f"{name.replace('_', ' ')} '{{}}'", expected)
    if name != "period_games":
        values = values.replace(0, None)
    return values if name == "id" else values.cast(pl.Int32)


def _check_ids(raw: Raw, ids: pl.Series) -> None:
    _refuse(raw, "id", ids.is_null(), "no id", "a FIDE id")
    _refuse(raw, "id", ~ids.is_first_distinct(), "id {} is here again", "each player once")


def _refuse(raw: Raw, name: str, wrong: pl.Series, what: str, expected: str) -> None:
    """Raise for the first of the wrong rows, and say how many more there are."""
    if (count := int(wrong.sum())) > 0:
        row = int(wrong.arg_max() or 0)
        more = f" (and {count - 1:,} more)" if count > 1 else ""
        where = f"{raw.place}, {raw.word} {raw.cells['row'][row]}, column {raw.names[name]}"
        raise InputError(what.format(shown(raw.cells[name][row])) + more, where=where, expected=expected)
