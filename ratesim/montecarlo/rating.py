"""Systems over the games of a block of replicates: replicates as rows of one stream, or as lanes of one schedule."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..calendars import Calendar
from ..replay import replay
from ..replaying.moments import moments
from ..replaying.openings import Variant
from ..replaying.order import arranged, restored
from ..replaying.pairs import Pair, blocks, usual, variants_of
from ..replaying.snapshots import Snapshot, seen, truth_of
from ..state import SEATS, Floats
from ..stream import GameStream
from ..systems.base import System
from .sessions import Sessions
from .sharing import Shared

NEVER: Floats = np.zeros(0)


class Rated(NamedTuple):
    """What one system makes of the games of a block."""

    forecast: Floats  # (G,) of the stream
    snapshots: Sequence[Snapshot]  # none of a system that keeps no ratings


class Block(NamedTuple):
    """The games of some replicates."""

    stream: GameStream
    shared: Shared | None  # the same as one schedule
    by_pool: bool
    days: Floats  # on which ratings are read


def block_of(stream: GameStream, shared: Shared | None, *, by_pool: bool, truth: bool) -> Block:
    """Return the games of some replicates.

    Parameters
    ----------
    truth : whether ratings are read, on the days of the stream's paths.
    """
    return Block(stream, shared, by_pool, truth_of(stream).paths.days if truth else NEVER)


def rate(runs: Mapping[str, Pair], block: Block, calendar: Calendar | None, sessions: Sessions) -> dict[str, Rated]:
    """Return what each of some systems makes of a block.

    Parameters
    ----------
    calendar : None is each one's own default. sessions : of the blocks before, which are taken up where they fit.
    """
    pairs, found = list(runs.values()), dict[int, Rated]()
    for group in blocks(pairs, calendar):
        some = [pairs[n] for n in group]
        used = calendar or usual(some[0][0])
        found.update(zip(group, _rate(group[0], some, block, used, sessions), strict=True))
    return {label: found[n] for n, label in enumerate(runs)}


def _rate(number: int, pairs: Sequence[Pair], block: Block, calendar: Calendar, sessions: Sessions) -> list[Rated]:
    """Rate a block by systems that can be played side by side, the first of which has a number."""
    system, shared = pairs[0][0], block.shared
    if not isinstance(system, System):
        return [Rated(replay(system, block.stream, calendar=calendar).forecast, ())]
    variants = variants_of(pairs)
    if shared is None or block.by_pool or system.alone or calendar.order(shared.stream) is not None:
        return _side_by_side(number, variants, block, calendar, None, sessions)
    many = SEATS // shared.scores.shape[1]
    made = []
    for begin in range(0, len(variants), many):
        made += _side_by_side(number + begin, variants[begin : begin + many], block, calendar, shared, sessions)
    return made


def _side_by_side(
    number: int, variants: Sequence[Variant], block: Block, calendar: Calendar, shared: Shared | None,
    sessions: Sessions,
) -> list[Rated]:  # fmt: skip
    """Rate a block in one pass: a lane for each variant, or for each variant and replicate."""
    each = 1 if shared is None else shared.scores.shape[1]
    played, order = arranged(block.stream if shared is None else shared.stream, calendar)
    scores = None if shared is None else np.tile(shared.scores, (1, len(variants)))
    many = [variant for variant in variants for _ in range(each)]
    session = sessions.over(number, many, played, calendar, scores, by_pool=block.by_pool)
    lanes = [slice(begin, begin + each) for begin in range(0, len(variants) * each, each)]
    truth = truth_of(block.stream)
    forecasts, snapshots = [], list[list[Snapshot]]([] for _ in variants)
    for moment in moments(session, block.days):
        forecasts.append(moment.forecast)
        for some, kept in zip(lanes, snapshots, strict=True):
            kept.append(seen(session, moment, some, truth))
    forecasts.append(session.advance(len(played)))
    forecast = forecasts[0] if len(forecasts) == 1 else np.concatenate(forecasts)
    return [
        Rated(restored(forecast[:, some].ravel(), order), kept) for some, kept in zip(lanes, snapshots, strict=True)
    ]
