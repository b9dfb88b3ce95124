"""Which games are judged, and the strata they are told apart by. Every system is judged on the same ones."""

import datetime as dt
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from .dates import day_of
from .errors import InputError, nearest
from .given import check_games
from .spec import Spec, quantity
from .stream import GameStream

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Counts = NDArray[np.int32] | NDArray[np.float64]
EXPERIENCE = (0, 10, 30, 100, 300)  # games played before, lower ends
GAPS = (0, 50, 100, 200, 300, 400, 600)  # rating points, lower ends
DEVIATIONS = (0, 50, 75, 100, 150, 200, 300)  # rating points, lower ends
RATINGS = 200  # rating points in a band
RESTS = (0, 8, 31, 91, 181, 366)  # whole days, lower ends


class Strata(NamedTuple):
    """The parts of a stream that one property of a game tells apart."""

    code: Ints  # (G,) into names
    names: tuple[str, ...]


class Seen(NamedTuple):
    """What one run made of the games: strata by it are the same for all systems."""

    forecast: Floats  # (G,) expected score of first, NaN where there is none
    rating: Floats | None = None  # (2, G) of first and second as the game was judged, rating points, NaN unrated
    deviation: Floats | None = None  # (2, G) likewise; None of a system that has none


class Sample(Spec):
    """The games that are judged."""

    kind: Literal["sample"] = "sample"
    burn_in: int = quantity(0, "games that each of the two must have played before", unit="games", ge=0)
    since: dt.date | None = Field(None, description="first day (UTC)")
    until: dt.date | None = Field(None, description="last day (UTC)")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise InputError(f"since = {self.since} is later than until = {self.until}", expected="since first")
        return self

    def mask(self, games: GameStream, before: Counts | None = None) -> NDArray[np.bool_]:
        """Return (G,) whether each game is judged.

        Days are those of UTC. The system has still learnt from every game, judged or not; one of weight 0 is not.

        Parameters
        ----------
        before : (G,) games that the less experienced of the two had played; counted where None.
        """
        kept = np.ones(len(games), dtype=np.bool_) if games.weight is None else games.weight > 0
        if self.burn_in:
            kept &= (least_before(games) if before is None else before) >= self.burn_in
        if self.since is not None:
            kept &= games.time >= day_of(self.since)
        if self.until is not None:
            kept &= games.time < day_of(self.until) + 1
        return kept


def games_before(games: GameStream) -> tuple[Counts, Counts]:
    """Return how many games first and second had played before each game, both (G,).

    Games that share a time stamp have no order: none of them comes before another. Where games have weights, they count
    by them: the numbers are sums, not whole ones.

    >>> games = GameStream.of(first=["A", "A", "B"], second=["B", "C", "C"], score=[1, 1, 1], time=[0, 0, 1])
    >>> [each.tolist() for each in games_before(games)]
    [[0, 0, 1], [0, 0, 1]]
    """
    check_games(games)
    G = len(games)
    player = np.stack([games.first, games.second], axis=1).ravel()
    order = np.argsort(player, kind="stable")  # by player, then in order of the stream
    sorted_player, sorted_time = player[order], np.repeat(games.time, 2)[order]
    place = np.arange(2 * G)
    fresh = np.concatenate([[True], sorted_player[1:] != sorted_player[:-1]])
    later = np.concatenate([[True], sorted_time[1:] != sorted_time[:-1]]) | fresh
    begins = np.maximum.accumulate(np.where(fresh, place, 0))
    stands = np.maximum.accumulate(np.where(later, place, 0))
    if games.weight is None:
        before: Counts = np.empty(2 * G, dtype=np.int32)
        before[order] = stands - begins
    else:
        played = np.concatenate([[0.0], np.cumsum(np.repeat(games.weight, 2)[order])])
        before = np.empty(2 * G)
        before[order] = np.round(played[stands] - played[begins], 9)  # so that ten tenths are one
    return before[::2].copy(), before[1::2].copy()


def least_before(games: GameStream) -> Counts:
    """Return the games played before by the less experienced of the two, (G,)."""
    return np.minimum(*games_before(games))


