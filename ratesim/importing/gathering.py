"""Games of all sources as they come in, with a count of what is wrong with them."""

import math
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from ..errors import InputError
from ..io.batch import Asked, Batch
from ..io.formats import read_all, sorted_out
from ..io.sources import expand
from .aliases import Aliases
from .judge import Themselves, judged
from .rejects import Rejects

MAX_REJECTS: Final = 0.01  # a share of the games


class Gathering:
    """Batches of games from any number of sources, judged.

    Attributes
    ----------
    games : how many came through. left_out : those that are none to rate, by reason.
    rejects : those that are wrong. notes, about : see `Batch`.
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
        for each in sources:
            each.forget()
        self._asked, self._aliases = asked, aliases
        self._themselves = themselves or asked.columns.themselves
        self._digests: dict[Path, Future[str]] = {}
        self.games = 0
        self.left_out: Counter[str] = Counter()
        self.about: dict[str, Any] = {}
        self.notes: list[str] = [f"{_some(strange)} of no form we know: passed over"] if strange else []
        self.rejects = Rejects(keep=asked.raw)
        self._spoke: set[str] = set()  # names of sources that have games of any kind

    def __iter__(self) -> Iterator[Batch]:
        """Yield all games, in the order of the sources of each form; the sources are digested on the side."""
        stopped = threading.Event()
        pool = ThreadPoolExecutor(1, "ratesim-digest")
        files = {source.path: source for each in self._found.values() for source in each}  # a zip file once
        self._digests = {path: pool.submit(source.digested, stopped.is_set) for path, source in files.items()}
        try:
            yield from self._batches()
        except BaseException:
            stopped.set()  # nobody waits for what is of no use
            raise
        finally:
            pool.shutdown(wait=False)

    def _batches(self) -> Iterator[Batch]:
        for batch in read_all(self._found, self._asked):
            renamed = batch if self._aliases is None else self._aliases.renamed(batch)
            done = judged(renamed, themselves=self._themselves, raw=self._asked.raw)
            self.games += len(done.games)
            self.left_out.update(done.left_out)
            self.notes += done.notes
            self.about |= done.about
            self.rejects.hear(done)
            if len(done.games) or len(done.rejects) or done.left_out or done.notes:
                self._spoke.add(done.source)
            yield done

    @property
    def place(self) -> str:
        """All sources, for messages."""
        names = [source.name for sources in self._found.values() for source in sources]
        return names[0] if len(names) == 1 else _some(names)

    @property
    def files(self) -> list[dict[str, Any]]:
        """Each source with its form and digest (SHA-256), once all games are in."""
        return [
            {"name": source.short, "format": form.key, "sha256": self._digests[source.path].result()}
            for form, sources in self._found.items()
            for source in sources
        ]

    def check(self, most: float, hint: str = "") -> None:
        """Refuse more rejects than allowed: a share of all games below 1, a number from 1 on.

        Raises
        ------
        InputError : there are more, or no games at all; the first of them is told.
        """
        if not 0 <= most < math.inf:
            raise InputError(f"max_rejects = {most}", expected="a share below 1, or a number of games")
        count = self.rejects.count
        allowed = most if most >= 1 else most * (self.games + count)
        if count > allowed or (count and not self.games):
            raise self.rejects.error(hint if self.games else "")
        if not self.games:
            why = f"{listed(self.left_out)} left out" if self.left_out else "; ".join(self.notes[:1])
            raise InputError(f"no games{': ' if why else ''}{why}", where=self.place, expected="at least one")
        alone = [source.name for form, each in self._found.items() if form.key != "trf" for source in each]
        if nothing := [name for name in alone if name not in self._spoke]:
            self.notes.append(f"{_some(nothing)}: no games")


def _some(names: list[str]) -> str:
    few = ", ".join(names[:3])
    return few if len(names) <= 3 else f"{few} and {len(names) - 3:,} more"


def listed(counts: dict[str, int]) -> str:
    """Return counts by reason as a line: "12 unfinished, 3 aborted"."""
    return ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items(), key=lambda each: -each[1]))
