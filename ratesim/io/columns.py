"""Which column of a file holds what: the `columns` table of an experiment file, `--map` on the command line."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, Self, cast

from pydantic import BeforeValidator, Field, model_validator

from ..errors import InputError, nearest
from ..intake import shown
from ..spec import Spec

Cell = str | bool | int | float
MENTIONED = 12  # columns that an error lists
ROW = "row"  # the time of games without dates: the number of the row, in days


def _constant(edge: object) -> object:
    """Return an edge that is a number as one, also where the command line gives it as text."""
    with suppress(TypeError, ValueError):
        return float(cast(str, edge))
    return edge


def column(about: str) -> Any:  # noqa: ANN401  # as pydantic's own Field, it stands for a value of any type
    """Return a field that names a column of the file; left out, it is the file's column of that very name, if any."""
    return Field(None, description=about)


class ColumnMap(Spec):
    """Columns of a file by what they mean to us.

    A column left out is the file's column of the same name where there is one; `""` leaves even that unused.
    `time = "row"` is for games without dates, in the order of the file: row n is played on day n, so that a period of
    100 days holds 100 games, and no two games are equal unless `id` says so.

    `rows = "sides"` is for tables in which a game is two rows, one for each of its players: `id` joins the two;
    `player`, `score` or `points`, `published` and `change` are those of the row's player; `side` says which row is that
    of first; what a game has once (its time, season, stage ...) is taken from that row.

    >>> ColumnMap(first="home", second="away", score="result", scores={"H": 1, "D": 0.5, "A": 0}).score
    'result'
    """

    kind: Literal["columns"] = "columns"
    rows: Literal["games", "sides"] = Field("games", description="what a row is: a game, or one side of a game")
    first: str | None = column("name of the first player")
    second: str | None = column("name of the second player")
    player: str | None = column("name of the player of the row; of rows = sides, as the next four")
    points: str | None = column("points of the row's player; more points than the other score 1, equal points 0.5")
    published: str | None = column("rating of the row's player before the game, by whoever published it")
    change: str | None = column("change of that rating by the game")
    side: str | None = column("which side the row is; left out, the first of two rows in the file is first")
    first_side: str | None = Field(None, description="value of `side` that means first, such as home; yes if left out")
    score: str | None = column(
        "score of first, or of the row's player, from 0 to 1; a result such as 1-0, or a label that `scores` explains"
    )
    scores: dict[str, float] | None = Field(None, description="score of first for each label, such as { white = 1 }")
    points_first: str | None = column("points of first; more points score 1, equal points 0.5")
    points_second: str | None = column("points of second")
    time: str | None = column(
        "date (1951-??-?? where a part is unknown), datetime (UTC where it names no zone) or number since 1970-01-01;"
        " `row`: no dates, the order of the file"
    )
    time_unit: Literal["s", "ms", "us", "D"] | None = Field(None, description="unit of numeric times; days if left out")
    neutral: str | None = column("whether nobody has the advantage; where it is false, first has it")
    edge: Annotated[str | float | None, BeforeValidator(_constant)] = column(
        "who has the advantage: 1 first, 0 nobody, -1 second; or one such number, for all games"
    )
    margin: str | None = column("how far first was ahead; the difference of points if left out")
    weight: str | None = column("weight of the game, at least 0")
    season: str | None = column("season of the game")
    stage: str | None = column("what the game was played for: a league, its play-offs, a friendly")
    event: str | None = column("event of the game")
    event_start: str | None = column("when the event began")
    event_end: str | None = column("when the event ended, on its last day")
    rated_on: str | None = column("day of the rating list on which the game counts")
    pool: str | None = column("pool in which the game counts")
    published_first: str | None = column("rating of first before the game, by whoever published it")
    published_second: str | None = column("rating of second before the game, by whoever published it")
    change_first: str | None = column("change of that rating of first; this and the next five: for `ratesim import`")
    change_second: str | None = column("change of that rating of second")
    rated: str | None = column("whether the game was rated")
    termination: str | None = column("how the game ended, in words")
    precision: str | None = column("how well the time is known: second, day, month, year or event")
    name_first: str | None = column("name of first, where `first` is an id")
    name_second: str | None = column("name of second, where `second` is an id")
    title_first: str | None = column("title of first, such as GM")
    title_second: str | None = column("title of second")
    federation_first: str | None = column("federation of first")
    federation_second: str | None = column("federation of second")
    truth: str | None = column("true expected score of first, of simulated games")
    skill_first: str | None = column("true skill of first, of simulated games")
    skill_second: str | None = column("true skill of second, of simulated games")
    performance_first: str | None = column("strength that first showed in the game, of simulated games")
    performance_second: str | None = column("strength that second showed in the game, of simulated games")
    id: str | None = column(
        "what tells games apart, or joins their sides; left out, equal rows are duplicates. An import, which drops "
        "those, goes by a column `id` only if it is named here"
    )
    duplicates: Literal["keep", "drop"] = Field("keep", description="what becomes of games seen before")
    themselves: Literal["refuse", "drop"] = Field(
        "refuse", description="what becomes of a player's games against themselves"
    )
    where: dict[str, Cell | list[Cell]] = Field(
        {}, description="rows kept: column of the file = value or list of values"
    )

    @classmethod
    def home(cls, key: str) -> str:
        """Return by what names we have the points of a side, which files call its score or its goals."""
        stem, _, side = key.partition("_")
        meant = stem in {"score", "scores", "goals"} and side in {"first", "second"}
        return f"points_{side}, since points_first and points_second make a score" if meant else ""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        said = {key for key, value in self if value is not None and value != ""}  # 0 is said too
        self._check_rows(said)
        for one, other in (*BOTH, ("scores", "points_first"), ("scores", "points")):
            if {one, other} <= said:
                raise InputError(f"both {one} and {other} are given", expected="one of them")
        for one, other in (("points_first", "points_second"), ("published_first", "published_second")):
            if len({one, other} & said) == 1:
                raise InputError(f"only one of {one} and {other} is given", expected="both")
        if self.time == ROW and self.time_unit:
            raise InputError(f"time_unit = '{self.time_unit}' beside time = '{ROW}'", expected="none: rows are days")
        for label, score in (self.scores or {}).items():
            if not 0 <= score <= 1:
                raise InputError(f"scores.{label} = {score}", expected="a number from 0 to 1")
        return self

    def _check_rows(self, said: Collection[str]) -> None:
        """Refuse keys of the other kind of rows."""
        strange, expected = (GAME, "player, score or points") if self.rows == "sides" else (SIDE, "rows = 'sides'")
        if wrong := next((key for key, _ in self if key in said and key in strange), None):
            raise InputError(f"{wrong} is given, and rows = '{self.rows}'", expected=expected)
        if self.first_side is not None and self.side is None:
            raise InputError(f"first_side = '{self.first_side}' without side", expected="side, the column that has it")

    @property
    def unkept(self) -> str:
        """What the rows are that `where` does not keep, in words."""
        where = " and ".join(f"{name} = {wanted}" for name, wanted in self.where.items())
        return f"{'rows ' if self.rows == 'sides' else ''}not where {where}"

    @property
    def maps(self) -> bool:
        """Whether it says anything of columns."""
        return not self.changed.keys() <= {"duplicates", "themselves"}

    def find(self, header: Sequence[str], place: str) -> dict[str, str]:
        """Return the file's name of each column that is used.

        Parameters
        ----------
        header : names of the file's columns.
        place : the file, for messages.

        Raises
        ------
        InputError : a column that is named, or one of first, second, score and time, is not in the file; or the file
            has two that say the same, such as score and points_first, and nothing tells which one to use.

        >>> ColumnMap(first="home", neutral="").find(["home", "second", "score", "time", "neutral"], "a.csv")
        {'first': 'home', 'second': 'second', 'score': 'score', 'time': 'time'}
        """
        used = self._used(header)
        for one, other in BOTH:
            if {one, other} <= used.keys():
                how = f'one of them: {other} = "" in the map leaves that one unused, {one} = "" the other'
                raise InputError(f"both {one} and {other} are columns", where=place, expected=how)
        if self.time == ROW and ROW in header:
            said = f"time = '{ROW}' is the number of the row, and a column has that name"
            raise InputError(said, where=place, expected="another name of that column")
        for key in self._needed(used):
            used.setdefault(key, key)
        for name in (*used.values(), *self.where):
            if name not in header and not (name == ROW == self.time):
                raise missing(name, header, place)
        return {key: used[key] for key in KEYS if key in used}

    def _needed(self, used: Collection[str]) -> tuple[str, ...]:
        """Return the keys without which there are no games."""
        if self.rows == "sides":
            return ("id", "player", "points" if "points" in used else "score", "time")
        points = ("points_first", "points_second")
        return ("first", "second", *(points if {*points} & {*used} else ("score",)), "time")

    def _used(self, header: Sequence[str]) -> dict[str, str]:
        """Return the columns that are named, and those of the file's own names that nothing puts out of use."""
        given = {key: value for key, value in self if key in (*KEYS, "scores") and value is not None}
        blank = {key for key, value in given.items() if value == ""}
        out = blank | {PAIRS[key] for key in blank & PAIRS.keys()} | (GAME if self.rows == "sides" else SIDE)
        for key in given.keys() - blank:
            out |= RIVALS.get(key, set())
        named = {key: value for key, value in given.items() if isinstance(value, str) and value}
        return {key: key for key in KEYS if key in header and key not in out} | named


