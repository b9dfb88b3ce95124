"""Which column of an unknown file holds what: guesses from its header and its first rows, each with its reason."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

SIDES = (  # names of the two players, likeliest first
    ("first", "second"),
    ("white_id", "black_id"),
    ("white", "black"),
    ("home_team", "away_team"),
    ("home", "away"),
    ("hometeam", "awayteam"),
    ("player1", "player2"),
    ("player_1", "player_2"),
    ("player1id", "player2id"),
    ("player1_id", "player2_id"),
    ("player_a", "player_b"),
    ("team1", "team2"),
    ("team_1", "team_2"),
    ("team_a", "team_b"),
    ("model_a", "model_b"),
    ("p1", "p2"),
    ("a", "b"),
    ("left", "right"),
)
POINTS = (
    ("points_first", "points_second"),
    ("home_score", "away_score"),
    ("home_points", "away_points"),
    ("home_goals", "away_goals"),
    ("fthg", "ftag"),
    ("score1", "score2"),
    ("score_1", "score_2"),
    ("points1", "points2"),
    ("goals1", "goals2"),
)
PUBLISHED = (
    ("published_first", "published_second"),
    ("white_rating", "black_rating"),
    ("white_elo", "black_elo"),
    ("whiteelo", "blackelo"),
    ("home_elo", "away_elo"),
    ("elo1", "elo2"),
    ("elo1_pre", "elo2_pre"),
)
SCORES = ("score", "result", "result1", "winner", "outcome")
TIMES = (
    "time",
    "date",
    "datetime",
    "timestamp",
    "created_at",
    "played_at",
    "utcdate",
    "game_date",
    "match_date",
    "startdate",
    "start_date",
    "start_time",
    "last_move_at",
)
SINGLE = {  # column of a stream: its names in files
    "neutral": ("neutral", "neutral_site", "neutral_ground"),
    "season": ("season",),
    "stage": ("stage",),
    "margin": ("margin",),
    "edge": ("edge",),
    "weight": ("weight",),
    "id": ("id", "game_id", "match_id"),
}
OFFERED = {  # may be meant, but changes what is compared: written as a comment
    "stage": ("tournament", "competition", "playoff", "game_type"),
    "event": ("event", "event_id", "eventid", "tournament", "tournament_id"),
    "pool": ("pool", "time_control", "surface", "speed"),
}
ROW = "row"  # as `ratesim.io.columns` has it, which must not be imported with the verbs
DATE = re.compile(r"(1\d|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
ADVANTAGED = ("home", "white")
FIRST_WINS = {"white", "w", "home", "h", "first", "1", "1-0", "win", "left", "model_a", "a", "player1", "team1"}
SECOND_WINS = {"black", "b", "away", "a", "second", "2", "0", "0-1", "loss", "right", "model_b", "player2", "team2"}
DRAWS = {"draw", "tie", "d", "x", "1/2", "1/2-1/2", "½", "½-½", "0.5", "tie (bothbad)"}


class Guess(NamedTuple):
    """A column map, as an experiment file has it, and what else was found."""

    columns: dict[str, Any]
    reasons: dict[str, str]  # of a key of `columns`
    offered: dict[str, Any]  # what could be added
    missing: tuple[str, ...]  # of first, second, score, time
    header: tuple[str, ...]  # all columns of the file


def guess(
    header: Sequence[str], rows: Sequence[Mapping[str, str | None]], given: Mapping[str, Any] | None = None
) -> Guess:
    """Return the likeliest column map of a file.

    Parameters
    ----------
    header : names of the columns, in the file's order.
    rows : the first rows as text; what their cells look like settles units and labels.
    given : what the map says already; the rest is guessed to go with it.

    >>> guess(["date", "home", "away", "result"], [{"date": "2024-01-01", "result": "H"}]).columns
    {'first': 'home', 'second': 'away', 'score': 'result', 'scores': {'H': 1}, 'time': 'date', 'edge': 1}
    """
    known = {name.lower(): name for name in reversed(header)}
    given = given or {}
    columns: dict[str, Any] = {**_pair(known, SIDES, ("first", "second"))}
    columns |= _scored(known, rows, given) | _timed(known, rows, given)
    columns |= _pair(known, PUBLISHED, ("published_first", "published_second"))
    columns |= {key: name for key, names in SINGLE.items() if (name := _named(known, names))}
    if "id" in columns and len({row.get(columns["id"]) for row in rows}) < len(rows) / 2:
        del columns["id"]  # it tells something else apart
    columns |= given
    offered: dict[str, Any] = {key: name for key, names in OFFERED.items() if (name := _named(known, names))}
    if rated := _named(known, ("rated",)):
        offered["where"] = {rated: _yes([row.get(rated) for row in rows])}
    if {"edge", "neutral"} <= columns.keys() and not {"edge", "neutral"} <= given.keys():
        less = "edge" if given.get("neutral") else "neutral"
        offered[less] = columns.pop(less)
    elif not {"edge", "neutral"} & columns.keys() and columns.get("first", "").lower().startswith(ADVANTAGED):
        columns["edge"] = 1
    if "time" not in columns and {"first", "second"} <= columns.keys() and ROW not in header:
        columns["time"] = ROW
    offered = {key: value for key, value in offered.items() if key not in columns}
    found = columns.keys() | ({"score"} if columns.get("points_first") else set())
    missing = tuple(key for key in ("first", "second", "score", "time") if key not in found)
    return Guess(columns, _reasons(columns), offered, missing, tuple(header))


def _scored(
    known: Mapping[str, str], rows: Sequence[Mapping[str, str | None]], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return where the result stands: in points, or else in a score."""
    points = _pair(known, POINTS, ("points_first", "points_second"))
    said = {key for key, value in given.items() if value != ""}
    blank = given.keys() - said
    if points and not (said & {"score", "scores"} or blank & {"points_first", "points_second"}):
        return points
    score = given.get("score") or _named(known, SCORES)
    return _score(score, [row.get(score) for row in rows]) if score else {}


