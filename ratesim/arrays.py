"""Numbers of games as callers give them, one a game: what cannot be is refused in one line."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError, shown

Floats = NDArray[np.float64]


def floats(name: str, values: ArrayLike) -> Floats:
    """Return numbers as doubles; refuse what are none."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} = {shown(values)}", expected="numbers, one a game") from None


def wholes(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return whole numbers; refuse what are none."""
    found = np.asarray(values)
    if found.dtype.kind in "biu":
        return found.astype(np.int64)
    numbers = floats(name, values)
    refuse(name, numbers, ~(np.isfinite(numbers) & (numbers == np.floor(numbers))), "a whole number")
    return numbers.astype(np.int64)


def judged(forecast: ArrayLike, score: ArrayLike, weight: ArrayLike | None = None) -> tuple[Floats, Floats, Floats]:
    """Return forecasts, scores and weights (G,), weights 1 where None.

    Raises
    ------
    InputError : lengths differ, a forecast that is there or a score lies outside 0..1, or a weight is not finite or
        negative.
    """
    e, s = floats("forecast", forecast), floats("score", score)
    w = np.ones(s.shape) if weight is None else floats("weight", weight)
    check_lengths(forecast=e, score=s, weight=w)
    check_range(e, s)
    check_weights(w)
    return e, s, w


def weights(weight: ArrayLike | None, games: int) -> Floats:
    """Return weights (G,), 1 where None.

    Raises
    ------
    InputError : they are not one a game, or one is negative, missing or infinite.
    """
    if weight is None:
        return np.ones(games)
    found = floats("weight", weight)
    if found.shape != (games,):
        raise InputError(f"{found.shape} weights of {games} games", expected="one a game")
    check_weights(found)
    return found


def check_weights(weight: Floats) -> None:
    """Refuse weights that are negative, missing or infinite."""
    refuse("weight", weight, ~((weight >= 0.0) & (weight < np.inf)), "a number at least 0")


def check_range(forecast: Floats, score: Floats) -> None:
    """Refuse scores outside 0..1 or missing, and forecasts outside 0..1."""
    refuse("score", score, ~((score >= 0.0) & (score <= 1.0)), "a number 0..1")
    refuse("forecast", forecast, (forecast < 0.0) | (forecast > 1.0), "a number 0..1")


def check_lengths(**arrays: NDArray[np.generic]) -> None:
    """Refuse arrays that are not all (G,)."""
    shapes = {each.shape for each in arrays.values()}
    if len(shapes) > 1 or len(*shapes) != 1:
        said = ", ".join(f"{name} {each.shape}" for name, each in arrays.items())
        raise InputError(said, expected="one of each a game, all (G,)")


def refuse(name: str, values: Floats, wrong: NDArray[np.bool_], expected: str) -> None:
    """Refuse the first value that is wrong, if one is."""
    if wrong.any():
        game = int(wrong.argmax())
        raise InputError(f"{name} = {values.flat[game]}", where=f"game {game}", expected=expected)