ABOUT = {"kind", "rows", "scores", "first_side", "time_unit", "duplicates", "themselves", "where"}  # no columns
KEYS = tuple(key for key in ColumnMap.model_fields if key not in ABOUT)
SIDE = {"player", "points", "published", "change", "side", "first_side"}  # of a row a side alone
GAME = {key for key in KEYS if key in {"first", "second", "truth"} or key.endswith(("_first", "_second"))}
BOTH = (
    ("score", "points_first"),
    ("score", "points_second"),
    ("score", "points"),
    ("edge", "neutral"),
)  # say the same
BESIDE = {"change_first", "change_second", "change", "rated", "termination", "precision"}  # what a stream does not hold

# What is named puts the file's own columns of these names out of use.
RIVALS = {
    "score": {"points_first", "points_second", "points"},
    "scores": {"points_first", "points_second", "points"},
    "points_first": {"score"},
    "points_second": {"score"},
    "points": {"score"},
    "edge": {"neutral"},
    "neutral": {"edge"},
}
PAIRS = {"points_first": "points_second", "points_second": "points_first"}  # one without the other says nothing


def missing(name: str, header: Sequence[str], place: str) -> InputError:
    """Return the error for a column that a file does not have."""
    near = nearest(name, header)
    expected = "" if near else f"one of {mentioned(header)}"
    return InputError(f"missing column '{name}'", where=place, expected=expected, near=near)


def mentioned(header: Sequence[str]) -> str:
    """Return the columns of a file as an error lists them."""
    return ", ".join(map(shown, header[:MENTIONED])) + (", ..." if len(header) > MENTIONED else "")
