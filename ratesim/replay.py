"""Replays: a system meets a stream of games in order of time."""

from collections.abc import Sequence
from typing import get_args, overload

import polars as pl

from .assembly import Plan
from .calendars import Calendar
from .errors import InputError
from .given import check_games
from .io.gamefile import GameFile
from .io.starts import read_starts
from .jit import cold
from .policies import Policy
from .replaying.believed import Diagnostic
from .replaying.fusing import fusible
from .replaying.kept import Forecasts, Keep, usual as usually
from .replaying.openings import Variant, by_rule
from .replaying.order import Order, arranged, restored
from .replaying.pairs import Pair, Starts, blocks, check_pairs, learning, of_players, usual, variants_of
from .replaying.refitting import Refits, refitted
from .replaying.rows import rows_of
from .replaying.run import Run
from .replaying.saved import Saved, join
from .replaying.session import Session, engine_of
from .replaying.streamed import StreamedRun, check_pieces, play_file
from .replaying.walk import Beginning
from .replaying.whole import columns_of
from .stream import GameStream
from .systems.base import Rater, Refit, System, WholeStream

FEW = 1000  # games on disk that a system is checked by before any are played


@overload
def replay(
    system: Rater, games: GameStream, *, policy: Policy | None = None, calendar: Calendar | None = None,
    start: Starts | None = None, by_pool: bool = False, state: Saved | None = None,
    forecasts: Forecasts | Keep | None = None,
) -> Run: ...  # fmt: skip
@overload
def replay(
    system: Rater, games: GameFile, *, policy: Policy | None = None, calendar: Calendar | None = None,
    start: Starts | None = None, by_pool: bool = False, state: Saved | None = None,
    forecasts: Forecasts | Keep | None = None,
) -> StreamedRun: ...  # fmt: skip
def replay(
    system: Rater, games: GameStream | GameFile, *, policy: Policy | None = None, calendar: Calendar | None = None,
    start: Starts | None = None, by_pool: bool = False, state: Saved | None = None,
    forecasts: Forecasts | Keep | None = None,
) -> Run | StreamedRun:  # fmt: skip
    """Play a stream of games through a system.

    Parameters
    ----------
    system : any rating system or baseline.
    games : the stream, or games on disk, as `scan` finds them: these are played piece by piece, to the same bits.
    policy : K; None is the system's own default, and systems that take no policy accept no other.
    calendar : rating periods; None is the system's own default.
    start : what is known of players beforehand: a table with the columns of `io.read_starts`, or a mapping
        `{"A": {"rating": 1500, "deviation": 200}}`.
    by_pool : keep a belief for each player and pool; memory has a row for every one of them, met or not.
    state : what an earlier replay of the same system saved; the games must be later ones.
    forecasts : what is kept of those of games on disk: "all"; "losses", the sums by month that means, errors and paired
        differences are made from; "sample", these and about a million games drawn at random with their forecasts. None
        is "all" of up to five million games, "losses" of more; a `Keep` says more. Of games in memory all are kept.

    Raises
    ------
    InputError : the stream lacks what system or calendar need, growth has no unit under the calendar, a policy is
        given to a system without K, the state is of another system, policy or calendar, games on disk are not enough.

    >>> import ratesim as rs
    >>> games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    >>> rs.replay(rs.Elo(), games, policy=rs.Constant(20)).ratings()["rating"].to_list()
    [1510.0, 1490.0]
    """
    pairs = [(system, policy)]
    return replay_many(
        pairs, games, calendar=calendar, start=start, by_pool=by_pool, state=state, forecasts=forecasts
    )[0]  # fmt: skip


@overload
def replay_many(
    pairs: Sequence[Pair], games: GameStream, *, calendar: Calendar | None = None, start: Starts | None = None,
    by_pool: bool = False, state: Saved | None = None, forecasts: Forecasts | Keep | None = None,
) -> list[Run]: ...  # fmt: skip
@overload
def replay_many(
    pairs: Sequence[Pair], games: GameFile, *, calendar: Calendar | None = None, start: Starts | None = None,
    by_pool: bool = False, state: Saved | None = None, forecasts: Forecasts | Keep | None = None,
) -> list[StreamedRun]: ...  # fmt: skip
def replay_many(
    pairs: Sequence[Pair], games: GameStream | GameFile, *, calendar: Calendar | None = None,
    start: Starts | None = None, by_pool: bool = False, state: Saved | None = None,
    forecasts: Forecasts | Keep | None = None,
) -> list[Run] | list[StreamedRun]:  # fmt: skip
    """Play a stream of games through several systems and policies, those with the same kernels side by side in lanes.

    Games on disk are read once for all. Parameters and errors as in `replay`; the results are bit for bit those of
    replays one by one.
    """
    check_pairs(pairs, calendar)
    check_games(games, GameFile)
    table = None if start is None else read_starts(start)
    if not isinstance(forecasts, Keep) and forecasts not in (None, *get_args(Forecasts)):
        raise InputError(f"forecasts = {forecasts!r}", expected="all, losses or sample")
    if isinstance(games, GameFile):
        keep = forecasts if isinstance(forecasts, Keep) else usually(forecasts, len(games))
        return play_file(pairs, games, calendar, Beginning(table, by_pool, state), keep)
    if isinstance(forecasts, Keep) or forecasts not in {None, "all"}:
        said = forecasts.forecasts if isinstance(forecasts, Keep) else forecasts
        raise InputError(f"forecasts = '{said}' of games in memory", expected="all, or games on disk: rs.scan")
    runs: dict[int, Run] = {}
    for block in blocks(pairs, calendar):
        found = _side_by_side([pairs[n] for n in block], games, calendar, table, by_pool=by_pool, saved=state)
        runs.update(zip(block, found, strict=True))
    return [runs[n] for n in range(len(pairs))]


