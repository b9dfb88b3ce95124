"""Games as JSON, one a line or all in one document, as tables of the keys that are asked for.

polars reads lines of JSON in bulk; what it cannot read, and documents, are read value by value, so that one bad game
costs itself alone and is told by its key. What a line says is the same whatever stands beside it; of a key that an
object has twice the first counts.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from ..errors import InputError
from ..intake import shown
from .batch import REJECTS, SIZE
from .sources import Source

if TYPE_CHECKING:
    from polars._typing import PolarsDataType

BLOCK: Final = 2**24  # bytes of lines that are read at once
LONGEST: Final = 2**23  # bytes of a line; a long game with clocks and evaluations has 2**16
FEW: Final = 64  # lines that are looked at one by one, where some of them is wrong
HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")  # begins half a character: polars takes one without the other for "\0"
LARGEST: Final = 2**28  # bytes of a document; a month of the most eager player has 2**25
BOM: Final = b"\xef\xbb\xbf"
DOCUMENT: Final = re.compile(rb'\s*(?:\[|\{\s*"(?:games|currentPageResults)"\s*:|\{\s*"currentPage"\s*:)')
LISTS: Final = ("games", "currentPageResults")  # keys of a document's games
KINDS: Final[dict["PolarsDataType", str]] = {
    pl.String(): "text",
    pl.Boolean(): "true or false",
    pl.Int64(): "a whole number",
}
BROKEN: Final = "is no game in JSON"
OBJECT: Final = "an object on one line"


class Page(NamedTuple):
    """Some games of a source: the keys asked for, and `place`; and what could not be read of it."""

    games: pl.DataFrame
    rejects: pl.DataFrame
    unit: str = "line"  # of places: line, or game of a document

    def with_raw(self, texts: list[str | None], begins: int) -> "Page":
        """Return games and rejects with how each stands in the source; `texts` are those from place `begins` on."""
        raw = pl.lit(pl.Series(texts, dtype=pl.String)).gather(pl.col("place") - begins).alias("raw")
        return self._replace(games=self.games.with_columns(raw), rejects=self.rejects.with_columns(raw))


class Misfit(Exception):  # noqa: N818  # caught where it is a reject, never shown
    """A value that is not of its kind."""

    def __init__(self, key: str, kind: str, value: object) -> None:
        self.key, self.kind, self.value = key or None, kind, value


def pages(source: Source, schema: pl.Schema, *, raw: bool) -> Iterator[Page]:
    """Yield the games of a source.

    Parameters
    ----------
    schema : keys of a game, of text, whole numbers, true or false, and structs of them; all may be missing.
    raw : whether to keep, as column `raw`, each game as it stands.

    Raises
    ------
    InputError : the source cannot be read, or is a document that is no list of games.
    """
    if DOCUMENT.match(source.head.removeprefix(BOM)):
        values = enumerate(_document(source), 1)
        while some := dict(islice(values, SIZE)):
            page = _page(some, schema)._replace(unit="game")
            yield page.with_raw([json.dumps(value) for value in some.values()], min(some)) if raw else page
        return
    with source.open() as file, source.reading():
        for begins, content in _blocks(file):
            lines = content.removesuffix(b"\n").split(b"\n")
            page = _whole({place: line for place, line in enumerate(lines, begins) if line.strip()}, schema)
            yield page.with_raw([*map(_text, lines)], begins) if raw else page


def _blocks(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield whole lines, about `BLOCK` bytes of them, and the number of the first; of a line too long, its start."""
    number, rest, skipping = 1, b"", False
    while content := file.read(BLOCK):
        if number == 1 and not rest:
            content = content.removeprefix(BOM)
        if skipping:
            _, end, content = content.partition(b"\n")
            skipping = not end
            number += bool(end)
        whole, end, cut = content.rpartition(b"\n")
        if end:
            block = rest + whole + end
            yield number, block
            number += block.count(b"\n")
            rest = cut
        else:
            rest += cut
        if len(rest) > LONGEST:
            yield number, rest[: LONGEST + 1]
            rest, skipping = b"", True
    if rest:
        yield number, rest


def _whole(lines: dict[int, bytes], schema: pl.Schema) -> Page:
    """Return what lines say, by their places."""
    halves = {place: _value(line) for place, line in lines.items() if HALF.search(line)}
    others = {place: line for place, line in lines.items() if place not in halves} if halves else lines
    found = [_page(halves, schema), *_pages(others, schema)]
    games = pl.concat(each.games for each in found)
    return Page(games.sort("place") if halves else games, pl.concat(each.rejects for each in found))


