"""Whole-history rating (Coulom): every player's rating on every day, from all games so far."""

from typing import ClassVar, Literal

from ..curves import Q
from ..errors import InputError
from ..spec import Bound, quantity
from .base import SYSTEMS, Games, Refit
from .bradley_terry_kernels import Prior
from .whr_fit import HistoryFitter, Model

SCALE = 1.0 / Q  # rating points in a natural unit
DRIFTLESS = 1e-12  # squared rating points a day: less than this has no digits, and is none


@SYSTEMS.add
class Whr(Refit):
    """The histories of ratings under which all results so far are likeliest, fitted anew as each period opens.

    R. Coulom, Whole-History Rating, Computers and Games 2008; also called WHR, dynamic or smoothed Bradley-Terry.
    Results follow Bradley and Terry's model by the ratings of their day, a draw being half a win and half a loss;
    ratings are Wiener processes of variance `w2` a day; everybody begins with `virtual_draws` against a player rated
    `rating` (or a normal prior about it, `spread`). The answer is the one top of the posterior: Newton's method for
    one player after the other, whose curvature is tridiagonal (section 2.2), and, once these steps are small, for all
    at once by conjugate gradients, until nobody moves. `iterations` stops after as many sweeps over all players
    instead, as packages do: where there are many periods to fit anew, a few sweeps from where the last fit ended cost
    a fraction.

    Forecasts of a period are by the last ratings of a fit to all games of earlier periods. `hindsight = true` fits
    once, to all games, and "forecasts" each by the smoothed ratings of its own day: a reference for what could be
    known afterwards, and no forecast.

    Departures
    ----------
    A `w2` below 1e-12, a hundredth of a millionth of a squared point in thirty years, counts as none.

    A newcomer's virtual draws count on the first day, as in the paper. The package `whr` has two of them (a win and a
    loss), which is the default here; `whole-history-rating` 3.7 has half a win and half a loss, `virtual_draws = 1`.
    Their `w2` is 300; 14 is the paper's, of Go. Both damp the curvature of a player with several days by .001, which
    moves deviations a little.

    `deviation` is that of a player's own ratings, those of all others as they are (section 2.3). After the last game
    it grows with time, between two it is that of a bridge.

    A forecast is that of the ratings alone: that they are uncertain does not draw it to 1/2.
    """

    kind: Literal["whr"] = "whr"
    rating: float = quantity(1500.0, "mean of the prior", unit="rating points", ge=-1e6, le=1e6)
    w2: float = quantity(14.0, "variance of a rating's drift", unit="squared rating points a day", ge=0, le=1e18)
    virtual_draws: float = quantity(2.0, "draws of everybody on the first day", unit="games", ge=0, le=1e6)
    spread: Bound = quantity(None, "standard deviation of a normal prior", unit="rating points", gt=0, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)
    iterations: int | None = quantity(
        None, "sweeps over all players in a fit; left out, until nobody moves", unit="sweeps", ge=1, le=1_000_000
    )

    tells: ClassVar[tuple[str, ...]] = ("rating", "deviation")

    def fitter(self, games: Games) -> HistoryFitter:
        """Return what fits histories to more and more of the games.

        Raises
        ------
        InputError : there is no prior.
        """
        if not self.virtual_draws and self.spread is None:
            expected = "virtual_draws above 0, or a spread"
            raise InputError("without a prior ratings have no zero", where=self.label, expected=expected)
        ridge = 0.0 if self.spread is None else (SCALE / self.spread) ** 2
        prior = Prior(self.virtual_draws, ridge)
        drift = self.w2 / SCALE**2 if self.w2 >= DRIFTLESS else 0.0
        return HistoryFitter(Model(drift, prior, self.rating, SCALE, self.advantage / SCALE, self.iterations), games)
