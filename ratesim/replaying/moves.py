"""Every change of a rating in a replay: what it was, what it became, and how much of that games have earned."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from ..jit import plain
from ..records import Career, Game
from ..state import NOBODY, TARGET, Floats, Ints
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
    past: Floats  # (n, 3) games that counted before, peak and last day; (n, 0) where no career is kept
    rule: int  # row of parameters in force

    def only(self, those: NDArray[np.bool_]) -> "Step":
        """Return the same of some rows."""
        return Step(
            self.row[those], self.day[those], self.drifted[those], self.after[those], self.fresh[those],
            self.surplus[those], self.past[those], self.rule,
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
    made = _by_game(session) if session.fused else _by_period(session)
    for number, everybody in enumerate(chain(made, _at_the_end(session))):
        was = last[everybody.row]
        same = (everybody.after == was) | (np.isnan(everybody.after) & np.isnan(was))
        step = everybody.only((everybody.fresh > 0) | ~same)
        row, was = step.row, last[step.row]
        k = _gains(session, step)
        found.append(
            {
                "row": row, "step": np.full(len(row), number, np.int32), "day": step.day, "before": was,
                "drifted": step.drifted, "after": step.after, "games": games[row], "fresh": step.fresh, "k": k,
                "earned": k * step.surplus,
            }
        )  # fmt: skip
        last[row] = step.after
        games[row] += step.fresh
    columns = {name: np.concatenate([each[name] for each in found]) for name in found[0]}
    steps = _chunks(session) if session.fused else session.schedule.at - session.schedule.base
    return Moves(pl.DataFrame(columns), restored(np.asarray(steps, np.int32), run.order))


def _rating(session: Session, rows: Floats) -> Floats:
    return session.system.columns(rows[:, : session.fields, 0])["rating"].copy()


def _chunks(session: Session) -> Ints:
    """Return the step of each game (G,): a new one begins where somebody plays again, or a season begins."""
    first, second = session.rows.first.tolist(), session.rows.second.tolist()
    season = [0] * len(first) if session.stream.season is None else session.stream.season.tolist()
    seen, number, steps = [-1] * len(session.rows.player), 0, []
    for g, (i, j) in enumerate(zip(first, second, strict=True)):
        if seen[i] == number or seen[j] == number or (g and season[g] != season[g - 1]):
            number += 1
        seen[i] = seen[j] = number
        steps.append(number)
    return np.array(steps, np.int32)


def _by_game(session: Session) -> Iterator[Step]:
    steps, stream, rows = _chunks(session), session.stream, session.rows
    ends = (np.flatnonzero(np.diff(steps, append=-1)) + 1).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        games = slice(begin, end)
        row = np.stack([rows.first[games], rows.second[games]], axis=1).ravel()
        period = begin if session.schedule.singly else int(session.schedule.at[begin]) - session.schedule.base
        rule = _rule(session, period)
        before = session.aged(float(stream.time[begin]), row.astype(np.int64)).rows
        surplus = _surplus(session, before[:, :, 0], games, rule, session.advance(end)[:, 0].tolist())
        fresh = np.ones(len(row)) if stream.weight is None else np.repeat(stream.weight[games], 2)
        yield Step(
            row, np.repeat(stream.time[games], 2), _rating(session, before), _rating(session, session.state.rows[row]),
            fresh, fresh * surplus, _past(session, before), rule,
        )  # fmt: skip


def _by_period(session: Session) -> Iterator[Step]:
    schedule, depth, width = session.schedule, session.calendar.depth, session.shape.width
    kept, everybody = session.fields + session.shape.past, np.arange(len(session.rows.player), dtype=np.int32)
    fields = session.kernels.Evidence._fields  # type: ignore[attr-defined]  # a NamedTuple
    for t, opens in enumerate(schedule.opens.tolist()):
        period = schedule.base + t
        drifted = _rating(session, session.aged(opens).rows)
        session.advance(int(np.searchsorted(schedule.at, period, side="right")))
        past, place = _past(session, session.state.rows).copy(), period % depth
        waiting = session.state.rows[:, kept + place * width : kept + (place + 1) * width, 0]
        theirs = session.state.marks[:, TARGET + place] == period  # of others it is what an earlier period left
        evidence = dict(zip(fields, np.where(theirs[:, None], waiting, 0.0).T, strict=True))
        session.close(period + 1)
        surplus = evidence.get("surplus", np.full(len(everybody), np.nan)) * session.system.surplus_in
        yield Step(
            everybody, np.full(len(everybody), opens), drifted, _rating(session, session.state.rows),
            evidence["games"], surplus, past, _rule(session, t),
        )  # fmt: skip


def _at_the_end(session: Session) -> Iterator[Step]:
    """Yield what time does to those who sit the last period out."""
    state, rows = session.finished(), len(session.rows.player)
    rating, nothing = _rating(session, state.rows), np.zeros(rows)
    yield Step(
        np.arange(rows, dtype=np.int32), np.full(rows, session.stream.time[-1]), rating, rating, nothing, nothing,
        _past(session, state.rows), _rule(session, -1),
    )  # fmt: skip


def _rule(session: Session, period: int) -> int:
    rule = session.dated.rule
    return int(rule[period if len(rule) > 1 else 0])


def _past(session: Session, rows: Floats) -> Floats:
    return rows[:, session.fields : session.fields + session.shape.past, 0]


def _surplus(session: Session, before: Floats, games: slice, rule: int, forecast: list[float]) -> Floats:
    """Return score above expectation of both sides of some games, by the kernels of the system: (2 g,)."""
    kernels, stream = session.kernels, session.stream
    predict, learn = plain(kernels.predict), plain(kernels.evidence)
    p = kernels.Params(*session.dated.params[rule, :, 0].tolist())
    beliefs = [kernels.Belief(*row) for row in before[:, : session.fields].tolist()]
    columns = [_of(x, games, len(stream)) for x in (stream.score, stream.edge, session.told.margin, session.told.extra)]
    found = []
    for n, (score, edge, margin, extra) in enumerate(zip(*columns, strict=True)):
        me, foe = beliefs[2 * n : 2 * n + 2]
        game, back = Game(score, edge, margin, extra), Game(1.0 - score, -edge, -margin, extra)
        other = 1.0 - forecast[n] if kernels.complement else predict(p, foe, me, back)
        both = learn(p, me, foe, game, forecast[n]), learn(p, foe, me, back, other)
        found += [getattr(evidence, "surplus", np.nan) for evidence in both]
    return np.array(found) * session.system.surplus_in


def _of(column: Floats | None, games: slice, total: int) -> list[float]:
    """Return a column of some games; one that the stream lacks is one number, 0 where there is none at all."""
    count = games.stop - games.start
    if column is None:
        return [0.0] * count
    part: list[float] = column[games].tolist() if len(column) == total else column.tolist() * count
    return part


def _gains(session: Session, step: Step) -> Floats:
    """Return K in force of each row of a step."""
    policy = session.variants[0].policy
    kernels = policy.kernels()
    gain, q = plain(kernels.gain), kernels.Params(*session.dated.policy[step.rule, :, 0].tolist())
    if not kernels.career:
        return np.array([gain(q, rating, NOBODY) for rating in step.drifted.tolist()])
    born = session.born[step.row]
    idle = np.where(step.past[:, 0] > 0.0, step.day - step.past[:, 2], 0.0)
    year = np.floor(step.day).astype("datetime64[D]").astype("datetime64[Y]").astype(np.float64) + 1970
    careers = zip(step.past[:, 0], step.fresh, step.past[:, 1], idle, born, year, strict=True)
    return np.array(
        [gain(q, rating, Career(*map(float, c))) for rating, c in zip(step.drifted.tolist(), careers, strict=True)]
    )


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
