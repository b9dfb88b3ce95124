"""Games of all sources as they come in, with a count of what is wrong with them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import polars as pl

from ..errors import InputError
from ..io.batch import REJECTS, Asked, Batch
from ..io.formats import read_all, sorted_out
from ..io.sources import expand
from .aliases import Aliases
from .judge import Themselves, judged

MAX_REJECTS: Final = 0.01  # a share of the games


class Gathering:
    """Batches of games from any number of sources, judged.

    Attributes
    ----------
    games : how many came through. left_out : those that are none to rate, by reason.
    rejects : a table of those that are wrong: source, then the columns of `REJECTS`. notes, about : see `Batch`.
    files : each source: name, format, sha256.

    Parameters
    ----------
    given : names of files, folders, patterns, or `-`.
    form : key of the form of all of them; None: what is in each tells.
    themselves : what becomes of games against oneself, see `judged`.
    aliases : other names of players, replaced before games are judged.
    but : files that are passed over, since they are to be made.
    """

    def __init__(
        self, given: Iterable[str | Path], asked: Asked, *, form: str | None = None,
        themselves: Themselves | None = None, aliases: Aliases | None = None, but: Iterable[Path] = (),
    ) -> None:  # fmt: skip
        made = [path for path in but if path.exists()]
        sources = [each for each in expand(given) if not any(each.path.samefile(path) for path in made)]
        if not sources:
            raise InputError("is what is to be made", where=str(made[0]), expected="files of games beside it")
        self._found, strange = sorted_out(sources, form)
        self._asked, self._aliases = asked, aliases
        self._themselves = themselves or asked.columns.themselves
        self._digests: list[Future[str]] = []
        self.games = 0
        self.left_out: Counter[str] = Counter()
        self.about: dict[str, Any] = {}
        self.notes: list[str] = [f"{_some(strange)} of no form we know: passed over"] if strange else []
        self._rejects: list[pl.DataFrame] = []
        self._first: InputError | None = None

    def __iter__(self) -> Iterator[Batch]:
        """Yield all games, in the order of the sources of each form; the sources are digested on the side."""
        pool = ThreadPoolExecutor(1, "ratesim-digest")
        self._digests = [pool.submit(source.digested) for sources in self._found.values() for source in sources]
        try:
            yield from self._batches()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _batches(self) -> Iterator[Batch]:
        for batch in read_all(self._found, self._asked):
            if self._aliases is not None:
                batch = batch._replace(games=self._aliases.applied(batch.games))  # noqa: PLW2901  # the same, renamed
            done = judged(batch, themselves=self._themselves)
            self.games += len(done.games)
            self.left_out.update(done.left_out)
            self.notes += done.notes
            self.about |= done.about
            if len(done.rejects):
                self._note(done)
            yield done

    @property
    def place(self) -> str:
        """All sources, for messages."""
        names = [source.name for sources in self._found.values() for source in sources]
        return names[0] if len(names) == 1 else _some(names)

    @property
    def files(self) -> list[dict[str, Any]]:
        """Each source with its form and digest (SHA-256), once all games are in."""
        each = [(form, source) for form, sources in self._found.items() for source in sources]
        return [
            {"name": source.short, "format": form.key, "sha256": digest.result()}
            for (form, source), digest in zip(each, self._digests, strict=True)
        ]

    @property
    def rejects(self) -> pl.DataFrame:
        """All rejects so far."""
        return pl.concat([pl.DataFrame(schema={"source": pl.String, **REJECTS}), *self._rejects])

    def reasons(self) -> dict[str, int]:
        """Return how many rejects there are of each reason, the most frequent first."""
        told: Counter[str] = Counter()
        for frame in self._rejects:
            counted = frame.group_by("column", "what", maintain_order=True).len()
            for column, what, count in counted.iter_rows():
                told[_reason(column, what)] += count
        return dict(told.most_common())

    def check(self, most: float, hint: str = "") -> None:
        """Refuse more rejects than allowed: a share of all games below 1, a number from 1 on.

        Raises
        ------
        InputError : there are more, or no games at all; the first of them is told.
        """
        count = sum(map(len, self._rejects))
        allowed = most if most >= 1 else most * (self.games + count)
        if self._first is not None and (count > allowed or not self.games):
            raise self._told(hint)
        if not self.games:
            left = f": {listed(self.left_out)} left out" if self.left_out else ""
            raise InputError(f"no games{left}", where=self.place, expected="at least one")

    def _note(self, batch: Batch) -> None:
        self._rejects.append(batch.rejects.select(pl.lit(batch.source).alias("source"), pl.all()))
        if self._first is None:
            row = batch.rejects.sort("place", maintain_order=True, nulls_last=True).row(0, named=True)
            self._column, self._what = row["column"], row["what"]
            self._unit = batch.unit
            where = batch.where(row["place"], row["column"])
            self._first = InputError(_filled(row), where=where, expected=row["expected"] or "")

    def _told(self, hint: str) -> InputError:
        assert self._first is not None  # noqa: S101  # the caller has looked
        alike = (pl.col("column").eq_missing(pl.lit(self._column))) & (pl.col("what") == self._what)
        more = sum(len(frame.filter(alike)) for frame in self._rejects) - 1
        word = "row" if self._unit == "row" else "game"
        also = f" (and {more:,} more {word}{'s' if more > 1 else ''})" if more else ""
        expected = f"{self._first.expected}{hint}"
        return InputError(self._first.what + also, where=self._first.where, expected=expected)


def _filled(row: dict[str, Any]) -> str:
    return str(row["what"]).replace("{}", row["value"] or "")


def _reason(column: str | None, what: str) -> str:
    """Return a reason without its value, with what it is about."""
    said = what.replace("'{}' ", "").replace(" '{}'", "").replace(" {}", " out of range").replace("{}", "").strip()
    return said if column is None or column.lower() in said.lower() else f"{column} {said}"


def _some(names: list[str]) -> str:
    few = ", ".join(names[:3])
    return few if len(names) <= 3 else f"{few} and {len(names) - 3:,} more"


def listed(counts: dict[str, int]) -> str:
    """Return counts by reason as a line: "12 unfinished, 3 aborted"."""
    return ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items(), key=lambda each: -each[1]))
