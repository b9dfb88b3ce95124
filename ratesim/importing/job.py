"""Games of any forms as one canonical file: read, filtered, told apart, ordered; memory holds players, not games."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..io.batch import Asked
from ..io.canonical import Footer, write_frames
from ..io.columns import ColumnMap
from ..rules import List
from .aliases import Aliases, read_aliases
from .assembling import stated
from .duplicates import exact, near
from .events import Events
from .filters import Filters
from .gathering import MAX_REJECTS, Gathering, listed
from .judge import Themselves
from .players import Players
from .rejects import listable
from .report import Imported, Repeated, Seen
from .sorting import by_time
from .spool import Rows, Spool

Watch = Callable[[int], None]
ALLOWED: Final = "; --max-rejects lets more pass, --rejects FILE lists them"


def import_games(
    sources: str | Path | Iterable[str | Path],
    output: str | Path,
    columns: ColumnMap | Mapping[str, Any] | None = None,
    *,
    form: str | None = None,
    filters: Filters | None = None,
    start: date | str | None = None,
    list: List | None = None,  # noqa: A002  # FIDE's word
    aliases: str | Path | None = None,
    duplicates: Literal["drop", "keep"] | None = None,
    themselves: Themselves | None = None,
    max_rejects: float = MAX_REJECTS,
    rejects: str | Path | None = None,
    watch: Watch = lambda _: None,
) -> Imported:
    """Write games of any number of files as one canonical file, in order of time.

    Parameters
    ----------
    sources : names of files, folders, patterns, or `-` for standard input, packed or not.
    output : the Parquet file, whole or not at all.
    columns : which column of a table holds what.
    form : `trf`, `pgn`, `table`, ...; left out, what is in each source tells.
    filters : what games have to be, to be kept.
    start, list : see `tournament_games` and `pgn_games`.
    aliases : a table of other names of players, see `read_aliases`.
    duplicates : whether games told twice (by id and result, or else by all that is said) are dropped or kept; they
        are counted.
    themselves : whether games against oneself are wrong, or dropped and counted; None: as `columns` has it.
    max_rejects : games that may be wrong: a share below 1, a number from 1 on.
    rejects : where to list those that are, as .csv, .tsv, .parquet or .ndjson.
    watch : told how many games are in, now and then.

    Raises
    ------
    InputError : a source cannot be read, too many games are wrong, none are left, a file cannot be written.
    """
    given = [sources] if isinstance(sources, str | Path) else [*sources]
    table = columns if isinstance(columns, ColumnMap) else ColumnMap(**(columns or {}))
    repeated = duplicates or (table.duplicates if "duplicates" in table.model_fields_set else "drop")
    if repeated not in {"drop", "keep"}:
        raise InputError(f"duplicates = '{repeated}'", expected="drop or keep")
    asked = Asked(table, start, list, raw=rejects is not None, beside=True)
    if rejects is not None:
        listable(Path(rejects))
    made = [Path(each) for each in (output, rejects) if each is not None]
    others = None if aliases is None else read_aliases(aliases)
    gathering = Gathering(given, asked, form=form, themselves=themselves, aliases=others, but=made)
    job = _Import(Path(output), gathering, filters or Filters(), others)
    with Spool(Path(output)) as spool:
        job.read(spool, watch)
        if rejects is not None:
            gathering.rejects.write(Path(rejects))
        job.gathering.check(max_rejects, ALLOWED)
        job.filters.check()
        return job.written(spool, drop=repeated == "drop")


class _Import:
    """One import, from its sources to its report."""

    def __init__(self, output: Path, gathering: Gathering, filters: Filters, aliases: Aliases | None) -> None:
        self.output, self.gathering, self.filters, self.aliases = output, gathering, filters, aliases
        self.players = Players()
        self.left_out: Counter[str] = Counter()
        self.sources: list[str] = []
        self.undated = False  # whether there are events of which only their games tell when they began

    def read(self, spool: Spool, watch: Watch) -> None:
        """Put the games that are kept on the spool."""
        for batch in self.gathering:
            kept = self.filters.kept(batch._replace(left_out={}))
            self.left_out.update(kept.left_out)
            if not self.sources or self.sources[-1] != batch.source:
                self.sources.append(batch.source)
            self.undated |= "event_start" in kept.games.columns
            number = pl.lit(len(self.sources) - 1, pl.UInt32).alias("source")
            spool.add(self.players.hear(kept.games, kept.players).with_columns(number))
            watch(spool.rows)

    def written(self, spool: Spool, *, drop: bool) -> Imported:
        """Write the games, and return the report."""
        again = exact(spool)
        out = self._without_few(spool, again.rows if drop else np.empty(0, np.int64))
        if len(out) == spool.rows:
            why = f"{listed(self.left_out)} left out"
            raise InputError(f"no games: {why}", where=self.gathering.place, expected="at least one")
        twins = near(spool, leave_out=np.union1d(out, again.rows))
        events = self._events(spool, out)
        seen = Seen()
        playing = _counted(spool, out) > 0
        report = Imported.of(
            self.gathering, self.left_out, names=spool.players.filter(pl.Series(playing)), aliases=self.aliases,
            repeated=Repeated.of(spool, self.sources, again, twins, dropped=drop), output=self.output,
        )  # fmt: skip
        frames = seen.passing(_finished(by_time(spool, leave_out=out), events))
        write_frames(
            self.output,
            frames,
            lambda: Footer(self._attributes(spool, playing), report.about(seen)),
            within=spool.folder,
        )
        return replace(report, seen=seen)

    def _without_few(self, spool: Spool, out: Rows) -> Rows:
        """Return rows to leave out, with those of players who have too few games among those kept."""
        least, few = self.filters.min_games, 0
        while least > 1:
            counts = _counted(spool, out)
            more = [
                rows[(counts[frame["first"].to_numpy()] < least) | (counts[frame["second"].to_numpy()] < least)]
                for rows, frame in spool.frames({"first", "second"}, out)
            ]
            found = np.concatenate([np.empty(0, np.int64), *more])
            if not found.size:
                break
            few += found.size
            out = np.union1d(out, found)
        if few:
            self.left_out[f"of a player with fewer than {least} games"] += few
        return out

    def _events(self, spool: Spool, out: Rows) -> Events | None:
        """Return when events began, where only all of their games tell."""
        if not self.undated or not spool.filled["event"]:
            return None
        games = (spool.named(frame) for _, frame in spool.frames(("event", "event_start", "time"), out))
        events = Events.of(games)
        return events if events.needed else None

    def _attributes(self, spool: Spool, playing: NDArray[np.bool_]) -> pl.DataFrame | None:
        """Return what is known of players: of all, or of those who play where games were left out."""
        table = self.players.table()
        if table is None or not self.left_out:
            return table
        names = spool.players.filter(pl.Series(playing))
        return table.join(names.to_frame("player"), on="player", how="semi", maintain_order="left")


def _counted(spool: Spool, out: Rows) -> NDArray[np.int64]:
    """Return the games (N,) that each player has in the rows that stay."""
    if not out.size:
        return spool.counts
    counts = np.zeros(len(spool.players), np.int64)
    for _, frame in spool.frames({"first", "second"}, out):
        for side in ("first", "second"):
            counts += np.bincount(frame[side].to_numpy(), minlength=len(counts))
    return counts


def _finished(frames: Iterator[pl.DataFrame], events: Events | None) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield stated(frame if events is None else events.applied(frame))
