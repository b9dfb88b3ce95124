"""Expected score over the rating difference: the curves that systems forecast with."""

import numpy as np
import polars as pl

from ..curves import Q, hundredths, logistic_curve, normal_curve
from .table import FigureTable


def curves(*, limit: int = 800, name: str = "curves") -> FigureTable:
    """Return the expected score of the higher rated by FIDE's table, the logistic curve and the normal one.

    Parameters
    ----------
    limit : largest rating difference, in points; 0, 1, ... limit are tabulated.
    name : of the figure.

    Returns
    -------
    A row a curve and gap: expected score, and how much more it is than the logistic one.
    """
    gaps = range(limit + 1)
    logistic = np.array([logistic_curve(Q, float(gap)) for gap in gaps])
    columns = {
        "FIDE table 8.1.2": np.array([hundredths(float(gap)) / 100.0 for gap in gaps]),
        "logistic, scale 400": logistic,
        "normal, deviation 2000/7": np.array([normal_curve(Q, float(gap)) for gap in gaps]),
    }
    frame = pl.concat(
        [
            pl.DataFrame({"curve": curve, "gap": pl.Series(gaps, dtype=pl.Int32), "expected": expected}).with_columns(
                more=pl.Series(expected - logistic)
            )
            for curve, expected in columns.items()
        ]
    )
    most = frame.filter(curve="FIDE table 8.1.2").sort("more", maintain_order=True).row(-1, named=True)
    caption = (
        f"Expected score of the higher rated player over a rating difference of 0 to {limit} points: FIDE's table "
        "(Rating Regulations 8.1.2, without the cap at 400), the logistic curve 1 / (1 + 10^(-difference/400)), and "
        "the normal curve of standard deviation 2000/7 that the table was made from. Below: how much more the higher "
        "rated is expected to score than by the logistic curve, in hundredths of a point a game: by the table at most "
        f"{100 * most['more']:.1f}, at a difference of {most['gap']}."
    )
    return FigureTable(name, frame, caption, {"drawing": "curves", "title": "Expected score", "curves": list(columns)})
