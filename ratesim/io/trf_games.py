"""Games out of tournament reports: one stream of any number of them, and what was known of the players before."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations
from typing import Any, Final, NamedTuple

import polars as pl

from ..errors import InputError, nearest
from ..intake import shown
from ..rules import LISTS, List
from ..stream import GameStream
from .trf import Player, Round, Tournament
from .trf_points import doubtful
from .trf_words import day, is_either_way, list_of

SCORES: Final = {"1": 1.0, "=": 0.5, "0": 0.0}
UNKNOWN = "unknown"  # pool of an event that does not tell its list, among some that do
SEXES: Final = {"m": "M", "w": "F"}  # as FIDE's lists have them
REASONS: Final = {  # why a round was no game, by its result
    **dict.fromkeys("+-", "forfeit"),
    **dict.fromkeys("WDL", "unplayed game"),
    **dict.fromkeys("10=", "unopposed result"),
    "H": "half-point bye",
    "F": "full-point bye",
    "U": "pairing-allocated bye",
    "Z": "zero-point bye",
    "": "absence",
}
OPEN = "open pairing"
CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
ROW: Final = {
    **dict.fromkeys(("id", "first", "second"), pl.String),
    "score": pl.Float64,
    "time": pl.Date,
    "edge": pl.Float64,
    **dict.fromkeys(("published_first", "published_second"), pl.Int64),
    "event": pl.String,
    "event_start": pl.Date,
    "event_end": pl.Date,
    "pool": pl.String,
}
Row = tuple[str | float | date | None, ...]


class Event(NamedTuple):
    """A tournament with what its games share."""

    tournament: Tournament
    label: str
    start: date
    end: date | None
    pool: List | None
    days: tuple[date, ...]  # of rounds


def tournament_games(
    tournaments: Tournament | Sequence[Tournament],
    *,
    start: date | str | None = None,
    list: List | None = None,  # noqa: A002  # FIDE's word
) -> GameStream:
    """Return the games of tournaments as one stream, those that can be rated: played, with two players.

    A player is called by FIDE id, or else by name; white is first and has the edge. Each tournament is an event, which
    starts with its first day (042, or else the earliest of 132). A game has the day of its round (132); where the day
    of one is missing, all games of the event have its start, and a note says so. Ratings of the report are the
    published ones. Forfeits, byes and games under one move are left out, counted in the notes and, event by event, in
    `source`; games against unrated players are there.

    Parameters
    ----------
    start : first day of tournaments that do not say theirs.
    list : standard, rapid or blitz, as `pool`; left out, it comes from the rate of play (222, 122) where that is sure.

    Raises
    ------
    InputError : a tournament without a first day or with a round before it, a player without a name and
        an id, two of one name without ids, a tournament twice, no games at all.
    """
    given = [tournaments] if isinstance(tournaments, Tournament) else [*tournaments]
    events = _events(given, _asked(start), _listed(list))
    frame = pl.DataFrame([row for event in events for row in _rows(event)], ROW, orient="row")
    if not len(frame):
        raise InputError("no games", where=", ".join(str(each.path) for each in given), expected="at least one played")
    frame = frame.drop(name for name in ("event_end", "pool") if frame[name].null_count() == len(frame))
    if "pool" in frame.columns:
        frame = frame.with_columns(pl.col("pool").fill_null(UNKNOWN))
    columns: dict[str, Any] = dict(frame.to_dict())
    stream = GameStream.of(**columns, players=_attributes(events))
    missed = {event.label: dict(not_rated(event.tournament)) for event in events}
    twice = _twice(events)
    paths = [event.tournament.path.name for event in events]
    source = {"format": "TRF", "paths": paths, "not_rated": missed, "twice": twice}
    doubts = [f"{' and '.join(files)} look like one tournament told twice: both are there" for files in twice]
    return replace(stream, notes=(*stream.notes, *_told(missed), *doubts, *_doubts(events)), source=source)


def tournament_starts(tournaments: Tournament | Sequence[Tournament]) -> pl.DataFrame:
    """Return what reports say of their players beforehand, as `read_starts` takes it.

    Returns
    -------
    A row a player, called as in `tournament_games`: player, rating (that of the first tournament with one, rating
    points), born (year); null where not known.

    Raises
    ------
    InputError : two players of one tournament have one name and no ids.
    """
    given = [tournaments] if isinstance(tournaments, Tournament) else [*tournaments]
    known: dict[str, dict[str, int | None]] = {}
    for tournament in sorted(given, key=lambda each: each.first_day or date.min):
        for player, key in zip(tournament.players, _keys(tournament).values(), strict=True):
            row = known.setdefault(key, {"rating": None, "born": None})
            row["rating"] = row["rating"] or player.rating
            row["born"] = row["born"] or player.born
    rows = [(player, row["rating"], row["born"]) for player, row in known.items()]
    schema = {"player": pl.String, "rating": pl.Float64, "born": pl.Float64}
    return pl.DataFrame(rows, schema, orient="row", strict=False)


def not_rated(tournament: Tournament) -> Counter[str]:
    """Return how many rounds were no games, by reason; one of two players counts once."""
    counts: Counter[str] = Counter()
    by_number = {player.number: player for player in tournament.players}
    paired = _paired(tournament)
    for player in tournament.players:
        for k in range(max(paired, len(player.rounds))):
            said = _said(player, k)
            foe = by_number.get(said.opponent or 0)
            both = foe is not None and _said(foe, k).opponent == player.number
            if (foe and said.result in SCORES) or (foe and both and foe.number < player.number):
                continue
            if foe or said.result or k < paired:
                counts[OPEN if foe and not said.result else REASONS[said.result]] += 1
    return counts


def _asked(start: date | str | None) -> date | None:
    if not isinstance(start, str):
        return start
    try:
        return date.fromisoformat(start)
    except ValueError:
        raise InputError(f"start = '{shown(start)}'", expected="a day as YYYY-MM-DD") from None


def _listed(name: List | None) -> List | None:
    if name is not None and name not in LISTS:
        raise InputError(f"list = '{shown(name)}'", expected=f"one of {', '.join(LISTS)}", near=nearest(name, LISTS))
    return name


def _events(given: Sequence[Tournament], start: date | None, asked: List | None) -> list[Event]:
    """Return tournaments as events, in order of time, whatever that of their files."""
    seen: dict[Tournament, Tournament] = {}
    for each in given:
        if (other := seen.setdefault(each, each)) is not each:
            raise InputError("one tournament twice", where=f"{other.path}, {each.path}", expected="it once")
    names = Counter(each.name or each.path.stem for each in given)
    events: dict[str, Event] = {}
    for each in given:
        name = each.name or each.path.stem
        _check_plain(name, "name", str(each.path))
        label = name if names[name] == 1 else f"{name} [{each.path.stem}]"
        if label in events:
            where = f"{each.path}, {events[label].tournament.path}"
            raise InputError(f"two tournaments are '{shown(label)}'", where=where, expected="names that differ")
        began = each.first_day or start
        if began is None:
            said = f"first day '{shown(each.start)}' (042) is no date" if each.start else "no first day (042)"
            raise InputError(said, where=str(each.path), expected="the option start=YYYY-MM-DD (--event-start)")
        pool = asked or list_of(next(iter(each.records("222")), ""), each.time_control)
        events[label] = Event(each, label, began, _ended(each, began), pool, _days(each, began))
    return sorted(events.values(), key=lambda event: (event.start, event.label))


def _twice(events: Sequence[Event]) -> list[tuple[str, str]]:
    """Return the files of each two tournaments of one name and first day that share players."""
    return [
        (str(one.tournament.path), str(other.tournament.path))
        for one, other in combinations(events, 2)
        if (one.tournament.name, one.start) == (other.tournament.name, other.start)
        and set(_keys(one.tournament).values()) & set(_keys(other.tournament).values())
    ]


def _days(tournament: Tournament, start: date) -> tuple[date, ...]:
    """Return the days of all rounds, or none where one is missing."""
    n_rounds = _paired(tournament)
    days = tuple(filter(None, tournament.dates[:n_rounds]))
    if early := next((each for each in days if each < start), None):
        where = f"{tournament.path}, round {tournament.dates.index(early) + 1}"
        raise InputError(f"is on {early} (132)", where=where, expected=f"the event's first day {start} or later")
    return days if len(days) == n_rounds else ()


def _ended(tournament: Tournament, start: date) -> date | None:
    """Return the last day, where 052 says so in a way we know and not before another; a doubt is noted elsewhere."""
    said = day(tournament.end)
    return None if said is None or said < max((start, *filter(None, tournament.dates))) else said


def _keys(tournament: Tournament) -> dict[int, str]:
    """Return what the stream calls players, by start rank."""
    seen: dict[str, Player] = {}
    for player in tournament.players:
        key = player.id or player.name
        if not key:
            where = f"{tournament.path}, line {player.line}"
            raise InputError("a player without a name and an id", where=where, expected="one of them")
        _check_plain(key, "player", f"{tournament.path}, line {player.line}")
        if (other := seen.setdefault(key, player)) is not player:
            where = f"{tournament.path}, lines {other.line} and {player.line}"
            raise InputError(f"both are '{shown(key)}'", where=where, expected="an id, or a name of their own")
    return {player.number: key for key, player in seen.items()}


def _check_plain(text: str, what: str, where: str) -> None:
    if CONTROL.search(text):
        raise InputError(f"{what} '{shown(text)}' has a control character", where=where, expected="a plain name")


def _paired(tournament: Tournament) -> int:
    """Return how many rounds there were pairings of: later ones can have byes already."""
    opponents = ((k, said.opponent) for player in tournament.players for k, said in enumerate(player.rounds, 1))
    return max((k for k, opponent in opponents if opponent is not None), default=0)


def _said(player: Player, k: int) -> Round:
    return player.rounds[k] if k < len(player.rounds) else Round()


def _rows(event: Event) -> Iterator[Row]:
    """Yield the games of an event, round by round."""
    players, keys = {player.number: player for player in event.tournament.players}, _keys(event.tournament)
    for k in range(_paired(event.tournament)):
        time = event.days[k] if event.days else event.start
        for player in players.values():
            mine = _said(player, k)
            if mine.opponent is None or mine.result not in SCORES:
                continue
            foe = players[mine.opponent]
            white = mine.colour == "w" or _said(foe, k).colour == "b"
            black = mine.colour == "b" or _said(foe, k).colour == "w"
            if black or (not white and foe.number < player.number):
                continue  # told by the other's line
            first, second = keys[player.number], keys[foe.number]
            game = (f"{event.label}, round {k + 1}, {first}", first, second, SCORES[mine.result], time, float(white))
            yield (*game, player.rating, foe.rating, event.label, event.start, event.end, event.pool)


def _attributes(events: Iterable[Event]) -> pl.DataFrame:
    """Return the table of players; the last event that knows something of one has it right."""
    kinds = {"name": pl.String, "federation": pl.String, "sex": pl.String, "title": pl.String, "born": pl.Int64}
    known: dict[str, dict[str, Any]] = {}
    for event in events:
        for player, key in zip(event.tournament.players, _keys(event.tournament).values(), strict=True):
            told = {name: getattr(player, name) for name in kinds} | {"sex": SEXES.get(player.sex)}
            known[key] = known.get(key, {}) | {name: value for name, value in told.items() if value}
    return pl.DataFrame([{"player": key, **told} for key, told in known.items()], {"player": pl.String, **kinds})


def _told(missed: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return a note on what was left out, over all events."""
    total: Counter[str] = Counter()
    for counts in missed.values():
        total.update(counts)
    counted = [f"{count:,} {reason}{'s' if count > 1 else ''}" for reason, count in total.most_common()]
    return [f"not rated: {', '.join(counted)}"] if counted else []


