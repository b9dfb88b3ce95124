"""What an import found: counted as games pass, kept in the file, told to people and to programs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import polars as pl

from .._version import __version__
from ..dates import date_on
from .aliases import Aliases
from .duplicates import Exact, Near
from .gathering import Gathering
from .lookalikes import look_alikes
from .spool import Spool

SHOWN: Final = 20  # examples of each kind


class Seen:
    """What passes on the way into the file."""

    def __init__(self) -> None:
        self.games = 0
        self.first = self.last = 0.0  # times, in days
        self.pools: Counter[str] = Counter()
        self.precision: Counter[str] = Counter()

    def passing(self, frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield frames in order of time, counted."""
        for frame in frames:
            if not len(frame):
                continue
            if not self.games:
                self.first = frame["time"][0]
            self.last = frame["time"][-1]
            self.games += len(frame)
            for name, counts in (("pool", self.pools), ("precision", self.precision)):
                if name in frame.columns:
                    told = frame[name].drop_nulls().cast(pl.String).value_counts()
                    counts.update(dict(told.iter_rows()))
            yield frame


@dataclass(frozen=True)
class Repeated:
    """Games told twice.

    Attributes
    ----------
    exact : how many repeat an earlier one. dropped : whether they are left out.
    clashes : how many have the id of an earlier game with other players or another result, and are kept. near : how
        many look like one of another source, and are kept. examples, of each kind : the first games, with where both
        stand.
    """

    exact: int
    dropped: bool
    clashes: int
    near: int
    examples: Mapping[str, list[dict[str, Any]]]

    @classmethod
    def of(cls, spool: Spool, sources: Sequence[str], again: Exact, twins: Near, *, dropped: bool) -> Self:
        """Count, and look up the first of each kind."""
        pairs = {"exact": again.pairs, "clashes": again.clashes, "near": twins.pairs}
        examples = {kind: _told(spool, sources, found.head(SHOWN)) for kind, found in pairs.items() if len(found)}
        return cls(len(again.pairs), dropped, len(again.clashes), twins.games, examples)


@dataclass(frozen=True)
class Imported:
    """What an import found.

    Attributes
    ----------
    output : the file. files : each source with form and digest (SHA-256). players : how many have games.
    left_out : games that are none to rate, or were not asked for, by reason. rejects : games that are wrong, by reason.
    look_alikes : groups of names that may be of one player, the first of them; `names_alike` is how many there are.
    renamed : games with a player called by an alias. unseen : aliases that never occurred. notes : what else a reader
        should know.
    """

    output: Path
    files: list[dict[str, Any]]
    players: int
    left_out: Mapping[str, int]
    rejects: Mapping[str, int]
    repeated: Repeated
    names_alike: int
    look_alikes: list[dict[str, Any]]
    renamed: int
    unseen: tuple[str, ...]
    notes: tuple[str, ...]
    more: Mapping[str, Any]  # of forms that say more
    seen: Seen = field(default_factory=Seen)

    @classmethod
    def of(
        cls, gathering: Gathering, left_out: Mapping[str, int], *, names: pl.Series, aliases: Aliases | None,
        repeated: Repeated, output: Path,
    ) -> Self:  # fmt: skip
        """Gather what is known before the games are written."""
        alike = look_alikes(names)
        groups = alike.group_by("group", maintain_order=True).agg(pl.col("name"), pl.col("kind").first())
        total = Counter(gathering.left_out)
        total.update(left_out)
        return cls(
            output=output,
            files=gathering.files,
            players=len(names),
            left_out=dict(total.most_common()),
            rejects=gathering.rejects.reasons(),
            repeated=repeated,
            names_alike=len(groups),
            look_alikes=groups.head(SHOWN).select("kind", names="name").to_dicts(),
            renamed=0 if aliases is None else aliases.replaced,
            unseen=() if aliases is None else tuple(aliases.unseen),
            notes=tuple(gathering.notes),
            more={key: value for key, value in gathering.about.items() if key != "columns"},
        )

    def about(self, seen: Seen) -> dict[str, Any]:
        """Return what the file says of itself."""
        return {
            "version": __version__,
            "sources": self.files,
            "counts": {
                "games": seen.games,
                "players": self.players,
                "left_out": dict(self.left_out),
                "rejects": dict(self.rejects),
                "duplicates": self.repeated.exact,
                "duplicates_dropped": self.repeated.dropped,
            },
        }

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        seen, repeated = self.seen, self.repeated
        return {
            "file": str(self.output),
            "sources": self.files,
            "games": seen.games,
            "players": self.players,
            "from": str(date_on(seen.first)),
            "to": str(date_on(seen.last)),
            "pools": dict(seen.pools.most_common()),
            "precision": dict(seen.precision.most_common()),
            "left_out": dict(self.left_out),
            "rejects": {"count": sum(self.rejects.values()), "reasons": dict(self.rejects)},
            "duplicates": {"exact": repeated.exact, "dropped": repeated.dropped, "clashes": repeated.clashes,
                           "near": repeated.near, "examples": repeated.examples},
            "look_alikes": {"groups": self.names_alike, "examples": self.look_alikes},
            "aliases": {"games": self.renamed, "unseen": list(self.unseen)},
            "notes": list(self.notes),
            **self.more,
        }  # fmt: skip


def _told(spool: Spool, sources: Sequence[str], pairs: pl.DataFrame) -> list[dict[str, Any]]:
    """Return pairs of games as people look them up."""
    rows = spool.take(pl.concat([pairs["row"], pairs["of"]]).cast(pl.Int64).to_numpy())
    names = ["first", "second", "score", *(name for name in ("game_id",) if name in rows.columns)]
    here, there = rows.head(len(pairs)), rows.tail(len(pairs))
    return [
        {**game, "date": str(date_on(time)), "source": sources[source], "place": place,
         "of_source": sources[of_source], "of_place": of_place}
        for game, time, source, place, of_source, of_place in zip(
            here.select(pl.col(names)).to_dicts(), here["time"], here["source"], _places(here),
            there["source"], _places(there), strict=True,
        )
    ]  # fmt: skip


def _places(rows: pl.DataFrame) -> list[int | None]:
    return rows["place"].to_list() if "place" in rows.columns else [None] * len(rows)