def days_rested(games: GameStream) -> tuple[Floats, Floats]:
    """Return how many days ago first and second had their last game, both (G,); NaN at their first.

    Games that share a time stamp have no order: none of them comes before another. Games of weight 0 are no games.

    >>> games = GameStream.of(first=["A", "A", "B"], second=["B", "C", "C"], score=[1, 1, 1], time=[0, 0, 3])
    >>> [each.tolist() for each in days_rested(games)]
    [[nan, nan, 3.0], [nan, nan, 3.0]]
    """
    time, player = np.repeat(games.time, 2), np.stack([games.first, games.second], axis=1).ravel()
    order = np.argsort(player, kind="stable")  # by player, then in order of the stream
    counts = np.ones(len(time), np.bool_) if games.weight is None else np.repeat(games.weight > 0, 2)
    fresh = np.diff(player[order], prepend=-1) != 0
    later = (np.diff(time[order], prepend=-np.inf) != 0) | fresh
    place = np.arange(len(time))
    played = np.maximum.accumulate(np.where(counts[order], place, -1))  # the last game up to each
    begins, stands = (np.maximum.accumulate(np.where(each, place, 0)) for each in (fresh, later))
    last = np.concatenate([[-1], played])[stands]  # that before the time stamp began
    days = np.empty(len(time))
    days[order] = np.where(last >= begins, time[order] - time[order][last], np.nan)
    return days[::2].copy(), days[1::2].copy()


def strata(games: GameStream, by: str, before: Counts | None = None, seen: Seen | None = None) -> Strata:
    """Return the strata of a stream.

    Parameters
    ----------
    games : the stream, whole: `games` counts what was played before.
    by : "season", "stage", "pool" or "event" (the stream's columns), "year" (of the game, UTC), "edge" (neutral or
        not), "games" (played before by the less experienced of the two), "rest" (whole days since the last game of the
        one who rested longer), or what goes by `seen`: "gap" (rating points that its forecast comes to on the logistic
        curve, by which the favourite is ahead), "rating" (mean of the two), "deviation" (the larger of the two).
    before : (G,) what "games" goes by; counted where None.
    seen : what one run made of the games.

    Raises
    ------
    InputError : the stream has no such column, there is no such property, or the run has not seen it.

    >>> games = GameStream.of(first=["A", "A"], second=["B", "C"], score=[1, 1], time=[0, 400])
    >>> strata(games, "year")
    Strata(code=array([0, 1], dtype=int32), names=('1970', '1971'))
    """
    check_games(games)
    if by not in ALL_STRATA:
        near = nearest(by, ALL_STRATA)
        expected = "" if near else f"one of {', '.join(ALL_STRATA)}"
        raise InputError(f"unknown strata '{by}'", expected=expected, near=near)
    if by in SEEN:
        return SEEN[by](seen)
    return STRATA[by](games) if before is None or by != "games" else _by_experience(before)


def _column(name: str) -> Callable[[GameStream], Strata]:
    def told_apart(games: GameStream) -> Strata:
        code = getattr(games, name)
        if code is None:
            raise InputError(f"no column '{name}'", expected="one, for strata by it")
        return Strata(code, getattr(games, f"{name}s"))

    return told_apart


def _year(games: GameStream) -> Strata:
    year = np.floor(games.time).astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
    names, code = np.unique(year, return_inverse=True)
    return Strata(code.astype(np.int32), tuple(str(name) for name in names))


def _edge(games: GameStream) -> Strata:
    neutral = np.ones(len(games), dtype=np.bool_) if games.edge is None else games.edge == 0
    return Strata(np.where(neutral, 0, 1).astype(np.int32), ("neutral", "with an advantage"))


def _experience(games: GameStream) -> Strata:
    return _by_experience(least_before(games))


def _by_experience(before: Counts) -> Strata:
    code = np.searchsorted(EXPERIENCE, before, side="right") - 1
    return Strata(code.astype(np.int32), _whole(EXPERIENCE))


def _rest(games: GameStream) -> Strata:
    days = np.maximum(*days_rested(games))  # NaN where either is
    code = np.where(np.isnan(days), len(RESTS), np.searchsorted(RESTS, np.floor(days), side="right") - 1)
    return Strata(code.astype(np.int32), (*(f"{each} days" for each in _whole(RESTS)), "a first game"))


def _whole(begins: Sequence[int]) -> tuple[str, ...]:
    """Return the names of bands of whole numbers."""
    return (*(f"{low}-{high - 1}" for low, high in pairwise(begins)), f"{begins[-1]}+")


def _gap(seen: Seen | None) -> Strata:
    forecast = _told(seen, "gap", None if seen is None else seen.forecast)
    ends = [1.0 / (1.0 + 10.0 ** (-gap / 400.0)) for gap in GAPS]  # what a favourite so far ahead is to score
    return _banded(np.maximum(forecast, 1.0 - forecast), ends, GAPS, "no forecast")


