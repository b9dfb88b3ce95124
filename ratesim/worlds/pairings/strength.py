"""What all pairings by strength share: skill, or the ratings of an organiser."""

from typing import Annotated, Literal, Self

from pydantic import Field, SerializeAsAny, model_validator

from ...errors import InputError
from ...policies import POLICIES, Policy
from ...replaying.pairs import check_pairs, learning
from ...spec import choice
from ...systems.base import SYSTEMS, Rater, System
from ...systems.elo import Elo
from ..base import Floats, Pairing, Pool, built

ASystem = Annotated[SerializeAsAny[Rater], built(SYSTEMS), SYSTEMS]
APolicy = Annotated[SerializeAsAny[Policy], built(POLICIES), POLICIES]


class ByStrength(Pairing):
    """Pairs by strength: by skill, which nobody knows, or by the ratings of an organiser.

    An organiser rates the games as they are played, under the usual calendar of the system, and everybody begins as the
    system has newcomers begin. Which games there are depends on that system then, but not on the systems of an
    experiment, which all meet the same games: where a system is to meet the games of its own loop, it is the organiser.
    """

    by: Literal["rating", "skill"] = choice("rating", "what pairs go by: the organiser's ratings, or skill")
    organiser: ASystem = Field(
        Elo(), description="the system whose ratings pairs go by (`ratesim systems`): one list, over all pools"
    )
    policy: APolicy | None = Field(None, description="K of the organiser; left out, the system's own default")

    @model_validator(mode="after")
    def _can_organise(self) -> Self:
        check_pairs([(self.organiser, self.policy)], None)
        if not isinstance(self.organiser, System) or self.organiser.alone:
            raise InputError(
                f"organiser '{self.organiser.kind}' has to see games before they are played",
                expected="a system that does not, such as elo",
            )
        return self

    @property
    def loop(self) -> tuple[System, Policy] | None:
        """The system and policy by whose ratings it pairs; None where it goes by skill."""
        if self.by == "skill":
            return None
        assert isinstance(self.organiser, System)  # noqa: S101  # it was checked
        return self.organiser, learning(self.organiser, self.policy)

    def strength(self, pool: Pool) -> Floats:
        """Return what pairs go by, (R, N) rating points."""
        if self.by == "skill":
            return pool.skill
        assert pool.rating is not None  # noqa: S101  # there is a loop
        return pool.rating
