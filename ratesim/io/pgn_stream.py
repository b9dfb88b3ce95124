"""Games out of PGN by their tags alone: moves are passed over (Edwards, PGN Specification, 12 March 1994)."""

import io
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ..dates import EPOCH
from ..errors import InputError
from ..intake import shown
from ..rules import List
from ..stream import GameStream
from .trf_words import coded_minutes, time_class, title_of, told_minutes

TAG = re.compile(r'\s*\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
LOOSE = re.compile(r'\s*\[\s*(\w+)\s*"(.*)"\s*\]\s*')  # with quotes or backslashes that nobody escaped
ESCAPED = re.compile(r'\\(["\\])')
OPENS, CLOSES = re.compile("[{;]"), re.compile("}")  # of comments
EVENT = re.compile(r'\[\s*Event\s*"')
PUBLISHED = {"published_first": "White", "published_second": "Black"}
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
NOTHING = ("", "?", "-", "*")  # what a tag says that says nothing
UNKNOWN = "unknown"  # pool of games whose rate of play nothing tells for sure, among others
SHORTEST = 180  # a rate of play of fewer seconds may be one of minutes, written as PGN does not
MOST = 6000.0  # no site or engine list has a rating as high
LEFT_OUT = ("players", "a result", "a day")


class Game(NamedTuple):
    """The tags of one game."""

    place: str  # the file and the line of the first tag
    tags: Mapping[str, str]

    def says(self, *names: str) -> str:
        """Return the first of some tags that says something, or nothing."""
        for name in names:
            text = self.tags.get(name, "").strip()
            if text not in NOTHING:
                return text
        return ""

    def refuse(self, what: str, tag: str, expected: str) -> InputError:
        """Return the error for a tag."""
        return InputError(what, where=f"{self.place}, tag {tag}", expected=expected)

    def player(self, side: str) -> str:
        """Return White or Black by FIDE id, or else by name."""
        number = self.says(f"{side}FideId").lstrip("0")
        return number if number.isdecimal() else self.says(side)

    def score(self) -> float | None:
        """Return the score of white; None: not known, or not yet."""
        if self.says("Termination").lower() == "unplayed":
            return None
        result = self.says("Result")
        if result and result not in SCORES:
            raise self.refuse(f"'{shown(result)}'", "Result", f"{', '.join(SCORES)} or *")
        return SCORES.get(result)

    def rating(self, side: str) -> float:
        """Return a rating as published; NaN where there is none."""
        text = self.says(f"{side}Elo")
        try:
            rating = float(text or "0")
        except ValueError:
            rating = math.inf
        if not 0 <= rating < MOST:
            raise self.refuse(f"'{shown(text)}'", f"{side}Elo", f"a rating below {MOST:,.0f}")
        return rating or math.nan

    def moment(self) -> float | None:
        """Return when the game was played, in days since 1970-01-01 (UTC where a tag says it)."""
        day = day_of(self.says("UTCDate")) or day_of(self.says("Date"))
        if day is None:
            return None
        try:
            clock = time.fromisoformat(self.says("UTCTime")) if self.says("UTCDate") else time()
        except ValueError:
            clock = time()
        return (day - EPOCH).days + (clock.hour * 3600 + clock.minute * 60 + clock.second) / 86400


class Played(NamedTuple):
    """A game that says who played, how it ended and when."""

    game: Game
    white: str
    black: str
    score: float
    moment: float


def is_pgn(head: bytes) -> bool:
    r"""Return whether a file that begins so is of PGN: its first line is a tag.

    >>> is_pgn(b'[Event "Open"]\r\n[Site "?"]'), is_pgn(b"first,second,score,time\n")
    (True, False)
    """
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1").splitlines()
    first = next((line for line in lines if line.strip() and line[0] not in "%;"), "")
    return LOOSE.fullmatch(first) is not None


def pgn_games(paths: Path | Sequence[Path], list: List | None = None) -> GameStream:  # noqa: A002  # FIDE's word
    """Return the games of PGN files as one stream.

    White is first and has the edge. A player is called by FIDE id, or else by name. Time is `UTCDate` and `UTCTime`
    where a game has them, and otherwise the day of `Date`. Games of one `Event` and one `EventDate` are an event; it
    starts on `EventDate`, or on the day of its first game where that is earlier or the tag says nothing. `WhiteElo`
    and `BlackElo` are published ratings. Games without a result, a day or both players are left out, and counted in
    the notes.

    Parameters
    ----------
    list : standard, rapid or blitz, as `pool`; left out, it is the list on which FIDE rates a game of its
        `TimeControl` where that is sure, and otherwise unknown.

    Raises
    ------
    InputError : a file cannot be read, a result or a rating is none, a player meets themselves, no game is left.
    """
    paths = [paths] if isinstance(paths, Path) else paths
    found = [game for path in paths for game in _read(path)]
    kept, left_out = _kept(found)
    if not kept:
        what = f"no game of {len(found):,} has {', '.join(LEFT_OUT[:-1])} and {LEFT_OUT[-1]}"
        raise InputError(what, where=", ".join(map(str, paths)), expected="at least one that has")
    stream = GameStream.of(**_columns(kept, list), players=_players(kept))
    notes = tuple(f"{n:,} game{'s' if n > 1 else ''} without {what} left out" for what, n in left_out.items())
    source = {"format": "PGN", "paths": [path.name for path in paths], "left_out": dict(left_out)}
    return replace(stream, notes=(*notes, *stream.notes), source=source)


def _read(path: Path) -> Iterator[Game]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path), expected="a file of PGN") from None
    yield from games(_text(content), str(path))


