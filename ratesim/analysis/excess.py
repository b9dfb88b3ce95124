"""What forecasts lose by not knowing the truth, world by world."""

from collections.abc import Mapping

import polars as pl

from ..inference import Paired
from .table import EmptyFigureError, FigureTable, listed

SCHEMA = {"stream": pl.String, "system": pl.String, **dict.fromkeys(("excess", "low", "high"), pl.Float64)}


def excess(found: Mapping[tuple[str, str], Paired], metric: str, *, name: str = "excess") -> FigureTable:
    """Return how much more runs lose than an oracle who knows the truth, over several streams.

    Parameters
    ----------
    found : by stream and label of the run, losses of the run less those of the oracle, over the same games.
    metric : what the loss is called.
    name : of the figure.

    Returns
    -------
    A row a stream and run: excess, with the interval of its mean (null where there is one block).

    Raises
    ------
    InputError : nothing is known of any run.
    """
    if not found:
        raise EmptyFigureError("no truth is known", where=f"figure {name}", expected="runs over worlds")
    rows = [(*key, each.difference, each.low, each.high) for key, each in found.items()]
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    streams, systems = (list(dict.fromkeys(frame[column])) for column in ("stream", "system"))
    level = next(iter(found.values())).level
    caption = (
        f"Mean {metric} of a game, less that of an oracle who knows what was to be expected of it, "
        f"by {listed(systems)}, with {100 * level:g} % intervals, over {listed(streams, len(streams))}."
    )
    meta = {"drawing": "excess", "title": f"Excess {metric} over the oracle", "streams": streams, "systems": systems}
    return FigureTable(name, frame, caption, meta)
