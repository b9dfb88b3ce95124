"""What is said of `fide`: its parameters, and what they make of the rules in force."""

import math
from datetime import date
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, model_validator

from ..dates import date_on, day_of
from ..rules import FIRST, LATEST, List, Rules, changes, rules
from ..spec import choice, quantity
from .base import System
from .fide_records import FLOOR, params_of

MOST_POINTS = 1e6
HIGHEST = 4000.0  # no rating is higher
OFF = math.inf


def bound(value: object) -> object:
    """Return a bound as it is kept: None, as the command line has it, stands for none."""
    if value is None:
        return "none"
    if value not in ("by-rules", "none") and not (isinstance(value, int | float) and 0 < value <= MOST_POINTS):
        msg = "expected a number of rating points above 0, by-rules or none"
        raise ValueError(msg)
    return value


def dated(value: object) -> object:
    """Return rules as they are kept."""
    if isinstance(value, str) and value != "as-of":
        try:
            return date.fromisoformat(value)
        except ValueError:
            msg = "expected a date such as 2025-10-01, or as-of"
            raise ValueError(msg) from None
    return value


ByRules = Annotated[float | Literal["by-rules", "none"], BeforeValidator(bound)]  # rating points


class FideParameters(System):
    """Parameters of `FideElo`, which says what they mean."""

    takes_policy: ClassVar[bool] = True
    kind: Literal["fide"] = "fide"
    list: List = choice("standard", "whose rules: each list has its own")
    rules: Annotated[date | Literal["as-of"], BeforeValidator(dated)] = choice(
        LATEST, "date whose rules hold throughout, or as-of: those of each event"
    )
    start: float | None = quantity(
        None, "rating of all newcomers, a whole number; left out, they earn one", unit="rating points", gt=0, le=HIGHEST
    )
    cap: ByRules = choice("by-rules", "a larger difference counts as this one; none: it never does")
    exempt: ByRules = choice("by-rules", "own rating from which the true difference counts; none: nobody's")
    floor: ByRules = choice("by-rules", "who falls below is unrated; none: nobody is")
    forecast: Literal["table", "logistic"] = choice("table", "what forecasts are read off; learning is by the table")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.start is not None and self.start % 1:
            msg = f"start = {self.start}: a FIDE rating is a whole number"
            raise ValueError(msg)
        if isinstance(self.rules, date) and self.start is not None and self.start < self.params()[FLOOR]:
            msg = f"start = {self.start:g}: below the floor of {self.params()[FLOOR]:g}, from which all would fall"
            raise ValueError(msg)
        if isinstance(self.rules, date) and self.rules < FIRST:
            msg = f"rules = {self.rules}: FIDE's ratings began on {FIRST}"
            raise ValueError(msg)
        return self

    @property
    def lowest(self) -> float | None:
        """The floor in force, that of today where rules go by date."""
        return None if self.floor == "none" else self.params()[FLOOR]

    def params(self) -> tuple[float, ...]:
        """Return what the rules say, those of today where they go by date."""
        return self.params_at(day_of(LATEST))

    def params_at(self, day: float) -> tuple[float, ...]:
        """Return what the rules in force on a day say."""
        found = params_of(self.rules_on(day))
        none = {"cap": OFF, "exempt": OFF, "floor": 1.0}
        own = {name: off if getattr(self, name) == "none" else getattr(self, name) for name, off in none.items()}
        return found._replace(**{name: value for name, value in own.items() if value != "by-rules"})

    def rules_on(self, day: float) -> Rules:
        """Return the rules in force on a day."""
        return rules(max(date_on(day), FIRST) if self.rules == "as-of" else self.rules, self.list)

    @property
    def changes(self) -> tuple[float, ...]:
        """Days on which the rules change."""
        dates = changes(self.list) if self.rules == "as-of" else ()
        return tuple(map(day_of, dates))
