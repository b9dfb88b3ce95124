"""The law of what is asked of a replay: games to come, as of a moment."""

import numpy as np
import polars as pl

from ..replaying.order import arranged
from ..systems.base import System, WholeStream
from .laws import law
from .trial import Trial, figures, league, near, same_bits, starts, stream

EVERY = 3  # period that is asked about: a law is tried often


@law("foresight")
def foresight(trial: Trial) -> None:
    """As a period opens, its games are expected to end as the replay forecasts them; asking changes nothing."""
    games, table = stream(league()), starts(trial.system)
    run = trial.replay(games, start=table)
    before = figures(run).copy()
    played, order = arranged(games, trial.calendar)
    forecast = run.forecast if order is None else run.forecast[order]
    at, base, opens, *_ = trial.calendar.schedule(played)
    for period in np.unique(at)[1::EVERY].tolist():
        some = slice(*np.searchsorted(at, [period, period + 1]).tolist())
        # Where periods have no length, one that has opened has closed: those of games to come are not yet there.
        seen = run if trial.calendar.lasting else trial.replay(played.take(slice(some.start)), start=table)
        part = played.take(some)
        names = part.players["player"]
        pairs = pl.DataFrame({"first": names[part.first], "second": names[part.second], "edge": part.edge})
        season = None if part.season is None else part.seasons[part.season[0]]
        found = seen.predict(pairs, float(opens[period - base]), season=season)["forecast"].to_numpy()
        said = f"games of period {period} are foreseen otherwise than they are forecast"
        if isinstance(trial.system, System | WholeStream):
            same_bits(found, forecast[some], said)
        else:  # a fit ends where it need not go on, wherever it began
            near(found, forecast[some], 1e-9, said)
    same_bits(figures(run), before, "asking for games to come changed the ratings")
