"""Which games tuning sees, in which order, and which it leaves for the score: all by time.

The part that is tuned on is cut into folds + 1 blocks of consecutive games, alike in number. For each block but the
first, the setting that lost least before it is scored on it: an expanding window, which never looks ahead (Tashman,
International Journal of Forecasting 16 (2000) 437). Ratings run on, so that one pass over the games has the losses of
all blocks, and which setting is chosen where is arithmetic on their sums.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..calendars import date_of
from ..errors import InputError
from ..inference import month_blocks
from ..sample import Sample
from ..stream import GameStream

Ints = NDArray[np.int32]


class Parts(NamedTuple):
    """The games of a stream that are judged, by where in time they lie."""

    bucket: Ints  # (G,) of each game, -1 where it is not judged
    period: Ints  # (B,) month or replicate of each bucket, from 0 on
    block: Ints  # (B,) 0 to folds: what is tuned on; folds + 1: what comes after it
    split: int  # the games before this one are tuned on
    first: tuple[int, ...]  # the first game of each block, and that after them if there is one
    kind: str  # of periods: month or replicate

    @property
    def folds(self) -> int:
        """How many blocks of what is tuned on are scored by what came before them."""
        return len(self.first) - (2 if self.tested else 1)

    @property
    def tested(self) -> bool:
        """Whether games come after what is tuned on."""
        return self.split < len(self.bucket)


def parts(games: GameStream, *, train: float, folds: int, burn_in: int = 0, scored: Sample | None = None) -> Parts:
    """Return the parts of a stream.

    Parameters
    ----------
    train : share of the games that is tuned on, up to the beginning of a day; 1: all of them.
    folds : times that the best of what came before is scored.
    burn_in : games that both players must have played before a game that is judged.
    scored : which of the games after are judged at all; None: all.

    Raises
    ------
    InputError : no game is left for one of the parts.
    """
    judged = Sample(burn_in=burn_in).mask(games)
    split = _split(games, train)
    if scored is not None and scored.changed and split < len(games):
        judged[split:] &= scored.mask(games)[split:]
    cuts = _cuts(games, np.flatnonzero(judged[:split]), folds)
    block = np.searchsorted(np.array(cuts[1:], dtype=np.int64), np.arange(len(games)), side="right")
    block[split:] = folds + 1
    for fold in range(folds + (2 if split < len(games) else 1)):
        if not (judged & (block == fold)).any():
            raise nothing(fold, folds, train=train, burn_in=burn_in)
    replicate = games.replicate
    several = replicate is not None and replicate.min() < replicate.max()
    period = replicate if replicate is not None and several else month_blocks(games.time)
    cells, where = np.unique(np.stack([block, period])[:, judged], axis=1, return_inverse=True)
    bucket = np.full(len(games), -1, np.int32)
    bucket[judged] = where
    of = cells.astype(np.int32)
    first = tuple(cuts) + ((split,) if split < len(games) else ())
    return Parts(bucket, of[1] - of[1].min(), of[0], split, first, "replicate" if several else "month")


def day_of(games: GameStream, at: int) -> str:
    """Return the day of a game as a date."""
    return date_of(float(games.time[at]))


def _split(games: GameStream, train: float) -> int:
    """Return the first game that is not tuned on: the first of its day."""
    if train == 1.0:
        return len(games)
    day = np.floor(games.time[min(round(train * len(games)), len(games) - 1)])
    split = int(np.searchsorted(games.time, day))
    if split == 0:
        raise InputError(
            f"train = {train:g}: no game before {date_of(float(day))}", expected="a larger part, or games of more days"
        )
    return split


def _cuts(games: GameStream, judged: NDArray[np.int64], folds: int) -> list[int]:
    """Return the first game of each block, the first of its day; blocks have as many judged games as days allow."""
    inner = [judged[len(judged) * n // (folds + 1)] for n in range(1, folds + 1)] if len(judged) else [0] * folds
    days = np.floor(games.time[np.array(inner, dtype=np.int64)])
    return [0, *(int(at) for at in np.searchsorted(games.time, days))]


def nothing(block: int, folds: int, *, train: float, burn_in: int = 0, of: str = "games") -> InputError:
    """Return what is wrong where a block has none of what it needs: games that are judged, or forecasts of them."""
    less = ", or a lower burn_in" if burn_in else ""
    if block > folds:
        return InputError(f"no {of} after what is tuned on", expected=f"a smaller train{less}")
    what = f"fold {block} of {folds} has no {of}" if block else f"no {of} before fold 1 of {folds}"
    more = "a larger train, " if train < 1 else ""
    return InputError(what, expected=f"{more}fewer folds, or more days to tune on{less}")
