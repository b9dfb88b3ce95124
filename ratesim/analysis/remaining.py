"""Where a curve over games played ends: those who play most are few, and not like the others."""

import polars as pl

FEWEST = 10  # players behind a point
SHARE = 0.1  # of the most players behind any point of the curve
ENDING = "Curves end where fewer than a tenth of the players are left."


def enough(players: str | pl.Expr, curve: str = "system", *, fewest: int = FEWEST) -> pl.Expr:
    """Return whether enough players stand behind a point of a curve: `fewest`, and a tenth of the most behind any.

    Parameters
    ----------
    players : the column of their number, of all replicates together. curve : the column that tells curves apart.

    >>> frame = pl.DataFrame({"system": ["elo"] * 3, "games": [1, 50, 90], "n": [300, 30, 29]})
    >>> frame.filter(enough("n"))["games"].to_list()
    [1, 50]
    """
    number = pl.col(players) if isinstance(players, str) else players
    return number >= pl.max_horizontal(pl.lit(fewest), SHARE * number.max().over(curve))
