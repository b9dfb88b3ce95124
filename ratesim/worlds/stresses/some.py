"""Players at random who are at something, from one day to another."""

from typing import Self

from pydantic import model_validator

from ...errors import InputError
from ...rng import Luck
from ...spec import Duration, quantity
from ..base import Mask, Memory, Moment, Stress
from ..bounds import LONG
from ..chosen import shuffled


class Some(Stress):
    """Some players, drawn at random in each replicate: `place` is their place in a random order of all, 0 the first.

    They are at it in rounds that open on `since` or later, and before `until`.
    """

    count: int = quantity(1, "players who are at it", unit="players", ge=1, le=10_000_000)
    since: Duration = quantity(0.0, "day of the world from which they are", unit="days", ge=0, le=LONG)
    until: Duration = quantity(
        0.0, "day of the world from which they are no more; 0: never", unit="days", ge=0, le=LONG
    )

    @model_validator(mode="after")
    def _ends_later(self) -> Self:
        if self.until and self.until <= self.since:
            msg = f"until = {self.until:g}, and since = {self.since:g}: it would end before it begins"
            raise ValueError(msg)
        return self

    @property
    def people(self) -> int:
        """How many players have a part in it."""
        return self.count

    def check(self, players: int, days: float) -> None:
        """Refuse a world of so few players, or of so few days."""
        if self.people > players:
            said = f"stress {self.kind}: {self.people} players of {players}"
            raise InputError(said, expected=f"{players} at the most, or more players")
        if self.since >= days:
            raise InputError(f"stress {self.kind}: since = {self.since:g}", expected=f"a day before the end, {days:g}")

    def begin(self, luck: Luck, players: int) -> Memory:
        """Return each player's place (R, N)."""
        return {"place": shuffled(luck, "who", players)}

    def who(self, memory: Memory) -> Mask:
        """Return who is at it, (R, N)."""
        who: Mask = memory["place"] < self.count
        return who

    def on(self, moment: Moment) -> bool:
        """Whether they are at it."""
        return self.since <= moment.day and (not self.until or moment.day < self.until)
