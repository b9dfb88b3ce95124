"""Losses per game: what a forecast of the expected score costs once the score is known.

A metric that enters comparisons is a number per game. Means, strata, errors and paired differences are then the
same for all of them (`ratesim.inference`).
"""

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import check_range
from .errors import InputError
from .jit import kernel, part, specialise, times
from .maths import log
from .registry import Registry
from .spec import Spec, quantity

if TYPE_CHECKING:
    from types import FunctionType

Floats = NDArray[np.float64]
Kernel = Callable[..., Any]


class Metric(Spec):
    """A loss per game, written as a kernel so that the engine's pass can sum it.

    Subclasses give `kernel`, and `params` where they have any.
    """

    title: ClassVar[str]
    lower_is_better: ClassVar[bool] = True
    three_way: ClassVar[bool] = False  # whether it judges chances of win, draw and loss, not the expected score

    def kernel(self) -> Kernel:
        """Return the kernel (p, forecast, score) -> loss of a game, of floats; p is what `params` returns."""
        raise NotImplementedError

    def params(self) -> tuple[float, ...]:
        """Return the parameters the kernel reads."""
        return ()

    def each(self, forecast: ArrayLike, score: ArrayLike) -> Floats:
        """Return the loss of each game, NaN where there is no forecast.

        Parameters
        ----------
        forecast : (G,) expected scores of first, 0..1, NaN where there is none; or one number for all games.
        score : (G,) scores of first, 0..1.

        Raises
        ------
        InputError : lengths differ, a number lies outside 0..1, or a score is missing.
        """
        forecast, score = _games(forecast, score)
        out = np.empty(len(score))
        _loop(type(self).__name__, self.kernel())(self.params(), forecast, score, out)
        return out


METRICS: Registry[Metric] = Registry("metric", "ratesim.metrics")


class Entropy(NamedTuple):
    """Parameters of `cross_entropy`."""

    clip: float  # forecasts are moved into clip..1 - clip
    unit: float  # natural logarithm of the base


@kernel
def cross_entropy(p: Entropy, forecast: float, score: float) -> float:
    """-(s log e + (1 - s) log(1 - e)), e and 1 - e clipped; a draw is half of a win and half of a loss."""
    e = min(max(forecast, p.clip), 1.0 - p.clip)
    other = min(max(1.0 - forecast, p.clip), 1.0 - p.clip)
    loss: float = -(times(score, log(e)) + times(1.0 - score, log(other))) / p.unit
    return loss


@kernel
def squared_error(p: tuple[float, ...], forecast: float, score: float) -> float:
    """(e - s)²."""
    return (forecast - score) * (forecast - score)


@kernel
def right_side(p: tuple[float, ...], forecast: float, score: float) -> float:
    """1 where forecast and score lie on the same side of ½, 0 on opposite ones, ½ where either is ½."""
    same = (forecast - 0.5) * (score - 0.5)  # a double other than ½ is 2⁻⁵⁴ or more away, so no product vanishes
    return 1.0 if same > 0.0 else 0.0 if same < 0.0 else 0.5


@METRICS.add
class LogLoss(Metric):
    """Logarithmic loss in natural units; ln 2 = .6931 is what a forecast of ½ costs.

    Good, J. R. Stat. Soc. B 14 (1952) 107. A draw counts as half a win and half a loss.
    """

    title: ClassVar[str] = "log loss"
    kind: Literal["log_loss"] = "log_loss"
    clip: float = quantity(1e-6, "forecasts are moved into clip..1 - clip", unit="expected score", gt=0, lt=0.5)

    def kernel(self) -> Kernel:
        """Return `cross_entropy`."""
        return cross_entropy

    def params(self) -> Entropy:
        """Return the clip and base e."""
        return Entropy(self.clip, 1.0)


@METRICS.add
class Brier(Metric):
    """Squared error of the expected score, 0..1; ¼ is what a forecast of ½ costs where nobody draws.

    Brier, Monthly Weather Review 78 (1950) 1, in its form for one number, half of his sum over two outcomes.
    """

    title: ClassVar[str] = "Brier score"
    kind: Literal["brier"] = "brier"

    def kernel(self) -> Kernel:
        """Return `squared_error`."""
        return squared_error


