"""Tournament reports as TRF16 writes them."""

from dataclasses import fields
from pathlib import Path

from ..errors import InputError
from ..files import whole
from ..intake import shown
from .trf import (
    DATES,
    DEPUTY,
    FIELDS,
    HEADERS,
    LINE_END,
    MEMBERS,
    PLAYER,
    ROUNDS,
    TEAM,
    Player,
    Round,
    Team,
    Tournament,
    parse,
)

LEFT = {"sex", "name", "federation", "birth"}  # the other fields stand at the right of theirs


def write_trf(tournament: Tournament, path: str | Path) -> None:
    """Write a tournament report in TRF16, UTF-8; the file is whole or not there.

    What is read from the file is the tournament again, and written once more the same bytes. Records that are not
    TRF16's stand as they were, before the players.

    Raises
    ------
    InputError : the file cannot be written, or something does not fit its columns, so that it would be read otherwise.
    """
    path = Path(path)
    lines = _lines(tournament)
    if broken := next(filter(LINE_END.search, lines), None):
        raise InputError(f"'{shown(broken)}' has an end of line within", where=str(path), expected="one line")
    text = "".join(f"{line.rstrip() if line[:3] in OURS else line}\n" for line in lines)
    _check(tournament, parse(text, path), path)
    with whole(path) as place:
        place.write_bytes(text.encode())


OURS = {*HEADERS, DEPUTY, DATES, PLAYER, TEAM}


def _lines(tournament: Tournament) -> list[str]:
    said = {code: [getattr(tournament, name)] for code, name in HEADERS.items()}
    said[DEPUTY] = list(tournament.deputies)
    lines = [f"{code} {text}" for code in sorted(said) for text in said[code] if text]
    if tournament.dates:
        days = (f"{day:%y/%m/%d}" if day else "" for day in tournament.dates)
        lines.append(DATES.ljust(ROUNDS) + "".join(f"{day:<10}" for day in days))
    lines += tournament.others
    lines += map(_player, tournament.players)
    return lines + list(map(_team, tournament.teams))


def _player(player: Player) -> str:
    cells = {
        "start rank": str(player.number),
        "sex": player.sex,
        "title": player.title,
        "name": player.name,
        "rating": _text(player.rating),
        "federation": player.federation,
        "id": _text(player.id),
        "birth": player.birth,
        "points": "" if player.points is None else _points(player.points),
        "rank": _text(player.rank),
    }
    line = PLAYER
    for name, place in FIELDS.items():
        width = place.stop - place.start
        cell = cells[name].ljust(width) if name in LEFT else cells[name].rjust(width)
        line = line.ljust(place.start) + cell
    return line.ljust(ROUNDS) + "  ".join(map(_round, player.rounds))


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _points(points: float) -> str:
    tenths = f"{points:.1f}"
    return tenths if float(tenths) == points else str(points)


def _round(said: Round) -> str:
    if said == Round():
        return " " * 8
    return f"{said.opponent or '0000':>4} {said.colour or ' '} {said.result or ' '}"


def _team(team: Team) -> str:
    seats = " ".join(f"{member:>4}" for member in team.members)
    return team.record or f"{TEAM} {team.name}".ljust(MEMBERS[TEAM]) + seats


def _check(tournament: Tournament, read: Tournament, path: Path) -> None:
    """Refuse a tournament that would be read back as another."""
    for part in (each.name for each in fields(tournament) if each.compare):
        meant, found = getattr(tournament, part), getattr(read, part)
        if meant != found:
            where = f"{path}, {part}"
            if part == "players" and len(meant) == len(found):
                player, other = next((one, two) for one, two in zip(meant, found, strict=True) if one != two)
                where = f"{path}, player {player.number}"
                meant, found = (" ".join(_player(each).split()) for each in (player, other))
            raise InputError(f"'{shown(meant)}' would be read back as '{shown(found)}'", where=where)
