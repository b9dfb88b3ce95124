"""Products of systems and calendars, of which a part is tried by default and all by `pytest -m slow`."""

from collections.abc import Iterable

import pytest


def thinned(systems: Iterable[str], calendars: Iterable[str], *, full: Iterable[str], usual: str) -> list[object]:
    """Every system under every calendar; those not in `full` by default under the usual one alone."""
    return [
        pytest.param(system, calendar, marks=() if system in full or calendar == usual else pytest.mark.slow)
        for system in systems
        for calendar in calendars
    ]
