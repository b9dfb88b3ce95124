"""Every change of a rating in a replay: what it was, what it became, and how much of that games have earned."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..assembly import saying
from ..errors import InputError
from ..jit import Function, specialise
from ..state import TARGET, Floats, Ints, fixed
from .gains import gains
from .order import restored
from .run import Run
from .session import Session


class Step(NamedTuple):
    """Part of a replay in which each row learns once at most; all (n,), of the rows that may have learned."""

    row: Ints
    day: Floats  # since 1970-01-01
    drifted: Floats  # rating before the games, once time has passed
    after: Floats  # rating after them
    fresh: Floats  # games that counted
    surplus: Floats  # evidence of them, NaN of a system that does not keep score above expectation
    beliefs: Floats  # (n, fields and career) before the games, once time has passed
    rule: int  # row of parameters in force

    def only(self, those: NDArray[np.bool_]) -> "Step":
        """Return the same of some rows."""
        return Step(
            self.row[those], self.day[those], self.drifted[those], self.after[those], self.fresh[those],
            self.surplus[those], self.beliefs[those], self.rule,
        )  # fmt: skip


class Moves(NamedTuple):
    """What a replay did to ratings.

    Attributes
    ----------
    frame : a row each time a player's rating was looked at, in order: row (player, or player in a pool, by number),
        step, day (since 1970-01-01, of the game, or of the opening of its rating period), before, after (rating points,
        NaN unrated), drifted (before the games, once time has passed), games (that counted before), fresh (that counted
        now), k (K in force), earned (K times score above expectation, before floors and rounding).
    step : (G,) in which each game of the stream was judged; a player's rating then is `before` of that step, or
        `after` of the last one before.
    """

    frame: pl.DataFrame
    step: Ints


def moves(run: Run) -> Moves:
    """Play a run again and return what it did to ratings, bit for bit.

    Where games are periods by themselves, steps are runs of games in which nobody plays twice; else rating periods.

    Raises
    ------
    InputError : the system has no K.
    """
    if run.session is None or not run.system.takes_policy:
        raise InputError(f"system '{run.system.kind}' learns without K", expected="one with a K policy, such as elo")
    session = run.again()
    last, games = _rating(session, session.state.rows), session.brought.copy()
    found: list[dict[str, Floats | Ints]] = []
    learned: list[Step] = []
    made = _by_game(session) if session.fused else _by_period(session)
    for number, everybody in enumerate(chain(made, _at_the_end(session))):
        was = last[everybody.row]
        same = (everybody.after == was) | (np.isnan(everybody.after) & np.isnan(was))
        step = everybody.only((everybody.fresh > 0) | ~same)
        row, was = step.row, last[step.row]
        found.append(
            {
                "row": row, "step": np.full(len(row), number, np.int32), "day": step.day, "before": was,
                "drifted": step.drifted, "after": step.after, "games": games[row], "fresh": step.fresh,
            }
        )  # fmt: skip
        learned.append(step)
        last[row] = step.after
        games[row] += step.fresh
    columns = {name: np.concatenate([each[name] for each in found]) for name in found[0]}
    columns["k"] = _gains(session, learned)
    columns["earned"] = columns["k"] * np.concatenate([step.surplus for step in learned])
    steps = _chunks(session) if session.fused else session.schedule.at - session.schedule.base
    return Moves(pl.DataFrame(columns), restored(np.asarray(steps, np.int32), run.order))


def _gains(session: Session, learned: Sequence[Step]) -> Floats:
    """Return K in force of all rows of some steps."""
    rule = np.repeat([step.rule for step in learned], [len(step.row) for step in learned])
    row, beliefs = np.concatenate([step.row for step in learned]), np.concatenate([step.beliefs for step in learned])
    day, fresh = np.concatenate([step.day for step in learned]), np.concatenate([step.fresh for step in learned])
    return gains(session, beliefs, row, rule, day, fresh)


def _rating(session: Session, rows: Floats) -> Floats:
    return session.system.columns(rows[:, : session.fields, 0])["rating"].copy()


def _chunks(session: Session) -> Ints:
    """Return the step of each game (G,): a new one begins where somebody plays again, or a season begins."""
    rows, season = session.rows, session.stream.season
    codes = fixed(np.zeros(len(rows.first), np.int32) if season is None else season)
    out = np.empty(len(rows.first), np.int32)
    _number()(fixed(rows.first), fixed(rows.second), codes, np.full(len(rows.player), -1, np.int32), out)
    return out


@cache
def _number() -> Function:
    return specialise(number_steps, "games of which nobody has two")


def number_steps(first: Ints, second: Ints, season: Ints, seen: Ints, out: Ints) -> None:
    """Write down the step of each game; `seen` is the last one of each row, -1 before any."""
    number = np.int32(0)
    for g in range(first.size):
        if seen[first[g]] == number or seen[second[g]] == number or (g > 0 and season[g] != season[g - 1]):
            number += np.int32(1)
        seen[first[g]] = seen[second[g]] = out[g] = number


def _by_game(session: Session) -> Iterator[Step]:
    steps, stream, rows = _chunks(session), session.stream, session.rows
    ends = (np.flatnonzero(np.diff(steps, append=-1)) + 1).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        games = slice(begin, end)
        row = np.stack([rows.first[games], rows.second[games]], axis=1).ravel()
        period = begin if session.schedule.singly else int(session.schedule.at[begin]) - session.schedule.base
        rule = _rule(session, period)
        before = session.aged(float(stream.time[begin]), row.astype(np.int64)).rows
        surplus = _surplus(session, before, games, rule, session.advance(end)[:, 0])
        fresh = np.ones(len(row)) if stream.weight is None else np.repeat(stream.weight[games], 2)
        yield Step(
            row, np.repeat(stream.time[games], 2), _rating(session, before), _rating(session, session.state.rows[row]),
            fresh, fresh * surplus, _beliefs(session, before), rule,
        )  # fmt: skip


def _by_period(session: Session) -> Iterator[Step]:
    schedule, depth, width = session.schedule, session.calendar.depth, session.shape.width
    kept, everybody = session.fields + session.shape.past, np.arange(len(session.rows.player), dtype=np.int32)
    fields = session.kernels.Evidence._fields  # type: ignore[attr-defined]  # a NamedTuple
    for t, opens in enumerate(schedule.opens.tolist()):
        period = schedule.base + t
        drifted = _rating(session, session.aged(opens).rows)
        session.advance(int(np.searchsorted(schedule.at, period, side="right")))
        beliefs, place = _beliefs(session, session.aged(opens).rows), period % depth
        waiting = session.state.rows[:, kept + place * width : kept + (place + 1) * width, 0]
        theirs = session.state.marks[:, TARGET + place] == period  # of others it is what an earlier period left
        evidence = dict(zip(fields, np.where(theirs[:, None], waiting, 0.0).T, strict=True))
        session.close(period + 1)
        surplus = evidence.get("surplus", np.full(len(everybody), np.nan)) * session.system.surplus_in
        yield Step(
            everybody, np.full(len(everybody), opens), drifted, _rating(session, session.state.rows),
            evidence["games"], surplus, beliefs, _rule(session, t),
        )  # fmt: skip


def _at_the_end(session: Session) -> Iterator[Step]:
    """Yield what time does to those who sit the last period out."""
    state, rows = session.finished(), len(session.rows.player)
    rating, nothing = _rating(session, state.rows), np.zeros(rows)
    yield Step(
        np.arange(rows, dtype=np.int32), np.full(rows, session.stream.time[-1]), rating, rating, nothing, nothing,
        _beliefs(session, state.rows), _rule(session, -1),
    )  # fmt: skip


def _rule(session: Session, period: int) -> int:
    rule = session.dated.rule
    return int(rule[period if len(rule) > 1 else 0])


def _beliefs(session: Session, rows: Floats) -> Floats:
    return rows[:, : session.fields + session.shape.past, 0]


def _surplus(session: Session, before: Floats, games: slice, rule: int, forecast: Floats) -> Floats:
    """Return score above expectation of both sides of some games, by the kernels of the system: (2 g,)."""
    fields: tuple[str, ...] = session.kernels.Evidence._fields  # type: ignore[attr-defined]  # a NamedTuple
    out, stream = np.empty((len(before), len(fields), 1)), session.stream
    columns = tuple(fixed(x[games] if len(x) == len(stream) else x) for x in (stream.score, *session.told))
    say = saying(session.kernels, f"{session.system.kind} evidence")
    say(np.ascontiguousarray(before), session.dated.params, rule, (*columns, forecast), out)
    surplus = out[:, fields.index("surplus"), 0] if "surplus" in fields else np.full(len(out), np.nan)
    return surplus * session.system.surplus_in


class Sides(NamedTuple):
    """What the players of each game were as it was judged; both (2, G), of first and of second."""

    rating: Floats  # rating points, NaN unrated
    games: Floats  # that had counted


def sides(run: Run, made: Moves) -> Sides:
    """Return ratings and games of both players of every game of a stream, as of the step that judged it.

    Parameters
    ----------
    run, made : a run, and what `moves` has of it.
    """
    frame = made.frame.sort("row", "step", maintain_order=True)
    row, step = (frame[name].to_numpy().astype(np.int64) for name in ("row", "step"))
    base = int(step.max(initial=0)) + 2
    keys = row * base + step
    before, after, games, fresh = (frame[name].to_numpy() for name in ("before", "after", "games", "fresh"))
    found = []
    for who in (run.stream.first, run.stream.second):
        asked = who.astype(np.int64) * base + made.step
        place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
        exact = keys[place] == asked
        place = np.where(exact, place, np.maximum(place - (keys[place] > asked), 0))
        ours = exact | (row[place] == who)
        held = np.where(exact, before[place], after[place])
        had = np.where(exact, games[place], games[place] + fresh[place])
        found.append((np.where(ours, held, np.nan), np.where(ours, had, 0.0)))
    return Sides(*(np.stack(each) for each in zip(*found, strict=True)))