def check(
    system: Rater, games: GameStream | GameFile, *, policy: Policy | None, calendar: Calendar,
    start: pl.DataFrame | None, by_pool: bool,
) -> None:  # fmt: skip
    """Refuse what `replay` would, before anything is played or compiled: of games on disk, by the first of them.

    Raises
    ------
    InputError : as `replay`.
    """
    ends = None
    if isinstance(games, GameFile):
        check_pieces(system, calendar, games)
        ends, games = games.ends, next(games.pieces()).take(slice(FEW))
    if isinstance(system, WholeStream | Refit):
        columns_of(system, arranged(games, calendar).stream, calendar, start, by_pool=by_pool, saved=None)
    elif isinstance(system, System):
        table = None if start is None else of_players(start, games)
        played, _ = arranged(games, calendar)
        lane = Variant(system, learning(system, policy))
        Session([lane], played, calendar, start=table, by_pool=by_pool, ends=ends)


def compiles(system: Rater, games: GameStream, *, policy: Policy | None, calendar: Calendar) -> str | None:
    """Return the name of what a replay would have to compile first, None where the machine has it."""
    if not isinstance(system, System):
        return None
    games, _ = arranged(games, calendar)
    schedule, variants = calendar.schedule(games), [Variant(system, learning(system, policy))]
    fused = fusible(system, calendar, schedule, rows_of(games, by_pool=False))
    rules = len(by_rule(variants, schedule.opens).params) > 1
    engine = engine_of(variants, Plan(singly=fused, alone=True, depth=calendar.depth, rules=rules))
    return engine.__qualname__ if cold(engine) else None


def _side_by_side(
    pairs: Sequence[Pair], games: GameStream, calendar: Calendar | None,
    start: pl.DataFrame | None, *, by_pool: bool, saved: Saved | None,
) -> list[Run]:  # fmt: skip
    first = pairs[0][0]
    calendar = calendar or usual(first)
    if isinstance(first, WholeStream | Refit):
        return [_whole(first, games, calendar, start, by_pool=by_pool, saved=saved)]
    variants = variants_of(pairs)
    earlier = before = None
    if saved is not None:
        games = join(saved, games, variants, calendar, by_pool=by_pool)
        earlier, before = saved.earlier(games), saved.before
    start = None if start is None else of_players(start, games)
    played, order = arranged(games, calendar)
    session = Session(variants, played, calendar, start=start, by_pool=by_pool, earlier=earlier, before=before)
    forecast = session.advance(len(games))
    return [
        Run(
            system, variants[lane].policy if system.takes_policy else None, calendar, games,
            restored(forecast[:, lane], order), start, by_pool, session=session, lane=lane, saved=saved, order=order,
        )
        for lane, (system, _) in enumerate(pairs)
    ]  # fmt: skip


def _whole(
    system: WholeStream | Refit, games: GameStream, calendar: Calendar, start: pl.DataFrame | None, *, by_pool: bool,
    saved: Saved | None,
) -> Run:  # fmt: skip
    played, order = arranged(games, calendar)
    schedule, columns = columns_of(system, played, calendar, start, by_pool=by_pool, saved=saved)
    if isinstance(system, Refit):
        return _refitted(system, games, calendar, refitted(system, columns, schedule), order)
    found = system.whole(columns)
    names = games.players["player"]
    noted = [
        Diagnostic(name, times, names[player], float(schedule.opens[period - schedule.base]))
        for name, times, player, period in found.noted
    ]
    forecast = restored(found.forecast, order)
    drawn = None if found.draw is None else restored(found.draw, order)
    return Run(
        system, None, calendar, games, forecast, noted=noted, drawn=drawn, columns=dict(found.columns), order=order
    )


def _refitted(system: Refit, games: GameStream, calendar: Calendar, found: Refits, order: Order | None) -> Run:
    schedule, (forecast, drawn) = found.schedule, found.foreseen
    noted = []
    if found.unsettled:
        opens = float(schedule.opens[found.unsettled[0] - schedule.base])
        noted = [Diagnostic("fit not settled", len(found.unsettled), "", opens)]
    return Run(
        system, None, calendar, games, restored(forecast, order), noted=noted, refits=found, order=order,
        drawn=None if drawn is None else restored(drawn, order),
    )  # fmt: skip
