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
from ..replaying.snapshots import Snapshot, Truth, seen, truth_of
from ..state import SEATS, Floats
from ..stream import GameStream
from ..systems.base import Rater, System
from .sessions import Sessions
from .sharing import Shared


class Group(NamedTuple):
    """Systems that can be played side by side."""

    number: int  # no other group has it
    labels: list[str]  # of the runs
    system: Rater  # the first
    variants: list[Variant]
    calendar: Calendar


class Rated(NamedTuple):
    """What one system makes of the games of a block."""

    forecast: Floats  # (G,) of the stream
    snapshots: Sequence[Snapshot]  # none of a system that keeps no ratings


class Block(NamedTuple):
    """The games of some replicates."""

    stream: GameStream
    shared: Shared | None  # the same as one schedule
    by_pool: bool
    truth: Truth | None  # beside which ratings are read, on the days of its paths


def block_of(stream: GameStream, shared: Shared | None, *, by_pool: bool, truth: bool) -> Block:
    """Return the games of some replicates.

    Parameters
    ----------
    truth : whether ratings are read.
    """
    return Block(stream, shared, by_pool, truth_of(stream) if truth else None)


def groups_of(runs: Mapping[str, Pair], calendar: Calendar | None) -> list[Group]:
    """Return some runs in groups; `calendar` None is each one's own default."""
    labels, pairs = list(runs), list(runs.values())
    groups = []
    for members in blocks(pairs, calendar):
        some, system = [pairs[n] for n in members], pairs[members[0]][0]
        named = [labels[n] for n in members]
        groups.append(Group(members[0], named, system, variants_of(some), calendar or usual(system)))
    return groups


def rate(groups: Sequence[Group], block: Block, sessions: Sessions) -> dict[str, Rated]:
    """Return what each run makes of a block, by its label.

    Parameters
    ----------
    sessions : of the blocks before, which are taken up where they fit.
    """
    return {
        label: rated
        for group in groups
        for label, rated in zip(group.labels, _rate(group, block, sessions), strict=True)
    }


def _rate(group: Group, block: Block, sessions: Sessions) -> list[Rated]:
    """Rate a block by the systems of a group."""
    number, _, system, variants, calendar = group
    shared = block.shared
    if not isinstance(system, System):
        return [Rated(replay(system, block.stream, calendar=calendar).forecast, ())]
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
    forecasts, snapshots = [], list[list[Snapshot]]([] for _ in variants)
    if block.truth is not None:
        for moment in moments(session, block.truth.paths.days):
            forecasts.append(moment.forecast)
            for some, kept in zip(lanes, snapshots, strict=True):
                kept.append(seen(session, moment, some, block.truth))
    forecasts.append(session.advance(len(played)))
    forecast = forecasts[0] if len(forecasts) == 1 else np.concatenate(forecasts)
    return [
        Rated(restored(forecast[:, some].ravel(), order), kept) for some, kept in zip(lanes, snapshots, strict=True)
    ]
