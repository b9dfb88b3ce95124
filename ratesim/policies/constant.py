"""One K for everybody: given, or worked out from how fast skills change."""

from typing import Any, ClassVar, Literal

from ..jit import Function, kernel
from ..records import Career
from ..spec import choice, quantity
from ..theory import best_k_improving, best_k_walking
from .base import MOST, POLICIES, Policy, PolicyKernels


@kernel
def constant_gain(q: Any, rating: float, career: Career) -> float:
    """Return the same K for everybody."""
    k: float = q.k
    return k


@POLICIES.add
class Constant(Policy):
    """The same K for every player and game (Elo 1978; 32 and 20 are the usual values).

    The best constants that were found on games of chess: 24 on those of 1994 to 2001 that were at hand, beside straight
    lines for expected scores (Sonas 2002, "The Sonas rating formula: better than Elo?"), 27 on FIDE's of 1999 to 2007
    (Stephenson 2012). FiveThirtyEight has 20 for the NFL.
    """

    gain: ClassVar[Function | None] = constant_gain
    career: ClassVar[bool] = False
    sound: ClassVar[bool] = True
    kind: Literal["constant"] = "constant"
    k: float = quantity(20.0, "K-factor", unit="rating points a game", ge=0, le=MOST)

    def __init__(self, k: float = 20.0, **values: Any) -> None:
        super().__init__(k=k, **values)  # type: ignore[call-arg]  # its plugin sees the fields of Policy only


@POLICIES.add
class Tracking(Policy):
    """The constant K that follows skills best which change so fast: T11 of `ratesim.theory`.

    Of skills that walk at random by q points from game to game, K = 2 q among equals; of skills that improve by d
    points a game, K = 4 (s d^2)^(1/3) with s = 400 / ln 10. Either is where the noise of results and the lag behind the
    skill together are least.

    Departures
    ----------
    T11 takes opponents to be known, and games to be against equals, to leading order in K.
    """

    kind: Literal["tracking"] = "tracking"
    drift: float = quantity(5.0, "how far skills move from game to game", unit="rating points a game", ge=0, le=1000)
    by: Literal["walk", "improvement"] = choice(
        "walk", "whether drift is the standard deviation of a random walk, or a steady improvement"
    )

    def kernels(self) -> PolicyKernels:
        """Return those of `constant`."""
        return Constant().kernels()

    def params(self) -> tuple[float, ...]:
        """Return K."""
        return (best_k_walking(self.drift) if self.by == "walk" else best_k_improving(self.drift),)
