"""Days since 1970-01-01 as dates, and back."""

import math
from datetime import date

EPOCH = date(1970, 1, 1)


def day_of(when: date) -> float:
    """Return a date as days since 1970-01-01.

    >>> day_of(date(1970, 1, 2))
    1.0
    """
    return float((when - EPOCH).days)


def date_on(day: float) -> date:
    """Return the date that a day since 1970-01-01 falls on, held to the years 1 to 9999.

    >>> date_on(-0.5)
    datetime.date(1969, 12, 31)
    """
    return date.fromordinal(min(max(EPOCH.toordinal() + math.floor(day), 1), date.max.toordinal()))