def _rating(seen: Seen | None) -> Strata:
    rating = _told(seen, "rating", None if seen is None else seen.rating).mean(axis=0)
    band = np.floor(rating / RATINGS)
    known = ~np.isnan(band)
    begins, into = np.unique(band[known].astype(np.int64), return_inverse=True)
    code = np.full(len(band), len(begins), np.int32)
    code[known] = into
    names = [f"{low * RATINGS} to {(low + 1) * RATINGS}" for low in begins.tolist()]
    return Strata(code, (*names, *(() if known.all() else ("unrated",))))


def _deviation(seen: Seen | None) -> Strata:
    deviation = _told(seen, "deviation", None if seen is None else seen.deviation).max(axis=0)
    return _banded(deviation, DEVIATIONS, DEVIATIONS, "unrated")


def _told(seen: Seen | None, by: str, values: Floats | None) -> Floats:
    if values is None:
        expected = "those that a run forecast" if seen is None else "a run of a system that has them"
        raise InputError(f"strata by {by}", expected=f"what one run made of the games, {expected}")
    return values


def _banded(values: Floats, ends: Sequence[float], begins: Sequence[int], missing: str) -> Strata:
    """Return bands of values (G,) whose lower ends are these, called by what they begin with in rating points."""
    unknown = np.isnan(values)
    code = np.where(unknown, len(begins), np.searchsorted(ends, values, side="right") - 1)
    names = [*(f"{low} to {high}" for low, high in pairwise(begins)), f"{begins[-1]} or more"]
    return Strata(code.astype(np.int32), (*names, *((missing,) if unknown.any() else ())))


SEEN: dict[str, Callable[[Seen | None], Strata]] = {"gap": _gap, "rating": _rating, "deviation": _deviation}
STRATA: dict[str, Callable[[GameStream], Strata]] = {
    **{name: _column(name) for name in ("season", "stage", "pool", "event")},
    "year": _year,
    "edge": _edge,
    "games": _experience,
    "rest": _rest,
}
ALL_STRATA = (*STRATA, *SEEN)
IN_MEMORY = {"event", "rest", *SEEN}  # of which there may be as many as games, or which look far back, or at a run


class Experience:
    """How many games players had played before each game, piece by piece of a stream whose pieces come in order."""

    def __init__(self, players: int) -> None:
        self._before, self._tied = np.zeros(players), np.zeros(players)  # the last time stamp, and at it
        self._last = -np.inf

    def least(self, games: GameStream) -> Floats:
        """Return what `least_before` says of the games (G,) of the next piece, those of earlier ones included."""
        if games.time[0] > self._last:
            self._settle()
        later = games.time > games.time[0]
        inside = zip(games_before(games), (games.first, games.second), strict=True)
        known = [count + self._before[side] + later * self._tied[side] for count, side in inside]
        last = games.time == games.time[-1]
        if not last.all():
            self._settle()
            _count(self._before, games.take(~last))
        _count(self._tied, games.take(last))
        self._last = float(games.time[-1])
        least: Floats = np.round(np.minimum(*known), 9)
        return least

    def _settle(self) -> None:
        self._before += self._tied
        self._tied[:] = 0.0


def _count(counts: Floats, games: GameStream) -> None:
    """Add the games of each player (N,) in place."""
    weight = 1.0 if games.weight is None else np.repeat(games.weight, 2)
    np.add.at(counts, np.stack([games.first, games.second], axis=1).ravel(), weight)


class Sampler:
    """Which games are judged, and their strata, piece by piece of a stream whose pieces come in order.

    Parameters
    ----------
    sample : the games that are judged. by : properties that tell strata apart, as for `strata`.
    players : how many there are.
    """

    def __init__(self, sample: Sample, by: Sequence[str], players: int) -> None:
        self._sample, self._by = sample, by
        self._experience = Experience(players) if sample.burn_in or "games" in by else None

    def take(self, games: GameStream) -> tuple[NDArray[np.bool_], dict[str, Strata]]:
        """Return which games of the next piece are judged (G,), and the strata of all of them.

        Raises
        ------
        InputError : the stream has no column for the strata.
        """
        before = None if self._experience is None else self._experience.least(games)
        parts = {by: strata(games, by, before) for by in self._by}
        return self._sample.mask(games, before), parts
