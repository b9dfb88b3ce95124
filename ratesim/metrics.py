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


def _games(forecast: ArrayLike, score: ArrayLike) -> tuple[Floats, Floats]:
    """Both as contiguous (G,), checked; kernels below this know no bounds."""
    score = np.ascontiguousarray(score, dtype=np.float64)
    forecast = np.asarray(forecast, dtype=np.float64)
    if score.ndim != 1 or forecast.shape not in {(), score.shape}:
        raise InputError(f"forecasts {forecast.shape}, scores {score.shape}", expected="one of each a game, both (G,)")
    forecast = np.ascontiguousarray(np.broadcast_to(forecast, score.shape))
    for name, values, wrong in (
        ("score", score, ~((score >= 0) & (score <= 1))),
        ("forecast", forecast, (forecast < 0) | (forecast > 1)),
    ):
        if wrong.any():
            game = int(wrong.argmax())
            raise InputError(f"{name} = {values[game]}", where=f"game {game}", expected="a number 0..1")
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
