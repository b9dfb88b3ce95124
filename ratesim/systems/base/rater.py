"""Anything that forecasts games."""

from collections.abc import Mapping
from typing import Any, ClassVar

from ...policies import POLICIES, Policy
from ...registry import Registry
from ...spec import Spec


class Rater(Spec):
    """Anything that forecasts a stream: a kernel system or a whole-stream one."""

    takes_policy: ClassVar[bool] = False  # a K policy means something to it
    default_policy: ClassVar[str] = "constant"
    default_calendar: ClassVar[str] = "per-game"
    depends: ClassVar[tuple[str, ...]] = ()  # distributions whose version its forecasts depend on, beside ratesim's own
    by_halves: ClassVar[bool] = False  # it knows the scores 0, 0.5 and 1 alone
    zero: ClassVar[float] = 0.0  # a rating of 0 on Elo's scale is about this on the system's
    point: ClassVar[float] = 1.0  # and a point of Elo's about as much
    breaks: ClassVar[dict[str, str]] = {}  # law of ratesim.testing it rightly breaks -> why

    @classmethod
    def home(cls, key: str) -> str:
        """Return the policy that a parameter is of, such as K."""
        kinds = POLICIES.kinds().values() if cls.takes_policy else ()
        named = (kind.__name__ for kind in kinds if key in kind.model_fields)
        return next((f"it of a policy, such as {name}({key}=...)" for name in named), "")

    @property
    def broken(self) -> Mapping[str, str]:
        """What `breaks` says, and what else is broken under these parameters."""
        return self.breaks

    @property
    def grows(self) -> bool:
        """Whether time changes a belief, so that growth must have a unit."""
        return False

    @property
    def usual_calendar(self) -> Mapping[str, Any]:
        """What the calendar is made of where none is named."""
        return {"kind": self.default_calendar}

    def learning(self, policy: Policy) -> Policy:
        """Return the policy as this system uses it."""
        return policy


SYSTEMS: Registry[Rater] = Registry("system", "ratesim.systems")
