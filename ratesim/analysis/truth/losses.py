"""What forecasts lose beside an oracle that knows the truth, replicate by replicate."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from ...errors import InputError
from ...given import check_games
from ...metrics import Brier, LogLoss, Metric
from ...stream import GameStream

SCHEMA = {"replicate": pl.Int64, "metric": pl.String, "mean": pl.Float64, "oracle": pl.Float64, "n": pl.Float64}


def losses_by_replicate(
    stream: GameStream, forecast: ArrayLike, metrics: Mapping[str, Metric] | None = None
) -> pl.DataFrame:
    """Return the mean loss of forecasts and of the oracle, who forecasts the true expected score of the same games.

    Parameters
    ----------
    stream : simulated.
    forecast : (G,) expected scores of first, NaN where there is none; such games are left out.
    metrics : by name; None: log loss ("log_loss", in nats) and Brier score ("brier").

    Returns
    -------
    A row a replicate and metric: replicate, metric, mean, oracle, n (games, by weight). mean - oracle is the excess.

    Raises
    ------
    InputError : the stream has no truth.
    """
    check_games(stream)
    replicate = stream.replicate
    if stream.truth is None or replicate is None:
        raise InputError("no truth to forecast with", expected="a stream that a world simulated")
    values = np.asarray(forecast, dtype=np.float64)
    there = ~np.isnan(values) if stream.weight is None else ~np.isnan(values) & (stream.weight > 0)
    some = np.flatnonzero(there)
    first = int(replicate.min()) if len(replicate) else 0
    number = replicate[some] - first
    weight = None if stream.weight is None else stream.weight[some]
    n = np.bincount(number, weight)
    kept = np.flatnonzero(n)
    tables = []
    for name, metric in (metrics or {"log_loss": LogLoss(), "brier": Brier()}).items():
        columns: dict[str, object] = {"replicate": first + kept, "metric": [name] * len(kept)}
        for column, made in (("mean", values), ("oracle", stream.truth)):
            loss = metric.each(made[some], stream.score[some])
            total = np.bincount(number, loss if weight is None else loss * weight, len(n))
            columns[column] = total[kept] / n[kept]
        tables.append(pl.DataFrame(columns | {"n": n[kept].astype(np.float64)}, schema=SCHEMA))
    return pl.concat(tables).sort("replicate", maintain_order=True)
