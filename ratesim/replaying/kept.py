"""What is kept of the forecasts of a replay from disk: all, sums of losses, or these and a sample."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..metrics import Accuracy, Brier, LogLoss, Metric
from ..rng import generator
from ..sample import Sample
from ..state import Floats
from ..stream import GameStream
from .losses import JudgedGames, Judging, Losses

Forecasts = Literal["all", "losses", "sample"]
MANY: Final = 5_000_000  # games, above which forecasts are not kept unless asked for
SAMPLED: Final = 1_000_000  # games in a sample, about
USUAL: Final[Mapping[str, Metric]] = {each.kind: each for each in (LogLoss(), Brier(), Accuracy())}


class Moments(NamedTuple):
    """Whose ratings are read, and when."""

    times: Floats  # (M,) days, rising
    players: tuple[str, ...] | None  # all where None


@dataclass(frozen=True)
class Keep:
    """What is kept of a replay from disk.

    Attributes
    ----------
    forecasts : which; losses are kept in any case for which there are metrics, over the games of `sample`, and by the
        properties `strata` too.
    moments : whose ratings are read on the way, and when. seed : of the games that are drawn.
    """

    forecasts: Forecasts = "losses"
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    sample: Sample = field(default_factory=Sample)
    strata: tuple[str, ...] = ()
    moments: Mapping[str, Moments] = field(default_factory=dict)
    seed: int = 1


def usual(forecasts: Forecasts | None, games: int) -> Keep:
    """Return what is kept where little is said: all forecasts of up to five million games, and losses of more."""
    forecasts = forecasts or ("all" if games <= MANY else "losses")
    return Keep(forecasts, {} if forecasts == "all" else USUAL)


def drawn(begin: int, count: int, games: int, seed: int) -> NDArray[np.bool_]:
    """Return which of `count` games from number `begin` on are in the sample of a stream of so many games.

    Each is by the SplitMix64 mix of its number, from where the seed begins (Steele, Lea and Flood, OOPSLA 2014), so
    that systems and sizes of pieces make no difference.

    Raises
    ------
    InputError : a negative seed.

    >>> drawn(0, 2_000_000, 2_000_000, 1).mean().round(2)
    np.float64(0.5)
    """
    if games <= SAMPLED:
        return np.ones(count, np.bool_)
    x = np.arange(begin + 1, begin + count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    x += generator(seed, 0, "games drawn").integers(2**64, size=1, dtype=np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
    return mixed < np.uint64(int(SAMPLED / games * 2**64))


class Ledger:
    """What is kept of one lane."""

    def __init__(self, keep: Keep, games: int, judging: Judging) -> None:
        self._keep, self._games = keep, games
        self.forecast = np.full(games, np.nan) if keep.forecasts == "all" else None
        self._losses = Losses(keep.metrics, judging) if keep.metrics else None
        self._sampled: list[pl.DataFrame] = []

    def add(self, begin: int, piece: GameStream, judged: JudgedGames | None, forecast: Floats) -> None:
        """Keep what is to be kept of a piece whose first game has number `begin`."""
        if self.forecast is not None:
            self.forecast[begin : begin + len(piece)] = forecast
        if judged is None:
            return
        if self._losses is not None:
            self._losses.add(judged, forecast[judged.mask])
        if self._keep.forecasts == "sample":
            some = np.flatnonzero(judged.mask & drawn(begin, len(piece), self._games, self._keep.seed))
            weight = {} if piece.weight is None else {"weight": piece.weight[some]}
            columns = {"game": begin + some, "score": piece.score[some], "forecast": forecast[some], **weight}
            self._sampled.append(pl.DataFrame(columns))

    @property
    def losses(self) -> pl.DataFrame | None:
        """Sums by month."""
        return None if self._losses is None else self._losses.table()

    @property
    def sample(self) -> pl.DataFrame | None:
        """The games that were drawn."""
        return pl.concat(self._sampled, rechunk=True) if self._keep.forecasts == "sample" else None
