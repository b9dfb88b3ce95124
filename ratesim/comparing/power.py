"""What games can tell: the smallest difference that they find, and how many games a difference takes."""

import math

from ..errors import InputError

POWER = 0.8  # a difference that is found in four of five samples: Cohen's usual choice (1988)


def resolvable(se: float, *, degrees: float = math.inf, level: float = 0.95, power: float = POWER) -> float:
    """Return the difference of means that a test with this error finds with this power.

    (t of (1 + level) / 2 + t of power) se: the two-sided test at 1 - level (Cohen, Statistical Power Analysis for the
    Behavioral Sciences, 2nd ed. 1988, ch. 2); the chance of the wrong sign is left out.

    Parameters
    ----------
    se : standard error of the difference, at least 0.
    degrees : of freedom of Student's t, infinite for the normal.
    level : of the interval that must not hold 0. power : chance of finding it.

    Raises
    ------
    InputError : `level` or `power` lies outside of 0..1, or `power` below 1 - level.

    >>> round(resolvable(0.001), 6)
    0.002802
    """
    if not 0 < level < 1:
        raise InputError(f"level = {level}", expected="a number more than 0 and less than 1")
    if not (1 - level < power < 1):
        raise InputError(f"power = {power}", expected=f"a number more than {round(1 - level, 9)} and less than 1")
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + level) / 2) + stdtrit(degrees, power)) * se


def games_needed(
    difference: float, se: float, games: float, *, degrees: float = math.inf, level: float = 0.95, power: float = POWER
) -> float:
    """Return how many games like these tell such a difference from none, with this power.

    Errors fall with the square root of games: n (`resolvable` / difference)², rounded up. Blocks are taken to
    grow in number, not in size.

    Parameters
    ----------
    difference : of means; infinitely many games tell 0 from 0. se : its standard error over `games` games.

    Raises
    ------
    InputError : as `resolvable`.

    >>> games_needed(0.001, 0.087 / 16810 ** 0.5, 16810)  # K 30 and K 20 over the NFL's games since 1920
    59409.0
    >>> games_needed(0.001, 0.113 / 16810 ** 0.5, 16810)  # K 10 and K 20
    100223.0
    """
    found = resolvable(se, degrees=degrees, level=level, power=power)
    if math.isnan(found) or math.isnan(difference):
        return math.nan
    needed = math.inf if difference == 0.0 else games * (found / difference) * (found / difference)
    return float(math.ceil(needed)) if math.isfinite(needed) else math.inf