def _doubts(events: Sequence[Event]) -> list[str]:
    """Return notes on what was not said or may be meant otherwise, one for all events that share it."""
    found: dict[str, list[str]] = {}
    for event in events:
        for line in _doubts_of(event):
            found.setdefault(line, []).append(event.label)
    lines = []
    for line, labels in found.items():
        whose = f"{len(labels):,} events" if len(labels) > 1 else labels[0]
        lines.append(line if len(events) == 1 else f"{whose}: {line}")
    return lines


def _doubts_of(event: Event) -> Iterator[str]:
    tournament = event.tournament
    if tournament.start and day(tournament.start) is None:
        yield f"first day '{shown(tournament.start)}' (042) is no date that is known: taken is {event.start}"
    elif is_either_way(tournament.start):
        yield f"first day '{shown(tournament.start)}' (042) is read day first"
    if tournament.end and event.end is None:
        yield f"last day '{shown(tournament.end)}' (052) is no date that can be: taken is that of the last game"
    if not event.days:
        yield "days of rounds (132) are missing: all games have the event's first day"
    told = list_of(next(iter(tournament.records("222")), ""), tournament.time_control)
    if told and told != event.pool:
        yield f"the rate of play (222, 122) is of {told}, taken as {event.pool}"
    if event.pool is None:
        yield "the rate of play (222, 122) tells no list: the pool is unknown"
    if wrong := doubtful(tournament):
        player, made = wrong[0]
        also = f", and {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
        yield f"line {player.line} has {player.points:g} points, and results that make {made:g}{also}"
