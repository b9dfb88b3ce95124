"""What is said of `elo`: its parameters, and which of them go together."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from ..errors import InputError
from ..spec import Bound, choice, quantity
from .base import System
from .stages import ByStage


class EloParameters(System):
    """Parameters of `Elo`, which says what they mean."""

    takes_policy: ClassVar[bool] = True
    kind: Literal["elo"] = "elo"
    curve: Literal["logistic", "normal"] = choice("logistic", "expected score over the rating difference")
    scale: float = quantity(400.0, "difference for odds of ten to one", unit="rating points", gt=0, le=1e6)
    start: float = quantity(1500.0, "rating of a newcomer", unit="rating points", ge=-1e6, le=1e6)
    advantage: float = quantity(0.0, "what an edge of +1 is worth", unit="rating points", ge=-1e4, le=1e4)
    cap: Bound = quantity(None, "a larger difference counts as this one", unit="rating points", gt=0)
    floor: Bound = quantity(None, "what no rating is below, from the start", unit="rating points", ge=-1e6, le=1e6)
    draws: Literal["none", "davidson"] = choice("none", "what is made of draws: half a win, or Davidson's model")
    kappa: float = quantity(1.0, "of Davidson's model: 2 d / (1 - d) where equals draw d", unit="ratio", ge=0, le=1e6)
    margin: Literal["none", "538", "football"] = choice(
        "none", "what the margin does to the surplus: nothing, or what 538 or World Football has"
    )
    opponents: Literal["each", "average"] = choice(
        "each", "each game of a period looked up on the curve, or all at the average of the opponents"
    )
    reversion: float = quantity(
        0.0, "part of the way to the mean that a rating goes as a season begins, once for several", unit="share",
        ge=0, le=1,
    )  # fmt: skip
    reversion_to: float | None = quantity(
        None, "that mean; the rating of a newcomer if left out", unit="rating points", ge=-1e6, le=1e6
    )
    k_by_stage: ByStage | None = quantity(None, "factor of K by the games' stage; `other`: of the rest", unit="ratio")
    edge_by_stage: ByStage | None = quantity(None, "the same of the edge", unit="ratio")

    @model_validator(mode="after")
    def _together(self) -> Self:
        average, davidson = self.opponents == "average", self.draws == "davidson"
        single = "opponents = 'each', for {} are of single games"
        wrong = (
            (
                average and self.margin != "none",
                f"opponents = 'average' with margin = '{self.margin}'",
                single.format("margins"),
            ),
            (average and self.k_by_stage is not None, "opponents = 'average' with k_by_stage", single.format("stages")),
            (average and davidson, "opponents = 'average' with draws = 'davidson'", single.format("draws")),
            (davidson and self.curve == "normal", "draws = 'davidson' with curve = 'normal'", "curve = 'logistic'"),
            (not davidson and self.kappa != 1.0, f"kappa = {self.kappa:g} with draws = 'none'", "draws = 'davidson'"),
        )
        for there, what, expected in wrong:
            if there:
                raise InputError(what, expected=expected)
        return self
