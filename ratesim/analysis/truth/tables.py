"""All tables about ratings beside the truth, in one pass over snapshots of a run."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import polars as pl

from ..replicates import LEVEL, over_replicates
from .by_games import ByGames
from .errors import Errors
from .foul import Foul
from .lagging import Jumps, Lag
from .last import Coverage, Percentiles, Ranks
from .ledger import Ledger
from .measure import Measure
from .movers import Movers
from .reading import reading
from .resting import Jitter
from .returning import Returns
from .settling import Settling
from .worth import Worth

if TYPE_CHECKING:
    from ...replaying.snapshots import Snapshot

KEYS = {
    "errors": ("day",),
    "games": ("from",),
    "settling": ("within",),
    "lag": ("who", "day"),
    "jumps": ("from",),
    "movers": ("who", "day"),
    "returns": ("from",),
    "foul": ("day",),
    "jitter": (),
    "ledger": ("day",),
    "ranks": (),
    "coverage": ("level",),
    "percentiles": ("percentile",),
    "worth": ("day", "rating"),
}

SQUARED = {"rmse", "shifted", "claimed", "z_sd", "z_rms", "jitter", "lasting"}  # root mean squares
SHARE, AGREEMENT, POSITIVE = (0.0, 1.0), (-1.0, 1.0), (0.0, math.inf)
RANGES = {
    **dict.fromkeys(("coverage", "covered", "settled", "below", "weaker"), SHARE),
    **dict.fromkeys(("correlation", "spearman", "kendall"), AGREEMENT),
    **dict.fromkeys(("players", "games", "readings", "away", "jump", "arrived", "departed"), POSITIVE),
    **dict.fromkeys(("lower", "median", "upper", "first", "unsure", "astray", "volatility", "shifted_se"), POSITIVE),
    "rated": (0.0, 100.0),
}
WHOLE = {"lower", "median", "upper", "first"}  # null where they lie beyond the last game


def averaged(name: str, table: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Return one of the tables of `truth_tables` put together over replicates, see `over_replicates`.

    A row is over those replicates that have it, of which `replicates` says how many; a measure that one of them does
    not know, such as the mean skill of nobody, is over the others. Intervals are Student's, cut at the range of the
    measure: shares at 0 and 1, correlations at -1 and 1, root mean squares, counts and the like at 0.

    Parameters
    ----------
    name : of the table.
    level : of the intervals, 0..1.
    """
    return over_replicates(table, KEYS[name], squared=SQUARED, whole=WHOLE, ranges=RANGES, level=level)


def truth_tables(snapshots: Iterable["Snapshot"]) -> dict[str, pl.DataFrame]:
    """Return what ratings are worth beside the truth, by the name of the table.

    Parameters
    ----------
    snapshots : of one run, in order of time, of the same replicates and players (`ratesim.replaying.snapshots`).

    Returns
    -------
    Tables with a column `replicate`, which `averaged(name, table)` puts together: "errors" by time, "games" by games
    played, "settling", "lag", "jumps", "movers", "returns", "foul", "jitter", "ledger", "ranks", "coverage",
    "percentiles", "worth"; see `Errors`, `ByGames`, `Settling`, `Lag`, `Jumps`, `Movers`, `Returns`, `Foul`, `Jitter`,
    `Ledger`, `Ranks`, `Coverage`, `Percentiles`, `Worth`. A table may be empty: nothing jumps, nobody rests, no
    deviation is claimed. There is no table at all of no snapshots.
    """
    measures = _measures()
    seen = False
    for snapshot in snapshots:
        seen, now = True, reading(snapshot)
        for measure in measures:
            measure.see(now)
    return {measure.name: measure.table() for measure in measures} if seen else {}


def _measures() -> list[Measure]:
    return [
        Errors(), ByGames(), Settling(), Lag(), Jumps(), Movers(), Returns(), Foul(), Jitter(), Ledger(), Ranks(),
        Coverage(), Percentiles(), Worth(),
    ]  # fmt: skip
