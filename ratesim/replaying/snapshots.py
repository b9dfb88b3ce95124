"""What is believed of all players of a simulated stream at some moments, beside the truth, by replicate."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..state import Floats, Ints
from ..stream import GameStream, Paths
from .moments import Moment, moments
from .run import Run
from .session import Session


class Snapshot(NamedTuple):
    """All players of all replicates at one moment; arrays (R, N), replicate and player.

    Where players have a belief for each pool, N counts players in pools, (R, N P).
    """

    day: float  # since 1970-01-01
    replicate: Ints  # (R,) numbers
    rating: Floats  # rating points
    deviation: Floats | None  # rating points, grown to the day; None where the system claims none
    games: Floats  # that counted so far
    skill: Floats  # rating points, NaN of players who are not there
    volatility: Floats | None = None  # as the system has it
    foul: NDArray[np.bool_] | None = None  # who plays foul, where the world says so


def snapshots(run: Run, days: Sequence[float] | Floats | None = None) -> Iterator[Snapshot]:
    """Yield what a run over a simulated stream believes, moment after moment; the run is played again for it.

    Parameters
    ----------
    run : of a system that keeps ratings; there is nothing to see of another.
    days : since 1970-01-01, rising; None: those of `stream.paths`. Each sees the periods that have closed by then, and
        the skills as of the last reading up to it, or of the first. One belief about players with skills by pool is
        beside the mean of their skills.

    Raises
    ------
    InputError : the stream has no skill paths, or a day is no number.
    """
    truth = truth_of(run.stream)
    asked = truth.paths.days if days is None else _checked(days)
    if run.session is None:
        return
    session = run.again()
    for moment in moments(session, asked):
        yield seen(session, moment, slice(0, 1), truth)


def _checked(days: Sequence[float] | Floats) -> Floats:
    """Return days that are numbers, one by one.

    Raises
    ------
    InputError : one is not.
    """
    for day in days if np.ndim(days) else [days]:
        if isinstance(day, bool) or not isinstance(day, int | float | np.number) or not np.isfinite(day):
            raise InputError(f"day {day!r}", expected="a number, days since 1970-01-01")
    return np.asarray(days, dtype=np.float64)


class Truth(NamedTuple):
    """What is true of the players of a simulated stream, replicate by replicate."""

    paths: Paths
    replicate: Ints  # (R,) numbers
    foul: NDArray[np.bool_] | None  # (R N,) who plays foul, where the world says so


def truth_of(stream: GameStream) -> Truth:
    """Return what is true of the players of a simulated stream, each replicate of which has as many.

    Raises
    ------
    InputError : it has no skill paths.
    """
    if stream.paths is None:
        raise InputError("no skills over time to compare ratings with", expected="a stream that a world simulated")
    number = stream.players["replicate"].to_numpy()
    foul = stream.players["foul"].to_numpy() if "foul" in stream.players.columns else None
    return Truth(stream.paths, number[np.append(True, number[1:] != number[:-1])], foul)


def seen(session: Session, moment: Moment, lanes: slice, truth: Truth) -> Snapshot:
    """Return what lanes of a session believe of all players, by replicate: all are in one lane, or each in its own."""
    shape, fields = (len(truth.replicate), -1), session.fields
    rows = moment.rows[:, :, lanes].transpose(2, 0, 1)
    columns = session.system.columns(rows[:, :, :fields].reshape(-1, fields))
    games = rows[:, :, fields] if session.gains.career else np.tile(moment.games, len(rows))
    paths, foul, apart = truth.paths, truth.foul, session.rows.pool is not None
    skill = paths.skill[max(0, int(np.searchsorted(paths.days, moment.day, side="right")) - 1)]
    if skill.ndim > 1 and not apart:
        skill = _over_pools(skill)
    if foul is not None:
        foul = (foul[session.rows.player] if apart else foul).reshape(shape)
    known = {name: columns[name].reshape(shape) for name in ("deviation", "volatility") if name in columns}
    return Snapshot(
        moment.day, truth.replicate, columns["rating"].reshape(shape), known.get("deviation"), games.reshape(shape),
        skill.reshape(shape), known.get("volatility"), foul,
    )  # fmt: skip


def _over_pools(skill: Floats) -> Floats:
    """Return the mean of skills (N, P) over the pools that each player is in, NaN of those who are in none."""
    there = np.isfinite(skill)
    count = there.sum(axis=1)
    mean: Floats = np.where(count > 0, np.where(there, skill, 0.0).sum(axis=1) / np.maximum(count, 1), np.nan)
    return mean
