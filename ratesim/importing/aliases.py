"""Other names of players: a table that says which names are one player, for a while or always."""

from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from ..errors import InputError, nearest
from ..intake import Floats, Origin, days, shown
from ..io.batch import ATTRIBUTES, Batch
from ..io.table import readable, scan

COLUMNS: Final = {"alias": "former", "player": "current", "from": "start_date", "until": "end_date"}  # ours: another's
NEEDED: Final = ("alias", "player")
SIDES: Final = ("first", "second")
NAMED: Final = 3  # aliases that a note lists


class Aliases:
    """Names and the players they stand for; made by `read_aliases`.

    Attributes
    ----------
    table : `alias`, `player`, and `since` and `until` (days since 1970-01-01, the latter excluded; infinite where
        nothing is said), one row a row of the file.
    seen : aliases that stood in a game, at a time when they hold.
    replaced : games in which a name was replaced.
    """

    def __init__(self, table: pl.DataFrame, depth: int = 1) -> None:
        self.table = table
        self.seen: set[str] = set()
        self.replaced = 0
        self._depth = depth  # of the longest chain
        self._names = table["alias"].unique().implode()

    @property
    def unseen(self) -> list[str]:
        """Aliases that stood in no game so far, sorted: they may be written otherwise there."""
        return sorted(set(self._names.explode()) - self.seen)

    def notes(self) -> list[str]:
        """Return what a reader of the games should know of them, a line each."""
        unseen = self.unseen
        found = [f"{self.replaced:,} game{'s' if self.replaced != 1 else ''} with a player called by an alias: renamed"]
        more = f" and {len(unseen) - NAMED:,} more" if len(unseen) > NAMED else ""
        return found + ([f"aliases that nobody had: {', '.join(unseen[:NAMED])}{more}"] if unseen else [])

    def applied(self, games: pl.DataFrame) -> pl.DataFrame:
        """Return games with the names of players in place of aliases, and count them.

        Where an alias stands for another, that one is replaced too.

        Parameters
        ----------
        games : `first` and `second` (String, Categorical or Enum) and `time` (days since 1970-01-01). A column in
            which a name is replaced is String afterwards if it was before, or else Categorical.

        >>> aliases = Aliases(pl.DataFrame({"alias": ["B"], "player": ["A"], "since": [-np.inf], "until": [10.0]}))
        >>> games = pl.DataFrame({"first": ["B", "B"], "second": ["C", "C"], "time": [9.0, 10.0]})
        >>> aliases.applied(games)["first"].to_list(), aliases.replaced
        (['A', 'B'], 1)
        """
        changed = np.zeros(games.height, np.bool_)
        for _ in range(self._depth):
            for side in SIDES:
                found = self._found(games[side], games["time"])
                if found.height:
                    changed[found["row"].to_numpy()] = True
                    self.seen.update(found["alias"])
                    games = games.with_columns(_renamed(games[side], found))
        self.replaced += int(np.count_nonzero(changed))
        return games

    def renamed(self, batch: Batch) -> Batch:
        """Return a batch with players in place of aliases; what it says of an alias is said of nobody."""
        games, players = self.applied(batch.games), batch.players
        if games is not batch.games:
            for side in SIDES:
                other = games[side].cast(pl.String).ne_missing(batch.games[side].cast(pl.String))
                told = [f"{kind}_{side}" for kind in ATTRIBUTES if f"{kind}_{side}" in games.columns]
                games = games.with_columns(pl.when(~other).then(pl.col(name)).alias(name) for name in told)
        if players is not None:
            always = self.table.filter(pl.col("since").is_infinite(), pl.col("until").is_infinite())["alias"].implode()
            players = players.filter(~pl.col("player").cast(pl.String).is_in(always))
        return batch._replace(games=games, players=players)

    def _found(self, names: pl.Series, time: pl.Series) -> pl.DataFrame:
        """Return `row`, `alias` and `player` where a name is to be replaced."""
        texts = names.cast(pl.String)
        rows = texts.is_in(self._names).arg_true()
        there = pl.DataFrame({"row": rows, "alias": texts.gather(rows), "time": time.gather(rows)})
        found = there.join(self.table, on="alias", how="inner", maintain_order="left")
        holds = found.filter(pl.col("since") <= pl.col("time"), pl.col("time") < pl.col("until"))
        return holds.select("row", "alias", "player").unique("row", keep="first", maintain_order=True)


