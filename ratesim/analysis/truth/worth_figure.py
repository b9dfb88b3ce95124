"""The figure of worth: what players of one and the same rating are worth as time goes on."""

import numpy as np
import polars as pl

from ..table import EmptyFigureError, FigureTable, listed
from .gathering import Runs, gathered, replicated
from .panels import Panel, lined

MANY = 50  # players of all replicates together behind a point
PLACES = (0.16, 0.5, 0.84)  # shares of players below the ratings that are looked at: a normal mean and one SD off


def worth(runs: Runs, *, name: str = "worth") -> FigureTable:
    """Return the mean skill of players of one rating over time, a panel a rating.

    The ratings are the whole hundreds below which 16, 50 and 84 % of players stand, or nearest to it, on the first
    list of the first run that has half as many players as its longest.

    Returns
    -------
    Rows panel (the rating), line (label of the run), x (days), y (mean skill, points), low, high.

    Raises
    ------
    InputError : nobody is ever listed.
    """
    ratings = _ratings(runs)
    if not ratings:
        raise EmptyFigureError("nobody is listed", where=f"figure {name}", expected="a world with players who play")
    panels = [
        Panel(
            f"rated {rating:,.0f}", "worth", "day", "skill", "time (days)", "mean skill (points)", level=rating,
            where={"rating": rating}, fewest=MANY,
        )
        for rating in ratings
    ]  # fmt: skip
    caption = (
        f"What a rating is worth over time, by {listed(list(runs))}: the mean skill of all who are rated within 50 "
        "points of it. On the grey line they are worth what they are rated; above it ratings are deflated, below it "
        f"inflated. {replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="What a rating is worth", caption=caption)


def _ratings(runs: Runs) -> list[float]:
    """Return the ratings that are looked at, rising."""
    frame = gathered(dict(list(runs.items())[:1]), "worth")
    if frame.is_empty():
        return []
    days = frame.group_by("day", maintain_order=True).agg(pl.len(), pl.col("players").sum()).sort("day")
    full = days.filter(pl.col("players") >= days["players"].to_numpy().max() / 2)["day"][0]
    first = frame.filter(day=full)
    share, rating = first["below"].to_numpy(), first["rating"].to_numpy()
    return sorted({float(rating[np.argmin(np.abs(share - place))]) for place in PLACES})
