"""What K goes by and a start table does not say: told, since the engine has to take something in its place."""

from collections.abc import Iterator

import polars as pl

from ..policies import Policy
from ..systems.base import Rater
from ..visible import mentioned
from .overrides import split
from .pairs import Playing, learning

# What a kernel may look at: in words, the columns that say it, and what is taken where they do not.
TAKEN = {
    "games": ("games", ("games",), "newcomers"),
    "peak": ("the highest rating", ("peak",), "players at their peak"),
    "born": ("age", ("born",), "players of unknown age"),
    "idle": ("idle time", ("last", "inactive"), "players who have just played"),
}


def guessed(policy: Policy, start: pl.DataFrame, players: pl.DataFrame) -> Iterator[str]:
    """Yield what a policy goes by and does not know of players who begin with a rating, in a sentence each.

    Parameters
    ----------
    start : a start table, as `policy.known` returns it. players : those of the stream, who may have a birth year.
    """
    kernels = policy.kernels()
    if not kernels.career or "rating" not in start.columns:
        return
    names, rated = mentioned(kernels.gain), start.filter(pl.col("rating").is_not_nan())
    for name, (what, columns, taken) in TAKEN.items():
        if name not in names:
            continue
        lacking = rated
        for column in columns:
            told = [table.filter(pl.col(column).is_not_nan()) for table in (start, players) if column in table.columns]
            lacking = lacking.filter(*(~pl.col("player").is_in(each["player"].implode()) for each in told))
        if len(lacking):
            yield (
                f"K of '{policy.kind}' goes by {what}: {len(lacking):,} of {len(rated):,} rated players, of whom the "
                f"start table has no {' and no '.join(columns)}, count as {taken}"
            )


def guesses(system: Rater, policy: Policy | None, start: pl.DataFrame, games: Playing, day: float) -> list[str]:
    """Return the same of a system with its policy, of the players of some games that begin on a day."""
    if not system.takes_policy:
        return []
    learns = learning(system, policy)
    table, _ = split(start.filter(pl.col("player").is_in(games.players["player"].implode())))
    return [*guessed(learns, learns.known(table, day), games.players)]
