"""Glicko-2 as the package `glicko2` on PyPI has it: a peer to compare with, its fault included."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from ..errors import InputError
from ..spec import quantity
from .base import SYSTEMS, Floats, Found, Games, Noted, WholeStream

if TYPE_CHECKING:
    from glicko2 import Player

SCALE = 173.7178  # rating points in one unit of Glicko-2's own scale, as the package and the paper have it
STEPS = 1000  # evaluations of step 5's function; the package sets no limit, and can run for ever


@SYSTEMS.add
class Glicko2PyPI(WholeStream):
    """The PyPI package `glicko2` (Ryan Kirkman, deepy/glicko2), driven player by player, period by period.

    All games of a period are judged by the ratings before it, both sides from the same snapshot. A player who sat
    out a period gets the package's `did_not_compete`. Ratings are kept as in Glickman, Example of the Glicko-2
    system (2013).

    Departures
    ----------
    The package departs from the paper in step 5: where the function of the volatility squares the deviation, the
    package squares the player's rating. The two agree only where the rating is as far from 1500 as the deviation is
    large, so results change when all ratings are shifted. The paper's example gives a volatility of .0599934 instead
    of .0599960; over random periods the rating was up to 1146 points off.

    The package does not forecast. Here it does by the Glicko expectation with the deviations of both sides
    (Glickman, The Glicko system, 1999), those before the period.

    A step 5 that the package cannot solve (no bracket, an overflow, more than a thousand evaluations) leaves the
    player as one who did not compete in that period; a diagnostic counts such cases and names the first.

    The package has no weights, edge or starts per player, so neither has this: a weighted stream is refused.
    """

    default_calendar: ClassVar[str] = "months"
    keeps_ratings: ClassVar[bool] = True
    depends: ClassVar[tuple[str, ...]] = ("glicko2",)
    breaks: ClassVar[dict[str, str]] = {
        "translation": "step 5 squares the rating where the paper squares the deviation",
        "weights": "the package has no weights",
    }

    kind: Literal["glicko2-pypi"] = "glicko2-pypi"
    tau: float = quantity(0.5, "how freely the volatility moves", unit="natural log of volatility", gt=0)
    rating: float = quantity(1500.0, "rating of a new player", unit="rating points")
    deviation: float = quantity(350.0, "deviation of a new player", unit="rating points", gt=0)
    volatility: float = quantity(0.06, "volatility of a new player", unit="Glicko-2's own scale", gt=0)

    @property
    def grows(self) -> bool:
        """The deviation of those who sit a period out does."""
        return True

    def check(self, games: Games) -> None:
        """Refuse games that have weights."""
        if games.weight is not None and (games.weight != 1).any():
            raise InputError(f"system '{self.kind}' has no weights", where="column weight", expected="1 for every game")

    def whole(self, games: Games) -> Found:
        """Return forecasts by the ratings before each period; rating, deviation and volatility after the last.

        The columns are NaN for those who never played.
        """
        return _play(self, games)


class Snapshot(NamedTuple):
    """A player's figures before a period."""

    rating: float
    rd: float
    vol: float


def _peer(spec: Glicko2PyPI) -> "type[Player]":
    """Return the package's class with our tau and a limit; a subclass, so that the package's own tau stays."""
    from glicko2 import Player

    class Peer(Player):  # type: ignore[misc]  # the package has no types
        _tau = spec.tau
        left = STEPS

        def _f(self, *step: float) -> float:
            self.left -= 1
            if self.left < 0:
                raise ArithmeticError
            return float(super()._f(*step))

        @property
        def snapshot(self) -> Snapshot:
            return Snapshot(self.rating, self.rd, self.vol)

    return Peer


def _play(spec: Glicko2PyPI, games: Games) -> Found:
    """Drive the package through the stream."""
    peer = _peer(spec)
    players: dict[int, Player] = {}
    brought: dict[int, int] = {}  # the period each player has been brought to
    forecast = np.empty(len(games.score))
    failed = []
    for period, rows in _periods(games):
        sides = list(zip(games.first[rows].tolist(), games.second[rows].tolist(), strict=True))
        for who in {who for side in sides for who in side}:
            player = players.setdefault(who, peer(spec.rating, spec.deviation, spec.volatility))
            _sit_out(player, period - brought.get(who, period) - 1)
            brought[who] = period
        before = {who: players[who].snapshot for side in sides for who in side}
        forecast[rows] = [_expected(before[first], before[second]) for first, second in sides]
        for who, results in _results(sides, games.score[rows].tolist(), before).items():
            if not _update(players[who], results):
                players[who] = peer(*before[who])
                _sit_out(players[who], 1)
                failed.append((who, period))
    for who, player in players.items():
        _sit_out(player, int(games.period[-1]) - brought[who])
    noted = (Noted("step 5 not solved", len(failed), *failed[0]),) if failed else ()
    return Found(forecast, _columns(players, games.players), noted)


def _periods(games: Games) -> Iterator[tuple[int, slice]]:
    """Yield each period that has games, with its rows."""
    numbers, opening = np.unique(games.period, return_index=True)
    for number, begin, end in zip(numbers, opening, [*opening[1:], len(games.period)], strict=True):
        yield int(number), slice(int(begin), int(end))


def _results(
    sides: list[tuple[int, int]], scores: list[float], before: dict[int, Snapshot]
) -> dict[int, tuple[list[float], list[float], list[float]]]:
    """Return each player's lists of opponents' ratings, their deviations and own scores, as the package takes them."""
    lists: dict[int, tuple[list[float], list[float], list[float]]] = {who: ([], [], []) for who in before}
    for (first, second), score in zip(sides, scores, strict=True):
        for me, foe, mine in ((first, second, score), (second, first, 1.0 - score)):
            ratings, deviations, own = lists[me]
            ratings.append(before[foe].rating)
            deviations.append(before[foe].rd)
            own.append(mine)
    return lists


def _sit_out(player: "Player", periods: int) -> None:
    for _ in range(periods):
        player.did_not_compete()


def _update(player: "Player", results: tuple[list[float], list[float], list[float]]) -> bool:
    """Play one period; False where the package failed."""
    player.left = STEPS
    try:
        player.update_player(*results)
    except (ArithmeticError, ValueError):  # overflow, division by zero, logarithm of a negative number
        return False
    return all(map(math.isfinite, player.snapshot))


def _expected(me: Snapshot, foe: Snapshot) -> float:
    """Expected score of me, the deviations of both counted."""
    spread = (me.rd * me.rd + foe.rd * foe.rd) / (SCALE * SCALE)
    gap = (me.rating - foe.rating) / SCALE / math.sqrt(1.0 + 3.0 * spread / math.pi**2)
    return 0.5 + 0.5 * math.tanh(0.5 * gap)


def _columns(players: dict[int, "Player"], count: int) -> dict[str, Floats]:
    """Return the players' figures as columns (count,)."""
    table = np.full((3, count), np.nan)
    for who, player in players.items():
        table[:, who] = player.snapshot
    return dict(zip(("rating", "deviation", "volatility"), table, strict=True))
