"""Replays of games on disk: piece by piece, through sessions whose states stay in place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ..calendars import Calendar, date_of
from ..errors import InputError
from ..inference import Mean, Paired
from ..io.gamefile import GameFile, games_in, scan
from ..policies import Policy
from ..sample import Sampler
from ..state import Floats
from ..stream import GameStream
from ..systems.base import Rater, WholeStream
from . import kept
from .asked import Edges, Moment, Pairs, asked_of, day_of, days_of
from .believed import Diagnostic, diagnostics, known, ratings
from .kept import Forecasts, Keep, Ledger, Moments
from .losses import Judging, mean_loss, paired_loss
from .pairs import Pair, blocks, learning, of_players, usual, variants_of
from .predicting import by_game, by_kernels, told
from .saved import join_file, write_state
from .walk import Alone, Beginning, Walk


@dataclass(frozen=True, eq=False)
class StreamedRun:
    """What a replay of games on disk found.

    Attributes
    ----------
    system, policy, calendar, stream : what was replayed; policy is None where K means nothing to the system.
    forecast : (G,) expected score of first before each game, NaN where the system has none; None unless all are kept.
    losses : sums by month, as a table: metric, by, stratum, month, total, games, left_out; None where all forecasts
        are kept.
    sample : games drawn at random, the same for all systems: game (its number), score, forecast, and weight where
        games have weights; None where none are kept.
    """

    system: Rater
    policy: Policy | None
    calendar: Calendar
    stream: GameFile = field(repr=False)
    walk: Walk | Alone = field(repr=False)
    lane: int = field(default=0, repr=False)
    forecast: Floats | None = field(default=None, repr=False)
    losses: pl.DataFrame | None = field(default=None, repr=False)
    sample: pl.DataFrame | None = field(default=None, repr=False)
    histories: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    origin: Beginning = field(default_factory=Beginning, repr=False)

    @property
    def start(self) -> pl.DataFrame | None:
        """What was known of players beforehand."""
        return self.origin.table

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What the system noted while it learned, only what happened at all."""
        if isinstance(self.walk, Alone) or not self.walk.session.kernels.flags:
            return []
        session = self.walk.session
        return diagnostics(session, session.finished().flags[:, :, self.lane])

    @property
    def closes(self) -> float:
        """The day on which the last period closes, as `Run.closes`."""
        ends = self.calendar.closing(self.stream.ends)
        return ends if isinstance(self.walk, Alone) else float(self.walk.session.schedule.closes[-1])

    def ratings(self) -> pl.DataFrame:
        """Return what is believed after the last period, as `Run.ratings` does."""
        if isinstance(self.walk, Alone):
            return self.stream.players.select("player")
        return ratings(self.walk.session, self.lane)

    def history(self, times: Sequence[Moment] | Floats, players: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the ratings of some players, or of all, as of given moments, as `Run.history` does, by another pass.

        Raises
        ------
        InputError : a player who is not in the stream, or a time that is none.
        """
        names = None if players is None else tuple(players)
        keep = Keep(moments={"history": Moments(np.unique(days_of(times)), names)})
        pairs = [(self.system, self.policy)]
        return play_file(pairs, self.stream, self.calendar, self.origin, keep)[0].histories["history"]

    def predict(
        self, pairs: Pairs, time: Moment, *, edge: Edges = None, pool: str | None = None, season: str | None = None
    ) -> pl.DataFrame:
        """Return expected scores of games to come, as `Run.predict` does, as of the last game or later.

        Raises
        ------
        InputError : as there, or the moment is earlier.
        """
        asked, day = asked_of(pairs, edge, self.stream.players["player"]), day_of(time)
        if day < self.stream.ends:
            expected = f"no earlier, or the games in memory: rs.read({str(self.stream.path)!r})"
            said = f"a moment before the last game on disk, of {date_of(self.stream.ends)}"
            raise InputError(said, where="predict, time", expected=expected)
        if isinstance(self.walk, Alone):
            return told(asked, by_game(self.walk.system, self.stream.n_players, asked, day))
        session = self.walk.session.apart()
        return told(asked, by_kernels(session, asked, day, pool=pool, season=season, lane=self.lane))

    def mean(self, metric: str) -> Mean:
        """Return the mean loss and its error by months, as `mean` finds it from all forecasts.

        Raises
        ------
        InputError : losses are not kept, or not by this metric.
        """
        return mean_loss(self._losses(), metric)

    def paired(self, other: "StreamedRun", metric: str, *, seed: int, level: float = 0.95, draws: int = 2000) -> Paired:
        """Return the mean of this run's loss less another's over the same games, as `paired` finds it.

        Raises
        ------
        InputError : losses are not kept, not by this metric or not of the same games, or a game has no forecast.
        """
        if self.stream is not other.stream and self.stream.digest != other.stream.digest:
            said = f"losses of different games, {self.stream.path.name} and {other.stream.path.name}"
            raise InputError(said, where="losses", expected="the same games")
        return paired_loss(self._losses(), other._losses(), metric, seed=seed, level=level, draws=draws)  # noqa: SLF001

    def _losses(self) -> pl.DataFrame:
        if self.losses is None:
            raise InputError("losses are not kept beside all forecasts", expected="forecasts = 'losses' or 'sample'")
        return self.losses

    def save(self, path: str | Path) -> None:
        """Write all that the replay remembers, to go on from it, as `Run.save` does: the same bytes.

        Raises
        ------
        InputError : the system has no state, or was replayed beside others.
        """
        if isinstance(self.walk, Alone) or len(self.walk.session.variants) > 1:
            raise InputError(f"system '{self.system.kind}' has no state of its own to save")
        write_state(path, self.walk.left_open(), by_pool=self.origin.by_pool)


def play_file(
    pairs: Sequence[Pair], games: GameFile, calendar: Calendar | None, origin: Beginning, keep: Keep
) -> list[StreamedRun]:
    """Play games on disk through several systems and policies in one pass, as `replay_many` does in memory.

    Raises
    ------
    InputError : a system or a calendar needs all games at once; and as `replay_many`.
    """
    together = blocks(pairs, calendar)
    for block in together:
        games = _joined([pairs[n] for n in block], games, calendar, origin)
    if origin.table is not None:
        origin = origin._replace(table=of_players(origin.table, games))
    for each in keep.moments.values():
        known(each.players or (), games.players["player"])
    judging = Judging(games.begins, games.ends, Sampler(keep.sample, keep.strata, games.n_players))
    groups = [
        Group(block, _walk([pairs[n] for n in block], games, calendar, origin, keep), [
            Ledger(keep, len(games), judging) for _ in block
        ])
        for block in together
    ]  # fmt: skip
    _pass(games, groups, keep, judging)
    runs: dict[int, StreamedRun] = {}
    for places, walk, ledgers in groups:
        for lane, (n, ledger) in enumerate(zip(places, ledgers, strict=True)):
            system, policy = pairs[n]
            runs[n] = StreamedRun(
                system, learning(system, policy) if system.takes_policy else None, walk.calendar, games, walk, lane,
                ledger.forecast, ledger.losses, ledger.sample, walk.histories(lane), origin,
            )  # fmt: skip
    return [runs[n] for n in range(len(pairs))]


class Group(NamedTuple):
    """Pairs that are played side by side."""

    places: Sequence[int]  # among all pairs
    walk: Walk | Alone
    ledgers: Sequence[Ledger]


def _pass(games: GameFile, groups: Sequence[Group], keep: Keep, judging: Judging) -> None:
    begin = 0
    for piece in games.pieces():
        end = begin + len(piece)
        judged = judging.over(piece) if keep.metrics or keep.forecasts == "sample" else None
        for _, walk, ledgers in groups:
            forecast = walk.play(piece, last=end == len(games))
            for lane, ledger in enumerate(ledgers):
                ledger.add(begin, piece, judged, np.ascontiguousarray(forecast[:, lane]))
        begin = end


def _joined(group: Sequence[Pair], games: GameFile, calendar: Calendar | None, origin: Beginning) -> GameFile:
    """Refuse what has to see all games at once, and return games with the players of a saved state before their own."""
    calendar, variants = calendar or usual(group[0][0]), variants_of(group)
    check_pieces(group[0][0], calendar, games)
    if origin.saved is None or not variants:
        return games
    return join_file(origin.saved, games, variants, calendar, by_pool=origin.by_pool)


def _walk(
    group: Sequence[Pair], games: GameFile, calendar: Calendar | None, origin: Beginning, keep: Keep
) -> Walk | Alone:
    system = group[0][0]
    calendar = calendar or usual(system)
    if isinstance(system, WholeStream):
        return Alone(system, calendar, origin, keep.moments)
    return Walk(variants_of(group), games, calendar, origin, keep.moments)


def games_of(
    path: Path, playing: Iterable[tuple[Rater, Calendar]], read: Callable[[], GameStream],
    forecasts: Forecasts | None = None, whole: str | None = None,
) -> GameStream | GameFile:  # fmt: skip
    """Return the games of a file that `ratesim import` wrote, on disk where there are too many for memory.

    Where a system or a calendar has to see all of them at once and nothing is said of forecasts, they are read into
    memory however many there are, and a note says so.

    Parameters
    ----------
    playing : systems and calendars that will meet the games. read : how games come into memory.
    forecasts : what is asked for, as in `replay`.
    whole : what else has to see all games at once.
    """
    games = games_in(path)
    if forecasts == "all" or (forecasts is None and games <= kept.MANY):
        return read()
    what = whole or next((found for each in playing if (found := needs_all(*each))), None)
    if forecasts or what is None:
        return scan(path)
    stream = read()
    note = f"{what} has to see all games at once: all {games:,} are in memory, not played from disk"
    return replace(stream, notes=(*stream.notes, note))


def check_pieces(system: Rater, calendar: Calendar, games: GameFile) -> None:
    """Refuse a system or a calendar that has to see all games at once.

    Raises
    ------
    InputError : it has.
    """
    what = needs_all(system, calendar)
    if what:
        expected = f"the games in memory: rs.read({str(games.path)!r})"
        raise InputError(f"{what} has to see all games at once", where=str(games.path), expected=expected)


def needs_all(system: Rater, calendar: Calendar) -> str | None:
    """Return the system or the calendar if it has to see all games at once, as messages call it."""
    by_game = system.by_game if isinstance(system, WholeStream) else not getattr(system, "alone", True)
    if not by_game:
        return f"system '{system.kind}'"
    if calendar.depth > 1 or type(calendar).order is not Calendar.order:
        return f"calendar '{calendar.kind}'"
    return None