def _timed(
    known: Mapping[str, str], rows: Sequence[Mapping[str, str | None]], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return where the time stands, and its unit."""
    time = given.get("time") or _named(known, TIMES)
    return _time(time, [row.get(time) for row in rows]) if time else {}


def _reasons(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return what a reader should know of some keys of a map."""
    about = {
        "points_first": "the one with more points scores 1, equal points are a draw",
        "scores": "score of first; every label of the file must be here",
        "time_unit": "since 1970-01-01, judged by the size of the numbers",
        "neutral": "first has the advantage wherever this is false",
        "id": "rows with the same id are counted as duplicates",
    }
    if columns.get("edge") == 1:
        about["edge"] = "first has the advantage in every game"
    if columns.get("time") == ROW:
        about["time"] = "no dates found: the order of the file, row n on day n"
    return {key: reason for key, reason in about.items() if key in columns}


def _named(known: Mapping[str, str], names: Sequence[str]) -> str | None:
    return next((known[name] for name in names if name in known), None)


def _pair(known: Mapping[str, str], pairs: Sequence[tuple[str, str]], keys: tuple[str, str]) -> dict[str, str]:
    found = next((pair for pair in pairs if pair[0] in known and pair[1] in known), None)
    return {key: known[name] for key, name in zip(keys, found, strict=True)} if found else {}


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _cells(cells: Sequence[str | None]) -> list[str]:
    return [cell.strip() for cell in cells if cell and cell.strip()]


def _score(name: str, cells: Sequence[str | None]) -> dict[str, Any]:
    """Return the score column and, where its cells are labels, what each label scores for first."""
    labels = sorted(set(_cells(cells)))
    numbers = [_number(label) for label in labels]
    if all(n is not None and 0 <= n <= 1 for n in numbers):
        return {"score": name}
    letters = {"h", "d"} & {label.lower() for label in labels}  # with these, A is the away side
    scores: dict[str, float] = {}
    for label in labels:
        word = label.lower()
        if word in DRAWS:
            scores[label] = 0.5
        elif word in FIRST_WINS and not (word == "a" and letters):
            scores[label] = 1
        elif word in SECOND_WINS:
            scores[label] = 0
    return {"score": name, "scores": scores} if scores else {"score": name}


def _time(name: str, cells: Sequence[str | None]) -> dict[str, str]:
    """Return the time column and, where its cells are numbers, the unit that puts them into our age."""
    numbers = [n for cell in _cells(cells) if (n := _number(cell)) is not None]
    if not numbers or len(numbers) < len(_cells(cells)) or all(DATE.fullmatch(cell) for cell in _cells(cells)):
        return {"time": name}  # reading says what is wrong with 20240131
    size = max(abs(n) for n in numbers)
    for unit, least in (("us", 1e14), ("ms", 1e11), ("s", 1e7)):
        if size >= least:
            return {"time": name, "time_unit": unit}
    return {"time": name, "time_unit": "D"}


def _yes(cells: Sequence[str | None]) -> str:
    return next((cell for cell in _cells(cells) if cell.lower() in {"true", "1", "yes", "y", "t"}), "TRUE")
