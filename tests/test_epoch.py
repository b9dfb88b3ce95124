"""1970 is where days are counted from, and nothing else: games of 1872 are played as those of today."""

import numpy as np
import pytest

from ratesim.calendars import Every, Months, PerGame
from ratesim.replay import replay
from ratesim.stream import GameStream
from ratesim.systems.elo import Elo

CENTURIES = 146_097  # days in 400 years, after which the calendar repeats; 20,871 weeks


def games(shift: float) -> GameStream:
    random = np.random.default_rng(1)
    first = random.integers(0, 5, 60)
    second = (first + random.integers(1, 5, 60)) % 5
    time = np.sort(random.integers(0, 400, 60)).astype(np.float64)
    names = np.array(list("ABCDE"))
    return GameStream.of(first=names[first], second=names[second], score=random.random(60), time=time + shift)


@pytest.mark.parametrize("calendar", [Every(days=7), Months(), PerGame()], ids=lambda calendar: calendar.kind)
def test_games_before_1970_are_played_as_those_after(calendar):
    late, early = (replay(Elo(), games(shift), calendar=calendar) for shift in (0, -CENTURIES))
    np.testing.assert_array_equal(early.forecast, late.forecast)
    times = np.linspace(0, 420, 9)
    histories = [run.history(times + shift) for run, shift in ((late, 0), (early, -CENTURIES))]
    assert histories[0].drop("time").equals(histories[1].drop("time"))
