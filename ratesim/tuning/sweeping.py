"""Losses of many systems over one stream, summed by bucket."""

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..calendars import Calendar
from ..metrics import Metric
from ..replay import replay_many
from ..replaying.pairs import Pair, Starts
from ..stream import GameStream

Floats = NDArray[np.float64]


class Swept(NamedTuple):
    """Sums by pair and bucket."""

    total: Floats
    games: Floats


def sweep(
    pairs: Sequence[Pair], games: GameStream, *, calendar: Calendar | None, metric: Metric, bucket: NDArray[np.int32],
    start: Starts | None = None, by_pool: bool = False, workers: int | None = None, executor: Executor | None = None,
    stop: int | None = None,
) -> Swept:  # fmt: skip
    """Return the sums of losses of each pair by bucket."""
    stop = len(games) if stop is None else stop
    B = int(bucket.max()) + 1
    bucket, played = bucket[:stop], games.take(slice(0, stop))
    here = bucket >= 0
    out = Swept(np.zeros((len(pairs), B)), np.zeros((len(pairs), B)))
    weight = np.ones(stop) if played.weight is None else played.weight
    for begin in range(0, len(pairs), 64):
        some = pairs[begin : begin + 64]
        for lane, run in enumerate(replay_many(some, played, calendar=calendar, start=start, by_pool=by_pool), begin):
            loss = metric.each(run.forecast, played.score)
            there = here & ~np.isnan(loss)
            np.add.at(out.total[lane], bucket[there], weight[there] * loss[there])
            np.add.at(out.games[lane], bucket[there], weight[there])
    return out
