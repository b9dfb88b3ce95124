"""FIDE's tournament report files, TRF16 and TRF26 (General Handbook C.04 A, Annex 2): what is in one, as written.

Columns are counted in characters, as the format counts them. Newer, national and pairing programs' records are kept
as they stand, so that nothing is lost between reading and writing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..errors import InputError
from ..intake import shown
from .trf_words import day, round_day, title_of

HEADERS: Final = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "062": "n_players",
    "072": "n_rated",
    "082": "n_teams",
    "092": "type",
    "102": "arbiter",
    "122": "time_control",
}
DEPUTY, DATES, PLAYER, TEAM, TEAM26 = "112", "132", "001", "013", "310"
FIELDS: Final = {  # of a player's line
    "start rank": slice(4, 8),
    "sex": slice(9, 10),
    "title": slice(10, 13),
    "name": slice(14, 47),
    "rating": slice(48, 52),
    "federation": slice(53, 56),
    "id": slice(57, 68),
    "birth": slice(69, 79),
    "points": slice(80, 84),
    "rank": slice(85, 89),
}
ROUNDS, WIDTH = 91, 10  # where the first round begins, and how far it is to the next
CUT = 5  # columns of a round that hold an opponent and no more
MEMBERS, SEAT = {TEAM: 36, TEAM26: 73}, 5
CELL = re.compile(r"([\d ]{4}) ([wb -]) ([10=+\-WDLHFUZ ]) *", re.IGNORECASE | re.ASCII)
LINE_END = re.compile(r"\r\n|\r|\n")
SHORTEST = FIELDS["points"].stop
LONGEST = ROUNDS + 1000 * WIDTH
HIGHEST = 4000
RESULTS = "1, = or 0 for a game, W, D, L, + or - for none, or H, F, U or Z for a bye"


class Round(NamedTuple):
    """What a player's line says of one round; a code is "" where there is none."""

    opponent: int | None = None  # start rank
    colour: str = ""  # w, b or -
    result: str = ""  # 1 = 0 played, W D L under a move each, + - forfeited, H F U Z byes


