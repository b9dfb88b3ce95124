"""The response of losses to parameters: how much is lost away from the best setting, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from .table import FigureTable, counted, listed

SHADES = 12  # of a parameter's range, of which the best setting is shown where settings lie anywhere
COLUMNS = ("loss", "difference", "low", "high", "alike")
Parameter = Mapping[str, Any]  # as `tuning.Parameter.canonical` returns it


def response(
    settings: pl.DataFrame, parameters: Sequence[Parameter], *, metric: str = "loss", level: float = 0.95,
    name: str = "response",
) -> FigureTable:  # fmt: skip
    """Return what settings lose beyond the best one, over the parameters that were tuned.

    Parameters
    ----------
    settings : a row a setting, as `Tuning.settings` has them; those that were dropped early are not shown.
    parameters : as `Parameter.canonical` returns them.
    metric : what losses are called.
    level : of intervals.
    name : of the figure.

    Returns
    -------
    Of one parameter, or three and more: a row a parameter and value, parameter, value, loss, difference (to the best
    setting) with its interval low and high, alike (not told from the best); where there are several, of the best
    setting of each value, or of each twelfth of a range that was tried anywhere. Of two parameters: a row a setting,
    x, y, loss, difference, low, high, alike.
    """
    shown = settings.filter(pl.col("seen") == 1)
    names = [each["name"] for each in parameters]
    best = listed([f"{each['name']} = {each['best']:g}" for each in parameters])
    unmoved = [each["name"] for each in parameters if each.get("idle")]
    told_of = f" {listed(unmoved)} {'changes' if len(unmoved) == 1 else 'change'} nothing here." if unmoved else ""
    meta = {"metric": metric, "level": level, "parameters": [dict(each) for each in parameters]}
    told = (
        f"{counted(shown.height, 'setting')} of {listed(names)}; {best} is the best, and {shown['alike'].sum():,} of "
        f"them, itself included, cannot be told from it at {100 * level:g} %.{told_of}"
    )
    if len(parameters) == 2:
        x, y = names
        frame = shown.select(pl.col(x).cast(pl.Float64).alias("x"), pl.col(y).cast(pl.Float64).alias("y"), *COLUMNS)
        caption = (
            f"The mean {metric} of games tuned on, less that of the best setting: {told} Dots are settings, rings "
            "those not told from the best, the large dot is the best; between dots contours are interpolated."
        )
        return FigureTable(name, frame, caption, {**meta, "drawing": "surface", "title": f"{metric} by {x} and {y}"})
    frame = pl.concat([_profile(shown, each, alone=len(parameters) == 1) for each in parameters])
    caption = (
        f"The mean {metric} of games tuned on: {told} The band is the interval of the difference to the best setting, "
        "the dot the best, the bar on top the interval of the best value, the grey ground where settings are not told "
        "from it, the dashed line the usual value."
    )
    if len(parameters) > 1:
        caption += " Over each parameter the others are the best that were tried with it."
    return FigureTable(name, frame, caption, {**meta, "drawing": "response", "title": f"{metric} by {listed(names)}"})


def _profile(settings: pl.DataFrame, parameter: Parameter, *, alone: bool) -> pl.DataFrame:
    """Return the best setting of each value of a parameter, or of each of some parts of its range."""
    value = settings[parameter["name"]].cast(pl.Float64)
    frame = settings.select(pl.lit(parameter["name"]).alias("parameter"), value.alias("value"), *COLUMNS)
    if not alone:
        part = value if value.n_unique() <= SHADES else pl.Series(_share(value.to_numpy(), parameter) * SHADES).floor()
        order = pl.col("difference").abs()
        frame = frame.with_columns(part=part).sort(order, maintain_order=True).unique("part", keep="first").drop("part")
    return frame.sort("value", maintain_order=True)


def _share(value: np.ndarray[Any, np.dtype[np.float64]], parameter: Parameter) -> np.ndarray[Any, np.dtype[np.float64]]:
    along = np.log if parameter["scale"] == "log" else np.positive
    low, high = along(parameter["low"]), along(parameter["high"])
    return np.asarray((along(value) - low) / (high - low))
