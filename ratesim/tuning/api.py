"""Tuning in Python."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .. import spreading
from ..calendars import Calendar
from ..errors import InputError
from ..keys import Tune
from ..metrics import LogLoss, Metric
from ..policies import POLICIES, Policy
from ..ranges import Range
from ..replaying.pairs import Pair, Starts, check_pairs
from ..stream import GameStream
from ..sweep import Swept, by_block, check_given
from ..systems.base import Rater
from .folds import Ints
from .protocol import Sweeping, tuned
from .space import Space
from .tuning import Tuning


def tune(
    system: Rater, games: GameStream, ranges: Mapping[str, Range | tuple[float, float]], *,
    policy: Policy | None = None, calendar: Calendar | None = None, start: Starts | None = None, by_pool: bool = False,
    metric: Metric | None = None, seed: int = 1, many: bool = False, executor: str | Executor = "threads",
    workers: int | None = None, plugins: Sequence[str | Path] = (), **how: Any,  # noqa: ANN401  # keys of `Tune`, which judges them
) -> Tuning:  # fmt: skip
    """Choose parameters of a system and its policy by the earlier games, and score the choice on the later ones.

    Parameters
    ----------
    system, policy : what has the parameters; their own values are the usual ones, to which tuning is compared.
    games : the stream.
    ranges : by name of a parameter, `k` or `tau`, of parts `base.k`, of lists `k.2`; `system.x` or `policy.x` where
        both have an x. Two numbers are a linear range.
    calendar, start, by_pool : as in `replay`.
    metric : what decides; None: `LogLoss()`.
    seed : of the search and of the resampling.
    many : whether more than 10,000 settings are meant.
    executor, workers, plugins : what plays blocks of settings side by side, as in `sweep`; the outcome does not depend
        on them.
    how : keys of `[tune]` of experiment files: method, budget, train, folds, burn_in, halving, level, draws.

    Raises
    ------
    InputError : games are no stream or ranges no mapping, a parameter is not there or is no number, a range is upside
        down or reaches beyond what the parameter may be, a part of the games is empty, there are too many settings
        (more than 10,000 unless `many`, more than 1,000,000 in any case), or optuna is asked for and not installed.

    >>> import ratesim as rs
    >>> games = rs.League(players=30, rounds=60).simulate(seed=1)
    >>> found = rs.tune(rs.Elo(), games, {"k": (10, 90)}, train=0.6, folds=2)
    >>> found.policy, found.settings.height, found.cost is not None
    (Constant(kind='constant', k=...), 41, True)
    """
    try:
        check_given(games, metric)
    except InputError as error:
        raise error.inside("tune") from None
    check_pairs([(system, policy)], calendar)
    learnt = policy or (POLICIES.build(system.default_policy) if system.takes_policy else None)
    if not isinstance(ranges, Mapping):
        expected = 'ranges by name, such as {"k": (5, 80)}'
        raise InputError(f"ranges: a {type(ranges).__name__}", where="tune", expected=expected)
    spans = {name: _span(name, each) for name, each in ranges.items()}
    if not spans:
        raise InputError("no range", where="tune", expected='one at least, such as {"k": (5, 80)}')
    metric = metric or LogLoss()
    space, asked, sign = Space.of(system, learnt, spans), Tune(**how), 1 if metric.lower_is_better else -1
    with sweeping(
        games, metric, calendar=calendar, start=start, by_pool=by_pool, executor=executor, workers=workers,
        plugins=plugins,
    ) as lost:  # fmt: skip
        return tuned(space, games, asked, sign=sign, seed=seed, many=many, sweep=lost)


def _span(name: str, given: object) -> Range:
    if isinstance(given, Range):
        return given
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise InputError(f"{name} = {given!r}", where="ranges", expected="two numbers, such as (5, 80), or a rs.Range")
    try:
        return Range(*given)
    except InputError as error:
        raise error.inside(f"ranges, {name}") from None


class Ledger(Protocol):
    """What is known already of the settings over some games."""

    def known(self, pairs: Sequence[Pair]) -> dict[int, Swept]:
        """Return what settings lost, by their places among the pairs; of each that is known one row."""

    def add(self, pairs: Sequence[Pair], lost: Swept) -> None:
        """Hear what settings lost, a row each."""


class Memory(Protocol):
    """Who remembers what settings lost."""

    def over(self, bucket: Ints) -> AbstractContextManager[Ledger]:
        """Open what is known over the first games of a stream in these buckets; however the block ends it is kept."""


class Nothing:
    """A memory, and a ledger, of nobody."""

    @contextmanager
    def over(self, bucket: Ints) -> Iterator["Nothing"]:
        """Open nothing."""
        yield self

    def known(self, pairs: Sequence[Pair]) -> dict[int, Swept]:
        """Return nothing."""
        return {}

    def add(self, pairs: Sequence[Pair], lost: Swept) -> None:
        """Forget it."""


@contextmanager
def sweeping(
    games: GameStream, metric: Metric, *, calendar: Calendar | None, start: Starts | None, by_pool: bool,
    executor: str | Executor, workers: int | None, plugins: Sequence[str | Path], memory: Memory | None = None,
    tried: Callable[[int], None] | None = None,
) -> Iterator[Sweeping]:  # fmt: skip
    """Open an executor for all sweeps of one tuning; yield what sums the losses of pairs over first games of a stream.

    Parameters
    ----------
    memory : is asked what settings lost before they are played, and told as soon as they were.
    tried : is told of each block of settings how many games they played together, those of known ones too.

    Raises
    ------
    InputError : as `spreading.executor`.
    """
    cores = os.cpu_count() or 1 if workers is None else workers
    memory = memory or Nothing()
    with spreading.executor(executor, cores) as pool:

        def lost(pairs: Sequence[Pair], bucket: Ints, stop: int) -> Swept:
            some = bucket[:stop]
            found = Swept(*np.empty((2, len(pairs), int(some.max()) + 1)))
            with memory.over(some) as ledger:
                for n, each in (known := ledger.known(pairs)).items():
                    found.total[n], found.games[n] = each.total[0], each.games[0]
                _tell(tried, len(known) * stop)
                left = [n for n in range(len(pairs)) if n not in known]
                for members, each in by_block(
                    [pairs[n] for n in left], games.take(slice(0, stop)), calendar=calendar, metric=metric, bucket=some,
                    start=start, by_pool=by_pool, executor=pool, workers=cores, plugins=plugins,
                ):  # fmt: skip
                    places = [left[n] for n in members]
                    found.total[places], found.games[places] = each
                    ledger.add([pairs[n] for n in places], each)
                    _tell(tried, len(places) * stop)
            return found

        yield lost


def _tell(tried: Callable[[int], None] | None, games: int) -> None:
    if tried is not None and games:
        tried(games)
