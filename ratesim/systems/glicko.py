"""Glicko: a rating and how well it is known."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import model_validator

from ..curves import LN10
from ..errors import InputError
from ..spec import choice, quantity
from .base import SYSTEMS, Kernels, Start
from .deviating import Deviating
from .glicko_kernels import KERNELS, STEPPING

PRESETS: dict[str, dict[str, float]] = {"paper": {}, "fics": {"rating": 1720.0, "least_k": 16.0}, "chess.com": {}}
UNPUBLISHED = {"paper": (), "fics": ("c", "per"), "chess.com": ("rating", "c", "per")}


@SYSTEMS.add
class Glicko(Deviating):
    """Glicko, also called Glicko-1: every rating has a deviation, which games narrow and time widens.

    M. E. Glickman, Parameter estimation in large dynamic paired comparison experiments, Applied Statistics 48 (1999);
    "The Glicko system" (glicko.pdf), steps 1 and 2. c is 63.2, the paper's example: a deviation of 50 is back at 350
    after 30 periods.

    `preset` says whose Glicko it is, and what is left out is then theirs:

    - paper: the above, by rating periods.
    - fics: the Free Internet Chess Server. Game by game; newcomers are taken for 1720/350 ("help glicko"); since
      28 April 1997 no K is below 16 ("help rating_changes"), and those with a deviation of at most 80 are listed. How
      fast a deviation grows there is not published, so c and per have to be given.
    - chess.com: game by game, newcomers with a deviation of 350. Their rating depends on the level they choose, and
      neither c nor a floor of the deviation is published, so rating, c and per have to be given.

    Departures
    ----------
    None. `floor` (the paper recommends 30), `advantage`, `least_k` and durations for `per` are additions that are off
    by default. K is of one game, RD'^2 q g; in a period of several, `least_k` holds the mean of theirs from below. Both
    servers round ratings to whole numbers, which is not done here.
    """

    kind: Literal["glicko"] = "glicko"
    preset: Literal["paper", "fics", "chess.com"] = choice("paper", "whose parameters hold where none are given")
    c: float = quantity((4000.0) ** 0.5, "growth of the deviation", unit="rating points per sqrt(per)", ge=0, le=1e6)
    least_k: float = quantity(0.0, "what a game moves a rating by at least, per point", unit="rating points", ge=0)

    @model_validator(mode="before")
    @classmethod
    def _as_theirs(cls, given: object) -> object:
        """Fill in what the preset says of parameters that are not given."""
        if not isinstance(given, Mapping) or given.get("preset") not in PRESETS:
            return given
        preset = str(given["preset"])
        if lacking := [name for name in UNPUBLISHED[preset] if name not in given]:
            told = f"{' and '.join(lacking)}, which {preset} has not published"
            raise InputError(f"preset = '{preset}' is not enough", expected=told)
        return {**PRESETS[preset], **given}

    def kernels(self) -> Kernels:
        """Return the kernels, which differ where there is a least K."""
        return STEPPING if self.least_k > 0.0 else KERNELS

    @property
    def grows(self) -> bool:
        """Whether the deviation grows at all."""
        return self.c > 0.0

    @property
    def usual_calendar(self) -> Mapping[str, Any]:
        """Months, the paper's, or game by game, the servers'."""
        return {"kind": self.default_calendar if self.preset == "paper" else "per-game"}

    def params(self) -> tuple[float, ...]:
        """Return q, advantage, the squares of c, ceiling and floor, and the least K."""
        return (LN10 / 400.0, self.advantage, self.c**2, self.ceiling**2, self.floor**2, self.least_k)

    def belief(self, start: Start) -> tuple[float, ...]:
        """Return rating and variance."""
        return self.known(start)