def _renamed(names: pl.Series, found: pl.DataFrame) -> pl.Series:
    rows = names.cast(pl.String).to_frame("name").with_row_index("row")
    new = rows.join(found, on="row", how="left", maintain_order="left").select(pl.coalesce("player", "name"))
    return new.to_series().cast(pl.String if names.dtype == pl.String else pl.Categorical).alias(names.name)


def read_aliases(path: str | Path) -> Aliases:
    """Return the aliases of a file.

    Parameters
    ----------
    path : a CSV, TSV or Parquet file with a header and the columns `alias` and `player`: the name as games have it, and
        that of the player, each as it is written there, blanks and all. With `from` and `until`, dates such as
        1945-05-31, an alias holds from the one day to the other, both included, and without end where a cell is empty:
        a name may stand for several players at different times. These columns may be called `former`, `current`,
        `start_date` and `end_date` too.

    Raises
    ------
    InputError : the file cannot be read, a column is missing, unknown or there twice, a name or a date is none, a span
        ends before it begins, an alias stands for two players at once, or for itself by way of others.
    """
    path = Path(path)
    with readable(path):
        table = scan(path).collect()
    found = _columns(table.columns, path)
    origin = Origin(place=str(path), names=found)
    names = [table[found[name]].cast(pl.String).alias(name) for name in NEEDED]
    for column in names:
        blank = (column.is_null() | (column.str.strip_chars() == "")).to_numpy()
        origin.refuse(blank, column.name, "no name", column, "a name")
    since, until = (_moments(table, name, origin) for name in ("from", "until"))
    since, until = np.nan_to_num(since, nan=-np.inf), np.nan_to_num(np.floor(until) + 1, nan=np.inf)
    origin.refuse(until <= since, "until", "'{}' ends before it begins", names[0], "from first, until last")
    aliases = pl.DataFrame([*names, pl.Series("since", since), pl.Series("until", until)])
    _refuse_two(aliases, origin)
    aliases = aliases.filter(pl.col("alias") != pl.col("player"))  # says nothing
    return Aliases(aliases, _depth(aliases, path))


def _columns(header: list[str], path: Path) -> dict[str, str]:
    """Return what the file calls our columns."""
    known = [name for pair in COLUMNS.items() for name in pair]
    for name in header:
        if name not in known:
            near = nearest(name, known)
            raise InputError(f"unknown column '{shown(name)}'", where=str(path), expected=", ".join(COLUMNS), near=near)
    found = {ours: [name for name in (ours, other) if name in header] for ours, other in COLUMNS.items()}
    for ours, names in found.items():
        if len(names) > 1:
            raise InputError(f"columns {' and '.join(names)} are the same", where=str(path), expected="one of them")
        if not names and ours in NEEDED:
            expected = f"{' and '.join(NEEDED)}, or {' and '.join(COLUMNS[name] for name in NEEDED)}"
            raise InputError(f"missing column '{ours}'", where=str(path), expected=expected)
    return {ours: names[0] for ours, names in found.items() if names}


def _moments(table: pl.DataFrame, name: str, origin: Origin) -> Floats:
    if name not in origin.names:
        return np.full(table.height, np.nan)
    return days(table[origin.names[name]].alias(name), name, origin, missing=True)


def _refuse_two(aliases: pl.DataFrame, origin: Origin) -> None:
    """Raise where an alias stands for two players at once."""
    several = aliases.with_row_index("row").filter(pl.col("alias").is_duplicated())
    pairs = several.join(several, on="alias").filter(
        pl.col("row") < pl.col("row_right"), pl.col("player") != pl.col("player_right"),
        pl.col("since") < pl.col("until_right"), pl.col("since_right") < pl.col("until"),
    )  # fmt: skip
    if pairs.height:
        alias, player, other, row = (
            pairs.sort("row_right").select("alias", "player", "player_right", "row_right").row(0)
        )
        said = f"'{shown(alias)}' stands for '{shown(player)}' and for '{shown(other)}'"
        raise InputError(said, where=origin.where("player", row), expected="one player at a time")


def _depth(aliases: pl.DataFrame, path: Path) -> int:
    """Return how many aliases stand in the longest chain of them; one that leads back to itself has no end."""
    step = aliases.select("alias", "player").unique(maintain_order=True)
    reach, depth = step, 0
    while reach.height:
        depth += 1
        on = reach.join(step, left_on="player", right_on="alias", suffix="_next")
        reach = on.select("alias", player="player_next").unique(maintain_order=True)
        back = reach.filter(pl.col("alias") == pl.col("player"))
        if back.height:
            said = f"'{shown(back['alias'].min())}' is an alias of itself, by way of others"
            raise InputError(said, where=str(path), expected="aliases that lead to a player")
    return depth