def _pages(lines: dict[int, bytes], schema: pl.Schema) -> Iterator[Page]:
    """Yield what lines say by their places: in bulk, without those that are wrong, and one by one where that fails."""
    if not lines:
        return
    if page := _in_bulk(lines, schema):
        yield page
        return
    if len(lines) <= FEW:
        page = _page({place: _value(line) for place, line in lines.items()}, schema)
        if len(lines) == 1:
            yield page
            return
        if len(page.rejects):
            yield page._replace(games=page.games.clear())
            yield from _pages({place: lines[place] for place in page.games["place"]}, schema)
            return
    both, half = iter(lines.items()), len(lines) // 2
    yield from _pages(dict(islice(both, half)), schema)
    yield from _pages(dict(both), schema)


def _in_bulk(lines: Mapping[int, bytes], schema: pl.Schema) -> Page | None:
    content = b"\n".join(lines.values())
    if max(map(len, lines.values())) > LONGEST:
        return None
    try:
        games = pl.read_ndjson(content, schema=schema)
    except pl.exceptions.PolarsError:
        return None
    if len(games) != len(lines):
        return None
    return Page(games.with_columns(pl.Series("place", [*lines], pl.Int64)), pl.DataFrame(schema=REJECTS))


def _text(line: bytes) -> str | None:
    return line.decode(errors="replace") if len(line) <= LONGEST else None


def _value(line: bytes) -> object:
    """Return what a line says; where that is no JSON, what is wrong with it."""
    if len(line) > LONGEST:
        return Misfit("", f"a line of at most {LONGEST:,} bytes", line[:100].decode(errors="replace"))
    try:
        return json.loads(line, parse_constant=_no_number, object_pairs_hook=_firsts)
    except (ValueError, RecursionError):
        return Misfit("", OBJECT, line[-100:].decode(errors="replace"))


def _no_number(name: str) -> float:
    raise ValueError(name)


def _firsts(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return an object, of a key that it has twice the first value, as polars has it."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else dict(reversed(pairs))


def _page(values: Mapping[int, object], schema: pl.Schema) -> Page:
    """Return games out of values by their places."""
    rows: list[dict[str, Any]] = []
    rejects: list[tuple[object, ...]] = []
    for place, value in values.items():
        try:
            rows.append({**_game(value, schema), "place": place})
        except Misfit as wrong:
            what = "'{}' is not " + wrong.kind if wrong.key else BROKEN + ": '{}'"
            rejects.append((place, wrong.key, what, shown(wrong.value), wrong.kind, None))
    games = pl.DataFrame(rows, {**schema, "place": pl.Int64})
    return Page(games, pl.DataFrame(rejects, REJECTS, orient="row"))


def _game(value: object, schema: pl.Schema) -> dict[str, Any]:
    """Return the keys of a game that are asked for, as polars would.

    Raises
    ------
    Misfit : one is of another kind, or this is no game.
    """
    if isinstance(value, Misfit):
        raise value
    if not isinstance(value, dict):
        raise Misfit("", OBJECT, value)
    return {key: _fitted(value.get(key), kind, key) for key, kind in schema.items()}


def _fitted(value: object, kind: "PolarsDataType", key: str) -> object:
    if value is None:
        return None
    if isinstance(kind, pl.Struct):
        if isinstance(value, dict):
            return {each.name: _fitted(value.get(each.name), each.dtype, f"{key}.{each.name}") for each in kind.fields}
    elif kind == pl.String():
        text = value if isinstance(value, str) else json.dumps(value)
        if text.isascii() or _is_sound(text):
            return text
    elif isinstance(value, bool) or kind == pl.Boolean():
        if isinstance(value, bool) and kind == pl.Boolean():
            return value
    elif isinstance(value, int | float) and value % 1 == 0 and -(2**63) <= value < 2**63:
        return int(value)
    raise Misfit(key, KINDS.get(kind, "an object"), value)


def _is_sound(text: str) -> bool:
    """Return whether a text has no halves of characters, which JSON can write."""
    return not re.search("[\ud800-\udfff]", text)


def _document(source: Source) -> list[Any]:
    with source.open() as file, source.reading():
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError(f"is one document of over {LARGEST:,} bytes", where=source.name, expected="one game a line")
    try:
        found = json.loads(content.removeprefix(BOM), parse_constant=_no_number, object_pairs_hook=_firsts)
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, json.JSONDecodeError) else "it is broken"
        raise InputError(f"is no JSON ({said})", where=source.name, expected="a whole list of games") from None
    if isinstance(found, dict):
        found = next((found[key] for key in LISTS if key in found), None)
    if not isinstance(found, list):
        raise InputError("is no list of games", where=source.name, expected='a list, or one under "games"')
    return found
