"""Davidson's draws and World Football's goals, compiled: the same bits as in plain Python."""

import pytest

import ratesim as rs
from ratesim.testing import checks_for

SYSTEM = rs.Elo(draws="davidson", kappa=0.7, margin="football", advantage=30)


@pytest.mark.slow
@pytest.mark.parametrize("check", [check for check in checks_for(SYSTEM) if check.law == "one kernel"], ids=str)
def test_law(check):
    check()
