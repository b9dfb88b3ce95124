"""Which settings are tried: all of a grid, some at random, or where the former lost least."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import InputError, ManyError
from ..keys import Tune
from ..ranges import Range
from ..rng import generator
from .space import Setting

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

MOST = 10_000  # settings that nobody is asked about
CEILING = 1_000_000  # settings that nobody can mean
BUDGET = 64  # settings of a search that is no grid
POINTS = {1: 41, 2: 15, 3: 8}  # of a grid, by how many ranges there are
FEW = 5  # where there are more
BATCH = 16  # settings that optuna chooses before it hears of their losses


class Search(Protocol):
    """Who says which settings are tried."""

    def ask(self) -> list[Setting]:
        """Return the next settings, none where all have been tried."""

    def tell(self, losses: Sequence[float]) -> None:
        """Hear what those settings lost, in their order."""


class Listed:
    """Settings that are known beforehand."""

    def __init__(self, settings: Sequence[Setting]) -> None:
        self._left = list(settings)

    def ask(self) -> list[Setting]:
        """Return all of them, once."""
        asked, self._left = self._left, []
        return asked

    def tell(self, losses: Sequence[float]) -> None:
        """Do nothing: what is tried does not depend on losses."""


class Optuna:
    """Settings chosen by the tree-structured Parzen estimator of Optuna, sixteen at a time.

    Bergstra et al., NIPS 24 (2011) 2546; all parameters at once (Falkner et al., ICML 2018, BOHB), settings of which
    the loss is not yet known counted as bad ones. Its first batch is random. It asks in one thread, and batches have
    one size, so that the same seed chooses the same settings whatever the workers.

    Raises
    ------
    InputError : it is not installed.
    """

    def __init__(self, ranges: Sequence[Range], budget: int, seed: int) -> None:
        optuna = _optuna()
        self._ranges, self._left = ranges, budget
        self._trials: list[Any] = []
        self._known: dict[Setting, float] = {}
        with _quiet():
            sampler = optuna.samplers.TPESampler(
                seed=seed % 2**32, n_startup_trials=BATCH, multivariate=True, constant_liar=True
            )
            self._study = optuna.create_study(sampler=sampler)
        self._space = {str(n): _distribution(each) for n, each in enumerate(ranges)}

    def ask(self) -> list[Setting]:
        """Return the next batch; a setting that was tried before is not tried again, but counts as one."""
        while self._left > 0:
            with _quiet():
                self._trials = [self._study.ask(self._space) for _ in range(min(BATCH, self._left))]
            self._left -= len(self._trials)
            new = [each for each in dict.fromkeys(map(self._setting, self._trials)) if each not in self._known]
            if new:
                self._asked = new
                return new
            self._answer()
        return []

    def tell(self, losses: Sequence[float]) -> None:
        """Hear what the batch lost."""
        self._known.update(zip(self._asked, losses, strict=True))
        self._answer()

    def _answer(self) -> None:
        with _quiet():
            for trial in self._trials:
                self._study.tell(trial, self._known[self._setting(trial)])

    def _setting(self, trial: Any) -> Setting:  # noqa: ANN401  # one of a library that may not be there
        return tuple(
            each.tidy(value)
            for each, value in zip(self._ranges, (trial.params[name] for name in self._space), strict=True)
        )


def search(ranges: Sequence[Range], how: Tune, seed: int, *, many: bool = False) -> Search:
    """Return who says which settings are tried.

    Parameters
    ----------
    many : whether more than 10,000 are meant.

    Raises
    ------
    ManyError : there are more than that and they are not meant.
    InputError : more than 1,000,000, or optuna is not installed.
    """
    check(ranges, how, many=many)
    budget = how.budget or BUDGET
    if how.method == "optuna":
        return Optuna(ranges, budget, seed)
    return Listed(list(product(*_axes(ranges))) if how.method == "grid" else list(_random(ranges, budget, seed)))


def check(ranges: Sequence[Range], how: Tune, *, many: bool) -> int:
    """Return how many settings a search has, at most; refuse one that cannot or should not be made, as `search`."""
    grid, budget = how.method == "grid", how.budget or BUDGET
    most = prod(_at_most(each, _points(ranges)) for each in ranges) if grid else budget
    if most > CEILING:
        raise InputError(f"{most:,} settings", where="tune", expected=f"at most {CEILING:,}")
    count = prod(len(each) for each in _axes(ranges)) if grid else budget
    if count > MOST and not many:
        raise ManyError(f"{count:,} settings", where="tune", expected=f"at most {MOST:,}, or many = True")
    if how.method == "optuna":
        _optuna()
    return count


def searched_by(how: Tune) -> dict[str, str]:
    """Return the version of the library that chooses settings, if one does."""
    return {"optuna": _optuna().__version__} if how.method == "optuna" else {}


def _optuna() -> Any:  # noqa: ANN401  # a library that may not be there
    try:
        import optuna
    except ImportError:
        said = "optuna is not installed"
        raise InputError(said, where="tune, method", expected="pip install 'ratesim[tune]'") from None
    return optuna


def _axes(ranges: Sequence[Range]) -> list[list[float]]:
    return [each.values(_points(ranges)) for each in ranges]


def _points(ranges: Sequence[Range]) -> int:
    return POINTS.get(len(ranges), FEW)


def _at_most(each: Range, points: int) -> int:
    """Return how many values a range can have on a grid, without making them."""
    n = each.points or points
    return min(n, round(each.high - each.low) + 1) if each.whole else n


def _random(ranges: Sequence[Range], budget: int, seed: int) -> Iterator[Setting]:
    """Yield settings drawn evenly along the scales of all ranges, each once (Bergstra and Bengio, JMLR 13 (2012))."""
    shares = generator(seed, 0, "random search").random((budget, len(ranges)))
    drawn = (tuple(each.at(float(u)) for each, u in zip(ranges, row, strict=True)) for row in shares)
    yield from dict.fromkeys(drawn)


def _distribution(each: Range) -> "BaseDistribution":
    from optuna.distributions import FloatDistribution, IntDistribution

    log = each.scale == "log"
    if each.whole:
        return IntDistribution(round(each.low), round(each.high), log=log)
    return FloatDistribution(each.low, each.high, log=log)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep optuna from telling of every trial, and of what it calls experimental."""
    from optuna import logging

    level = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