@METRICS.add
class Accuracy(Metric):
    """Share of games whose better-scoring side was forecast above ½.

    A drawn game counts half whatever was forecast, and a forecast of exactly ½ counts half whatever was scored.
    """

    title: ClassVar[str] = "accuracy"
    lower_is_better: ClassVar[bool] = False
    kind: Literal["accuracy"] = "accuracy"

    def kernel(self) -> Kernel:
        """Return `right_side`."""
        return right_side


@METRICS.add
class CappedDeviance(Metric):
    """Logarithmic loss to base 10, forecasts moved into .01.. .99; log10 2 = .3010 is what a forecast of ½ costs.

    Sonas's measure in the Deloitte/FIDE Chess Rating Challenge (Kaggle 2011), whose Glicko benchmark scored .2578.
    """

    title: ClassVar[str] = "capped deviance"
    kind: Literal["capped_deviance"] = "capped_deviance"
    clip: float = quantity(0.01, "forecasts are moved into clip..1 - clip", unit="expected score", gt=0, lt=0.5)

    def kernel(self) -> Kernel:
        """Return `cross_entropy`."""
        return cross_entropy

    def params(self) -> Entropy:
        """Return the clip and base 10."""
        return Entropy(self.clip, math.log(10.0))


class ThreeWayMetric(Metric):
    """A loss per game of the chances that first wins, draws and loses.

    It needs a chance of a draw beside the expected score (`rs.three_way`), so it has no kernel that a pass over games
    could sum. Subclasses give `of`.
    """

    three_way: ClassVar[bool] = True

    def of(self, chances: Floats, result: NDArray[np.int64]) -> Floats:
        """Return the loss of each game from chances (G, 3) and from which of the three came true (G,)."""
        raise NotImplementedError

    def kernel(self) -> Kernel:
        """Refuse.

        Raises
        ------
        InputError : always.
        """
        said = f"metric '{self.kind}' judges wins, draws and losses"
        raise InputError(said, expected="a metric of the expected score, such as log_loss, where losses are summed")

    def each(self, forecast: ArrayLike, score: ArrayLike) -> Floats:
        """Return the loss of each game, NaN where there is no forecast or the score is none of 0, 1/2 and 1.

        Parameters
        ----------
        forecast : (G, 3) chances that first wins, draws and loses, as `rs.three_way` returns them.
        score : (G,) scores of first.

        Raises
        ------
        InputError : they are not that, a number lies outside 0..1, or chances do not sum to 1.
        """
        chances, score = np.asarray(forecast, dtype=np.float64), np.asarray(score, dtype=np.float64)
        if score.ndim != 1 or chances.shape != (len(score), 3):
            expected = "chances of win, draw and loss (G, 3), from three_way, and scores (G,)"
            raise InputError(f"forecasts {chances.shape}, scores {score.shape}", expected=expected)
        wrong = ((chances < 0) | (chances > 1)).any(axis=1) | (np.abs(chances.sum(axis=1) - 1.0) > 1e-9)
        if wrong.any():
            game = int(wrong.argmax())
            raise InputError(f"chances {chances[game].tolist()}", where=f"game {game}", expected="three that sum to 1")
        known = ~np.isnan(chances).any(axis=1) & np.isin(score, (0.0, 0.5, 1.0))
        out = np.full(len(score), np.nan)
        out[known] = self.of(chances[known], (2.0 * (1.0 - score[known])).astype(np.int64))
        return out


@METRICS.add
class ThreeWayLogLoss(ThreeWayMetric):
    """Logarithmic loss of the result, win, draw or loss: -ln of its chance; ln 3 = 1.0986 where all are a third.

    Good, J. R. Stat. Soc. B 14 (1952) 107. Games of other scores than 0, 1/2 and 1 are left out.
    """

    title: ClassVar[str] = "three-way log loss"
    kind: Literal["three_way_log_loss"] = "three_way_log_loss"
    clip: float = quantity(1e-6, "chances are moved into clip..1 - clip", unit="probability", gt=0, lt=0.5)

    def of(self, chances: Floats, result: NDArray[np.int64]) -> Floats:
        """Return -ln of the chance of what came true: what `LogLoss` says of that chance and a win."""
        return LogLoss(clip=self.clip).each(chances[np.arange(len(result)), result], np.ones(len(result)))


