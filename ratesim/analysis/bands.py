"""Who gains by one way of rating against another, by how high they are rated."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..errors import InputError
from .means import mean
from .table import EmptyFigureError, FigureTable, listed, meta_of, with_ratings, without_ratings

FEWEST = 10  # players behind a point of the figure
COLUMNS = {
    "system": pl.String,
    "from": pl.Float64,
    "n": pl.Int64,
    **dict.fromkeys(("rating", "more", "low", "high"), pl.Float64),
}


def bands(ratings: Mapping[str, pl.DataFrame], *, width: float = 100.0, name: str = "bands") -> FigureTable:
    """Return how much higher other runs rate the same players in the end than the first does, by the first's rating.

    Parameters
    ----------
    ratings : by label of the run, what `Run.ratings` returns; the first is what the others are compared with.
    width : of the bands of ratings, rating points.
    name : of the figure.

    Returns
    -------
    A row a run but the first, and band of at least ten players: from (where the band begins), n, rating (their mean by
    the first run), and `more`, the mean rating minus that by the first run, with a 95 % band over players.

    Raises
    ------
    InputError : fewer than two runs keep ratings, a width of no points, or no band has ten players.
    """
    if not width > 0:
        raise InputError(f"width = {width}", where=f"figure {name}", expected="above 0 points")
    rated = with_ratings(ratings)
    if len(rated) < 2:
        raise EmptyFigureError("one run with ratings", where=f"figure {name}", expected="two, to be compared")
    (base, own), *others = rated.items()
    joined = {label: _joined(own, each) for label, each in others}
    frame = pl.concat([_banded(label, each, width) for label, each in joined.items()])
    if frame.is_empty():
        said = f"no band has {FEWEST} players"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more players, or wider bands")
    means = [f"{_more(each).mean():+.1f} by {label}" for label, each in joined.items()]
    caption = (
        f"How many points higher the same players are rated in the end by {listed([label for label, _ in others])} "
        f"than by {base}: means over players in bands of {width:g} points by the rating that {base} gives them, with "
        f"95 % bands. All players together: {listed(means)}. {without_ratings(ratings, rated)}"
    )
    title = f"Rating difference from {base}"
    return FigureTable(name, frame, caption.strip(), meta_of("bands", title, list(joined)))


def _joined(own: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    whose = [name for name in ("player", "pool") if name in own.columns]
    theirs = other.select(*whose, other="rating")
    return own.select(*whose, "rating").join(theirs, on=whose, how="inner", maintain_order="left")


def _more(joined: pl.DataFrame) -> NDArray[np.float64]:
    return (joined["other"] - joined["rating"]).to_numpy()


def _banded(label: str, joined: pl.DataFrame, width: float) -> pl.DataFrame:
    into = np.floor(joined["rating"].to_numpy() / width)
    rows = []
    for band in np.unique(into):
        here = joined.filter(into == band)
        if len(here) >= FEWEST:
            rows.append((label, band * width, len(here), float(here["rating"].to_numpy().mean()), *mean(_more(here))))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")
