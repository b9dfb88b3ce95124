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
from ..replaying.session import Session
from ..replaying.snapshots import Snapshot, paths_of, replicates_of, seen
from ..state import SEATS, Floats
from ..stream import GameStream
from ..systems.base import System
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
    return Block(stream, shared, by_pool, paths_of(stream).days if truth else NEVER)


def rate(runs: Mapping[str, Pair], block: Block, calendar: Calendar | None) -> dict[str, Rated]:
    """Return what each of some systems makes of a block; `calendar` None is each one's own default."""
    pairs, found = list(runs.values()), dict[int, Rated]()
    for group in blocks(pairs, calendar):
        some = [pairs[n] for n in group]
        used = calendar or usual(some[0][0])
        found.update(zip(group, _rate(some, block, used), strict=True))
    return {label: found[n] for n, label in enumerate(runs)}


def _rate(pairs: Sequence[Pair], block: Block, calendar: Calendar) -> list[Rated]:
    """Rate a block by systems that can be played side by side."""
    system, shared = pairs[0][0], block.shared
    if not isinstance(system, System):
        return [Rated(replay(system, block.stream, calendar=calendar).forecast, ())]
    variants = variants_of(pairs)
    if shared is None or block.by_pool or system.alone or calendar.order(shared.stream) is not None:
        return _side_by_side(variants, block, calendar, None)
    many = SEATS // shared.scores.shape[1]
    parts = [variants[begin : begin + many] for begin in range(0, len(variants), many)]
    return [rated for part in parts for rated in _side_by_side(part, block, calendar, shared)]


def _side_by_side(variants: Sequence[Variant], block: Block, calendar: Calendar, shared: Shared | None) -> list[Rated]:
    """Rate a block in one pass: a lane for each variant, or for each variant and replicate."""
    each = 1 if shared is None else shared.scores.shape[1]
    played, order = arranged(block.stream if shared is None else shared.stream, calendar)
    session = Session(
        [variant for variant in variants for _ in range(each)], played, calendar, by_pool=block.by_pool,
        scores=None if shared is None else np.tile(shared.scores, (1, len(variants))),
    )  # fmt: skip
    lanes = [slice(begin, begin + each) for begin in range(0, len(variants) * each, each)]
    paths, replicate = paths_of(block.stream), replicates_of(block.stream)
    forecasts, snapshots = [], list[list[Snapshot]]([] for _ in variants)
    for moment in moments(session, block.days):
        forecasts.append(moment.forecast)
        for some, kept in zip(lanes, snapshots, strict=True):
            kept.append(seen(session, moment, some, paths, replicate))
    forecasts.append(session.advance(len(played)))
    forecast = forecasts[0] if len(forecasts) == 1 else np.concatenate(forecasts)
    return [
        Rated(restored(forecast[:, some].ravel(), order), kept) for some, kept in zip(lanes, snapshots, strict=True)
    ]
