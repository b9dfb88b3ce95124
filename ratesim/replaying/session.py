"""A system under a calendar over a stream, and all that it remembers, between two calls of the engine."""

import copy
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..assembly import Engine, Plan, ageing, build
from ..calendars import Before, Calendar
from ..dates import date_on
from ..errors import InputError
from ..jit import Function
from ..state import SEATS, Dates, Floats, Games, Past, State, copied, fixed
from ..stream import GameStream
from ..systems.base import Told
from .fresh import Earlier, Known, fresh_state, recalled, resumed, spread
from .fusing import fusible
from .guessed import guessed
from .losing import Losing, Weights, apart, by_lane
from .openings import FIRST, Openings, Shape, Variant, by_rule, check_events
from .overrides import NEVER, done_by, due, overrides_of, periods_of, put, split
from .rows import Rows, add_games, places, rows_of, seen
from .sound import broken, fault
from .timing import NOTHING, dates_of, season_before, units_at

UNKNOWN = fixed(np.full(1, np.nan))
ONE = fixed(np.ones((1, 1)))
log = logging.getLogger("ratesim")


class Session:
    """Lanes of one system's kernels over one stream.

    Parameters
    ----------
    variants : a lane each, at most 256; all of one system's kernels, unit of growth and kind of policy.
    stream, calendar : the games and their periods.
    start : what is known of players beforehand, as `io.read_starts` returns it; None: what `stream.players` says.
    by_pool : whether a player has a belief for each pool.
    earlier, before : what an earlier session remembered, and where its calendar stood.
    ends : time of the last game, where the stream is only the first part of the games.
    scores : (G, L) results of each lane, where they are not those of the stream.
    weights : what games count in each lane, times that of the stream; nobody is asked about after its last game then.
    losing : what forecasts cost, to be summed in `state.losses` while games are played; no forecasts are kept then.
    draws : whether chances of a draw stand in the place of forecasts.

    Raises
    ------
    InputError : growth has no unit under this calendar, or the stream lacks a column.
    """

    def __init__(
        self, variants: Sequence[Variant], stream: GameStream, calendar: Calendar, *,
        start: pl.DataFrame | None = None, by_pool: bool = False,
        earlier: Earlier | None = None, before: Before | None = None, ends: float | None = None,
        scores: Floats | None = None, weights: Weights | None = None, losing: Losing | None = None,
        draws: bool = False,
    ) -> None:  # fmt: skip
        if not 0 < len(variants) <= SEATS:
            raise ValueError(f"{len(variants)} lanes; expected 1 to {SEATS}")
        self.anew: Callable[[], Session] | None = partial(  # the same with no game played
            Session, variants, stream, calendar, start=start, by_pool=by_pool, earlier=earlier, before=before,
            ends=ends, scores=scores, weights=weights, losing=losing, draws=draws,
        )  # fmt: skip
        self.variants, self.calendar = list(variants), calendar
        self.system, policy = variants[0]
        if self.system.alone and len(variants) > 1:
            raise ValueError(f"system {self.system.kind} attends to openings; expected one lane")
        self.kernels, self.gains = self.system.kernels(), policy.kernels()
        self.fields = len(self.kernels.Belief._fields)  # type: ignore[attr-defined]  # a NamedTuple
        past, width = len(Past._fields) if self.gains.career else 0, len(self.kernels.Evidence._fields)  # type: ignore[attr-defined]  # the same
        self.shape = Shape(self.fields, past, width)
        self.kept = [] if earlier is None else earlier.memory()
        self._ends, self._losing, self._weights, self._draws = ends, losing, weights, draws
        self._scores = by_lane(scores, len(stream), len(variants), "scores")
        self._take(stream, rows_of(stream, by_pool=by_pool), before)
        self._know(stream.players if start is None else start, start is None, earlier)
        self._check_born()
        self._look()

    def _take(self, stream: GameStream, rows: Rows, before: Before | None) -> None:
        """Put games and their periods in place."""
        if before is not None and (self.system.alone or self.calendar.depth > 1):
            check_events(stream, before)
        if self.kernels.passes > 1 and self.calendar.depth > 1:
            said, expected = f"system '{self.system.kind}' judges a period again", "one that absorbs games at its close"
            raise InputError(said, where=f"calendar {self.calendar.kind}", expected=expected)
        self.stream, self.rows, self.schedule = stream, rows, self.calendar.schedule(stream, before)
        if self._apart:
            self.schedule = self.schedule._replace(singly=False)
        self.dated = by_rule(self.variants, self.schedule.opens)
        dates = dates_of(self.system, self.calendar, self.schedule, stream, before, career=self.gains.career)
        self.dates, self.season_before = dates._replace(rule=self.dated.rule), season_before(stream, before)
        cut = before is not None or self._ends is not None  # so that its first period or its last may be in two parts
        self.fused = self.schedule.singly or (
            not cut and not self._apart and fusible(self.system, self.calendar, self.schedule, rows)
        )
        self._engage()
        self.played, self.opened = 0, self.schedule.base - 1
        self._finished: State | None = None

    @property
    def _apart(self) -> bool:
        """Whether lanes have debuts of their own, which the loop for single games does not know."""
        return self._weights is not None and self.kernels.drift is not None

    def _engage(self) -> None:
        """Put the engine in place."""
        plan = Plan(
            singly=self.fused, alone=len(self.variants) == 1, keep=self._losing is None, own=self._scores is not None,
            own_weight=self._weights is not None, depth=self.calendar.depth, rules=len(self.dated.params) > 1,
            draws=self._draws,
        )  # fmt: skip
        self.engine = engine_of(self.variants, plan, None if self._losing is None else self._losing.loss)

    def _know(self, given: pl.DataFrame, own: bool, earlier: Earlier | None) -> None:  # noqa: FBT001  # whether they are the stream's own players
        """Begin with what is known of players beforehand."""
        stream, opens, everybody = self.stream, float(self.schedule.opens[0]), np.arange(self.stream.n_players)
        given, later = (given, given.clear()) if own else split(given)
        tables = [policy.known(given, opens) for _, policy in self.variants]
        if not own and self.system.takes_policy:
            lanes = zip(self.variants, tables, strict=True)
            lines = (guessed(lane.policy, table, stream.players) for lane, table in lanes)
            for line in dict.fromkeys(chain.from_iterable(lines)):
                log.info("start: %s", line)
        known = Known(tables, everybody if own else places(given, stream), stream, self.rows)
        told = known.of_rows("born")
        self.born = fixed(np.where(np.isnan(told), spread(stream.players, everybody, "born", stream, self.rows), told))
        self.standard = known.of_rows("standard")
        self.brought = np.nan_to_num(known.of_rows("games"))
        self.overrides = overrides_of(later, self.variants, stream, self.rows)
        self._replaced = np.full(len(self.rows.player), NEVER)
        self.state = fresh_state(self.variants, known, self.shape, self.calendar, self.schedule)
        if self._losing is not None:
            self.state = self.state._replace(losses=np.zeros((self._losing.buckets, 2, len(self.variants))))
        if self._apart:
            self.state = apart(self.state)
        if earlier is not None:
            self.state = resumed(self.state, earlier)
            self.brought[earlier.rows] = earlier.games
            self._replaced[earlier.rows] = earlier.replaced
            self.born = fixed(recalled(self.born, earlier.born, earlier.rows))
            self.standard = recalled(self.standard, earlier.standard, earlier.rows)
        self.began = broken(self.state.rows[:, : self.fields])  # (N, L), a sign of the system's own where it is so

    def _look(self) -> None:
        """Let the system look at the games, and see which overrides come about in them, before any is played."""
        self.due = due(self.overrides, self._replaced, self.schedule, self.rows)
        self.openings = Openings(
            self.system, self.schedule, self.stream, self.rows.first, self.rows.second, self.standard, self.kept
        )  # fmt: skip
        columns = seen(self.stream, self.rows, self.schedule.at)
        self.system.check(columns, self.state.rows[:, : self.fields, 0])
        margin = UNKNOWN if self.stream.margin is None else self.stream.margin
        margin, extra, edge = self.system.told(columns) or Told(margin, self.openings.extra)
        if edge is None:
            edge = NOTHING if self.stream.edge is None else self.stream.edge
        self.told = (edge, margin, extra)  # as `Game` has them

    def go_on(self, stream: GameStream) -> None:
        """Take the games that follow, of the same players, seasons and pools; the state stays where it is.

        The stream before is played to its end; not for a system that attends to openings, or under lists.
        """
        before, self.anew = self.before()._replace(events=(), last=None), None
        add_games(self.brought, self.stream, self.rows, self.played)
        self._replaced = self.replaced()
        self._take(stream, self.rows.of_next(stream), before)
        self._check_born()
        self._look()

    def know(self, closes: Mapping[int, float]) -> None:
        """Learn when periods close, by number: games to come may say so of the last one."""
        base, periods = self.schedule.base, len(self.schedule.opens)
        told = np.array([closes[period] for period in range(base, base + periods)])
        self.schedule = self.schedule._replace(closes=told)

    def before(self) -> Before:
        """Return where the calendar stands once the games are played."""
        schedule, cursor, waiting = self.schedule, int(self.state.cursor[0]), self.state.waiting
        opens = schedule.opens[-1] if schedule.singly else schedule.opens[cursor - schedule.base]
        season = None if self.stream.season is None else self.stream.seasons[self.stream.season[-1]]
        events = self.stream.events if self.system.alone or self.calendar.depth > 1 else ()
        last = max((u for u in range(cursor, cursor + len(waiting)) if waiting[u % len(waiting)]), default=None)
        seasons, opened = self.dates.season, None
        if season is not None and self.kernels.drift is not None and not schedule.singly:
            opened = self.stream.seasons[int(seasons[(cursor - schedule.base) * (len(seasons) > 1)])]
        return Before(cursor, float(opens), season, not self.fused, events, last, opened)

    def counted(self, upto: int) -> Floats:
        """Return the games that counted for each row (R,), those before the stream and the first `upto` of it."""
        return add_games(self.brought.copy(), self.stream, self.rows, upto)

    def replaced(self) -> Floats:
        """Return the day of the last override of each row (R,) that came about; -inf where none did."""
        return done_by(self._replaced, self.due, self.played)

    def go_on_in_periods(self) -> None:
        """Play what comes period by period, with the same bits, although games could be played one by one."""
        self.schedule, self.fused = self.schedule._replace(singly=False), False
        self.state.cursor[0] = self.schedule.at[self.played]
        self._engage()

    def advance(self, upto: int) -> Floats:
        """Play on to game number `upto` of the stream; return the forecasts of the games played, (games, L).

        Where losses are summed there are none, and this is (0, L).

        Raises
        ------
        InputError : a kernel of the policy or the system has made a belief that is no finite number.
        """
        some = slice(self.played, upto)
        out = self.play_on(upto)
        self._check_sound(self.state, some)
        return out

    def play_on(self, upto: int) -> Floats:
        """Do the same without a look at what has come of it."""
        chunk, self.played, self._finished = slice(self.played, upto), upto, None
        out = np.empty((chunk.stop - chunk.start if self._losing is None else 0, len(self.variants)))
        self._run(self.state, chunk, out, self.schedule.base)  # closes none but those that games go past
        return out

    def close(self, period: int) -> None:
        """Absorb the evidence of all periods before number `period`."""
        self._finished = None
        self._run(self.state, self._none, np.empty((0, len(self.variants))), period)

    def finished(self) -> State:
        """Return a copy of the state as it is when the last period has closed, for those too who sat it out.

        Lanes share it: it is kept until the session goes on.
        """
        self._check_alike()
        if self._finished is not None:
            return self._finished
        state = copied(self.state)
        end = self.schedule.base + len(self.schedule.opens)
        if self.kernels.drift is not None and not self.calendar.lasting:
            self._age(state, float(self.dates.day[-1]), float(self.dates.units[-1]))
        self._run(state, self._none, np.empty((0, len(self.variants))), end, last=self.calendar.lasting)
        self._check_sound(state, slice(0, len(self.stream)))
        if len(self.variants) > 1:
            self._finished = state
        return state

    def aged(self, day: float, places: NDArray[np.int64] | None = None, season: float | None = None) -> State:
        """Return a copy of the state, of some rows or all, at `day`, a moment after all that was absorbed.

        `season` is the code of the one it then is; None: that of the last period that has opened.
        """
        self._check_alike()
        state = self.state
        if places is not None:
            state = state._replace(rows=state.rows[places], marks=state.marks[places])
        state = copied(state)
        if self.kernels.drift is not None:
            self._age(state, day, units_at(day, self.system, self.calendar, self.schedule), season)
        return state

    def apart(self) -> "Session":
        """Return a session with a state of its own, to go on from here and leave this one where it is."""
        other = copy.copy(self)
        other.state, other.kept = copied(self.state), [*self.kept]
        return other

    def start_over(self, beginning: State, stream: GameStream, scores: Floats | None = None) -> None:
        """Take other games in place of its own, and begin with them.

        They are at the same times, of as many players of whom as much is known, without seasons and events; not for a
        system that attends to openings.

        Parameters
        ----------
        beginning : the state of this session before its first game.
        """
        untouched = {"marks", "members", "waiting"} if self.fused and self.kernels.drift is None else set()
        for name in State._fields:
            if name not in untouched:
                np.copyto(getattr(self.state, name), getattr(beginning, name))
        self.stream, self.rows, self._scores, self.anew = stream, self.rows.of_next(stream), scores, None
        self.fused = self.schedule.singly or fusible(self.system, self.calendar, self.schedule, self.rows)
        self._engage()
        self._look()
        self.played, self.opened, self._finished = 0, self.schedule.base - 1, None

    def _age(self, state: State, day: float, units: float, season: float | None = None) -> None:
        if season is None:
            period = int(np.searchsorted(self.dates.day, day, side="right")) - 1
            seasons = self.dates.season
            season = float(seasons[min(period, len(seasons) - 1)]) if period >= 0 else self.season_before
        ageing(self.kernels, self._label("ageing"))(self.dated.params, state.rows, state.marks, 0, day, units, season)

    def _check_sound(self, state: State, games: slice) -> None:
        """Refuse beliefs that are no finite numbers, of those who had one of some games or of all, if that is less."""
        few = 2 * (games.stop - games.start) < len(self.rows.player)
        some = np.concatenate([self.rows.first[games], self.rows.second[games]]) if few else slice(None)
        if (broken(state.rows[some, : self.fields]) & ~self.began[some]).any():
            raise fault(self, state)

    def _check_alike(self) -> None:
        if self._apart:
            raise ValueError("lanes with debuts of their own are played, and not aged")

    def _label(self, work: str) -> str:
        return f"{self.system.kind} {work}"

    def _run(self, state: State, chunk: slice, out: Floats, until: int, *, last: bool = False) -> None:
        """Play a chunk of games, then close all periods before `until`, opening on the way what is to be opened."""
        begin, opened, kept = chunk.start, self.opened, self.kept if state is self.state else [*self.kept]
        reached = max(until, int(self.schedule.at[chunk.stop - 1]) if chunk.stop > chunk.start else until)
        opening, replacing = set(self.openings.due(opened, reached)), set(periods_of(self.due, chunk))
        for period in sorted(opening | replacing):
            end = max(begin, min(int(np.searchsorted(self.schedule.at, period)), chunk.stop))
            self._play(state, slice(begin, end), out[begin - chunk.start : end - chunk.start], period)
            if period in replacing:
                put(state, self.due, period, self.shape, apart=self._apart)
            if period in opening:
                self.openings.open(period, state, self.shape, kept)
            begin, opened = end, max(opened, period)
        self._play(state, slice(begin, chunk.stop), out[begin - chunk.start :], until, last=last)
        if state is self.state:
            self.opened = opened

    def _play(self, state: State, chunk: slice, out: Floats, until: int, *, last: bool = False) -> None:
        stream, into, before = self.stream, self.schedule.into, self._to_judge_again(state, chunk)
        chunk = slice(chunk.start - before, chunk.stop)
        edge, margin, extra = (fixed(each[chunk] if each.size == len(stream) else each) for each in self.told)
        score = stream.score[chunk][:, None] if self._scores is None else self._scores[chunk]
        played = Games(
            fixed(self.rows.first[chunk]), fixed(self.rows.second[chunk]), fixed(score),
            self._weight(chunk),
            edge, margin, extra,
            fixed(self.schedule.at[chunk]), FIRST if into is None else fixed(into[chunk]),
            FIRST if self._losing is None else fixed(self._losing.bucket[chunk]),
            before,
        )  # fmt: skip
        room = out if not before and self._losing is None else np.empty((before + len(out) or 1, len(self.variants)))
        params, policy, _ = self.dated
        self.engine(params, policy, state, played, self._dates(chunk), self.born, room, until, last)
        if room is not out and len(out):
            out[:] = room[before:]
        if self.fused and chunk.stop > chunk.start:
            state.cursor[0] = self.schedule.at[chunk.stop - 1]

    def _to_judge_again(self, state: State, chunk: slice) -> int:
        """Return how many games before a chunk are of the period still open, for a system that judges them again."""
        if self.kernels.passes == 1 or self.fused:
            return 0
        return max(int(chunk.start - np.searchsorted(self.schedule.at, state.cursor[0])), 0)

    @property
    def _none(self) -> slice:
        """No games, after those played."""
        return slice(self.played, self.played)

    def _weight(self, chunk: slice) -> Floats:
        own = ONE if self.stream.weight is None else fixed(self.stream.weight[chunk][:, None])
        return own if self._weights is None else self._weights.of(chunk, own)

    def _dates(self, chunk: slice) -> Dates:
        """Return what the engine is told of periods, or game by game where it plays them so."""
        if not self.fused:
            return self.dates
        games = chunk if self.schedule.singly else self.schedule.at[chunk] - self.schedule.base
        periods, columns = len(self.schedule.opens), self.dates._asdict()
        idle = {"base"} if self.kernels.drift is not None else {"base", "units", "span", "season"}  # those of growth
        by_period = {name: x for name, x in columns.items() if name not in idle and x.size == periods}
        return self.dates._replace(**{name: fixed(x[games]) for name, x in by_period.items()})  # type: ignore[arg-type]  # none is `base`

    def _check_born(self) -> None:
        """Refuse birth years of players after the last game, which would make juniors of them."""
        if not self.gains.career or np.isnan(self.born).all():
            return
        closes = float(self.schedule.closes[-1])
        last = date_on(closes if self._ends is None else max(closes, self.calendar.closing(self._ends))).year
        playing = np.zeros(len(self.born), np.bool_)
        playing[self.rows.first] = playing[self.rows.second] = True
        late = np.flatnonzero(playing & (self.born > last))
        if late.size:
            player = self.stream.players["player"][int(self.rows.player[late[0]])]
            raise InputError(
                f"born {self.born[late[0]]:.0f}", where=f"players, {player}",
                expected=f"a year up to {last}, of the last games",
            )  # fmt: skip


def engine_of(variants: Sequence[Variant], plan: Plan, loss: Function | None = None) -> Engine:
    """Return the engine that plays these lanes, compiled or not; `loss` is summed in the pass."""
    system, policy = variants[0]
    label = f"{system.kind} {'per game' if plan.singly else 'in periods'}"
    label += f" with K {policy.kind}" if system.takes_policy else ""
    return build(system.kernels(), policy.kernels(), plan, loss, label=label + (", losses summed" if loss else ""))
