"""The PyPI package `glicko2`, driven player by player, period by period."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .base import Floats, Found, Games, Noted

if TYPE_CHECKING:
    from glicko2 import Player

SCALE = 173.7178  # rating points in one unit of Glicko-2's own scale, as the package and the paper have it
STEPS = 1000  # evaluations of step 5's function; the package sets no limit, and can run for ever


class Snapshot(NamedTuple):
    """A player's figures: those before a period, or a newcomer's."""

    rating: float
    rd: float
    vol: float


def _peer(tau: float) -> "type[Player]":
    """Return the package's class with our tau and a limit; a subclass, so that the package's own tau stays."""
    from glicko2 import Player

    class Peer(Player):  # type: ignore[misc]  # the package has no types
        _tau = tau
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


def played(tau: float, newcomer: Snapshot, games: Games) -> Found:
    """Drive the package through the stream."""
    peer = _peer(tau)
    players: dict[int, Player] = {}
    brought: dict[int, int] = {}  # the period each player has been brought to
    forecast = np.empty(len(games.score))
    failed = []
    for period, rows in _periods(games):
        sides = list(zip(games.first[rows].tolist(), games.second[rows].tolist(), strict=True))
        for who in {who for side in sides for who in side}:
            player = players.setdefault(who, peer(*newcomer))
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
