"""Beliefs that are no finite numbers: whose kernel made the first of them, and of whom.

A K that is none is NaN to the engine (`assembly.checked`), and so then is the rating that it moves, those of all whom
the player meets, and theirs: one look at the end finds that it happened, and the games played again, when.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..calendars import date_of
from ..errors import InputError
from ..policies import MOST
from ..state import Floats, State
from .gains import gains

if TYPE_CHECKING:
    from .session import Session

Bools = NDArray[np.bool_]
FINITE = "finite numbers from all kernels"


def broken(beliefs: Floats) -> Bools:
    """Return which beliefs (n, fields, L) are no finite numbers, (n, L)."""
    found: Bools = np.logical_not(np.isfinite(beliefs).all(axis=1))
    return found


class Broken(NamedTuple):
    """A session just before and just after the first belief was broken, in one game or as a period closed."""

    before: "Session"
    after: "Session"
    place: str  # in words
    now: float  # opening of the period, days since 1970-01-01
    rule: int  # row of parameters in force
    fresh: Floats  # (N,) games of the period that counted, of each row


def fault(session: "Session", state: State) -> InputError:
    """Return whose kernel broke a belief of a state, and of whom.

    The games are played again for it; where the session has come by several streams, both kernels are named.
    """
    found = None
    if session.anew is not None:
        before = _upto(session.anew())
        found = _game(before) if before.fused else _period(before)
    if found is None:
        row, lane = np.argwhere(wrong(session, state))[0].tolist()
        system, policy = session.variants[lane]
        said = f"system '{system.label}'" + (f", policy '{policy.label}'" if system.takes_policy else "")
        return InputError(f"no finite number is believed of {_name(session, row)}", where=said, expected=FINITE)
    return _told(found)


def wrong(session: "Session", state: State) -> Bools:
    """Return which beliefs of a state are broken, (N, L), and were not from the start."""
    return broken(state.rows[:, : session.fields]) & ~session.began


def _upto(session: "Session") -> "Session":
    """Return a session that has played as many games as can be played before a belief is broken."""
    low, high = 0, len(session.stream)
    while low < high:
        middle = (low + high + 1) // 2
        trial = session.apart()
        trial.play_on(middle)
        if wrong(trial, trial.state).any():
            high = middle - 1
        else:
            low, session = middle, trial
    return session


def _game(before: "Session") -> Broken | None:
    """Return what the next game breaks."""
    game, stream, after = before.played, before.stream, before.apart()
    if game == len(stream):
        return None
    after.play_on(game + 1)
    period = game if before.schedule.singly else int(before.schedule.at[game]) - before.schedule.base
    names = " - ".join(_name(before, int(side[game])) for side in (before.rows.first, before.rows.second))
    fresh = np.full(len(before.rows.player), 1.0 if stream.weight is None else stream.weight[game])
    return _broken(before, after, f"game {game + 1:,} ({names})", period, fresh)


def _period(before: "Session") -> Broken | None:
    """Return what the close of a period breaks, of those that close before the next game."""
    schedule, width, depth = before.schedule, before.shape.width, len(before.state.members)
    more = before.played < len(before.stream)
    end = int(schedule.at[before.played]) if more else schedule.base + len(schedule.opens)
    for number in range(int(before.state.cursor[0]), end):
        after, period = before.apart(), number - schedule.base
        after.close(number + 1)
        if (which := wrong(after, after.state)).any():
            lane = int(which.any(axis=0).argmax())
            games = before.fields + before.shape.past + number % depth * width
            place = f"the period of {date_of(float(schedule.opens[period]))}"
            return _broken(before, after, place, period, before.state.rows[:, games, lane])
        before = after
    return None


def _broken(before: "Session", after: "Session", place: str, period: int, fresh: Floats) -> Broken:
    rule = before.dated.rule
    return Broken(before, after, place, float(before.dates.day[period]), int(rule[period % len(rule)]), fresh)


def _told(found: Broken) -> InputError:
    """Return who is to blame: the policy where its kernel says what is no K, else the system."""
    session, which = found.before, wrong(found.after, found.after.state)
    lane = int(which.any(axis=0).argmax())
    rows = np.flatnonzero(which[:, lane])
    (system, policy), beliefs = session.variants[lane], session.state.rows[rows, :, lane]
    if system.takes_policy:
        k = gains(session, beliefs, rows, found.rule, np.full(len(rows), found.now), found.fresh[rows], lane)
        for each in np.flatnonzero(~((k >= 0.0) & (k <= MOST)))[:1]:
            rating = float(system.columns(beliefs[each : each + 1, : session.fields])["rating"][0])
            games = f", games {beliefs[each, session.fields]:g}" if session.shape.past else ""
            said = f"K = {k[each]:g} of {_name(session, rows[each])} (rating {rating:g}{games})"
            expected = f"a finite number from 0 to {MOST:,.0f}"
            return InputError(said, where=f"policy '{policy.label}', {found.place}", expected=expected)
    said = f"no finite number is believed of {_name(session, rows[0])} any more"
    return InputError(said, where=f"system '{system.label}', {found.place}", expected=FINITE)


def _name(session: "Session", row: int) -> str:
    return str(session.stream.players["player"][int(session.rows.player[row])])
