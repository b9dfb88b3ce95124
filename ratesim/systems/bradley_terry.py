"""Bradley and Terry's model, by maximum likelihood, with three models of draws."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from ..curves import Q
from ..spec import Bound, choice, quantity
from .base import SYSTEMS, Games, Refit
from .bradley_terry_fit import Model, PairFitter
from .bradley_terry_kernels import Prior

SCALE = 1.0 / Q  # rating points in a natural unit


@SYSTEMS.add
class BradleyTerry(Refit):
    """The strengths under which the results so far are likeliest, fitted anew as each period opens.

    R. A. Bradley & M. E. Terry, Biometrika 39 (1952) 324; also E. Zermelo, Math. Z. 29 (1929) 436; also called BT,
    Bradley-Terry-Luce, BT-MLE, logistic paired comparisons, and by leagues KRACH. First is expected to score
    1 / (1 + 10**(-(difference + advantage edge) / 400)); strengths do not change with time. Draws: `half` counts them
    as half a win and half a loss; `davidson` (J. Am. Stat. Assoc. 65, 1970, 317) and `rao-kupper` (J. Am. Stat. Assoc.
    62, 1967, 194) forecast them too, by one parameter more that is fitted with the strengths.

    Strengths alone have no zero, and those who have only won, or never met the rest, none at all: so everybody has
    `virtual_draws` against a player rated `rating`, or a normal prior about it (`spread`, a ridge), or both. With
    neither the answer is that of maximum likelihood, its mean at `rating`; it has to exist for every fit, so that
    this is for one period (`whole`) and for hindsight. A spread is of ratings alone: an advantage or a tie parameter
    that is fitted without virtual draws has to be likeliest somewhere, too, and results that push it without end are
    refused.

    Forecasts of a period are by the fit to all games of earlier periods. `hindsight = true` fits once, to all games,
    and "forecasts" each of them with it: the best that constant strengths could have said, and no forecast.

    Departures
    ----------
    The prior of a tie parameter, and of a fitted advantage, are as many virtual games between equals: a third of them
    won, drawn and lost; half a point each.

    `deviation` is 1 / sqrt(information) of a player's own rating, those of all others as they are: of few games and
    of pools that hardly meet it is too small.

    The step is a Newton step by conjugate gradients, not one of Zermelo's, Hunter's or Newman's, with the same answer.
    """

    kind: Literal["bradley-terry"] = "bradley-terry"
    rating: float = quantity(1500.0, "mean of the prior", unit="rating points", ge=-1e6, le=1e6)
    virtual_draws: float = quantity(1.0, "draws of everybody against the mean", unit="games", ge=0, le=1e6)
    spread: Bound = quantity(None, "standard deviation of a normal prior", unit="rating points", gt=0, le=1e6)
    ties: Literal["half", "davidson", "rao-kupper"] = choice("half", "the model of draws")
    advantage: float | Literal["fitted"] = choice(0.0, "what an edge of +1 is worth in rating points, or fitted")

    tells: ClassVar[tuple[str, ...]] = ("rating", "deviation")

    @property
    def broken(self) -> Mapping[str, str]:
        """A parameter that is fitted to the games of all moves the ratings of those who are idle."""
        shared = self.ties != "half" or self.advantage == "fitted"
        return {**self.breaks, "ageing": "one parameter more is fitted to the games of all"} if shared else self.breaks

    @property
    def prior(self) -> Prior:
        """What is believed of everybody beforehand."""
        ridge = 0.0 if self.spread is None else (SCALE / self.spread) ** 2
        return Prior(self.virtual_draws, ridge)

    def fitter(self, games: Games) -> PairFitter:
        """Return what fits the model to more and more of the games."""
        fitted = self.advantage == "fitted"
        worth = 0.0 if isinstance(self.advantage, str) else self.advantage / SCALE
        return PairFitter(Model(self.ties, self.prior, self.rating, SCALE, worth, fitted), games)
