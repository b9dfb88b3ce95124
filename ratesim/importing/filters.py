"""Which games an import keeps; those it does not are counted by reason."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final

import polars as pl

from ..dates import day_of
from ..errors import InputError, nearest
from ..io.batch import ANONYMOUS, BOT, Batch

SIDES: Final = ("first", "second")
ENGINE: Final = "lichess AI level "  # what Lichess calls its own, in PGN without a title


class Filters:
    """What games have to be, to be kept.

    Parameters
    ----------
    pools : names of pools (perf, time class, variant, list), any if empty.
    rated : only games said to be rated.
    since, until : first and last day, as YYYY-MM-DD.
    min_games : games that both players have among those kept, at least; this one is for the caller to hold.
    bots, anonymous : whether players with the title BOT, and those without an account, are kept.
    without : ways to end (termination) that are not kept.

    Raises
    ------
    InputError : a day is none, or the last comes before the first.
    """

    def __init__(
        self, *, pools: Iterable[str] = (), rated: bool = False, since: date | str | None = None,
        until: date | str | None = None, min_games: int = 0, bots: bool = True, anonymous: bool = True,
        without: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.pools, self.without, self.rated = _several(pools), _several(without), rated
        self.since, self.until = _day(since, "since"), _day(until, "until")
        if self.since and self.until and self.until < self.since:
            raise InputError(f"until {self.until}", expected=f"{self.since} (since) or later")
        self.min_games, self.bots, self.anonymous = min_games, bots, anonymous
        self._bots: set[str] = set()  # by the tables of players so far
        self._seen: dict[str, set[str]] = {"pool": set(), "termination": set()}

    def kept(self, batch: Batch) -> Batch:
        """Return a batch with the games that are kept; the others are counted, each by the first reason that holds."""
        games, counts = batch.games, Counter(batch.left_out)
        for name, asked in (("pool", self.pools), ("termination", self.without)):
            if asked and name in games.columns:
                self._seen[name] |= set(games[name].unique().drop_nulls().cast(pl.String))
        self._bots |= _titled_bots(batch.players)
        for reason, out in self._reasons({*games.columns}):
            kept = games.filter(~games.select(out & pl.repeat(value=True, n=pl.len())).to_series())
            if len(kept) < len(games):
                counts[reason] += len(games) - len(kept)
                games = kept
        return batch._replace(games=games, left_out=counts)

    def check(self) -> None:
        """Refuse what was asked for and never seen, once all games are.

        Raises
        ------
        InputError : no game is of that pool, or ended so.
        """
        for name, option, asked in (("pool", "--pool", self.pools), ("termination", "--without", self.without)):
            known = self._seen[name]
            for each in asked:
                if each not in known:
                    near = nearest(each, known)
                    some = f"one of {', '.join(sorted(known)[:8])}" if known else f"games that say their {name}"
                    raise InputError(f"no {name} '{each}'", where=option, expected="" if near else some, near=near)

    def _reasons(self, there: set[str]) -> Iterator[tuple[str, pl.Expr]]:
        """Yield what is a reason to leave games out, where they have these columns."""
        if self.pools:
            of = pl.col("pool").cast(pl.String).is_in(self.pools) if "pool" in there else pl.lit(value=False)
            yield "of another pool", ~of.fill_null(value=False)
        if self.rated:
            rated = pl.col("rated") if "rated" in there else pl.lit(None, pl.Boolean)
            yield "casual", rated.eq_missing(pl.lit(value=False))
            yield "not said to be rated", rated.is_null()
        if self.since:
            yield f"before {self.since}", pl.col("time") < day_of(self.since)
        if self.until:
            yield f"after {self.until}", pl.col("time") >= day_of(self.until) + 1
        if self.without and "termination" in there:
            yield from ((f"ended by {each}", _is("termination", each)) for each in self.without)
        if not self.bots:
            known = pl.Series(sorted(self._bots), dtype=pl.String).implode()
            yield "of a bot", _any([*_titled(there), *(_text(side).is_in(known) for side in SIDES if self._bots)])
        if not self.anonymous:
            yield "of somebody anonymous", _any([_text(side).str.to_lowercase() == ANONYMOUS for side in SIDES])


def _titled(there: set[str]) -> list[pl.Expr]:
    titled = [_is(f"title_{side}", BOT) for side in SIDES if f"title_{side}" in there]
    return [*titled, *(_text(side).str.starts_with(ENGINE) for side in SIDES)]


def _titled_bots(players: pl.DataFrame | None) -> set[str]:
    """Return who is a bot by a table of players."""
    if players is None or "title" not in players.columns:
        return set()
    return set(players.filter(_is("title", BOT))["player"].cast(pl.String))


def _several(names: Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _is(column: str, text: str) -> pl.Expr:
    return _text(column).eq_missing(pl.lit(text))


def _text(column: str) -> pl.Expr:
    return pl.col(column).cast(pl.String)


def _any(tests: list[pl.Expr]) -> pl.Expr:
    return pl.any_horizontal(pl.lit(value=False), *tests)


def _day(text: Any, name: str) -> date | None:  # noqa: ANN401  # whatever was typed
    if text is None or isinstance(text, date):
        return text
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        raise InputError(f"{name} = '{text}'", expected="a day as YYYY-MM-DD") from None