@METRICS.add
class RankedProbability(ThreeWayMetric):
    """Ranked probability score, 0..1: half the sum of (P(win) - win)² and (P(loss) - loss)².

    Epstein, J. Appl. Meteorol. 8 (1969) 985, of three results in order, as Constantinou & Fenton, J. Quant. Anal.
    Sports 8 (2012) 1, have it for football: a draw is nearer to a win than a loss is. Games of other scores than 0,
    1/2 and 1 are left out.
    """

    title: ClassVar[str] = "ranked probability score"
    kind: Literal["rps"] = "rps"

    def of(self, chances: Floats, result: NDArray[np.int64]) -> Floats:
        """Return the score of each game."""
        win, loss = chances[:, 0] - (result == 0), chances[:, 2] - (result == 2)
        score: Floats = 0.5 * (win * win + loss * loss)
        return score


def log_loss(forecast: ArrayLike, score: ArrayLike, clip: float = 1e-6) -> Floats:
    """Return the logarithmic loss of each game, see `LogLoss`.

    >>> log_loss([0.5, 0.9, 1.0, float("nan")], [1, 0.5, 0, 1]).round(4).tolist()
    [0.6931, 1.204, 13.8155, nan]
    """
    return LogLoss(clip=clip).each(forecast, score)


def brier(forecast: ArrayLike, score: ArrayLike) -> Floats:
    """Return the squared error of each game, see `Brier`.

    >>> brier([0.5, 0.75], [1, 0.5]).tolist()
    [0.25, 0.0625]
    """
    return Brier().each(forecast, score)


def accuracy(forecast: ArrayLike, score: ArrayLike) -> Floats:
    """Return 1, ½ or 0 for each game, see `Accuracy`.

    >>> accuracy([0.6, 0.6, 0.6, 0.5], [1, 0, 0.5, 1]).tolist()
    [1.0, 0.0, 0.5, 0.5]
    """
    return Accuracy().each(forecast, score)


def capped_deviance(forecast: ArrayLike, score: ArrayLike, clip: float = 0.01) -> Floats:
    """Return Sonas's deviance of each game, see `CappedDeviance`.

    >>> capped_deviance([0.5, 0.1, 0.0], [0, 1, 1]).round(6).tolist()
    [0.30103, 1.0, 2.0]
    """
    return CappedDeviance(clip=clip).each(forecast, score)


def three_way_log_loss(chances: ArrayLike, score: ArrayLike, clip: float = 1e-6) -> Floats:
    """Return the logarithmic loss of the result of each game, see `ThreeWayLogLoss`.

    >>> three_way_log_loss([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]], [1, 0.5]).round(4).tolist()
    [0.6931, 1.3863]
    """
    return ThreeWayLogLoss(clip=clip).each(chances, score)


def rps(chances: ArrayLike, score: ArrayLike) -> Floats:
    """Return the ranked probability score of each game, see `RankedProbability`.

    >>> rps([[0.8, 0.1, 0.1], [0.5, 0.25, 0.25]], [1, 1]).round(5).tolist()
    [0.025, 0.15625]
    """
    return RankedProbability().each(chances, score)


def _games(forecast: ArrayLike, score: ArrayLike) -> tuple[Floats, Floats]:
    """Both as contiguous (G,), checked; kernels below this know no bounds."""
    score = np.ascontiguousarray(score, dtype=np.float64)
    forecast = np.asarray(forecast, dtype=np.float64)
    if score.ndim != 1 or forecast.shape not in {(), score.shape}:
        raise InputError(f"forecasts {forecast.shape}, scores {score.shape}", expected="one of each a game, both (G,)")
    forecast = np.ascontiguousarray(np.broadcast_to(forecast, score.shape))
    check_range(forecast, score)
    return forecast, score


@cache
def loss_of(metric: Metric) -> Kernel:
    """Return the kernel (forecast, score) -> loss of a game, for a pass over games that sums it."""
    return part(_lost, inline=True, loss=metric.kernel(), of=metric.params())


@cache
def _loop(name: str, loss: Kernel) -> Kernel:
    return specialise(cast("FunctionType", _each), f"the metric {name}", loss=loss)


loss = squared_error  # stands in `_lost` and `_each` for the kernel that is put there
of = ()  # its parameters, likewise


def _lost(forecast: float, score: float) -> float:
    return loss(of, forecast, score)


def _each(p: tuple[float, ...], forecast: Floats, score: Floats, out: Floats) -> None:
    for g in range(len(score)):
        out[g] = math.nan if math.isnan(forecast[g]) else loss(p, forecast[g], score[g])
