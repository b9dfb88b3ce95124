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
    """All players of all replicates at one moment; arrays (R, N), replicate and player."""

    day: float  # since 1970-01-01
    replicate: Ints  # (R,) numbers
    rating: Floats  # rating points
    deviation: Floats | None  # rating points, grown to the day; None where the system claims none
    games: Floats  # that counted so far
    skill: Floats  # rating points, NaN of players who are not there
    volatility: Floats | None = None  # as the system has it


def snapshots(run: Run, days: Sequence[float] | Floats | None = None) -> Iterator[Snapshot]:
    """Yield what a run over a simulated stream believes, moment after moment; the run is played again for it.

    Parameters
    ----------
    run : of a system that keeps ratings; there is nothing to see of another.
    days : since 1970-01-01, rising; None: those of `stream.paths`. Each sees the periods that have closed by then, and
        the skills as of the last reading up to it, or of the first.

    Raises
    ------
    InputError : the stream has no skill paths, or players have a belief for each pool.
    """
    paths, replicate = paths_of(run.stream), replicates_of(run.stream)
    if run.by_pool:
        raise InputError("by_pool in a simulated world", expected="one belief for each player")
    if run.session is None:
        return
    session = run.again()
    for moment in moments(session, paths.days if days is None else days):
        yield seen(session, moment, 0, paths, replicate)


def seen(session: Session, moment: Moment, lane: int, paths: Paths, replicate: Ints) -> Snapshot:
    """Return what one lane of a session believes of all players (R N,) of its stream, by replicate."""
    shape = (len(replicate), -1)
    columns = session.system.columns(moment.rows[:, : session.fields, lane])
    games = moment.rows[:, session.fields, lane] if session.gains.career else moment.games
    skill = paths.skill[max(0, int(np.searchsorted(paths.days, moment.day, side="right")) - 1)]
    known = {name: columns[name].reshape(shape) for name in ("deviation", "volatility") if name in columns}
    return Snapshot(
        moment.day, replicate, columns["rating"].reshape(shape), known.get("deviation"), games.reshape(shape),
        skill.reshape(shape), known.get("volatility"),
    )  # fmt: skip


def paths_of(stream: GameStream) -> Paths:
    """Return the skill paths of a simulated stream.

    Raises
    ------
    InputError : there are none.
    """
    if stream.paths is None:
        raise InputError("no skills over time to compare ratings with", expected="a stream that a world simulated")
    return stream.paths


def replicates_of(stream: GameStream) -> NDArray[np.int32]:
    """Return the numbers (R,) of a simulated stream's replicates, each of which has as many players."""
    number = stream.players["replicate"].to_numpy()
    found: NDArray[np.int32] = number[np.append(True, number[1:] != number[:-1])]
    return found