@dataclass(frozen=True)
class Player:
    """A player's line: start rank, who it is, rating, standing and rounds; `line` is its number in the file."""

    number: int
    name: str
    sex: str = ""  # m or w
    title: str = ""  # GM IM FM CM WGM WIM WFM WCM, also where the file writes g m f c; others as written
    rating: int | None = None
    federation: str = ""
    id: str | None = None
    birth: str = ""  # as written
    points: float | None = None
    rank: int | None = None
    rounds: tuple[Round, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def born(self) -> int | None:
        """Year of birth."""
        years = re.findall(r"(?<!\d)[12]\d{3}(?!\d)", self.birth)
        return int(years[0]) if len(years) == 1 else None


@dataclass(frozen=True)
class Team:
    """A team, its members by start rank; a record that is not TRF16's is kept as it stands."""

    name: str
    members: tuple[int, ...]
    record: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Tournament:
    """A tournament report. Texts are as written; `dates` has the day of each round where it is said.

    `others` are all records without a place of their own, in order: TRF26's, a federation's, a pairing program's,
    rulers and remarks. Two tournaments are equal whatever their files and the numbers of their lines.
    """

    name: str = ""
    city: str = ""
    federation: str = ""
    start: str = ""
    end: str = ""
    n_players: str = ""
    n_rated: str = ""
    n_teams: str = ""
    type: str = ""
    arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    dates: tuple[date | None, ...] = ()
    players: tuple[Player, ...] = ()
    teams: tuple[Team, ...] = ()
    others: tuple[str, ...] = ()
    path: Path = field(default=Path("tournament"), compare=False)

    @property
    def first_day(self) -> date | None:
        """The day it began, where 042 says so in a way we know, or else the earliest of 132."""
        return day(self.start) or min(filter(None, self.dates), default=None)

    def records(self, code: str) -> list[str]:
        """Return what other records of a code say, such as "222" or "XXR"."""
        return [line[3:].strip() for line in self.others if line[:3] == code and line[3:4] in {"", " "}]


def is_trf(head: bytes) -> bool:
    r"""Return whether a file that begins so is a tournament report: one of its lines is a player's.

    >>> is_trf(b"012 Open\r001    1 m  g Mirzoev Azer"), is_trf(b"first,second,score,time\n")
    (True, False)
    """
    return re.search(rb"(?:^|[\r\n]|^\xef\xbb\xbf)001 [ \d]{4} ", head) is not None


def read_trf(path: str | Path) -> Tournament:
    """Read a tournament report.

    TRF16, TRF26, and what JaVaFo and bbpPairings add. UTF-8, or else Windows' or ISO's Latin 1; lines may end in CR,
    LF or both, and after the last round. A rating or an id of 0 is none.

    Raises
    ------
    InputError : no such file, a line that cannot be read or ends too soon, an opponent who is not in the file, two
        lines that contradict each other, a start rank or an id twice, no players.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(str(reason), where=str(path), expected="a tournament report (TRF)") from None
    return parse(decoded(content), path)


def decoded(content: bytes) -> str:
    """Return the text of a report: UTF-8, or else Windows' or ISO's Latin 1."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def parse(text: str, path: Path) -> Tournament:
    """Return the tournament that a text reports; `path` is for messages and where it has no name."""
    found: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {name: [] for name in ("deputies", "players", "teams", "others")}
    for number, line in enumerate(LINE_END.split(text), 1):
        code, said = line[:3], line[3:].strip()
        at = f"{path}, line {number}"
        if code == PLAYER:
            lists["players"].append(_player(line, number, at))
        elif code in MEMBERS:
            lists["teams"].append(_team(line, number, at))
        elif code == DEPUTY:
            lists["deputies"] += filter(None, [said])
        elif code in HEADERS and HEADERS[code] not in found:
            found[HEADERS[code]] = said
        elif code == DATES and "dates" not in found:
            found["dates"] = tuple(_dates(line, at))
        elif line.strip():
            lists["others"].append(line)
    found |= {name: tuple(each) for name, each in lists.items()}
    tournament = Tournament(**found, path=path)
    _check(tournament)
    return tournament


def _player(line: str, number: int, at: str) -> Player:
    if (length := len(line.rstrip())) < SHORTEST:
        raise InputError(f"too short, {length} columns", where=at, expected=f"a player's line, at least {SHORTEST}")
    if length > LONGEST:  # each round of one player is looked for in all others
        raise InputError(f"too long, {length:,} columns", where=at, expected=f"a player's line, at most {LONGEST:,}")
    cell = {name: line[place].strip() for name, place in FIELDS.items()}
    rank = _whole(cell, "start rank", at)
    if not rank:
        raise InputError("no start rank", where=_columns(at, "start rank"), expected="a whole number from 1")
    rating = _whole(cell, "rating", at)
    if rating and rating > HIGHEST:
        raise InputError(f"rating {rating}", where=_columns(at, "rating"), expected=f"at most {HIGHEST}")
    return Player(
        number=rank,
        name=cell["name"],
        sex=cell["sex"].lower().replace("f", "w"),
        title=title_of(cell["title"]),
        rating=rating or None,
        federation=cell["federation"],
        id=(cell["id"].lstrip("0") if cell["id"].isdecimal() else cell["id"]) or None,
        birth=cell["birth"],
        points=_points(cell["points"], at),
        rank=_whole(cell, "rank", at),
        rounds=tuple(_rounds(line, at)),
        line=number,
    )


def _columns(at: str, name: str) -> str:
    return f"{at}, columns {FIELDS[name].start + 1}-{FIELDS[name].stop}"


def _whole(cell: Mapping[str, str], name: str, at: str) -> int | None:
    text = cell[name]
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise InputError(f"{name} '{shown(text)}'", where=_columns(at, name), expected="a whole number")
    return int(text)


def _points(text: str, at: str) -> float | None:
    if not text:
        return None
    if not re.fullmatch(r"\d+([.,]\d*)?|[.,]\d+", text, re.ASCII):
        raise InputError(f"points '{shown(text)}'", where=_columns(at, "points"), expected="a number such as 4.5")
    return float(text.replace(",", "."))


def _rounds(line: str, at: str) -> list[Round]:
    """Return rounds up to the last of which anything is said."""
    end = len(line.rstrip())
    rounds: list[Round] = []
    for start in range(ROUNDS, end, WIDTH):
        text = line[start : start + WIDTH].ljust(WIDTH)
        found = CELL.fullmatch(text)
        opponent, colour, result = (each.strip() for each in found.groups()) if found else (" ", "", "")
        cut = bool(opponent) and end <= start + CUT
        if cut or " " in opponent:
            what = "too short, it ends within" if cut else f"'{shown(text.rstrip())}' is no result of"
            where = f"{at}, columns {start + 1}-{start + 8}"
            expected = f"an opponent, w, b or -, and {RESULTS}"
            raise InputError(f"{what} round {len(rounds) + 1}", where=where, expected=expected)
        rounds.append(Round(int(opponent or 0) or None, colour.lower(), result.upper()))
    return rounds


def _dates(line: str, at: str) -> list[date | None]:
    days = []
    for start in range(ROUNDS, len(line.rstrip()), WIDTH):
        text = line[start : start + WIDTH].strip()
        found = round_day(text)
        if text and found is None:
            where = f"{at}, columns {start + 1}-{start + 8}"
            raise InputError(f"'{shown(text)}' is no date", where=where, expected="YY/MM/DD")
        days.append(found)
    return days


def _team(line: str, number: int, at: str) -> Team:
    code, end = line[:3], len(line.rstrip())
    members = []
    for start in range(MEMBERS[code], end, SEAT):
        text = line[start : start + 4].strip()
        if text and not (text.isascii() and text.isdecimal()):
            where = f"{at}, columns {start + 1}-{start + 4}"
            raise InputError(f"member '{shown(text)}'", where=where, expected="a start rank")
        members += [int(text)] if text else []
    name = line[4:36] if code == TEAM else line[8:40]
    return Team(name.strip(), tuple(members), "" if code == TEAM else line, number)


def _check(tournament: Tournament) -> None:
    """Refuse a tournament of no players, one of them twice, unknown opponents, contradictions.

    Raises
    ------
    InputError : as said.
    """
    players, place = tournament.players, tournament.path
    if not players:
        raise InputError("no players", where=str(place), expected=f"lines that begin with {PLAYER}")
    _once(players, "start rank", lambda player: player.number, place)
    _once(players, "id", lambda player: player.id, place)
    known = {player.number: player for player in players}
    for team in tournament.teams:
        for member in team.members:
            _known(member, known, f"{place}, line {team.line}", "member")
    paired = [(player, k) for player in players for k, said in enumerate(player.rounds) if said.opponent is not None]
    for player, k in paired:
        _known(player.rounds[k].opponent, known, f"{place}, line {player.line}, round {k + 1}", "opponent")
    for player, k in paired:
        _check_pair(player, known[player.rounds[k].opponent or 0], k, place)


def _once(players: tuple[Player, ...], what: str, key: Callable[[Player], object], place: Path) -> None:
    seen: dict[object, Player] = {}
    for player in players:
        value = key(player)
        if value is not None and (first := seen.setdefault(value, player)) is not player:
            where = f"{place}, lines {first.line} and {player.line}"
            raise InputError(f"both have {what} {value}", where=where, expected="each player once")


def _known(number: int | None, known: Mapping[int, Player], where: str, what: str) -> None:
    if number not in known:
        raise InputError(f"{what} {number} is not in the file", where=where, expected="a player's start rank")


AGREE: Final[Mapping[str, set[str]]] = {
    "1": {"0"},
    "0": {"1"},
    "=": {"="},
    "W": {"L"},
    "L": {"W"},
    "D": {"D"},
    "+": {"-"},
    "-": {"+", "-"},
    "": {""},
}


def _check_pair(player: Player, foe: Player, k: int, place: Path) -> None:
    """Refuse a round that the other line tells otherwise; of a game not played it may say nothing."""
    mine, theirs = player.rounds[k], foe.rounds[k] if k < len(foe.rounds) else Round()
    if mine.result not in AGREE or (theirs.opponent is None and mine.result in {"+", "-", ""}):
        return
    if foe is player:
        where = f"{place}, line {player.line}, round {k + 1}"
        raise InputError(f"{player.number} plays themselves", where=where, expected="another player's start rank")
    colours = {mine.colour, theirs.colour}
    one_colour = mine.colour == theirs.colour and colours <= {"w", "b"}
    if theirs.opponent != player.number or theirs.result not in AGREE[mine.result] or one_colour:
        said = " and ".join(
            f"{each.number} has '{one.opponent or 0} {one.colour or ' '} {one.result or ' '}'"
            for each, one in ((player, mine), (foe, theirs))
        )
        where = f"{place}, lines {player.line} and {foe.line}, round {k + 1}"
        raise InputError(said, where=where, expected="each as the other's opponent, w against b, results that agree")