def _text(content: bytes) -> io.StringIO:
    """Return lines of text: UTF-8, or else Latin-1 as the specification has it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return io.StringIO(text, newline=None)


def games(lines: Iterable[str], place: str = "") -> Iterator[Game]:
    """Yield the tags of each game; `place` is the file, for messages.

    A game begins with a tag that follows moves or a blank line, or with a second `Event`. Comments in braces can hold
    anything but a tag `Event` after a blank line: a brace that nobody closed costs the rest of one game, not the file.
    """
    tags: dict[str, str] = {}
    begins = 0
    closed = blank = comment = False
    for n, line in enumerate(lines, 1):
        if comment and not (blank and EVENT.match(line)):
            blank = not line.strip()
            comment = _goes_on(line, comment=True)
            continue
        comment = False
        pairs = _tags(line)
        if pairs and tags and (closed or (pairs[0][0] == "Event" and "Event" in tags)):
            yield Game(f"{place}, line {begins}", tags)
            tags = {}
        if pairs:
            begins = begins if tags else n
            tags |= pairs
        elif line.strip() and not line.startswith("%"):
            comment = _goes_on(line, comment=False)
        blank = not line.strip()
        closed = not pairs
    if tags:
        yield Game(f"{place}, line {begins}", tags)


def _tags(line: str) -> list[tuple[str, str]]:
    """Return the tags of a line, none where it is of moves."""
    if not line.lstrip().startswith("["):
        return []
    pairs, at = [], 0
    while at < len(line):
        if found := TAG.match(line, at):
            pairs.append((found[1], found[2]))
            at = found.end()
        elif found := LOOSE.fullmatch(line):
            pairs, at = [(found[1], found[2])], len(line)
        else:
            return []
    return [(name, ESCAPED.sub(r"\1", text) if "\\" in text else text) for name, text in pairs]


def _goes_on(line: str, *, comment: bool) -> bool:
    """Return whether a comment in braces is open at the end of a line of moves."""
    at = 0
    while True:
        found = (CLOSES if comment else OPENS).search(line, at)
        if found is None or found[0] == ";":  # the rest of the line is a comment
            return comment
        comment, at = not comment, found.end()


def day_of(text: str) -> date | None:
    """Return a day as PGN writes it, or None where a part of it is not known.

    >>> day_of("2024.12.26"), day_of("2024.??.??"), day_of("2023.02.30")
    (datetime.date(2024, 12, 26), None, None)
    """
    found = re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def list_of(rate: str) -> List | None:
    """Return the list on which games of a `TimeControl` are rated; None where that is not sure.

    >>> list_of("900+10"), list_of("40/7200:3600"), list_of("15 min. + 10 s. per move"), list_of("90+30"), list_of("60")
    ('rapid', 'standard', 'rapid', None, None)
    """
    base = re.match(r"(?:\d+/)?(\d+)", rate)
    minutes = coded_minutes(rate) if base and int(base[1]) >= SHORTEST else told_minutes(rate)
    return None if minutes is None else time_class(minutes)


def _kept(found: Iterable[Game]) -> tuple[list[Played], Counter[str]]:
    """Return the games that say who played, how it ended and when; and what the others lack, counted."""
    kept: list[Played] = []
    left_out: Counter[str] = Counter()
    for game in found:
        white, black, score, moment = game.player("White"), game.player("Black"), game.score(), game.moment()
        if not white or not black:
            left_out[LEFT_OUT[0]] += 1
        elif score is None:
            left_out[LEFT_OUT[1]] += 1
        elif moment is None:
            left_out[LEFT_OUT[2]] += 1
        elif white == black:
            raise game.refuse(f"'{shown(game.says('Black'))}' plays against themselves", "Black", "another player")
        else:
            kept.append(Played(game, white, black, score, moment))
    return kept, left_out


def _columns(kept: list[Played], of: List | None) -> dict[str, Any]:
    """Return the columns of a stream; those of which no game says anything are left out."""
    columns: dict[str, Any] = {
        "first": [each.white for each in kept],
        "second": [each.black for each in kept],
        "score": [each.score for each in kept],
        "time": [each.moment for each in kept],
        "edge": [1.0] * len(kept),
    }
    ratings = {key: [each.game.rating(side) for each in kept] for key, side in PUBLISHED.items()}
    if any(not math.isnan(rating) for column in ratings.values() for rating in column):
        columns |= ratings
    if any(each.game.says("Event") for each in kept):
        columns["event"], columns["event_start"] = _events(kept)
    rates = [each.game.says("TimeControl") for each in kept]
    pools = {rate: of or list_of(rate) for rate in set(rates)}
    if any(pools.values()):
        columns["pool"] = [pools[rate] or UNKNOWN for rate in rates]
    return columns


def _events(kept: list[Played]) -> tuple[list[str], list[float]]:
    """Return the event of each game and the day it started."""
    keys = [_event(each.game, math.floor(each.moment)) for each in kept]
    starts: dict[tuple[str, date | None], float] = {}
    editions: defaultdict[str, set[date | None]] = defaultdict(set)
    for (name, day), each in zip(keys, kept, strict=True):
        known = math.inf if day is None else (day - EPOCH).days
        starts[name, day] = min(starts.get((name, day), math.inf), math.floor(each.moment), known)
        editions[name].add(day)
    labels = [f"{name} {day or '?'}" if len(editions[name]) > 1 else name for name, day in keys]
    return labels, [starts[key] for key in keys]


def _event(game: Game, day: int) -> tuple[str, date | None]:
    """Return the name and the first day of an event; a game of none is one of its own day."""
    if name := game.says("Event"):
        return name, day_of(game.says("EventDate"))
    return UNKNOWN, EPOCH + timedelta(days=day)


def _players(kept: list[Played]) -> pl.DataFrame:
    """Return what tags say of the players, the last word where they say several things."""
    known: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for game, white, black, _, _ in kept:
        for side, player in (("White", white), ("Black", black)):
            told = {"name": game.says(side), "title": title_of(game.says(f"{side}Title"))}
            told["federation"] = game.says(f"{side}Federation", f"{side}Fed")
            known[player] |= {key: text for key, text in told.items() if text}
    columns = [key for key in ("name", "title", "federation") if any(key in told for told in known.values())]
    return pl.DataFrame(
        {"player": [*known], **{key: [told.get(key) for told in known.values()] for key in columns}},
        schema_overrides=dict.fromkeys(columns, pl.String),
    )
